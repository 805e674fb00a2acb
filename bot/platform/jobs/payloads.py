"""What a job is declared by: its stored kind and key, its typed payload, and what it depends on.

A job is stored under a kind and a key, with a detail in JSON. What was stored by an earlier version
must be done by a later one, so kinds, keys and the names in the detail never change.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, dataclass, field
from enum import StrEnum, auto
from typing import Any, ClassVar, Self, dataclass_transform

from bot.platform.db.rows import Job

_KEY_FIELD = re.compile(r"\{(\w+)\}")


class Subject(StrEnum):
    """What a job is about: the field of its payload that holds the id."""

    MATCH = auto()
    CHALLENGE = auto()
    CONTEST = auto()
    LADDER = auto()
    SERVER = auto()
    THREAD = auto()
    INTERACTION = auto()
    PERSON = auto()


class MalformedJobError(ValueError):
    """A stored job from which its payload cannot be made; the message says why."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class JobPayload:
    """What a job is to do. A subclass declares a kind of job, and is made a frozen dataclass.

    `key` is the form of the stored key; the other fields are stored in the detail. What is None is
    not stored: a job that is renewed keeps it from before. `is_timed` jobs are done because their
    time has come, and so not while the clock may be wrong; those that `needs_server` are not tried
    while it cannot be reached; those that `posts_elsewhere` do so in a channel that the server
    chose, not where a match is shown. What `is_postponed` has its stored deadline moved by the
    time in which nobody could act, and is looked at again once a longer one is over; what
    `follows_clock` is looked at again as soon as people can act.
    """

    kind: ClassVar[str]
    about: ClassVar[Subject]
    is_timed: ClassVar[bool]
    needs_server: ClassVar[bool]
    posts_elsewhere: ClassVar[bool]
    is_postponed: ClassVar[bool]
    follows_clock: ClassVar[bool]
    _key: ClassVar[str]
    _key_pattern: ClassVar[re.Pattern[str]]

    def __init_subclass__(
        cls,
        *,
        kind: str,
        about: Subject,
        key: str | None = None,
        is_timed: bool = False,
        needs_server: bool = False,
        posts_elsewhere: bool = False,
        is_postponed: bool = False,
        follows_clock: bool = False,
    ) -> None:
        """Declare a kind of job; its key is the id of what it is about unless `key` says more."""
        if kind in JOB_KINDS:
            raise TypeError(f"two jobs are declared with the kind “{kind}”")
        cls.kind, cls.about = kind, about
        cls.is_timed, cls.needs_server = is_timed, needs_server
        cls.posts_elsewhere, cls.is_postponed = posts_elsewhere, is_postponed
        cls.follows_clock = follows_clock
        cls._key = key or f"{{{about}}}"
        # Each `{field}` of the key becomes a group of that name, by which the field is read back.
        cls._key_pattern = re.compile(_KEY_FIELD.sub(r"(?P<\1>-?\\w+)", cls._key))
        # Without slots, since `build_job` reads the fields by `vars`.
        JOB_KINDS[kind] = dataclass(frozen=True)(cls)

    def build_job(self, due: int) -> Job:
        """Return the job, in its stored form, that does this at an instant."""
        stored = {name: value for name, value in vars(self).items() if value is not None}
        in_key = self._key_pattern.groupindex
        detail = {name: value for name, value in stored.items() if name not in in_key}
        return Job(self.kind, self._key.format(**stored), due, detail)

    @classmethod
    def load(cls, job: Job) -> Self:
        """Return the payload of a stored job of this kind; raises MalformedJobError."""
        stored = cls._read_fields(job)
        if lacking := [
            name
            for name, each in _get_fields(cls).items()
            if name not in stored and each.default is MISSING
        ]:
            raise MalformedJobError(f"its detail lacks {', '.join(lacking)}")
        if wrong := [
            name
            for name, value in stored.items()
            if not isinstance(value, _get_fields(cls)[name].type)
        ]:
            raise MalformedJobError(f"its detail has an invalid {', '.join(wrong)}")
        return cls(**stored)

    @classmethod
    def find_subject(cls, job: Job) -> tuple[Subject, int]:
        """Return what a stored job of this kind is about, and its id; raises MalformedJobError."""
        subject = cls._read_fields(job).get(cls.about)
        if not isinstance(subject, int):
            raise MalformedJobError("it does not say what it is about")
        return cls.about, subject

    @classmethod
    def _read_fields(cls, job: Job) -> dict[str, Any]:
        """Return those fields that a stored job has; what this version does not know is ignored."""
        known = _get_fields(cls)
        in_key = cls._key_pattern.fullmatch(job.key)
        if in_key is not None:
            # A key that has the right form but no valid number or choice in it names nothing,
            # either.
            with suppress(ValueError):
                named = {name: known[name].type(text) for name, text in in_key.groupdict().items()}
                # The key counts where the detail has a field of the same name.
                return {name: job.detail[name] for name in known if name in job.detail} | named
        raise MalformedJobError(f"its key names no {' and '.join(cls._key_pattern.groupindex)}")


JOB_KINDS: dict[str, type[JobPayload]] = {}
"""The declared kinds of jobs, by their stored names."""


def list_postponed_kinds() -> list[str]:
    """Return the kinds of jobs whose deadlines are moved by time in which nobody could act."""
    return sorted(kind for kind, payload in JOB_KINDS.items() if payload.is_postponed)


def list_clock_kinds() -> list[str]:
    """Return the kinds of jobs that are looked at again as soon as people can act."""
    return sorted(kind for kind, payload in JOB_KINDS.items() if payload.follows_clock)


def _get_fields(payload: type[JobPayload]) -> Mapping[str, Any]:
    # The type of what a class decorator makes does not say that it is a dataclass.
    fields: Mapping[str, Any] = vars(payload)["__dataclass_fields__"]
    return fields
