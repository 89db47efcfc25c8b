"""Registry of operators' actions: label, effect and form fields of each, and what undoes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flask import url_for
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pbem.play.core.actors import ADDRESS, LETTER, MATCH, NOTICE, PLAYER, SUBMISSION, ActError
from pbem.play.operators import inbound_actions, match_actions, membership, outbound_actions, player_actions, reveal
from pbem.play.operators.search import pagination
from pbem.play.players import registry
from pbem.web.common.context import service

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.core.actors import Done

PAGES = {
    MATCH: ("operators.match", "match_id"),
    PLAYER: ("operators.person", "number"),
    NOTICE: ("operators.mail", "number"),
    LETTER: ("operators.letter", "number"),
    SUBMISSION: ("operators.submission", "name"),
}
"""Endpoint and parameter of the page of each kind of subject; addresses are on their owner's page."""
NUMBERED = {PLAYER, NOTICE, LETTER}
TOLD_SECONDS = 600
"""Seconds for which the result of an action is shown, however often the page is opened."""
_SALT = "pbem said to an operator"
_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form of an action, other than the reason."""

    name: str
    label: str
    kind: Literal["number", "text"] = "text"
    start: str = ""
    most: int = 500


@dataclass(frozen=True, slots=True)
class Way:
    """An action: its button, its effect in a sentence, and the action that undoes it, if any.

    A `grave` action cannot be undone, and its form asks for confirmation. If an action leaves nothing to show,
    the field `leads_to` names the subject that is shown instead.
    """

    name: str
    subject: str
    button: str
    does: str
    act: Callable[..., Done]
    fields: tuple[Field, ...] = ()
    undone_by: str | None = None
    grave: bool = False
    needs_reason: bool = True
    leads_to: str = ""


_DAYS = Field("days", "For how many days at the most", "number", "30", match_actions.LONGEST_PAUSE)

WAYS = {
    way.name: way
    for way in (
        Way(
            "pause", MATCH, "Pause", "The clocks of this match stand still for a while. The table is told why.",
            match_actions.pause, (_DAYS,), "resume",
        ),
        Way(
            "resume", MATCH, "Resume", "The clocks of this match go on. The table is told why.",
            match_actions.resume, (), "pause",
        ),
        Way(
            "extend", MATCH, "Give time",
            "A seat that is to move gets so many days on top, in all. The table is told why.",
            match_actions.extend,
            (
                Field("seat", "The number of the seat", "number", "", 9),
                Field("days", "How many days in all", "number", "3", match_actions.MOST_DAYS),
            ),
        ),
        Way(
            "abort", MATCH, "Call off", "The match ends here. Nobody wins or loses it, and the table is told why.",
            match_actions.abort, grave=True,
        ),
        Way(
            "open", MATCH, "Open hidden parts",
            "You may then look at what is hidden, as it stands now. It is an entry of the match’s chain, and every "
            "seat is told at once that you did, and why.",
            reveal.open_hidden, grave=True,
        ),
        Way(
            "look", MATCH, "Look at what was opened",
            "Shows everything as it stood when the match was last opened. That you looked is written down.",
            reveal.look, needs_reason=False,
        ),
        Way(
            "ban", PLAYER, "Shut out",
            "They cannot sign in, move or start matches any more, and their seats are played for them.",
            player_actions.ban, (Field("sentence", "What they are told when they try"),), "unban",
        ),
        Way("unban", PLAYER, "Let in again", "They may do everything again.", player_actions.unban, (), "ban"),
        Way(
            "rename", PLAYER, "Rename", "They are called otherwise at every table. They are told why.",
            player_actions.rename, (Field("name", "What they are called from now on", most=registry.LONGEST_NAME),),
        ),
        Way(
            "merge", PLAYER, "Make part of another account",
            "Their addresses, seats and all that they played become the other account’s, and this one is gone.",
            player_actions.merge, (Field("into", "The number of the account that stays", "number", "", _LARGEST),),
            grave=True, leads_to="into",
        ),
        Way(
            "forget", PLAYER, "Have them leave for good",
            "Everything that tells who they were is deleted, as if they had left by themselves.",
            player_actions.forget, grave=True,
        ),
        Way(
            "appoint", PLAYER, "Make an operator", "They may do on these pages what you may.",
            membership.appoint, (Field("name", "What the other operators call them", most=registry.LONGEST_NAME),),
            "dismiss", needs_reason=False,
        ),
        Way(
            "dismiss", PLAYER, "Dismiss as operator", "They may use these pages no more, from this moment on.",
            membership.dismiss, (), "appoint", needs_reason=False,
        ),
        Way(
            "forget-factor", PLAYER, "Forget their codes",
            "For an operator whose phone is lost: they set up new codes when they have signed in again.",
            membership.forget_factor,
        ),
        Way(
            "suppress", ADDRESS, "Write no more", "This address is not written to any more, whatever it may be about.",
            outbound_actions.suppress, (), "lift",
        ),
        Way("lift", ADDRESS, "Write again", "This address is written to again.", outbound_actions.lift, (), "suppress"),
        Way(
            "retry-notice", NOTICE, "Try again", "A mail that waits goes out now; one that was given up is owed anew.",
            outbound_actions.retry, needs_reason=False,
        ),
        Way(
            "retry-submission", SUBMISSION, "Judge again",
            "It is judged once more, as if it came only now. It acts for nobody whom it did not act for before.",
            inbound_actions.retry, needs_reason=False,
        ),
        Way(
            "retry-letter", LETTER, "Read again", "It is read once more, and what it asks for is done.",
            inbound_actions.retry_letter, needs_reason=False,
        ),
        Way(
            "forward", LETTER, "Forward", "It is mailed, whole and as it came, to the operator’s address.",
            inbound_actions.forward, needs_reason=False,
        ),
    )
}  # fmt: skip
"""All actions that pages offer, by name."""


def whom(way: Way, typed: str) -> str | int:
    """Parse the subject of an action; raises ActError if it is not valid."""
    return _number(typed, "That is no number of anything here.") if way.subject in NUMBERED else typed.strip()


def read(way: Way, form: Mapping[str, str]) -> dict[str, Any]:
    """Parse the fields of an action; raises ActError if a number is missing or not valid."""
    return {field.name: _typed(field, form.get(field.name, "").strip()) for field in way.fields}


def to(name: str, subject: str | int) -> str:
    """Return the URL of the form of an action."""
    return url_for("operators.act", name=name, whom=subject)


def links(subject: str | int, *names: str) -> list[tuple[str, str]]:
    """Return label and URL of some actions on a subject."""
    return [(WAYS[name].button, to(name, subject)) for name in names if name in WAYS]


def page_of(subject: str, about: str | int) -> str:
    """Return the URL of the page of a subject."""
    endpoint, part = PAGES.get(subject, ("", ""))
    if subject in NUMBERED and not str(about).isdecimal():
        return url_for("operators.overview")
    return url_for(endpoint, **{part: about}) if endpoint else url_for("operators.suppressed")  # type: ignore[arg-type]


def told(said: str, way: Way, subject: str | int) -> str:
    """Sign the result of an action, for the next page to show."""
    return _signer().dumps([said, way.undone_by, subject])


def what_was_told(typed: str) -> tuple[str, tuple[str, str] | None]:
    """Return the result of the last action, and the link that undoes it."""
    try:
        said, undo, subject = _signer().loads(typed, max_age=TOLD_SECONDS)
    except BadSignature:
        return "", None
    return said, (f"Undo it: {WAYS[undo].button}", to(undo, subject)) if undo in WAYS else None


def _typed(field: Field, typed: str) -> str | int:
    if field.kind == "text":
        return typed[: field.most].replace("\0", "")
    found = _number(typed, f"“{field.label}” needs a number.")
    if found > field.most:
        raise ActError(f"“{field.label}” is {field.most} at the most.")
    return found


def _number(typed: str, otherwise: str) -> int:
    found = pagination.number(typed)
    if found is None:
        raise ActError(otherwise)
    return found


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(service().config.secret_keys), salt=_SALT)
