"""What a job is declared by: its stored form stays readable, and nothing about it is forgotten."""

import ast
from pathlib import Path
from typing import Any, cast

import pytest

import bot
from bot.features.analysis.service import DeleteAnalyses
from bot.features.challenges.service import LapseChallenge, RepostChallenge, ShowChallenge
from bot.features.computer.jobs import PlayComputerTurn
from bot.features.contests import service
from bot.features.deadlines.delivery import ThrowAutomatically
from bot.features.ladders.service import (
    DropInactive,
    ForfeitLadderMatches,
    NotifyReadmitted,
    ShowLadder,
)
from bot.features.matches import jobs
from bot.features.moderation.service import OfferSeat, RerateMatches
from bot.features.notifications.jobs import (
    AnnounceMatch,
    MatchNews,
    NotifyFollower,
    NotifyFollowers,
    NotifySubscriber,
    NotifySubscribers,
)
from bot.features.posts.delivery import PostDigest
from bot.features.privacy.service import (
    DeletePerson,
    DeleteServer,
    ExportData,
    ExportServer,
    RetirePlayer,
    TruncateLog,
)
from bot.features.puzzles.commands import ClosePuzzlePost, PostDailyPuzzle
from bot.features.reports.service import MakeReport
from bot.features.servers.service import GreetServer, RedrawServer
from bot.platform.db.jobs import JobPayload, MalformedJobError, Subject
from bot.platform.db.rows import Job
from bot.platform.db.store import Store
from bot.platform.jobs import handlers
from bot.platform.jobs.handlers import load_job_kinds
from bot.platform.jobs.interruptions import NotifyInterrupted
from bot.platform.ui.app_client import AppClient
from tests.support.stored import load_due

DUE = 1_700_000_000_000
ASKED = {"run": "1 ab", "at": 5, "person": 6, "token": "secret", "locale": "de"}
# As they were written before jobs were declared: never change a row, only add some.
STORED: list[tuple[str, str, dict[str, Any], JobPayload]] = [
    ("show match", "3", {}, jobs.ShowMatch(3)),
    ("show match", "3", {"luck": True}, jobs.ShowMatch(3, luck=True)),
    ("show match", "3", {"again": True}, jobs.ShowMatch(3, again=True)),
    ("show match", "3", {"fresh": 8, "past": 0}, jobs.ShowMatch(3, fresh=8, past=0)),
    (
        *("show match", "3", {"fresh": 8, "past": 9, "restored": 5}),
        jobs.ShowMatch(3, fresh=8, past=9, restored=5),
    ),
    (
        *("close turn", "9", {"match": 3, "channel": 8, "since": 1, "until": 4, "shown": 2}),
        jobs.CloseTurn(9, match=3, channel=8, since=1, until=4, shown=2),
    ),
    ("tell hindered", "3", {}, jobs.NotifyPlaceLost(3)),
    ("show challenge", "7", {}, ShowChallenge(7)),
    ("notify subscribers", "7", {}, NotifySubscribers(7)),
    ("notify subscriber", "7 12", {}, NotifySubscriber(7, 12)),
    ("show contest", "7", {}, service.ShowContest(7)),
    ("export data", "11", {"at": 5}, ExportData(11, 5)),
    ("delete person", "11", {}, DeletePerson(11)),
    ("retire player", "-3", {}, RetirePlayer(-3)),
    ("truncate log", "12", {}, TruncateLog(12)),
    ("delete server", "12", {"left": True}, DeleteServer(12, left=True)),
    ("delete server", "12", {"left": False}, DeleteServer(12)),
    ("export server", "12", {"owner": 4, "at": 5}, ExportServer(12, 4, 5)),
    ("show ladder", "7", {}, ShowLadder(7)),
    ("drop inactive", "7", {}, DropInactive(7)),
    ("forfeit ladder matches", "7:9", {}, ForfeitLadderMatches(7, 9)),
    ("tell readmitted", "7:9", {}, NotifyReadmitted(7, 9)),
    ("start contest", "7", {}, service.StartContest(7)),
    ("end contest", "7", {}, service.EndContest(7)),
    ("decide round", "7:2", {}, service.DecideRound(7, 2)),
    ("free place", "7:11", {}, service.FreePlace(7, 11)),
    ("show event", "7", {}, service.ShowEvent(7)),
    ("give roles", "7", {}, service.GiveRoles(7)),
    ("throw opening", "3", {}, service.ThrowOpening(3)),
    ("forfeit matches", "7:12", {}, service.ForfeitMatches(7, 12)),
    ("annul matches", "7", {}, service.AnnulMatches(7)),
    ("notify organiser", "7:0", {}, service.NotifyOrganiser(7, 0)),
    ("announce end", "7", {}, service.AnnounceEnd(7)),
    ("invite players", "7", {}, service.InvitePlayers(7)),
    ("invite players", "7", {"since": 5}, service.InvitePlayers(7, 5)),
    ("invite directly", "7:12", {}, service.InviteDirectly(7, 12)),
    ("tell optional match", "3 12", {}, service.NotifyOptional(3, person=12)),
    ("computer", "3", {}, PlayComputerTurn(3)),
    ("report", "3", {}, MakeReport(3)),
    ("lapse", "7", {}, LapseChallenge(7)),
    ("lapse", "7", {"reminded": 5}, LapseChallenge(7, 5)),
    ("watch", "3", {"since": 0, "called": ""}, jobs.WatchClock(3)),
    ("watch", "3", {"since": 5, "called": "reminded"}, jobs.WatchClock(3, 5, "reminded")),
    ("rate anew", "3", {}, RerateMatches(3)),
    ("call", "3", {"version": 12}, jobs.MentionPlayer(3, version=12)),
    ("call challenged", "7", {"message": 9}, RepostChallenge(7, message=9)),
    ("throw", "3", {"version": 12}, ThrowAutomatically(3, version=12)),
    ("archive", "10", {}, jobs.ArchiveThread(10)),
    ("delete analyses", "12", {}, DeleteAnalyses(12)),
    ("greet", "11", {}, GreetServer(11)),
    ("redraw server", "11", {"after": "show match 5"}, RedrawServer(11, "show match 5")),
    ("post puzzle", "11", {}, PostDailyPuzzle(11)),
    ("post digest", "11", {}, PostDigest(11)),
    (
        "close puzzle",
        "11 9",
        {"channel": 8, "puzzle": "p", "next_channel": 8, "next_message": 10},
        ClosePuzzlePost(11, 9, channel=8, puzzle="p", next_channel=8, next_message=10),
    ),
    ("remove", "9", {"match": 3, "channel": 8}, jobs.RemoveMessage(9, match=3, channel=8)),
    ("tell followers", "3", {}, NotifyFollowers(3)),
    ("tell follower", "3 12", {}, NotifyFollower(3, person=12)),
    ("tell news", "3 begun", {}, AnnounceMatch(3, MatchNews.BEGUN)),
    ("tell news", "3 ended", {}, AnnounceMatch(3, MatchNews.ENDED)),
    ("offer seat", "3:12:13:14", {}, OfferSeat(3, holder=12, taker=13, by=14)),
    (
        *("tell interrupted", "15", {**ASKED, "by_cause": False}),
        NotifyInterrupted(15, "1 ab", 5, 6, "secret", "de", by_cause=False),
    ),
]


@pytest.mark.parametrize(("kind", "key", "detail", "payload"), STORED)
def test_a_job_is_stored_as_it_always_was(
    kind: str, key: str, detail: dict[str, Any], payload: JobPayload
) -> None:
    job = Job(kind, key, DUE, detail)
    assert load_job_kinds()[kind].load(job) == payload
    assert payload.build_job(DUE) == job


def test_the_stored_form_of_every_kind_is_known() -> None:
    assert {kind for kind, *_ in STORED} == load_job_kinds().keys()


def test_what_an_earlier_or_a_later_version_stored_is_read() -> None:
    assert jobs.WatchClock.load(Job("watch", "03", DUE)) == jobs.WatchClock(3)
    assert LapseChallenge.load(Job("lapse", "7", DUE, {"colour": "red"})) == LapseChallenge(7)


@pytest.mark.parametrize(
    ("job", "wrong"),
    [
        (Job("report", "x77", DUE), "its key names no match"),
        (Job("tell follower", "3", DUE), "its key names no match and person"),
        (Job("tell news", "3 lost", DUE), "its key names no match and news"),
        (Job("throw", "3", DUE), "its detail lacks version"),
        (Job("call", "3", DUE, {"version": "new"}), "its detail has an invalid version"),
    ],
)
def test_a_malformed_job_is_refused(job: Job, wrong: str) -> None:
    with pytest.raises(MalformedJobError, match=wrong):
        load_job_kinds()[job.kind].load(job)


@pytest.mark.parametrize("declared", load_job_kinds().values(), ids=lambda payload: payload.kind)
def test_every_job_says_what_it_is_about(declared: type[JobPayload]) -> None:
    kind, key, detail, _ = next(row for row in STORED if row[0] == declared.kind)
    about, number = declared.find_subject(Job(kind, key, DUE, detail))
    assert about is declared.about
    assert number != 0


@pytest.mark.asyncio
async def test_a_renewed_job_keeps_what_it_does_not_name(tmp_path: Path) -> None:
    async with await Store.open(tmp_path / "jobs.sqlite3") as store:
        for payload in (
            *(jobs.ShowMatch(3, fresh=8, past=9), jobs.ShowMatch(3, again=True), jobs.ShowMatch(3)),
            *(jobs.WatchClock(3, 5, "reminded"), jobs.WatchClock(3)),
        ):
            await store.jobs.enqueue(0, [payload.build_job(DUE)])
        shown, watched = await load_due(store.jobs, DUE, 9)
        assert jobs.ShowMatch.load(shown) == jobs.ShowMatch(3, fresh=8, past=9, again=True)
        assert jobs.WatchClock.load(watched) == jobs.WatchClock(3)


def test_only_a_declared_job_can_be_made() -> None:
    with pytest.raises(TypeError, match=r"missing 2 required .* arguments: 'kind' and 'about'"):

        class Dance(JobPayload):  # type: ignore[call-arg]
            match: int

    with pytest.raises(TypeError, match="two jobs are declared with the kind “watch”"):

        class Observe(JobPayload, kind="watch", about=Subject.MATCH):
            match: int

    # Stored jobs are made of declared ones alone.
    root = Path(bot.__path__[0])
    made = [
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Job"
    ]
    assert made == ["platform/db/jobs.py"]


def test_every_declared_job_has_a_handler(monkeypatch: pytest.MonkeyPatch) -> None:
    client = cast("AppClient", None)
    assert handlers.build_handlers(client).keys() == load_job_kinds().keys()
    monkeypatch.delitem(handlers.HANDLERS, jobs.WatchClock)
    with pytest.raises(TypeError, match="no handler is declared for the jobs watch"):
        handlers.build_handlers(client)


def test_a_job_has_one_handler() -> None:
    with pytest.raises(TypeError, match="the job “watch” has two handlers"):
        handlers.handles(jobs.WatchClock)(handlers.HANDLERS[jobs.WatchClock])
