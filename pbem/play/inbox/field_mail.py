"""Fields by mail, to a match or to the service itself: the list, entering and leaving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.db.models import Address
from pbem.i18n import _
from pbem.play.core.errors import Refused
from pbem.play.events import entries, field_leaving, field_lists, field_mails, field_sets
from pbem.play.events.field_calendar import FIELD_GAMES
from pbem.play.lobby import request_parser
from pbem.play.notifications import outbox
from pbem.play.submissions.sender_policy import unproven_text

if TYPE_CHECKING:
    from pbem.db.models import Event, Player
    from pbem.play.core.context import Context
    from pbem.play.events.field_lists import FieldSummary
    from pbem.play.lobby.lobby_mail import MailSender

SHOW, ENTER, LEAVE = "fields", "enter field", "leave field"
COMMANDS = (SHOW, ENTER, LEAVE)
"""The commands: the list of fields, entering and leaving."""
LIST, ENTERED, LEFT, REFUSED = "fields", "field entered", "field left", "field refused"
"""Mail kinds: the list of fields, what the sender has done, and a refusal."""


def handle(ctx: Context, sender: MailSender, command: str, text: str) -> str:
    """Do what a mail asks for about fields; return why not, or an empty string."""
    try:
        with ctx.session.begin_nested():
            if command == SHOW:
                _show(ctx, sender)
            else:
                _act(ctx, sender, command, text)
    except Refused as refused:
        _enqueue(ctx, sender, REFUSED, {"reason": str(refused)})
        return str(refused)
    return ""


def _show(ctx: Context, sender: MailSender) -> None:
    reader = ctx.session.get_one(Address, sender.email).player_id
    found = field_lists.current(ctx, reader)
    _enqueue(ctx, sender, LIST, {"fields": [_field_facts(ctx, one, reader) for one in found]})


def _act(ctx: Context, sender: MailSender, command: str, text: str) -> None:
    if sender.player is None:
        raise Refused(unproven_text(ctx.session.get_one(Address, sender.email).player))
    game, typed = _parse(text)
    if command == ENTER:
        event = field_lists.open_for_entries(ctx, game)
        if event is None:
            raise Refused(_("Entries are not open yet."))
        entrant = entries.enter(ctx, event, sender.player, sender.player.name, text=typed, stays=False)
        _enqueue(ctx, sender, ENTERED, _event_facts(event) | {"as": entrant.name, "typed": bool(typed)})
        return
    event = _entered(ctx, game, sender.player)
    robots = field_leaving.leave(ctx, event, sender.player)
    _enqueue(ctx, sender, LEFT, _event_facts(event) | {"robots": robots})


def _parse(text: str) -> tuple[str, str]:
    """Parse the game that a text begins with; return its key, and the text after it."""
    words = text.split()
    if not words:
        raise Refused(_("Write the name of a game after it, such as “enter field montauk”."))
    game, left = request_parser.parse_game(words)
    if game.key not in FIELD_GAMES:
        raise Refused(_("There are no fields of {game}.", game=game.name))
    return game.key, text.split(None, len(words) - len(left))[-1].strip() if left else ""


def _entered(ctx: Context, game: str, player: Player) -> Event:
    """Return the field of a game that a player leaves: the one that has not begun, or else the latest."""
    found = field_lists.entered(ctx, game, player.id)
    if not found:
        raise Refused(_("You have not entered."))
    return found[0]


def _field_facts(ctx: Context, one: FieldSummary, reader: int) -> dict[str, Any]:
    deals = field_sets.load_deals(ctx, one.event) if one.has_entered else []
    own = {"as": one.own.name if one.own and one.has_entered else "", "boards": field_mails.boards(deals, reader)}
    return _event_facts(one.event) | own | {"entrants": one.entrants, "opened": one.opened, "deals": len(one.deals)}


def _event_facts(event: Event) -> dict[str, Any]:
    begin = event.starts_at and event.starts_at.isoformat()
    return {"game": event.game, "event": event.id, "season": event.season, "state": event.state, "begin": begin}


def _enqueue(ctx: Context, sender: MailSender, kind: str, facts: dict[str, Any]) -> None:
    player = ctx.session.get_one(Address, sender.email).player
    about = {"name": sender.name, "language": sender.language, "zone": player.time_zone}
    once = f"{kind} {sender.email} {sender.message_id or ctx.now.isoformat()}"
    outbox.enqueue_mail(ctx, kind, sender.email, about | facts, once=once, answers=sender.message_id)
