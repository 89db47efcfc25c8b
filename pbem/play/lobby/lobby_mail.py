"""The lobby by mail: a list of the open tables, and joining one by reply."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pbem.boards.prose import series
from pbem.db.models import Address, Match
from pbem.i18n import _
from pbem.play.core import tokens
from pbem.play.core.errors import Refused
from pbem.play.lobby import joining, open_tables, request_parser, seating
from pbem.play.matches import descriptions
from pbem.play.matches.seats import holders
from pbem.play.notifications import outbox
from pbem.play.players import registry
from pbem.play.submissions.sender_policy import unproven_text
from pbem.states import MatchState

if TYPE_CHECKING:
    from pbem.db.models import Player
    from pbem.play.core.context import Context
    from pbem.play.lobby.open_tables import OpenTable

TABLE_LIST, JOIN_CONFIRMATION, JOIN_REFUSED, HELP = "lobby", "join?", "not joined", "service help"
"""Mail kinds: the list of open tables, the confirmation of a request to join, its refusal, and help."""


@dataclass(frozen=True, slots=True)
class MailSender:
    """Sender of a mail to the service; `message_id` is that of the mail, which the answer replies to.

    `player` is None if the mail does not prove who sent it; the sender must then verify the address first.
    """

    email: str
    name: str
    language: str
    message_id: str | None
    player: Player | None = None


def enqueue_table_list(ctx: Context, sender: MailSender) -> None:
    """Enqueue the list of open tables to a sender."""
    page = _list_tables(ctx, sender, open_tables.MAX_TABLES_PER_MAIL)
    _enqueue(ctx, sender, TABLE_LIST, {"tables": _table_list_facts(page.tables), "more": page.after is not None})


def enqueue_help(ctx: Context, sender: MailSender) -> None:
    """Enqueue a list of the commands that the service's own address understands."""
    _enqueue(ctx, sender, HELP, {})


def join(ctx: Context, sender: MailSender, typed: str) -> str:
    """Seat the sender at the table with the typed code; return why that was refused, or "".

    Text after the code is the player's contribution to the deal. A sender with an unverified address is only sent a
    confirmation mail.
    """
    code, text = [*typed.split(None, 1), "", ""][:2]
    code = code.strip("<>,.;:“”\"'")
    try:
        match = _find_table(ctx, sender, code)
        proven = "-" in code and open_tables.is_confirmation_code(ctx.config, code, match.id, sender.email)
        if sender.player is None and not proven:
            if match.state != MatchState.INVITING or not match.open_seats:
                raise Refused(_("This table has no open seat any more."))  # noqa: TRY301 -- answered like all others
            _enqueue(ctx, sender, JOIN_CONFIRMATION, _confirmation_facts(ctx, match, sender.email))
            return ""
        player = sender.player or registry.get_or_create(ctx, {sender.email: sender.name})[sender.email]
        registry.mark_verified(ctx, sender.email)
        with ctx.session.begin_nested():
            joining.join(ctx, match, player, text, sender.message_id)
    except Refused as refused:
        page = _list_tables(ctx, sender, 3)
        _enqueue(ctx, sender, JOIN_REFUSED, {"reason": str(refused), "tables": _table_list_facts(page.tables)})
        return str(refused)
    return ""


def seat_anywhere(ctx: Context, sender: MailSender, typed: str) -> str:
    """Seat the sender at the open table that starts soonest, or open one; return why that was refused, or "".

    `typed` names a game, or is empty. The mail about their seat is the answer. A sender whose address is not verified
    gets the list of open tables, each with the line that joins it.
    """
    if sender.player is None and registry.find_player(ctx, sender.email) is None:
        enqueue_table_list(ctx, sender)
        return ""
    try:
        if sender.player is None:
            raise Refused(unproven_text(ctx.session.get_one(Address, sender.email).player))  # noqa: TRY301 -- as above
        game = request_parser.parse_game(typed.split())[0].key if typed else ""
        with ctx.session.begin_nested():
            seating.seat(ctx, sender.player, game, mail=sender.message_id)
    except Refused as refused:
        page = _list_tables(ctx, sender, 3)
        _enqueue(ctx, sender, JOIN_REFUSED, {"reason": str(refused), "tables": _table_list_facts(page.tables)})
        return str(refused)
    return ""


def _list_tables(ctx: Context, sender: MailSender, most: int) -> open_tables.Page:
    return open_tables.list_page(ctx, open_tables.TableFilter(), most=most, reader=_reader(ctx, sender))


def _reader(ctx: Context, sender: MailSender) -> int | None:
    """Return the id of the player who reads the answer: the owner of the address, even if others wrote the mail."""
    return sender.player.id if sender.player else registry.find_player(ctx, sender.email)


def _find_table(ctx: Context, sender: MailSender, code: str) -> Match:
    """Find the table of a code: the first letters of its id, or the code of a confirmation mail or an invitation."""
    reader = _reader(ctx, sender)
    if "-" in code:
        match = open_tables.find_by_invitation(ctx, code)
        named = code.lower().translate(tokens.CONFUSABLES).partition("-")[0]
        if match is None and open_tables.is_confirmation_code(ctx.config, code, named, sender.email):
            match = ctx.session.get(Match, named)
        found = [match] if match else []
    else:
        found = open_tables.find_by_code(ctx, code)
    found = [match for match in found if not open_tables.is_hidden(ctx, match, reader)]
    if not found:
        raise Refused(_("There is no table called “{code}”.", code=code[: open_tables.MAX_CODE_LENGTH]))
    if len(found) > 1 and found[1].state == MatchState.INVITING:
        raise Refused(_("Several tables begin with “{code}”. Write more letters of the code.", code=code))
    newer = joining.find_replacement(ctx, found[0], reader)
    return newer if newer and newer.public else found[0]


def _confirmation_facts(ctx: Context, match: Match, email: str) -> dict[str, Any]:
    return {
        "table": match.id,
        "email": email,
        "game": match.game,
        "others": series([descriptions.list_name(one.name, one.player.robot_level) for one in holders(ctx, match)]),
        "size": len(match.seats),
        "options": match.options,
        "clock": match.time_control,
        "on_time": match.timeout_policy,
        "reliable": match.min_reliability,
        "bots": match.bots,
        "rated": match.public and match.rated,
    }


def _table_list_facts(tables: tuple[OpenTable, ...]) -> list[dict[str, Any]]:
    return [
        {
            "match": one.match,
            "code": code,
            "game": one.game,
            "options": dict(one.options),
            "clock": one.clock,
            "on_time": one.on_time,
            "reliable": one.reliable,
            "bots": one.bots,
            "rated": one.rated,
            "seated": one.seated,
            "standings": [[name, asdict(own)] for name, own in one.standings],
            "size": len(one.names),
        }
        for one, code in zip(tables, open_tables.table_codes(tables), strict=True)
    ]


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    facts |= {"name": sender.name, "language": sender.language}
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, facts, once=once, answers=sender.message_id)
