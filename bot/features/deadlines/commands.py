"""Deadlines for one's own calendar: /calendar."""

from bot.features.deadlines.calendar_file import write_calendar
from bot.features.deadlines.cards import calendar_card
from bot.features.deadlines.service import load_deadlines
from bot.features.matches.reach import find_match_links
from bot.platform.ui.answers import InteractionAnswer
from bot.platform.ui.declarations import command
from bot.platform.ui.places import build_link


@command(everywhere=True)
async def calendar(answer: InteractionAnswer) -> None:
    """Save the deadlines of your leagues and matches for your calendar."""
    deadlines = await load_deadlines(answer.app, answer.person.id)
    leagues = {
        each.league.id: build_link(each.league.guild, each.league.channel, each.league.message)
        for each in deadlines.leagues
    }
    links = await find_match_links(answer.client, [each.session.row for each in deadlines.turns])
    challenges = {
        each.challenge.id: build_link(
            each.challenge.guild, each.challenge.channel, each.challenge.message
        )
        for each in deadlines.challenges
    }
    bot = answer.interaction.application_id
    content = write_calendar(answer.reader, deadlines, bot, leagues, links, challenges)
    await answer.send(calendar_card(answer.reader, deadlines, content))
