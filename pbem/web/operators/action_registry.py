"""Registry of operators' actions: label, effect and form fields of each, and what undoes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flask import url_for
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pbem.play.core.actors import ADDRESS, LETTER, MATCH, NOTICE, PLAYER, SUBMISSION, ActionError
from pbem.play.operators import inbound_actions, match_actions, membership, outbound_actions, player_actions, reveal
from pbem.play.operators.search import pagination
from pbem.play.players import registry
from pbem.web.request.context import service

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pbem.play.core.actors import ActionResult

PAGES = {
    MATCH: ("operators.match", "match_id"),
    PLAYER: ("operators.person", "number"),
    NOTICE: ("operators.mail", "number"),
    LETTER: ("operators.letter", "number"),
    SUBMISSION: ("operators.submission", "name"),
}
"""Endpoint and parameter of the page of each kind of subject; addresses are on their owner's page."""
NUMBERED_SUBJECTS = {PLAYER, NOTICE, LETTER}
RESULT_SECONDS = 600
"""Seconds for which the result of an action is shown, however often the page is opened."""
_SALT = "pbem said to an operator"
_MAX_ID = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form of an action, other than the reason."""

    name: str
    label: str
    kind: Literal["number", "text"] = "text"
    start: str = ""
    most: int = 500


@dataclass(frozen=True, slots=True)
class Action:
    """An action: its button, its effect in a sentence, and the action that undoes it, if any.

    A `grave` action cannot be undone, and its form asks for confirmation. If an action leaves nothing to show,
    the field `leads_to` names the subject that is shown instead.
    """

    name: str
    subject: str
    button: str
    effect: str
    act: Callable[..., ActionResult]
    fields: tuple[Field, ...] = ()
    undone_by: str | None = None
    grave: bool = False
    needs_reason: bool = True
    leads_to: str = ""


_DAYS_FIELD = Field("days", "For how many days at the most", "number", "30", match_actions.MAX_PAUSE_DAYS)

ACTIONS = {
    way.name: way
    for way in (
        Action(
            "pause", MATCH, "Pause", "The clocks of this match stand still for a while. The table is told why.",
            match_actions.pause, (_DAYS_FIELD,), "resume",
        ),
        Action(
            "resume", MATCH, "Resume", "The clocks of this match go on. The table is told why.",
            match_actions.resume, (), "pause",
        ),
        Action(
            "extend", MATCH, "Give time",
            "A seat that is to move gets so many days on top, in all. The table is told why.",
            match_actions.extend,
            (
                Field("seat", "The number of the seat", "number", "", 9),
                Field("days", "How many days in all", "number", "3", match_actions.MAX_EXTENSION_DAYS),
            ),
        ),
        Action(
            "abort", MATCH, "Call off", "The match ends here. Nobody wins or loses it, and the table is told why.",
            match_actions.abort, grave=True,
        ),
        Action(
            "open", MATCH, "Open hidden parts",
            "You may then look at what is hidden, as it stands now. It is an entry of the match’s chain, and every "
            "seat is told at once that you did, and why.",
            reveal.reveal_hidden, grave=True,
        ),
        Action(
            "look", MATCH, "Look at what was opened",
            "Shows everything as it stood when the match was last opened. That you looked is written down.",
            reveal.show, needs_reason=False,
        ),
        Action(
            "ban", PLAYER, "Shut out",
            "They cannot sign in, move or start matches any more, and their seats are played for them.",
            player_actions.ban, (Field("sentence", "What they are told when they try"),), "unban",
        ),
        Action("unban", PLAYER, "Let in again", "They may do everything again.", player_actions.unban, (), "ban"),
        Action(
            "rename", PLAYER, "Rename", "They are called otherwise at every table. They are told why.",
            player_actions.rename, (Field("name", "What they are called from now on", most=registry.MAX_NAME_LENGTH),),
        ),
        Action(
            "merge", PLAYER, "Make part of another account",
            "Their addresses, seats and all that they played become the other account’s, and this one is gone.",
            player_actions.merge, (Field("into", "The number of the account that stays", "number", "", _MAX_ID),),
            grave=True, leads_to="into",
        ),
        Action(
            "forget", PLAYER, "Have them leave for good",
            "Everything that tells who they were is deleted, as if they had left by themselves.",
            player_actions.erase, grave=True,
        ),
        Action(
            "appoint", PLAYER, "Make an operator", "They may do on these pages what you may.",
            membership.appoint, (Field("name", "What the other operators call them", most=registry.MAX_NAME_LENGTH),),
            "dismiss", needs_reason=False,
        ),
        Action(
            "dismiss", PLAYER, "Dismiss as operator", "They may use these pages no more, from this moment on.",
            membership.dismiss, (), "appoint", needs_reason=False,
        ),
        Action(
            "forget-factor", PLAYER, "Forget their codes",
            "For an operator whose phone is lost: they set up new codes when they have signed in again.",
            membership.reset_totp,
        ),
        Action(
            "suppress", ADDRESS, "Write no more", "This address is not written to any more, whatever it may be about.",
            outbound_actions.suppress, (), "lift",
        ),
        Action(
            "lift", ADDRESS, "Write again", "This address is written to again.", outbound_actions.lift, (), "suppress"
        ),
        Action(
            "retry-notice", NOTICE, "Try again", "A mail that waits goes out now; one that failed is queued again.",
            outbound_actions.retry, needs_reason=False,
        ),
        Action(
            "retry-submission", SUBMISSION, "Judge again",
            "It is judged once more, as if it came only now. It acts for nobody whom it did not act for before.",
            inbound_actions.retry, needs_reason=False,
        ),
        Action(
            "retry-letter", LETTER, "Read again", "It is read once more, and what it asks for is done.",
            inbound_actions.retry_service_mail, needs_reason=False,
        ),
        Action(
            "forward", LETTER, "Forward", "It is mailed, whole and as it came, to the operator’s address.",
            inbound_actions.forward, needs_reason=False,
        ),
    )
}  # fmt: skip
"""All actions that pages offer, by name."""


def parse_subject(way: Action, typed: str) -> str | int:
    """Parse the subject of an action; raises ActionError if it is not valid."""
    return (
        _parse_number(typed, "That is no number of anything here.")
        if way.subject in NUMBERED_SUBJECTS
        else typed.strip()
    )


def parse_fields(way: Action, form: Mapping[str, str]) -> dict[str, Any]:
    """Parse the fields of an action; raises ActionError if a number is missing or not valid."""
    return {field.name: _parse_field(field, form.get(field.name, "").strip()) for field in way.fields}


def form_url(name: str, subject: str | int) -> str:
    """Return the URL of the form of an action."""
    return url_for("operators.act", name=name, whom=subject)


def links(subject: str | int, *names: str) -> list[tuple[str, str]]:
    """Return label and URL of some actions on a subject."""
    return [(ACTIONS[name].button, form_url(name, subject)) for name in names if name in ACTIONS]


def page_url(subject: str, about: str | int) -> str:
    """Return the URL of the page of a subject."""
    endpoint, part = PAGES.get(subject, ("", ""))
    if subject in NUMBERED_SUBJECTS and not str(about).isdecimal():
        return url_for("operators.overview")
    return url_for(endpoint, **{part: about}) if endpoint else url_for("operators.suppressed")  # type: ignore[arg-type]


def sign_result(said: str, way: Action, subject: str | int) -> str:
    """Sign the result of an action, for the next page to show."""
    return _signer().dumps([said, way.undone_by, subject])


def load_result(typed: str) -> tuple[str, tuple[str, str] | None]:
    """Return the result of the last action, and the link that undoes it."""
    try:
        said, undo, subject = _signer().loads(typed, max_age=RESULT_SECONDS)
    except BadSignature:
        return "", None
    return said, (f"Undo it: {ACTIONS[undo].button}", form_url(undo, subject)) if undo in ACTIONS else None


def _parse_field(field: Field, typed: str) -> str | int:
    if field.kind == "text":
        return typed[: field.most].replace("\0", "")
    found = _parse_number(typed, f"“{field.label}” needs a number.")
    if found > field.most:
        raise ActionError(f"“{field.label}” is {field.most} at the most.")
    return found


def _parse_number(typed: str, otherwise: str) -> int:
    found = pagination.parse_number(typed)
    if found is None:
        raise ActionError(otherwise)
    return found


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(service().config.secret_keys), salt=_SALT)
