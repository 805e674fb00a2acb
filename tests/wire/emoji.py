"""The application's own emoji."""

from tests.support.emoji import MAX_EMOJI, find_upload_problems

from .endpoints import ApiAnswer, Call
from .limits import raise_problems
from .payloads import encode_emoji
from .world import ApiError, Emoji, World


async def _list_emoji(world: World, call: Call) -> ApiAnswer:
    return 200, {"items": [encode_emoji(world, emoji) for emoji in world.emoji.values()]}


async def _create_emoji(world: World, call: Call) -> ApiAnswer:
    if len(world.emoji) >= MAX_EMOJI:
        raise ApiError(400, 30008, f"Maximum number of emojis reached ({MAX_EMOJI})")
    raise_problems(list(find_upload_problems(call.body, _list_names(world))))
    emoji = Emoji(world.build_id(), call.body["name"])
    world.emoji[emoji.id] = emoji
    return 201, encode_emoji(world, emoji)


def _list_names(world: World) -> set[str]:
    return {emoji.name for emoji in world.emoji.values()}


def _find_emoji(world: World, call: Call) -> Emoji:
    emoji = world.emoji.get(int(call.params["emoji"]))
    if emoji is None:
        raise ApiError(404, 10014, "Unknown Emoji")
    return emoji


async def _get_emoji(world: World, call: Call) -> ApiAnswer:
    return 200, encode_emoji(world, _find_emoji(world, call))


async def _rename_emoji(world: World, call: Call) -> ApiAnswer:
    emoji = _find_emoji(world, call)
    raise_problems(list(find_upload_problems(call.body, _list_names(world) - {emoji.name})))
    emoji.name = call.body["name"]
    return 200, encode_emoji(world, emoji)


async def _delete_emoji(world: World, call: Call) -> ApiAnswer:
    del world.emoji[_find_emoji(world, call).id]
    return 204, None


ROUTES = [
    ("GET", "/applications/{app}/emojis", _list_emoji),
    ("POST", "/applications/{app}/emojis", _create_emoji),
    ("GET", "/applications/{app}/emojis/{emoji}", _get_emoji),
    ("PATCH", "/applications/{app}/emojis/{emoji}", _rename_emoji),
    ("DELETE", "/applications/{app}/emojis/{emoji}", _delete_emoji),
]
