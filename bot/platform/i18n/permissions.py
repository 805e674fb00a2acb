"""Discord's names of what a bot may be allowed."""

from collections.abc import Callable, Mapping, Sequence

from bot.platform.i18n.reader import Reader

PERMISSIONS: Mapping[str, Callable[[Reader], str]] = {
    "view_channel": lambda say: say("View Channel"),
    "send_messages": lambda say: say("Send Messages"),
    "send_messages_in_threads": lambda say: say("Send Messages in Threads"),
    "create_public_threads": lambda say: say("Create Public Threads"),
    "read_message_history": lambda say: say("Read Message History"),
    "attach_files": lambda say: say("Attach Files"),
    # Translators: a permission for voice channels, as Discord names it in your language.
    "connect": lambda say: say("Connect"),
    "create_events": lambda say: say("Create Events"),
    "manage_roles": lambda say: say("Manage Roles"),
}
"""Discord's names of the permissions that a channel must give."""


def format_permissions(say: Reader, missing: Sequence[str]) -> str:
    """Name permissions as Discord does."""
    return say.format_list([PERMISSIONS[name](say) for name in missing])
