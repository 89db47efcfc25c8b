"""Lessons by mail: a step is mailed, a reply with a move is judged, and the answer has the next step.

No row is kept of a lesson. The reply address of a step names it, and is signed for the address that the step was
mailed to.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.boards.lessons import lessons, playing
from pbem.games import GAMES, IllegalMove
from pbem.i18n import LANGUAGES, _, refusal_text
from pbem.play.core import tokens
from pbem.play.lobby import lessons as taught
from pbem.play.notifications import outbox
from pbem.play.submissions import move_finder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pbem.boards.lessons import Step
    from pbem.config import Config
    from pbem.play.core.context import Context
    from pbem.play.lobby.lobby_mail import MailSender

LEARN = "learn"
"""The command, and the kind of mailbox of replies."""
STEP, LIST, REFUSED = "lesson step", "lessons", "lesson refused"
"""Mail kinds: a step of a lesson, the list of lessons, and the refusal of a reply."""
VALID_DAYS = 90
_MAC_LENGTH = 16
_TOKEN = re.compile(rf"(?:^|\+){LEARN}[+-](?P<token>[^@]+)@")
_PARTS = re.compile(r"(?P<game>.+)-(?P<number>\d{1,2})-(?P<language>[a-z]{2})-(?P<day>\d{1,9})-(?P<mac>[0-9a-z]+)")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader is in a lesson: what the reply address of a step names."""

    game: str
    number: int
    language: str
    day: int
    """Ordinal of the day on which the step was mailed."""

    @property
    def step(self) -> Step:
        """The step."""
        return lessons()[self.game].steps[self.number - 1]

    @property
    def exists(self) -> bool:
        """Whether there is such a step."""
        return taught.find_step(self.game, self.number) is not None


def reply_address(config: Config, place: Place, email: str, key: str) -> str:
    """Return the reply address of a step that is mailed to an address, signed with the secret key of that ID."""
    secrets = {tokens.key_id(secret): secret for secret in config.secret_keys}
    mac = _mac(secrets.get(key, config.secret_keys[-1]), place, email)
    return config.address_of(LEARN, f"{place.game}-{place.number}-{place.language}-{place.day}-{mac}")


def answer_address(config: Config, facts: Mapping[str, Any]) -> str:
    """Return the reply address of a mailed step, by the facts of its mail."""
    return reply_address(config, Place(*facts["lesson_step"]), facts["email"], facts["key"])


def token_of(recipient: str) -> str:
    """Return the token of a lesson's reply address; empty for any other address."""
    found = _TOKEN.search(recipient.lower())
    return found["token"] if found else ""


def names_step(token: str) -> bool:
    """Return whether a token names a step, without a look at its signature: the sender is not known yet."""
    found = _PARTS.fullmatch(token.lower())
    return found is not None and taught.find_step(found["game"], int(found["number"])) is not None


def start(ctx: Context, sender: MailSender, typed: str) -> str:
    """Mail the first step of a game's lesson, or the list of lessons; return why the game has none, or ""."""
    if not typed:
        _enqueue(ctx, sender, LIST, {"games": taught.taught(), "unknown": False})
        return ""
    game = taught.find_game(typed)
    if game is None:
        _enqueue(ctx, sender, LIST, {"games": taught.taught(), "unknown": True})
        return _("There is no lesson of this game. Write “learn” for a list.")
    _enqueue_step(ctx, sender, Place(game, 1, sender.language, _today(ctx)))
    return ""


def find_place(ctx: Context, token: str, email: str) -> Place | None:
    """Return the step that a reply answers; None if the address is too old, or was not mailed to this sender."""
    found = _PARTS.fullmatch(token)
    if found is None or found["language"] not in LANGUAGES:
        return None
    place = Place(found["game"], int(found["number"]), found["language"], int(found["day"]))
    signed = any(hmac.compare_digest(_mac(key, place, email), found["mac"]) for key in ctx.config.secret_keys)
    return place if signed and 0 <= _today(ctx) - place.day <= VALID_DAYS and place.exists else None


def holds_move(place: Place, lines: Sequence[str]) -> bool:
    """Return whether lines hold a move of a step, or what has the form of one."""
    found = _find_move(place, lines)
    return isinstance(found, move_finder.Found) or isinstance(found.reason, IllegalMove)


def answer(ctx: Context, sender: MailSender, place: Place, lines: Sequence[str]) -> None:
    """Judge the move of a reply, and mail the verdict with the next step, or with the same one again."""
    found, step = _find_move(place, lines), place.step
    here = Place(place.game, place.number, sender.language, _today(ctx))
    if isinstance(found, move_finder.NotFound):
        _enqueue_step(ctx, sender, here, {"refused": refusal_text(found.reason)})
        return
    verdict = taught.attempt_facts(playing.stand(GAMES[place.game], step), step, found.move)
    following = Place(here.game, here.number + verdict["right"], here.language, here.day)
    facts = {"verdict": {name: verdict[name] for name in ("right", "why", "news")}}
    if following.exists:
        _enqueue_step(ctx, sender, following, facts)
    else:
        _enqueue(ctx, sender, STEP, facts | end_facts(place))


def refuse(ctx: Context, sender: MailSender) -> None:
    """Explain that a reply address is not valid any more, or never was."""
    _enqueue(ctx, sender, REFUSED, {})


def _find_move(place: Place, lines: Sequence[str]) -> move_finder.Found | move_finder.NotFound:
    at = playing.stand(GAMES[place.game], place.step)
    return move_finder.find(lines, partial(at.game.read, at.position, at.seat))


def step_facts(place: Place) -> dict[str, Any]:
    """Return what a mail says of a step that is to be answered."""
    step = place.step
    at = playing.stand(GAMES[place.game], step)
    return _common_facts(place) | {
        "view": taught.view(at, at.position),
        "steps": [*at.game.steps(at.position, at.seat, ())],
        "lesson_step": [place.game, place.number, place.language, place.day],
        "text": step.text,
        "question": step.question,
    }


def end_facts(place: Place) -> dict[str, Any]:
    """Return what a mail says at the end of a lesson, after its last step."""
    return _common_facts(place) | {"ending": lessons()[place.game].ending}


def _enqueue_step(ctx: Context, sender: MailSender, place: Place, verdict: dict[str, Any] | None = None) -> None:
    _enqueue(ctx, sender, STEP, (verdict or {}) | step_facts(place))


def _common_facts(place: Place) -> dict[str, Any]:
    """Return what every mail about a step has."""
    step = place.step
    return {
        "game": place.game,
        "number": place.number,
        "count": len(lessons()[place.game].steps),
        "heading": step.heading,
        "names": [*playing.names(step)],
        "seat": step.seat,
    }


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    facts |= {"name": sender.name, "language": sender.language, "email": sender.email}
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, facts, once=once, answers=sender.message_id)


def _mac(secret: str, place: Place, email: str) -> str:
    of = (place.game, place.number, place.language, place.day, email.lower())
    return tokens.derive(secret, LEARN, *of)[:_MAC_LENGTH]


def _today(ctx: Context) -> int:
    return ctx.now.date().toordinal()
