"""Registry of operators' actions: label, effect and form fields of each, and what undoes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from flask import url_for
from itsdangerous import BadSignature, URLSafeTimedSerializer

from pbem.play.core.actors import ADDRESS, LETTER, MATCH, NOTICE, PLAYER, SUBMISSION, ActionError
from pbem.play.operators import (
    event_actions,
    inbound_actions,
    match_actions,
    membership,
    outbound_actions,
    player_actions,
    rating_actions,
    reveal,
)
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


_DAYS_FIELD = Field("days", "Maximum days", "number", "30", match_actions.MAX_PAUSE_DAYS)

ACTIONS = {
    action.name: action
    for action in (
        Action(
            "pause", MATCH, "Pause", "Stops the clocks of this match for a while. The players are told why.",
            match_actions.pause, (_DAYS_FIELD,), "resume",
        ),
        Action(
            "resume", MATCH, "Resume", "Starts the clocks of this match again. The players are told why.",
            match_actions.resume, (), "pause",
        ),
        Action(
            "extend", MATCH, "Extend deadline",
            "Gives extra days to a seat that is to move. The players are told why.",
            match_actions.extend,
            (
                Field("seat", "Seat number", "number", "", 9),
                Field("days", "Extra days in total", "number", "3", match_actions.MAX_EXTENSION_DAYS),
            ),
        ),
        Action(
            "abort", MATCH, "Abort", "Ends the match now, without a result. The players are told why.",
            match_actions.abort, grave=True,
        ),
        Action(
            "annul", MATCH, "Annul for ratings",
            "The result stays, but counts for nobody’s rating; all ratings since are computed anew. The players are "
            "told why.",
            rating_actions.annul, grave=True,
        ),
        Action(
            "annul-result", MATCH, "Annul in its league or ladder",
            "The match counts in no table of its league, or its players go back by the places that it moved them on "
            "the ladder; ratings stay as they are. The players are told why.",
            event_actions.annul_result, grave=True,
        ),
        Action(
            "open", MATCH, "Reveal hidden information",
            "Lets you see the hidden information of the match as it is now. This is recorded in its hash chain, and "
            "all players are told at once that you did it, and why.",
            reveal.reveal_hidden, grave=True,
        ),
        Action(
            "look", MATCH, "Show revealed information",
            "Shows the match as it was when last revealed. The audit log records that you looked.",
            reveal.show, needs_reason=False,
        ),
        Action(
            "ban", PLAYER, "Ban",
            "Stops this player from signing in, moving and starting matches. The robot plays their seats.",
            player_actions.ban, (Field("sentence", "Message to the player"),), "unban",
        ),
        Action("unban", PLAYER, "Unban", "Lets this player sign in and play again.", player_actions.unban, (), "ban"),
        Action(
            "rename", PLAYER, "Rename", "Changes this player’s name in all matches. They are told why.",
            player_actions.rename, (Field("name", "New name", most=registry.MAX_NAME_LENGTH),),
        ),
        Action(
            "merge", PLAYER, "Merge into another account",
            "Moves this player’s addresses, seats and matches to another account, and deletes this one.",
            player_actions.merge, (Field("into", "Number of the account to keep", "number", "", _MAX_ID),),
            grave=True, leads_to="into",
        ),
        Action(
            "remove", PLAYER, "Remove from a league",
            "Withdraws this player from a season of a league, as if they had left it. They are told why.",
            event_actions.remove, (Field("event", "Number of the season’s page", "number", "", _MAX_ID),), grave=True,
        ),
        Action(
            "exchange", PLAYER, "Exchange in a league",
            "Exchanges this player and one of another group of a season that is drawn and has not begun: each plays "
            "the matches of the other. Both are told why.",
            event_actions.exchange,
            (
                Field("event", "Number of the season’s page", "number", "", _MAX_ID),
                Field("other", "Number of the other player", "number", "", _MAX_ID),
            ),
        ),
        Action(
            "forget", PLAYER, "Delete account",
            "Deletes everything that identifies this player, as if they had deleted their account themselves.",
            player_actions.erase, grave=True,
        ),
        Action(
            "appoint", PLAYER, "Make an operator", "Gives this player the same access to these pages as you have.",
            membership.appoint, (Field("name", "Name among operators", most=registry.MAX_NAME_LENGTH),),
            "dismiss", needs_reason=False,
        ),
        Action(
            "dismiss", PLAYER, "Remove as operator", "Ends this player’s access to these pages immediately.",
            membership.dismiss, (), "appoint", needs_reason=False,
        ),
        Action(
            "forget-factor", PLAYER, "Reset codes",
            "For an operator who lost their phone: they set up new codes after signing in again.",
            membership.reset_totp,
        ),
        Action(
            "suppress", ADDRESS, "Stop mail", "Stops all mail to this address.",
            outbound_actions.suppress, (), "lift",
        ),
        Action(
            "lift", ADDRESS, "Resume mail", "Allows mail to this address again.", outbound_actions.lift, (), "suppress"
        ),
        Action(
            "retry-notice", NOTICE, "Retry", "Sends a pending mail now, and queues a failed one again.",
            outbound_actions.retry, needs_reason=False,
        ),
        Action(
            "retry-submission", SUBMISSION, "Judge again",
            "Judges this submission again, as if it had just arrived. It still counts only for the same seat.",
            inbound_actions.retry, needs_reason=False,
        ),
        Action(
            "retry-letter", LETTER, "Process again", "Reads this mail again and answers it.",
            inbound_actions.retry_service_mail, needs_reason=False,
        ),
        Action(
            "forward", LETTER, "Forward", "Mails it unchanged to the operator’s address.",
            inbound_actions.forward, needs_reason=False,
        ),
    )
}  # fmt: skip
"""All actions that pages offer, by name."""


def parse_subject(action: Action, typed: str) -> str | int:
    """Parse the subject of an action; raises ActionError if it is not valid."""
    numbered = action.subject in NUMBERED_SUBJECTS
    return _parse_number(typed, "This is not a valid number.") if numbered else typed.strip()


def parse_fields(action: Action, form: Mapping[str, str]) -> dict[str, Any]:
    """Parse the fields of an action; raises ActionError if a number is missing or not valid."""
    return {field.name: _parse_field(field, form.get(field.name, "").strip()) for field in action.fields}


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


def sign_result(message: str, action: Action, subject: str | int) -> str:
    """Sign the result of an action, for the next page to show."""
    return _signer().dumps([message, action.undone_by, subject])


def load_result(typed: str) -> tuple[str, tuple[str, str] | None]:
    """Return the result of the last action, and the link that undoes it."""
    try:
        message, undo, subject = _signer().loads(typed, max_age=RESULT_SECONDS)
    except BadSignature:
        return "", None
    return message, (f"Undo: {ACTIONS[undo].button}", form_url(undo, subject)) if undo in ACTIONS else None


def _parse_field(field: Field, typed: str) -> str | int:
    if field.kind == "text":
        return typed[: field.most].replace("\0", "")
    found = _parse_number(typed, f"“{field.label}” must be a number.")
    if found > field.most:
        raise ActionError(f"“{field.label}” must be at most {field.most}.")
    return found


def _parse_number(typed: str, otherwise: str) -> int:
    found = pagination.parse_number(typed)
    if found is None:
        raise ActionError(otherwise)
    return found


def _signer() -> URLSafeTimedSerializer:
    return URLSafeTimedSerializer(list(service().config.secret_keys), salt=_SALT)
