"""What a bot may do with an interaction's token: the first answer, `@original`, follow-ups."""

import asyncio

from .endpoints import ApiAnswer, Call, Route
from .limits import check_choices, check_modal
from .messages import create_message, create_placeholder, edit_message
from .payloads import encode_message, make_reply
from .replies import Reply
from .sessions import Json
from .world import (
    AUTOCOMPLETE,
    CHOICES,
    EPHEMERAL,
    LOADING,
    MESSAGE,
    MODAL,
    MODAL_SUBMIT,
    SILENT,
    THINKING,
    UPDATE,
    ApiError,
    Interaction,
    Message,
    World,
    make_form_error,
)


def _find_callback_types(interaction: Interaction) -> set[int]:
    if interaction.type == AUTOCOMPLETE:
        return {CHOICES}
    on_message = {SILENT, UPDATE} if interaction.message_id is not None else set()
    return (
        {MESSAGE, THINKING} | on_message | ({MODAL} if interaction.type != MODAL_SUBMIT else set())
    )


def _get_pending_interaction(world: World, call: Call) -> Interaction:
    interaction = world.interactions.get(call.params["token"])
    if interaction is None or str(interaction.id) != call.params["interaction"]:
        raise ApiError(404, 10062, "Unknown interaction")
    if interaction.callback is not None:
        raise ApiError(400, 40060, "Interaction has already been acknowledged.")
    if _measure_age(interaction) > world.deadline_s:
        raise ApiError(404, 10062, "Unknown interaction")
    return interaction


def _measure_age(interaction: Interaction) -> float:
    return asyncio.get_running_loop().time() - interaction.born


async def _handle_callback(world: World, call: Call) -> ApiAnswer:
    interaction = _get_pending_interaction(world, call)
    kind, data = int(call.body["type"]), call.body.get("data") or {}
    if kind not in _find_callback_types(interaction):
        raise make_form_error(
            {"type": f"Value must be one of {sorted(_find_callback_types(interaction))}."}
        )
    message = _apply_first_answer(world, interaction, kind, data, call)
    interaction.callback = kind
    interaction.answered = asyncio.get_running_loop().time()
    interaction.original_id = message.id if message else None
    if kind in (MESSAGE, SILENT, UPDATE) and message:
        interaction.reply = make_reply(world, message)
    if call.query.get("with_response") not in ("1", "true"):
        return 204, None
    return 200, _make_acknowledgement(world, interaction, kind, message)


def _apply_first_answer(
    world: World, interaction: Interaction, kind: int, data: Json, call: Call
) -> Message | None:
    if kind == MESSAGE:
        return create_message(world, interaction.channel_id, data, call.files, interaction)
    if kind == THINKING:
        return create_placeholder(world, interaction, int(data.get("flags") or 0) & EPHEMERAL)
    if kind in (SILENT, UPDATE):
        clicked = world.get_message(interaction.channel_id, interaction.message_id or 0)
        return edit_message(world, clicked, data, call.files) if kind == UPDATE else clicked
    if kind == CHOICES:
        check_choices(data["choices"])
        interaction.choices = data["choices"]
    else:
        check_modal(data)
        interaction.reply = Reply(interaction.channel_id, interaction.message_id, modal=data)
    return None


def _make_acknowledgement(
    world: World, interaction: Interaction, kind: int, message: Message | None
) -> Json:
    about: Json = {"id": str(interaction.id), "type": interaction.type}
    if message is not None:
        about["response_message_id"] = str(message.id)
        about["response_message_loading"] = bool(message.flags & LOADING)
        about["response_message_ephemeral"] = bool(message.flags & EPHEMERAL)
    answer: Json = {"interaction": about}
    if kind in (MESSAGE, UPDATE) and message:
        answer["resource"] = {"type": kind, "message": encode_message(world, message)}
    return answer


def _get_answered_interaction(world: World, call: Call) -> Interaction:
    interaction = world.interactions.get(call.params["token"])
    if (
        interaction is None
        or interaction.callback is None
        or call.params["app"] != str(world.bot.id)
    ):
        raise ApiError(404, 10015, "Unknown Webhook")
    if _measure_age(interaction) > world.token_life_s:
        raise ApiError(401, 50027, "Invalid Webhook Token")
    return interaction


def _find_target(world: World, interaction: Interaction, call: Call) -> Message:
    named = call.params.get("message", interaction.original_id)
    found = world.messages.get(int(named or 0))
    if found is None or (
        found.interaction is not interaction and found.id != interaction.original_id
    ):
        raise ApiError(404, 10008, "Unknown Message")
    return found


async def _post_follow_up(world: World, call: Call) -> ApiAnswer:
    interaction = _get_answered_interaction(world, call)
    waiting = world.messages.get(interaction.original_id or 0)
    if interaction.callback == THINKING and waiting and waiting.flags & LOADING:
        message = edit_message(world, waiting, call.body, call.files)
    else:
        message = create_message(world, interaction.channel_id, call.body, call.files, interaction)
    interaction.reply = interaction.reply or make_reply(world, message)
    return 200, encode_message(world, message)


async def _get_message(world: World, call: Call) -> ApiAnswer:
    return 200, encode_message(
        world, _find_target(world, _get_answered_interaction(world, call), call)
    )


async def _edit_message(world: World, call: Call) -> ApiAnswer:
    interaction = _get_answered_interaction(world, call)
    message = edit_message(world, _find_target(world, interaction, call), call.body, call.files)
    interaction.reply = interaction.reply or make_reply(world, message)
    return 200, encode_message(world, message)


async def _delete_message(world: World, call: Call) -> ApiAnswer:
    interaction = _get_answered_interaction(world, call)
    message = _find_target(world, interaction, call)
    del world.messages[message.id]
    interaction.reply = interaction.reply or Reply(interaction.channel_id)
    return 204, None


WEBHOOK_PATH = "/webhooks/{app}/{token}"
ROUTES: list[Route] = [
    ("POST", "/interactions/{interaction}/{token}/callback", _handle_callback),
    ("POST", WEBHOOK_PATH, _post_follow_up),
    *(
        (method, WEBHOOK_PATH + "/messages/" + target, handler)
        for target in ("@original", "{message}")
        for method, handler in (
            ("GET", _get_message),
            ("PATCH", _edit_message),
            ("DELETE", _delete_message),
        )
    ),
]
