"""Chat messages of a match: sent along with a move or alone, never part of a record.

Text below a move is sent only after its author has agreed to that; until then it is held, with ply 0.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Boolean, and_, bindparam, cast, delete, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from pbem.db.models import AbuseReport, ChatMessage, LogEntry, OutboxMessage, SeatHolder, Submission
from pbem.games import cards, pyramids, typed_text
from pbem.i18n import marked
from pbem.play.core import message_kinds, player_events
from pbem.play.core.context import timestamp
from pbem.play.matches import seats
from pbem.play.moderation import mutes
from pbem.states import OutboxState, SubmissionStatus

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from sqlalchemy import ColumnElement

    from pbem.db.models import Match
    from pbem.play.core.context import Context

MAX_CHARS = 1000
"""Maximum characters of a message; a longer one is cut."""
MAX_PER_DAY = 30
"""Maximum messages per seat and day."""
LIMIT_REACHED = marked("You have reached the limit for today, so this was not sent. Please try again tomorrow.")
"""Message for a player who has reached the limit of messages or reports."""
MAX_PER_MAIL = 20
"""Maximum messages in a mail, the newest ones."""
MAIL_KINDS_WITH_CHAT = message_kinds.names(lambda rules: rules.includes_chat)
"""Kinds of mail that include the messages since the one before."""
HELD_PLY = 0

_MAX_WORD_CHARS = 40
_MAX_INPUT_CHARS = 2 * MAX_CHARS
"""Characters of input that are looked at: more than stay, because some are removed."""
_QUOTES = str.maketrans("“”„", "'''")
"""Messages are shown in double quotation marks, so they must not contain any."""
_AT_SIGN = re.compile(r"\s*@\s*")
_SCHEME = re.compile(r"(?<=\w):(?=//)")
_INNER_DOT = re.compile(r"(?<=\w)\.(?=[^\W\d_]{2})|(?<=\bwww)\.(?=\w)", re.IGNORECASE)
_CLOSING = re.compile(
    r"(?:(?:with|many|kind|best|warm|all|the|my|viele|liebe|beste|herzliche|schöne|freundliche|mit|freundlichen|besten"
    r"|herzlichen|vielen|lieben) ){0,4}(?:regards|wishes|best|greetings|cheers|thanks|thank you|yours|love|sincerely"
    r"|see you|gr(?:ü|ue)(?:ß|ss)en?|gru(?:ß|ss)|dank|lg|vg|mfg|tschüss|bis bald)(?: (?:sincerely|truly))?"
    r"(?: (?:to|from|von|aus|an) [\w .]{1,30})?[.!]*",
    re.IGNORECASE,
)
_MAX_SIGNATURE_LINES = 6
"""Maximum lines of a signature below its closing words."""
_TRIMMED_CHARS = " -–—,.!~*"
_CARD = re.compile(r"[TJQKA][SHDC]", re.IGNORECASE)
_DIGIT = re.compile(r"\d")

# A held mail is dropped if its turn is played meanwhile: what it includes counts once it is sent.
_IS_HELD_MAIL = and_(
    OutboxMessage.state == OutboxState.PENDING, cast(OutboxMessage.render_data["held"], Boolean).is_(True)
)
_LAST_CHAT_MAIL = (
    select(func.max(OutboxMessage.created_at))
    .where(
        OutboxMessage.holder_id == bindparam("holder"),
        OutboxMessage.kind.in_(MAIL_KINDS_WITH_CHAT),
        OutboxMessage.state != OutboxState.DROPPED,
        ~_IS_HELD_MAIL,
    )
    .scalar_subquery()
)
_UNMAILED = (
    select(ChatMessage.seat, SeatHolder.name, ChatMessage.text)
    .join(SeatHolder, SeatHolder.id == ChatMessage.holder_id)
    .where(
        ChatMessage.match_id == bindparam("match"),
        ChatMessage.holder_id != bindparam("holder"),
        ChatMessage.ply != HELD_PLY,
        SeatHolder.player_id.not_in(mutes.select_muted(bindparam("player"))),
        or_(_LAST_CHAT_MAIL.is_(None), ChatMessage.sent_at > _LAST_CHAT_MAIL),
    )
    .order_by(ChatMessage.id.desc())
    .limit(MAX_PER_MAIL)
)


def message_text(lines: Sequence[str], name: str) -> str:
    """Return the message in some lines as one line, without the signature, lines that look like moves, and links."""
    text = [line.strip()[:MAX_CHARS] for line in lines]
    names = {name.casefold(), name.casefold().partition(" ")[0]}
    closing = next((at for at, line in enumerate(text) if _starts_signature(text, at, names)), len(text))
    text = [line for line in text[:closing] if line]
    if text and text[-1].strip(_TRIMMED_CHARS).casefold() in names:
        text = text[:-1]
    return sanitise(" ".join(line for line in text if not looks_like_move(line)))


def sanitise(text: str) -> str:
    """Sanitise a text for others' mails: one line, no invisible characters, no link or address, not too long."""
    visible = "".join(" " if unicodedata.category(letter)[0] in "CZ" else letter for letter in text)
    # Collapse whitespace first: the patterns would start anew at each character of a long run.
    visible = " ".join(visible.split())[:_MAX_INPUT_CHARS]
    plain = _SCHEME.sub(" : ", _AT_SIGN.sub(" at ", _INNER_DOT.sub(". ", visible)))
    parts = [word if len(word) <= _MAX_WORD_CHARS else f"{word[: _MAX_WORD_CHARS - 1]}…" for word in plain.split()]
    line = " ".join(parts).translate(_QUOTES)
    return line if len(line) <= MAX_CHARS else f"{line[: MAX_CHARS - 1]}…"


def looks_like_move(line: str) -> bool:
    """Return whether a line looks like a move, such as a premove of a card: it must not be sent to the others."""
    parts = pyramids.fold(cards.fold(typed_text.fold(line))).replace("|", " ").split()
    marks = sum(bool(_DIGIT.search(part) or _CARD.fullmatch(part.strip(_TRIMMED_CHARS))) for part in parts)
    return 2 * marks >= len(parts) > 0


def store(
    ctx: Context, match: Match, holder: SeatHolder, text: str, submission: str | None = None, *, held: bool = False
) -> bool:
    """Store a message, one per submission, in place of a held one; return False at the daily limit of its author."""
    if held:
        drop_held(ctx, holder)
    lately = ChatMessage.holder_id == holder.id, ChatMessage.sent_at > ctx.now - timedelta(days=1)
    if (ctx.session.scalar(select(func.count()).where(*lately)) or 0) >= MAX_PER_DAY:
        return False
    row = {
        "match_id": match.id, "holder_id": holder.id, "seat": holder.seat, "ply": HELD_PLY if held else match.ply,
        "text": text, "submission_id": submission, "sent_at": _message_time(ctx, match),
    }  # fmt: skip
    ctx.session.execute(insert(ChatMessage).values(row).on_conflict_do_nothing())
    if not held:
        _record_event(ctx, match, holder, submission)
    return True


def has_held(ctx: Context, holder: SeatHolder) -> bool:
    """Return whether a player has a message that waits for their consent."""
    return ctx.session.scalar(select(ChatMessage.id).where(_is_held(holder)).limit(1)) is not None


def allow_trailing_lines(ctx: Context, match: Match, holder: SeatHolder) -> None:
    """Send the text below a player's moves to the others from now on, and the held message at once."""
    holder.shares_text = True
    sent_at = _message_time(ctx, match)
    released = update(ChatMessage).where(_is_held(holder)).values(ply=match.ply, sent_at=sent_at)
    for submission in ctx.session.scalars(released.returning(ChatMessage.submission_id)).all():
        _record_event(ctx, match, holder, submission)


def forbid_trailing_lines(ctx: Context, holder: SeatHolder) -> None:
    """Never send the text below a player's moves to the others."""
    holder.shares_text = False
    drop_held(ctx, holder)


def drop_held(ctx: Context, holder: SeatHolder) -> None:
    """Delete the message of a player that waits for their consent."""
    ctx.session.execute(delete(ChatMessage).where(_is_held(holder)))


def drop_below_moves(ctx: Context, match: Match, ply: int) -> None:
    """Delete the text below the moves from a ply on, which are taken back; `say` and reported messages stay."""
    voided = (
        select(LogEntry.seat, func.min(LogEntry.logged_at).label("since"))
        .where(LogEntry.match_id == match.id, LogEntry.ply >= ply)
        .group_by(LogEntry.seat)
        .subquery()
    )
    said = OutboxMessage.match_id == match.id, OutboxMessage.kind == "said"
    below = (
        select(ChatMessage.id)
        .join(Submission, Submission.id == ChatMessage.submission_id)
        .join(voided, voided.c.seat == ChatMessage.seat)
        .where(
            ChatMessage.match_id == match.id,
            Submission.status == SubmissionStatus.PLAYED,
            Submission.received_at >= voided.c.since,
            ~select(OutboxMessage.id).where(*said, OutboxMessage.idempotency_key.endswith(Submission.id)).exists(),
            ~select(AbuseReport.id).where(AbuseReport.chat_message_id == ChatMessage.id).exists(),
        )
    )
    # Without synchronising: no message of a match is loaded while its moves are taken back.
    gone = delete(ChatMessage).where(ChatMessage.id.in_(below))
    ctx.session.execute(gone.execution_options(synchronize_session=False))


def unmailed(ctx: Context, match: Match, holder: SeatHolder) -> list[dict[str, Any]]:
    """List the others' messages since the last mail to a player that included any; muted players' are left out."""
    reader = {"match": match.id, "holder": holder.id, "player": holder.player_id}
    newest = ctx.session.execute(_UNMAILED, reader).all()
    return [{"seat": seat, "name": name, "text": text} for seat, name, text in reversed(newest)]


def _record_event(ctx: Context, match: Match, author: SeatHolder, submission: str | None) -> None:
    """Record a message for the programs of the other players, but not of those who have muted its author."""
    once = f"chat {match.id} {author.id} {submission or timestamp(ctx.now)}"
    for other in seats.listening(ctx, match):
        if other.player_id != author.player_id and author.player_id not in mutes.muted_ids(ctx, other.player_id):
            player_events.record(ctx, player_events.CHAT, match, other, {"by": author.seat}, once=once)


def _is_held(holder: SeatHolder) -> ColumnElement[bool]:
    return and_(ChatMessage.holder_id == holder.id, ChatMessage.ply == HELD_PLY)


def _message_time(ctx: Context, match: Match) -> Any:
    """Return the time of a new message: later than every mail that was written without it."""
    mails = OutboxMessage.match_id == match.id, OutboxMessage.kind.in_(MAIL_KINDS_WITH_CHAT)
    last = ctx.session.scalar(select(func.max(OutboxMessage.created_at)).where(*mails))
    return ctx.now if last is None else max(ctx.now, last + timedelta(microseconds=1))


def _starts_signature(lines: Sequence[str], at: int, names: AbstractSet[str]) -> bool:
    """Return whether a line begins a signature: closing words with a name behind a comma, or with a few lines below."""
    closing, _, signed = lines[at].partition(",")
    if not _CLOSING.fullmatch(closing):
        return False
    below = [line for line in lines[at + 1 :] if line]
    if signed.strip(_TRIMMED_CHARS):
        return signed.strip(_TRIMMED_CHARS).casefold() in names
    return 0 < len(below) <= _MAX_SIGNATURE_LINES
