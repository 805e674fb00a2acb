"""`.ci/commits` checks the subjects of new commits."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / ".ci" / "commits"
IDENTITY = {
    "GIT_AUTHOR_NAME": "Ana",
    "GIT_AUTHOR_EMAIL": "ana@example.org",
    "GIT_COMMITTER_NAME": "Ana",
    "GIT_COMMITTER_EMAIL": "ana@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
}


def run_git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ("git", *arguments),
        cwd=folder,
        env={**os.environ, **IDENTITY},
        check=True,
        capture_output=True,
    )


def commit_empty(folder: Path, subject: str) -> None:
    run_git(folder, "commit", "--quiet", "--allow-empty", "--message", subject)


def check_subjects(folder: Path, *arguments: str) -> tuple[int, str]:
    """Run the script in a repository; return its status, and what it says."""
    done = subprocess.run(
        (SCRIPT, *arguments), cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository with one commit."""
    run_git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    commit_empty(tmp_path, "Add the rules of Zeno")
    return tmp_path


@pytest.mark.parametrize(
    ("subject", "fault"),
    [
        ("Pair Swiss rounds in one transaction", ""),
        ("Draw Æthelflæd's name in the fonts that have all of its letters " + "é" * 8, ""),
        ("Wipe old previews", ""),
        ("A" * 73, "longer than 72 characters (73)"),
        ("add the rules of Pyf", "no capital first letter"),
        ("Add the rules of Pyf.", "a full stop at the end"),
        ("WIP", "WIP"),
        ("Add Pyf (wip)", "WIP"),
    ],
)
def test_a_subject_is_checked(repository: Path, subject: str, fault: str) -> None:
    commit_empty(repository, subject)
    status, output = check_subjects(repository)
    assert status == bool(fault)
    assert (fault or "Checked the subjects of 1 commits") in output


def test_without_a_remote_only_the_last_commit_counts(repository: Path) -> None:
    commit_empty(repository, "wrong.")
    commit_empty(repository, "Right")
    assert check_subjects(repository)[0] == 0


def test_commits_that_are_not_in_the_remote_branch_are_checked(repository: Path) -> None:
    commit_empty(repository, "published.")
    run_git(repository, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert check_subjects(repository)[0] == 0
    commit_empty(repository, "wrong.")
    commit_empty(repository, "Right")
    status, output = check_subjects(repository)
    assert status == 1
    assert 'Commit subject "wrong."' in output
    assert "published" not in output


def test_a_commit_message_hook_passes_a_file(repository: Path) -> None:
    message = repository / "message"
    message.write_text("# a comment\n\nwrong\n\nA body.\n", encoding="utf-8")
    status, output = check_subjects(repository, str(message))
    assert status == 1
    assert "no capital first letter" in output


def test_outside_a_repository_the_check_fails(tmp_path: Path) -> None:
    assert check_subjects(tmp_path)[0] != 0
