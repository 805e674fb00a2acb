"""What stands in `deploy/` speaks of what there is: measures, settings, commands, files."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from bot.ops.endpoint import build_measures
from bot.ops.metrics import Metrics
from bot.platform.context import Gauges, Measures, RequestOutcome
from bot.platform.db.rows import DatabaseLoad
from bot.settings import Settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
SETTING = re.compile(r"\bTABULA_([A-Z_]+)")


def list_metric_names(written: str) -> set[str]:
    """The names of the lines that Prometheus reads."""
    return {
        re.split(r"[ {]", line)[0]
        for line in written.splitlines()
        if line and not line.startswith("#")
    }


def fill_metrics() -> Metrics:
    """Metrics with a note of every kind."""
    kept = build_measures()
    assert isinstance(kept, Metrics)
    kept.record_answer("/move", RequestOutcome.DONE)
    for note in (
        kept.record_acknowledgement,
        kept.record_show_delay,
        kept.record_save,
        kept.record_loop_lag,
    ):
        note(0.02)
    return kept


def test_the_dashboard_asks_for_what_is_measured_and_leaves_nothing_out() -> None:
    board = json.loads((DEPLOY / "dashboard.json").read_text(encoding="utf-8"))
    written = (
        fill_metrics().export_metrics(Gauges(DatabaseLoad(3, 1, 0, 7, None), 0.0, 0.05)).decode()
    )
    there = {name for name in list_metric_names(written) if name.startswith("tabula_")} | {
        "process_resident_memory_bytes"
    }
    question = " ".join(target["expr"] for panel in board["panels"] for target in panel["targets"])
    wanted = set(re.findall(r"\b(?:tabula|process)_\w+", question))
    assert wanted <= there
    shown = {name.removesuffix("_bucket") for name in wanted}
    families = {re.sub(r"_(bucket|sum|count|created)$", "", name) for name in there}
    assert families - shown <= {"tabula_answers"}


def test_each_alert_asks_for_what_is_measured() -> None:
    text = (DEPLOY / "alerts.yml").read_text(encoding="utf-8")
    written = fill_metrics().export_metrics(Gauges(DatabaseLoad(3, 1, 0, 7, None), 0.0, 0.05))
    asked = {
        name
        for line in text.splitlines()
        if "expr:" in line
        for name in re.findall(r"\btabula_\w+", line)
    }
    assert asked <= list_metric_names(written.decode())
    # What stops the bot from doing its work, one alert each.
    assert {"tabula_last_save_age_seconds", "tabula_requests_failing_seconds"} <= asked


def test_what_waits_is_written_down_as_it_is() -> None:
    written = (
        fill_metrics()
        .export_metrics(Gauges(DatabaseLoad(3, 1, 2, 7, 5), 61.5, 0.05, 1200, 3.0, 130.0, 86_400.0))
        .decode()
        .splitlines()
    )
    for line in (
        "tabula_jobs_waiting 3.0",
        "tabula_jobs_failing 1.0",
        "tabula_jobs_given_up 2.0",
        "tabula_matches_open 7.0",
        "tabula_jobs_oldest_due_seconds 61.5",
        "tabula_refused_requests 1200.0",
        "tabula_last_save_age_seconds 3.0",
        "tabula_requests_failing_seconds 130.0",
        "tabula_last_copy_age_seconds 86400.0",
        'tabula_answers_total{command="/move",outcome="done"} 1.0',
    ):
        assert line in written


def test_without_anybody_who_reads_them_no_notes_are_kept() -> None:
    assert Measures().export_metrics(Gauges(DatabaseLoad(0, 0, 0, 0, None), 0.0, 0.0)) is None


def test_every_setting_that_is_named_is_one() -> None:
    known = {name.upper() for name in Settings.model_fields}
    for file in (
        ROOT / ".env.example",
        DEPLOY / "Containerfile",
        DEPLOY / "tabula.service",
        ROOT / "docs/operations.md",
    ):
        assert set(SETTING.findall(file.read_text(encoding="utf-8"))) <= known, file
    documented = set(
        re.findall(
            r"^(?:# )?TABULA_([A-Z_]+)=",
            (ROOT / ".env.example").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    assert documented == known


def test_the_image_is_made_of_what_there_is_and_is_not_root() -> None:
    written = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    for source in re.findall(r"^COPY ((?!--)[^\n]+) \S+$", written, re.MULTILINE):
        assert all((ROOT / each).exists() for each in source.split()), source
    assert re.findall(r"^USER (\d+):(\d+)$", written, re.MULTILINE) == [("10001", "10001")]


def test_the_base_of_the_image_is_named_by_its_digest() -> None:
    written = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
    (base,) = re.findall(r"^ARG BASE=(\S+)$", written, re.MULTILINE)
    assert re.fullmatch(r"docker\.io/library/python:[\w.-]+@sha256:[0-9a-f]{64}", base)
    assert set(re.findall(r"^FROM (\S+)", written, re.MULTILINE)) == {"${BASE}"}
    # Only the first stage is copied from, so that no other image is taken on the way.
    assert set(re.findall(r"^COPY --from=(\S+)", written, re.MULTILINE)) == {"built"}


def test_the_service_dumps_no_memory_and_leaves_the_machine_some() -> None:
    unit = (DEPLOY / "tabula.service").read_text(encoding="utf-8")
    set_to = dict(re.findall(r"^(\w+)=(.*)$", unit.partition("[Service]")[2], re.MULTILINE))
    assert set_to["LimitCORE"] == "0"
    assert (set_to["MemoryMax"], set_to["OOMPolicy"]) == ("2G", "continue")
    assert set_to["TasksMax"] == "512"
    assert set_to["UMask"] == "0077"
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    (run,) = re.findall(r"docker run -d (?:.*\\\n)*.*", page)
    for limit in ("--ulimit core=0", "--memory 2g", "--pids-limit 512", "--cap-drop ALL"):
        assert limit in run


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd")
@pytest.mark.parametrize("name", ["tabula.service", "tabula@.service"])
def test_systemd_knows_every_line_of_the_unit(tmp_path: Path, name: str) -> None:
    unit = (DEPLOY / "tabula.service").read_text(encoding="utf-8")
    # Where systemd is, the program need not be.
    (tmp_path / name).write_text(unit.replace("/opt/tabula/bin/tabula", "/bin/true"), "utf-8")
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    drop_ins = re.findall(
        r"^```ini\n# /etc/systemd/system/(\S+\.d)/\S+\n(.*?)```", page, re.MULTILINE | re.DOTALL
    )
    assert drop_ins
    for folder, text in drop_ins:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "page.conf").write_text(text, "utf-8")
    verified = tmp_path / name.replace("@", "@0")
    said = subprocess.run(
        ["systemd-analyze", "verify", verified], capture_output=True, text=True, check=False
    )
    # The unit says that systemd before 254 ignores these.
    newer = re.compile("Unknown key '(?:RestartSteps|RestartMaxDelaySec)'")
    assert [line for line in said.stderr.splitlines() if not newer.search(line)] == []


def test_a_copy_of_the_settings_is_made_for_its_owner_alone() -> None:
    pages = [
        file.read_text(encoding="utf-8")
        for file in (ROOT / "README.md", ROOT / "docs/operations.md", ROOT / ".env.example")
    ]
    copied = re.findall(r"^.*\.env\.example.*$", "\n".join(pages), re.MULTILINE)
    made = [line for line in copied if re.search(r"\b(?:cp|copy|install)\b", line, re.IGNORECASE)]
    assert len(made) == 4
    assert [line for line in made if "install -m 600 .env.example" not in line] == []
