"""Ladders by mail, to a match or to the service: lists, entering and leaving, challenges and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from pbem.db.models import Address, LadderChallenge, OutboxMessage
from pbem.events import ladder
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.ladders import challenges, entering, ladder_mails, names, open_ladders, overview
from pbem.play.lobby import request_parser
from pbem.play.notifications import outbox
from pbem.play.submissions.sender_policy import unproven_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Event, Player
    from pbem.play.core.context import Context
    from pbem.play.ladders.overview import ChallengeSummary, Ladder
    from pbem.play.lobby.lobby_mail import MailSender

SHOW, ENTER, LEAVE, CHALLENGE = "ladder", "enter ladder", "leave ladder", "challenge"
COMMANDS = (SHOW, ENTER, LEAVE, CHALLENGE)
"""The commands: the list of ladders or the places of one, entering and leaving, and a challenge."""
_ACTS = {
    "accept": challenges.accept, "yes": challenges.accept, "decline": challenges.decline, "no": challenges.decline,
    "takeback": challenges.take_back,
}  # fmt: skip
"""What the commands do that answer the mail of a challenge."""
LIST, PLACES, ENTERED, LEFT, REFUSED = "ladders", "ladder", "ladder entered", "ladder left", "ladder refused"
"""Mail kinds: the list of ladders, the places of one, what the sender has done, and a refusal."""
MAX_FIRST_PLACES = 10
"""Maximum places listed to somebody who is not on the ladder."""
_MAX_GAME_WORDS = 2


def handle(ctx: Context, sender: MailSender, command: str, text: str) -> str:
    """Do what a mail asks for about ladders; return why not, or an empty string."""
    try:
        with ctx.session.begin_nested():
            if command == SHOW:
                _show(ctx, sender, text)
            else:
                _act(ctx, sender, _proven(ctx, sender), command, text)
    except Refused as refused:
        return _refuse(ctx, sender, str(refused))
    return ""


def is_answer(ctx: Context, player: Player, email: str, command: str, message_ids: Sequence[str]) -> bool:
    """Return whether a command answers a challenge: the mail that it replies to is about one, or one waits."""
    return command in _ACTS and bool(_answered(ctx, email, message_ids) or _waiting(ctx, player, command))


def answer(ctx: Context, sender: MailSender, command: str, message_ids: Sequence[str]) -> str:
    """Answer the challenge whose mail a mail replies to, else the only one that waits; return why not, or ""."""
    try:
        with ctx.session.begin_nested():
            player = _proven(ctx, sender)
            number = _answered(ctx, sender.email, message_ids) or _only_one(_waiting(ctx, player, command))
            _ACTS[command](ctx, number, player, sender.message_id or "")
    except Refused as refused:
        return _refuse(ctx, sender, str(refused))
    return ""


def _proven(ctx: Context, sender: MailSender) -> Player:
    """Return the player whose mail proves that it is theirs; raises Refused for others."""
    if sender.player is None:
        raise Refused(unproven_text(ctx.session.get_one(Address, sender.email).player))
    return sender.player


def _answered(ctx: Context, email: str, message_ids: Sequence[str]) -> int | None:
    """Return the challenge of the mail to an address that a mail replies to; None if it replies to none."""
    ours = OutboxMessage.recipient == email, OutboxMessage.kind.in_(ladder_mails.ANSWERABLE)
    sent = select(OutboxMessage.render_data).where(*ours, OutboxMessage.message_id.in_(message_ids))
    facts = ctx.session.scalar(sent.order_by(OutboxMessage.id.desc()).limit(1)) if message_ids else None
    return int(facts["challenge"]) if facts else None


def _waiting(ctx: Context, player: Player, command: str) -> list[LadderChallenge]:
    """List the challenges that wait, and that a player can answer by a command."""
    waiting = challenges.waiting_for(ctx, player.id)
    if _ACTS[command] is challenges.take_back:
        return [one for one in waiting if one.challenger_id == player.id]
    return [one for one in waiting if one.challenged_id == player.id]


def _only_one(waiting: Sequence[LadderChallenge]) -> int:
    if len(waiting) > 1:
        raise Refused(_("Several challenges wait for your answer. Reply to the mail of one of them."))
    return waiting[0].id


def _show(ctx: Context, sender: MailSender, text: str) -> None:
    reader = sender.player.id if sender.player else None
    if not text.strip():
        listed = overview.list_all(ctx, reader)
        rows = [{"game": one.event.game, "count": one.count, "first": one.first, "own": one.own} for one in listed]
        _enqueue(ctx, sender, LIST, {"ladders": rows})
        return
    event = open_ladders.parse(ctx, text.split(), reader or 0)
    _enqueue(ctx, sender, PLACES, places_facts(overview.load(ctx, event, reader)))


def _act(ctx: Context, sender: MailSender, player: Player, command: str, text: str) -> None:
    if command == CHALLENGE:
        event, target = _parse_challenge(ctx, player, text)
        challenges.challenge(ctx, event, player, names.find(ctx, event, target), sender.message_id or "")
        return
    event = open_ladders.parse(ctx, text.split(), player.id)
    if command == ENTER:
        entering.enter(ctx, event, player, player.name)
        _enqueue(ctx, sender, ENTERED, places_facts(overview.load(ctx, event, player.id)))
    else:
        entering.leave(ctx, event, player)
        _enqueue(ctx, sender, LEFT, {"ladder": event.game})


def _parse_challenge(ctx: Context, player: Player, text: str) -> tuple[Event, str]:
    """Parse whom to challenge, and the game after that, as in “3 whist”; without one the only ladder is meant."""
    words = text.split()
    for count in range(_MAX_GAME_WORDS, 0, -1):
        target, named = words[:-count], words[-count:]
        if target and _is_game(named):
            return open_ladders.parse(ctx, named, player.id), " ".join(target)
    return open_ladders.parse(ctx, [], player.id), text


def _is_game(words: Sequence[str]) -> bool:
    try:
        _game, rest = request_parser.parse_game(words)
    except Refused:
        return False
    return not rest


def places_facts(found: Ladder) -> dict[str, Any]:
    """Return the facts of a ladder for a mail: the places around the reader's own, or the first ones."""
    last = MAX_FIRST_PLACES if found.own is None else found.own + ladder.REACH
    first = 1 if found.own is None else max(1, found.own - found.reach)
    return {
        "ladder": found.event.game,
        "own": found.own,
        "count": len(found.rows),
        "rows": [[row.place, row.name, row.can_challenge] for row in found.rows[first - 1 : last]],
        "challenges": [_challenge_facts(one) for one in found.unfinished],
    }


def _challenge_facts(one: ChallengeSummary) -> dict[str, Any]:
    until = one.until.isoformat() if one.until else None
    return {"challenger": one.challenger, "challenged": one.challenged, "lapses": until}


def _refuse(ctx: Context, sender: MailSender, reason: str) -> str:
    _enqueue(ctx, sender, REFUSED, {"reason": reason})
    return reason


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    zone = sender.player.time_zone if sender.player else "UTC"
    facts = {"name": sender.name, "language": sender.language, "zone": zone} | facts
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, facts, once=once, answers=sender.message_id)
