"""Mails about fields: one begins or waits, a deal is open, all are over."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from emails.content.blocks import Button, Heading, Links, TitledList
from emails.messages.kinds import MessageKind
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.play.events import field_mails, field_words
from pbem.play.inbox import field_mail
from pbem.states import EventState
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

    Board = Mapping[str, Any]


def _begun(reader: MessageContext) -> list[Block]:
    boards: Sequence[Board] = reader.facts["boards"]
    lead = several(
        "{field} has begun. You play at one table.",
        "{field} has begun. You play at {count} tables, each in another seat.",
        len(boards),
        field=_your_field(reader),
    )
    seats = tuple(
        _("Deal {number}: seat {seat}, with {names}.", number=one["number"], seat=one["seat"], names=_others(one))
        for one in boards
    )
    return [
        lead,
        _("You get a mail each time when it is your turn."),
        TitledList(_("Your tables:"), seats),
        " ".join(_(sentence) for sentence in (field_words.ABOUT, field_words.SECRET, field_words.TALK)),
        _("Matches that still run on {moment} are called off.", moment=reader.moment("ends")),
        _page(reader),
        Links(((_("All your matches on one page"), f"{reader.config.base_url}/mine"),)),
    ]


def _postponed(reader: MessageContext) -> list[Block]:
    lead = _(
        "{field} did not come about: it needs {count} people.", field=_your_field(reader), count=reader.facts["needed"]
    )
    again = _("You stay entered. It begins on {moment}, if enough have entered by then.", moment=reader.moment("begin"))
    return [lead, again, _page(reader)]


def _opened(reader: MessageContext) -> list[Block]:
    number = reader.facts["number"]
    lead = _(
        "Deal {number} is open: all its tables are over. {field} goes on.", number=number, field=_your_field(reader)
    )
    boards: Sequence[Board] = reader.facts["boards"]
    own = next(one for one in boards if one["number"] == number)
    deal = Button(_("Compare all tables of this deal"), f"{reader.config.base_url}/sets/{own['set']}")
    return [lead, _table_list(boards), deal, *_links(reader, boards)]


def _over(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _("{field} is over.", field=_your_field(reader))
    if facts["place"]:
        lead = _(
            "{field} is over. Your place: {place} of {count}.",
            field=_your_field(reader),
            place=facts["place"],
            count=facts["of"],
        )
    rows = tuple(
        _(
            "{place}. {name}: {score}, {percent}",
            place=place,
            name=name,
            score=field_words.score(score),
            percent=field_words.percent(percent),
        )
        for place, name, score, percent in facts["table"]
    )
    more = facts["of"] - len(rows)
    rest = [several("{count} more is on the page.", "{count} more are on the page.", more)] if more else []
    boards: Sequence[Board] = facts["boards"]
    table = TitledList(_("The table of the field:"), rows, has_places=True)
    return [lead, table, *rest, _table_list(boards), _page(reader), *_links(reader, boards)]


def _table_list(boards: Sequence[Board]) -> TitledList:
    return TitledList(_("Your tables:"), tuple(_board(one) for one in boards))


def _board(one: Board) -> str:
    about = {"number": one["number"], "names": _others(one)}
    if not one["open"]:
        return _("Deal {number}, with {names}: not open yet.", **about)
    came_to = field_words.result(one["points"], one["score"], one["percent"], left=one["left"])
    return _("Deal {number}, with {names}: {result}.", **about, result=came_to)


def _links(reader: MessageContext, boards: Sequence[Board]) -> list[Block]:
    """Link to the replays of the reader's best and worst table, or of the only one."""
    scored = sorted((one for one in boards if one["score"] is not None), key=lambda one: one["score"], reverse=True)
    if not scored:
        return []
    pages = [(_("Replay of your best table"), scored[0]), (_("Replay of your worst table"), scored[-1])]
    if len(scored) == 1:
        pages = [(_("Replay of your table"), scored[0])]
    return [Links(tuple((label, f"{reader.config.base_url}/matches/{one['match']}/replay") for label, one in pages))]


def _title(reader: MessageContext) -> str:
    return _("Field of {game}, number {number}", game=reader.game, number=reader.facts["season"])


def _your_field(reader: MessageContext) -> str:
    return _("Your field of {game} (number {number})", game=reader.game, number=reader.facts["season"])


def _others(one: Board) -> str:
    return series(one["others"])


def _page(reader: MessageContext) -> Button:
    return Button(_("The field on its page"), f"{reader.config.base_url}/fields/{reader.facts['event']}")


def _list(reader: MessageContext) -> list[Block]:
    found: Sequence[Mapping[str, Any]] = reader.facts["fields"]
    lead = _("These fields take entries or are played.") if found else _("There is no field at present.")
    own = [block for one in found for block in _one_field(reader, one)]
    return [lead, _(field_words.ABOUT), *own, Button(_("All fields"), f"{reader.config.base_url}/sets")]


def _one_field(reader: MessageContext, one: Mapping[str, Any]) -> list[Block]:
    game, begin = GAMES[one["game"]].name, format_moment(datetime.fromisoformat(one["begin"]), reader.zone)
    if one["state"] == EventState.OPEN:
        state = _("Takes entries until it begins: {moment}.", moment=begin)
    else:
        state = _("Being played since {moment}.", moment=begin)
    entered = _("You take part as {name}.", name=one["as"]) if one["as"] else ""
    if one["state"] == EventState.OPEN and not one["as"]:
        line = f"{reader.word('enter field')} {one['game'].rpartition('-')[2]}"
        entered = _("To enter, write “{line}” to {address}.", line=line, address=reader.config.service_address)
    heading = Heading(_("Field of {game}, number {number}", game=game, number=one["season"]))
    count = several("One player has entered.", "{count} players have entered.", one["entrants"])
    counted = count if one["entrants"] else _("Nobody has entered yet.")
    tables = [_table_list(one["boards"])] if one["boards"] else []
    return [heading, f"{state} {counted} {entered}".rstrip(), *tables]


def _entered(reader: MessageContext) -> list[Block]:
    text = [_("Your text is part of each deal.")] if reader.facts["typed"] else []
    about = " ".join(_(sentence) for sentence in (field_words.ABOUT, field_words.SECRET, field_words.TALK))
    return [_begins(reader), *text, about, _how_to_leave(reader), _page(reader)]


def _restored(reader: MessageContext) -> list[Block]:
    lost = _("The service was restored from a backup, and may have lost what happened since.")
    return [f"{lost} {_begins(reader)}", _how_to_leave(reader), _page(reader)]


def _begins(reader: MessageContext) -> str:
    return _("You have entered: {field}. It begins on {moment}.", field=_title(reader), moment=reader.moment("begin"))


def _how_to_leave(reader: MessageContext) -> str:
    line = f"{reader.word('leave field')} {reader.facts['game'].rpartition('-')[2]}"
    return _("To leave, write “{line}” to {address}.", line=line, address=reader.config.service_address)


def _left(reader: MessageContext) -> list[Block]:
    robots = reader.facts["robots"]
    lead = _("You have left: {field}.", field=_title(reader))
    more = several("A robot plays on at one table.", "Robots play on at {count} tables.", robots) if robots else ""
    return [f"{lead} {more}".rstrip(), _page(reader)]


def _refused(reader: MessageContext) -> list[Block]:
    page = Button(_("All fields"), f"{reader.config.base_url}/sets")
    return [_("Nothing was done."), reader.facts["reason"], page]


KINDS = (
    MessageKind(field_mail.LIST, _list, subject=marked("Fields"), is_answer=True),
    MessageKind(
        field_mail.ENTERED, _entered, subject=marked("You have entered a field"), game_fact="game", is_answer=True
    ),
    MessageKind(field_mail.LEFT, _left, subject=marked("You have left a field"), game_fact="game", is_answer=True),
    MessageKind(field_mail.REFUSED, _refused, subject=marked("Nothing was done"), is_answer=True),
    MessageKind(field_mails.BEGUN, _begun, subject=marked("Your field has begun"), game_fact="game"),
    MessageKind(field_mails.POSTPONED, _postponed, subject=marked("Your field begins later"), game_fact="game"),
    MessageKind(field_mails.RESTORED, _restored, subject=marked("Your field"), game_fact="game"),
    MessageKind(field_mails.OPENED, _opened, subject=marked("A deal of your field is open"), game_fact="game"),
    MessageKind(field_mails.OVER, _over, subject=marked("Your field is over"), game_fact="game"),
)
