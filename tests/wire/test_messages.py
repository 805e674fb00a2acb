"""Messages posted with the bot's token: files, nonces, permissions, threads, and notifications."""

import pytest

from .discord_server import DiscordServer
from .plain_bot import post_message, send_request
from .world import ATTACH, COMPONENTS_V2, THREAD, VIEW

pytestmark = pytest.mark.asyncio

V2 = {"flags": COMPONENTS_V2}
WORDS = {"type": 10, "content": "gold to play"}
PLAYED = {"type": 10, "content": "gold has played"}
GALLERY = {
    "type": 12,
    "items": [{"media": {"url": "attachment://board.png"}, "description": "men on a"}],
}
BOARD = {"type": 17, "components": [WORDS, GALLERY]}


async def test_board_is_kept_when_an_edit_names_no_attachments(server: DiscordServer) -> None:
    named = [{"id": 0, "filename": "board.png"}]
    status, first = await post_message(
        server, {**V2, "components": [BOARD], "attachments": named}, b"first"
    )
    assert (status, first["attachments"]) == (200, []), "what a component shows is not listed again"
    closed = {"type": 17, "components": [PLAYED, GALLERY]}
    assert (await post_message(server, {"components": [closed]}, message_id=first["id"]))[0] == 200
    (reply,) = server.list_messages()
    assert (reply.text, reply.alt_texts) == ("gold has played", ["men on a"])
    assert [file.data for file in reply.files] == [b"first"]
    assert (await post_message(server, {"attachments": named}, b"second", message_id=first["id"]))[
        0
    ] == 200
    (reply,) = server.list_messages()
    assert [file.data for file in reply.files] == [b"second"]
    assert await post_message(server, {"attachments": []}, message_id=first["id"]) == (400, 50035)
    assert server.list_messages() == [reply]


async def test_file_that_no_component_shows_is_not_seen(server: DiscordServer) -> None:
    assert (await post_message(server, {**V2, "components": [WORDS]}, b"board"))[0] == 200
    assert [one.files for one in server.list_messages()] == [()]


async def test_components_flag_cannot_be_removed(server: DiscordServer) -> None:
    _, first = await post_message(server, {**V2, "components": [WORDS]})
    assert await post_message(server, {"flags": 0, "components": []}, message_id=first["id"]) == (
        400,
        50035,
    )
    assert await post_message(server, {"content": "words"}, message_id=first["id"]) == (400, 50035)
    assert (await post_message(server, {"components": [PLAYED]}, message_id=first["id"]))[0] == 200
    assert server.list_messages()[0].text == "gold has played"


async def test_message_turns_to_components_only_without_its_words(server: DiscordServer) -> None:
    _, first = await post_message(server, {"content": "words"})
    assert await post_message(server, {**V2, "components": [WORDS]}, message_id=first["id"]) == (
        400,
        50035,
    )
    assert (
        await post_message(
            server, {**V2, "components": [WORDS], "content": None}, message_id=first["id"]
        )
    )[0] == 200


async def test_one_nonce_posts_one_message(server: DiscordServer) -> None:
    once = {"content": "throw", "nonce": "match 1 event 7", "enforce_nonce": True}
    _, first = await post_message(server, once)
    _, again = await post_message(server, {**once, "content": "another"})
    assert (again["id"], again["content"], again["nonce"]) == (
        first["id"],
        "throw",
        "match 1 event 7",
    )
    assert (await post_message(server, {**once, "enforce_nonce": False}))[1]["id"] != first["id"]
    assert len(server.list_messages()) == 2
    assert await post_message(server, {**once, "nonce": "x" * 26}) == (400, 50035)


async def test_nonce_of_a_deleted_message_posts_nothing_and_is_forgotten_in_time(
    server: DiscordServer,
) -> None:
    once = {"content": "throw", "nonce": "7", "enforce_nonce": True}
    _, first = await post_message(server, once)
    path = f"/channels/{first['channel_id']}/messages/{first['id']}"
    assert await send_request(server, "DELETE", path) == (204, None)
    assert await send_request(server, "GET", path) == (404, 10008)
    assert await post_message(server, once) == (404, 10008)
    server.world.nonce_life_s = 0.0
    assert (await post_message(server, once))[0] == 200


async def test_permissions_are_taken_and_given_back_in_one_channel(server: DiscordServer) -> None:
    tables, hall = server.get_channel("tables"), server.get_channel("hall")
    _, first = await post_message(server, {"content": "before"})
    server.deny_permission(tables)
    assert await post_message(server, {"content": "c"}) == (403, 50013)
    assert (
        await post_message(
            server, {"content": "own messages can be edited"}, message_id=first["id"]
        )
    )[0] == 200
    assert (
        await send_request(
            server, "POST", f"/channels/{hall.id}/messages", json={"content": "elsewhere"}
        )
    )[0] == 200
    server.deny_permission(tables, VIEW)
    assert await post_message(server, {"content": "c"}, message_id=first["id"]) == (403, 50001)
    server.restore_permissions(tables)
    server.deny_permission(tables, ATTACH)
    assert (await post_message(server, {"content": "words alone"}))[0] == 200
    assert await post_message(server, {"content": "with a file"}, b"board") == (403, 50013)
    server.restore_permissions(tables)
    assert (await post_message(server, {"content": "with a file"}, b"board"))[0] == 200


async def test_archived_thread_refuses_edits_and_a_new_message_opens_it(
    server: DiscordServer,
) -> None:
    thread = server.world.add_channel(THREAD, "match 1", parent_id=server.get_channel("tables").id)
    path = f"/channels/{thread.id}/messages"
    _, first = await send_request(server, "POST", path, json={"content": "throw"})
    thread.archived = True
    assert await send_request(server, "PATCH", f"{path}/{first['id']}", json={"content": "c"}) == (
        400,
        50083,
    )
    assert (await send_request(server, "POST", path, json={"content": "next"}))[0] == 200
    assert not thread.archived
    thread.archived = thread.locked = True
    assert await send_request(server, "POST", path, json={"content": "c"}) == (400, 50083)


async def test_a_message_notifies_when_it_appears_and_never_by_an_edit(
    server: DiscordServer,
) -> None:
    ana, ben = server.get_person("ana"), server.get_person("ben")
    both, only_ana = f"<@{ana.id}> <@{ben.id}>", {"parse": [], "users": [str(ana.id)]}
    _, first = await post_message(server, {"content": both, "allowed_mentions": only_ana})
    await post_message(server, {"content": both}, message_id=first["id"])
    assert (server.list_notifications(ana), server.list_notifications(ben)) == (
        [int(first["id"])],
        [],
    )
    laid_out = {**V2, "components": [{"type": 10, "content": both}], "allowed_mentions": only_ana}
    _, second = await post_message(server, laid_out)
    assert server.list_notifications(ana) == [int(first["id"]), int(second["id"])]
