"""Mail to the service itself: all is stored, requests are answered, and everything else is forwarded."""

from __future__ import annotations

import hashlib
import logging
from typing import TYPE_CHECKING

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DataError, SQLAlchemyError

from pbem.db.models import Address, Letter
from pbem.db.session import after_commit, once_committed
from pbem.i18n import speaking, spoken
from pbem.play.core.rate_limits import DAY, Allowed, spend
from pbem.play.inbox import commands, match_list, seat_requests
from pbem.play.lifecycle import create
from pbem.play.lobby import lobby_mail, request_parser
from pbem.play.lobby.lobby_mail import Asker
from pbem.play.moderation import bans
from pbem.play.notifications import operator_mail, outbox
from pbem.play.submissions.sender_policy import (
    ALIGNED,
    FROM,
    Alignment,
    Trust,
    answers_ours,
    may_question,
    trust,
    unseen,
)
from pbem.play.timeouts import absence_mail
from pbem.play.timeouts.absence_mail import Absent
from pbem.telemetry import logs, metrics

if TYPE_CHECKING:
    from collections.abc import Callable

    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.inbox.commands import Said
    from pbem.play.inbox.judge import Reading

log = logging.getLogger(__name__)

READ = "letter"
"""Name of the task that processes a service mail."""

REFUSED_A_DAY = 5
"""Maximum mails per sender and day that say why no match was made."""
ASKED_A_DAY = 30
"""Maximum answers to requests per sender and day."""
SHOWN_ONLY = {"away", "back", seat_requests.TAKE, seat_requests.BACK}
"""Commands for senders whose mail proves that it is theirs."""
KNOWN_ONLY = {"list", *SHOWN_ONLY}
"""Commands for senders with a verified address, in addition to those for everybody."""
STRANGERS_A_DAY = {"new": 1, "lobby": 2, "join": 3, "help": 1}
"""Maximum answers per day to an unverified address by command, however many mails come in its name."""


def send(
    ctx: Context, recipient: str, sender: str, raw: bytes, fingerprint: bytes, *, author: str, forward: bool
) -> bool:
    """Store a mail to the service itself; return False if the same mail is stored already.

    With `forward` it is read: by the service if it was sent to the service's own address, else by the operator.
    `sender` is the envelope sender, `author` the From address.
    """
    once = hashlib.sha256(b"\0".join([b"letter", recipient.encode(), fingerprint])).digest()
    to_read = forward and recipient == ctx.config.service_address
    row = {
        "recipient": recipient, "sender": sender, "raw": raw, "once": once, "received_at": ctx.now,
        "status": "pending" if to_read else "kept",
    }  # fmt: skip
    kept = ctx.session.scalar(insert(Letter).values(row).on_conflict_do_nothing().returning(Letter.id))
    if kept is None:
        return False
    once_committed(ctx.session, metrics.count, metrics.ACCEPTS, "letter")
    with logs.about(letter=kept):
        once_committed(ctx.session, log.info, "kept a letter")
    if to_read:
        after_commit(ctx.session, READ, kept)
    elif forward:
        operator_mail.forward(ctx, ctx.session.get_one(Letter, kept), author)
    return True


def judge(ctx: Context, number: int, read: Callable[[bytes], Reading]) -> None:
    """Process a pending service mail: do what it asks for, or forward it to the operator."""
    waiting = select(Letter).where(Letter.id == number, Letter.status == "pending").with_for_update(skip_locked=True)
    letter = ctx.session.scalars(waiting).one_or_none()
    if letter is None:
        return
    try:
        with logs.about(letter=number), ctx.session.begin_nested():
            reading = read(letter.raw)
            done = _answered(ctx, letter, reading)
            if not done:
                operator_mail.forward(ctx, letter, reading.sender)
        letter.status = "done" if done else "kept"
    except Exception as fault:
        if isinstance(fault, SQLAlchemyError) and not isinstance(fault, DataError):
            raise
        log.exception("could not read letter %s", number)
        letter.status = "failed"
        operator_mail.forward(ctx, letter, "")


def _answered(ctx: Context, letter: Letter, reading: Reading) -> bool:
    """Do what a service mail asks for, or tell its author why not; return False if it has no known command."""
    said = commands.read(reading.typed)
    if said is None or not reading.sender:
        return False
    address = ctx.session.get(Address, reading.sender)
    if address is not None and address.player.banned_at:
        bans.answer(ctx, address.player, address.email, reading.message_id or None)
        return True
    name = said.command.name
    if address is None or address.verified_at is None:
        return name in STRANGERS_A_DAY and _for_a_stranger(ctx, said, reading)
    player = address.player
    known = _is_theirs(ctx, player, reading)
    with speaking(player.language):
        if name == "new":
            _make(ctx, letter, address, said.text, reading, known=known)
            return True
        if name not in KNOWN_ONLY | STRANGERS_A_DAY.keys():
            return False
        if not spend(ctx, Allowed(f"letter answered, {known}", address.email, ASKED_A_DAY, DAY)):
            asker = Asker(
                address.email, player.name, player.language, reading.message_id or None, player if known else None
            )
            _answer(ctx, said, asker, player)
    return True


def _is_theirs(ctx: Context, player: Player, reading: Reading) -> bool:
    """Return whether a service mail proves that its From is genuine, by the player's mail policy.

    A service mail has no reply address: where strangers can write, the only proof is our own mail server, or that it
    answers a mail that was sent to this address alone.
    """
    shown = ctx.config.open_house or answers_ours(ctx, reading.sender, reading.answers)
    policy = FROM if shown and player.mail_policy != ALIGNED else ALIGNED
    return trust(policy, reading.alignment, own=True) is Trust.ACTS


def _answer(ctx: Context, said: Said, asker: Asker, player: Player | None = None) -> None:
    """Answer a service mail that asks for something other than a match."""
    if said.command.name == "lobby":
        lobby_mail.tell(ctx, asker)
    elif said.command.name == "join":
        lobby_mail.join(ctx, asker, said.text)
    elif asker.player is None and said.command.name in SHOWN_ONLY and not may_question(ctx, asker.email):
        return
    elif said.command.name in {seat_requests.TAKE, seat_requests.BACK}:
        seat_requests.ask(ctx, asker, said.command.name, said.text)
    elif said.command.name == "list" and player:
        match_list.answer(ctx, player, asker.email, asker.message_id)
    elif said.command.name in KNOWN_ONLY and player:
        _be_absent(ctx, said, asker, player)
    else:
        lobby_mail.explain(ctx, asker)


def _be_absent(ctx: Context, said: Said, asker: Asker, player: Player) -> None:
    """Start or end a vacation; a mail that others may have written in the player's name does neither."""
    who = Absent(player, asker.email, asker.message_id)
    if asker.player is None:
        absence_mail.refuse(ctx, who, unseen(player))
    elif said.command.name == "away":
        absence_mail.go(ctx, who, said.text)
    else:
        absence_mail.back(ctx, who)


def _make(ctx: Context, letter: Letter, address: Address, text: str, reading: Reading, *, known: bool) -> None:
    """Create the match that a service mail asks for, or tell its author why not."""
    host = create.Guest(address.player.name, address.email)
    try:
        wanted = request_parser.read(text, host)
        with ctx.session.begin_nested():
            request_parser.make(ctx, wanted, address.player, known=known, mail=reading.message_id or None)
    except create.MatchError as refused:
        _refuse(ctx, letter, address, str(refused), reading, known=known)


def _for_a_stranger(ctx: Context, said: Said, reading: Reading) -> bool:
    """Answer a mail from an unverified address; seldom, since its owner may never have written.

    A match is created by inviting them alone, a seat given by asking them first; errors in a match are not explained.
    """
    name = said.command.name
    if reading.alignment is Alignment.FAIL:
        return True
    if spend(ctx, Allowed(f"letter of a stranger: {name}", reading.sender, STRANGERS_A_DAY[name], DAY)):
        return True
    message_id = reading.message_id or None
    with speaking(_tongue(said, reading)):
        host = create.Guest(request_parser.name_of(reading.sender), reading.sender)
        if name != "new":
            _answer(ctx, said, Asker(host.email, host.name, spoken(), message_id))
            return True
        try:
            with ctx.session.begin_nested():
                request_parser.make(ctx, request_parser.read(said.text, host), None, known=False, mail=message_id)
        except create.MatchError:
            return False
    return True


def _tongue(said: Said, reading: Reading) -> str:
    """Return the language of an unknown sender, by the command word that they used."""
    line = commands.folded(" ".join(reading.typed[:1]))
    tongues = (tongue for tongue, words in said.command.words.items() if line.startswith(words))
    return next(tongues, spoken())


def _refuse(ctx: Context, letter: Letter, address: Address, reason: str, reading: Reading, *, known: bool) -> None:
    facts = {"reason": reason, "name": address.player.name, "language": address.player.language}
    if spend(ctx, Allowed(f"letter refused, {known}", address.email, REFUSED_A_DAY, DAY)) is None:
        once, answers = f"not made {letter.id}", reading.message_id or None
        outbox.owe_mail(ctx, "not made", address.email, facts, once=once, answers=answers)
