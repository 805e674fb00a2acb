"""What is said of what a contest has in its server: its event and its roles."""

from bot.features.contests.rows import CHAMPION, Contest, ServerProblem
from bot.features.contests.texts import format_division, get_command
from bot.features.contests.tournament_texts import format_game_line
from bot.platform.i18n.permissions import format_permissions
from bot.platform.i18n.reader import Reader


def format_role_name(say: Reader, contest: Contest, place: int) -> str:
    """Name the role of a league's champion, or of a division; the same for all its seasons."""
    if place == CHAMPION:
        return say("{contest} champion", contest=contest.name)
    division = format_division(say, place - CHAMPION - 1)
    # Translators: name of a role: that of a league, then of a division in it.
    return say("{contest}: {division}", contest=contest.name, division=division)


def format_event_description(say: Reader, contest: Contest, link: str) -> str:
    """Tell in a league's event what it is, and how to join."""
    joining = say(
        "Join with `{command}` in {link}", command=f"{get_command(contest)} join", link=link
    )
    return f"{format_game_line(say, contest)}\n{joining}"


def format_server_problems(say: Reader, contest: Contest) -> str:
    """Tell why a league's event or roles are missing, or not up to date; empty if nothing is."""
    problems = [contest.roles_problem]
    if contest.is_unfinished:
        # Afterwards an event ends by itself.
        problems.insert(0, contest.event_problem)
    return " ".join(_format_server_problem(say, each) for each in problems if each)


def _format_server_problem(say: Reader, problem: ServerProblem) -> str:
    match problem:
        case ServerProblem.NO_EVENT_PERMISSION:
            return say(
                "The bot needs the permission {permission} to show this as an event.",
                permission=format_permissions(say, ["create_events"]),
            )
        case ServerProblem.TOO_MANY_EVENTS:
            return say("There's no event, since this server has as many as Discord allows.")
        case ServerProblem.NO_ROLE_PERMISSION:
            return say(
                "The bot needs the permission {permission} to give roles here.",
                permission=format_permissions(say, ["manage_roles"]),
            )
        case ServerProblem.ROLE_TOO_HIGH:
            return say("The bot can give roles here only while they're below its own role.")
    return say("Roles are missing, since this server has as many as Discord allows.")
