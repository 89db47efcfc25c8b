"""Wording of offers: for the players who answer them, for results, and for the buttons of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.boards.prose import series
from pbem.i18n import _, marked, several
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

DRAW, TAKEBACK, PAUSE, MORE_TIME, ABANDON = "draw", "takeback", "pause", "more time", "abandon"
KINDS = (DRAW, TAKEBACK, PAUSE, MORE_TIME, ABANDON)
"""What players may agree on; each is also the name of the command that proposes and accepts it."""

TITLES: Mapping[str, str] = {
    DRAW: marked("A draw"),
    TAKEBACK: marked("A take-back"),
    PAUSE: marked("A pause"),
    MORE_TIME: marked("More time"),
    ABANDON: marked("The end of the match"),
}
"""Headings of what can be offered."""
PROPOSE_LABELS: Mapping[str, str] = {
    DRAW: marked("Offer a draw"),
    TAKEBACK: marked("Ask to take back your last move"),
    PAUSE: marked("Ask to stop the clocks for a while"),
    MORE_TIME: marked("Ask for more time"),
    ABANDON: marked("Propose to abandon the match"),
}
ACCEPT_LABELS: Mapping[str, str] = {
    DRAW: marked("Agree to the draw"),
    TAKEBACK: marked("Agree to the take-back"),
    PAUSE: marked("Agree to stop the clocks"),
    MORE_TIME: marked("Agree to more time"),
    ABANDON: marked("Agree to abandon the match"),
}
DECLINE_LABELS: Mapping[str, str] = {
    DRAW: marked("No draw"),
    TAKEBACK: marked("No take-back"),
    PAUSE: marked("Let the clocks run"),
    MORE_TIME: marked("No more time"),
    ABANDON: marked("Go on playing"),
}
"""Labels of the buttons that propose, accept and decline."""
EXPLANATIONS: Mapping[str, str] = {
    DRAW: marked("The match ends in a draw if everybody agrees."),
    TAKEBACK: marked("If everybody agrees, your last move and all moves after it are taken back."),
    PAUSE: marked("If everybody agrees, the clocks stop for thirty days at most. You can still move."),
    MORE_TIME: marked("If everybody agrees, your deadline moves by that many days."),
    ABANDON: marked("The match ends without a winner if everybody agrees."),
}
"""What an offer leads to, shown beside the button that proposes it."""


def own_proposal_text(kind: str, detail: Mapping[str, Any]) -> str:
    """Return the sentence for what its reader proposes."""
    if kind == MORE_TIME:
        return several(
            "You ask for one more day for your move.",
            "You ask for {number} more days for your move.",
            int(detail["days"]),
        )
    return {
        DRAW: _("You offer a draw."),
        TAKEBACK: _("You ask to take back your last move."),
        PAUSE: _("You ask to stop the clocks of this match for a while."),
        ABANDON: _("You propose to abandon the match."),
    }[kind]


def proposal_text(kind: str, name: str, detail: Mapping[str, Any]) -> str:
    """Return the sentence for what another player proposes."""
    if kind == DRAW:
        return _("{name} offers a draw.", name=name)
    if kind == TAKEBACK:
        return several(
            "{name} asks to take back their last move.",
            "{name} asks to take back their last move, and with it all that was played since: {number} moves.",
            int(detail["moves"]),
            name=name,
        )
    if kind == PAUSE:
        return _("{name} asks to stop the clocks of this match for a while.", name=name)
    if kind == MORE_TIME:
        return several(
            "{name} asks for one more day for their move.",
            "{name} asks for {number} more days for their move.",
            int(detail["days"]),
            name=name,
        )
    return _("{name} proposes to abandon the match: it would end without a winner.", name=name)


def declined_text(kind: str, by: str) -> str:
    """Return the sentence for the proposer that a player declines."""
    return {
        DRAW: _("{name} declined your draw offer.", name=by),
        TAKEBACK: _("{name} declined your take-back.", name=by),
        PAUSE: _("{name} declined your pause.", name=by),
        MORE_TIME: _("{name} declined to give you more time.", name=by),
        ABANDON: _("{name} declined to abandon the match.", name=by),
    }[kind]


def own_refusal_text(kind: str, name: str) -> str:
    """Return the sentence for a player who declined what another one proposed."""
    return {
        DRAW: _("You declined the draw. {name} has been told.", name=name),
        TAKEBACK: _("You declined the take-back. {name} has been told.", name=name),
        PAUSE: _("You declined the pause. {name} has been told.", name=name),
        MORE_TIME: _("You declined to give more time. {name} has been told.", name=name),
        ABANDON: _("You declined to abandon the match. {name} has been told.", name=name),
    }[kind]


def pending_text(kind: str, others: Sequence[str]) -> str:
    """Return the sentence for the proposer that the offer waits for the others."""
    text = {
        DRAW: _("You offered a draw. The offer stands until somebody moves."),
        TAKEBACK: _("You asked to take back your move. The request lapses as soon as somebody moves."),
        PAUSE: _("You asked to stop the clocks. The request lapses as soon as somebody moves."),
        MORE_TIME: _("You asked for more time. The request lapses as soon as somebody moves."),
        ABANDON: _("You asked to abandon the match. The request lapses as soon as somebody moves."),
    }
    return f"{text[kind]} {undecided_text(others)}"


def undecided_text(others: Sequence[str], *, you: bool = False) -> str:
    """Return the sentence for who has yet to agree; with `you`, its reader has, too."""
    if you:
        names = series(others)
        return _("You and {names} have yet to agree.", names=names) if others else _("It waits for your answer.")
    return several("{names} has yet to agree.", "{names} have yet to agree.", len(others), names=series(others))


def new_deadline_text(name: str, due: datetime, zone: str, *, own: bool) -> str:
    """Return the sentence for when a move is due after its time was extended."""
    moment = format_moment(due, zone)
    if own:
        return _("You now have until {moment}.", moment=moment)
    return _("{name} now has until {moment}.", name=name, moment=moment)


def takeback_text(name: str, *, own: bool, alone: bool) -> str:
    """Return the sentence that a move was taken back, for its player or for the others."""
    if alone:
        return _("Your last move has been taken back.")
    if own:
        return _("Everybody agrees: your last move has been taken back.")
    return _("Everybody agrees: the last move of {name} has been taken back.", name=name)


def pause_text(until: datetime, zone: str) -> str:
    """Return the sentence for until when the clocks of a match are stopped."""
    return _("The clocks of this match are stopped, until {moment} at the latest.", moment=format_moment(until, zone))


def extension_text(name: str, days: int, giver: str = "", *, own: bool) -> str:
    """Return the sentence that a seat has more time, for its player or for the others; `giver` gave it, if not ""."""
    if giver and own:
        return several(
            "{giver} gives you one more day for your move.",
            "{giver} gives you {number} more days for your move.",
            days,
            giver=giver,
        )
    if own:
        return several("You have one more day for your move.", "You have {number} more days for your move.", days)
    return several(
        "{name} has one more day for their move.", "{name} has {number} more days for their move.", days, name=name
    )
