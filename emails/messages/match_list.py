"""The mail that lists all matches of its reader."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails.content.blocks import Button, Footnote, Heading, Links, TitledList
from emails.messages.kinds import MessageKind
from emails.messages.shared import forwarding_warning, no_moves_here
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.play.matches import descriptions
from pbem.time_format import format_moment, format_relative

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _list(reader: MessageContext) -> list[Block]:
    turns, others, more = (reader.facts[name] for name in ("turns", "others", "more"))
    parts: list[Block] = [_("No match waits for you.")]
    if turns:
        parts = [several("{count} match waits for you.", "{count} matches wait for you.", len(turns)), no_moves_here()]
    for one, (link, reply) in zip(turns, reader.seats, strict=True):
        parts += _waiting_match(reader, one, link, reply)
    if others:
        lines = tuple(f"{_match_name(one)}: {_state(one)} {_last_move(reader, one)}".strip() for one in others)
        parts += [Heading(_("Your other matches")), TitledList(_("There is nothing for you to do in these:"), lines)]
    if more:
        parts.append(several("{count} more is on the page.", "{count} more are on the page.", more))
    parts.append(Button(_("All your matches on one page"), f"{reader.config.base_url}/mine"))
    return [*parts, Footnote((forwarding_warning(),))] if turns else parts


def _match_name(one: Mapping[str, Any]) -> str:
    """Return a name for a match: its game and the other players."""
    game = GAMES[one["game"]].name
    return _("{game} with {others}", game=game, others=series(one["others"])) if one["others"] else game


def _waiting_match(reader: MessageContext, one: Mapping[str, Any], link: str, reply: str) -> Iterator[Block]:
    yield Heading(_match_name(one))
    mailto = f"mailto:{quote(reader.config.reply_address(reply), safe='@+')}"
    if not one["begun"]:
        yield _("You are invited; the match begins when everybody has accepted.")
        yield Button(_("Accept or decline"), f"{reader.config.base_url}/invitation/{link}")
        yield Links(((_("To accept by mail, write “accept” alone on the first line to"), mailto),))
        return

    def moment(name: str) -> str:
        return format_moment(datetime.fromisoformat(one[name]), reader.zone)

    if one.get("ends_at"):
        how = _("Your time ran out on {moment}; you may still move until {end}.",
                moment=moment("due_at"), end=moment("ends_at"))  # fmt: skip
    elif one["due_at"]:
        away = format_relative(datetime.fromisoformat(one["due_at"]), datetime.fromisoformat(reader.facts["now"]))
        how = _("It is your turn. Your move is due {away}: {moment}.", away=away, moment=moment("due_at"))
    else:
        how = _("It has been your turn since {moment}.", moment=moment("since"))
    yield f"{how} {_last_move(reader, one)}".rstrip()
    yield Button(_("Choose your move on its page"), f"{reader.config.base_url}/m/{link}")
    yield Links(((_("To move by mail, write your move alone on the first line to"), mailto),))


def _last_move(reader: MessageContext, one: Mapping[str, Any]) -> str:
    """Return who moved last, which tells two matches of the same players apart."""
    if not one["begun"] or "last_at" not in one:
        return ""
    when = format_relative(datetime.fromisoformat(one["last_at"]), datetime.fromisoformat(reader.facts["now"]))
    return descriptions.last_move(one["names"], one["moved"], one["seat"], when)


def _state(one: Mapping[str, Any]) -> str:
    if one["begun"]:
        return descriptions.turn(one["turn"], one["names"])
    if one["awaited"]:
        return several(
            "It has not begun: {names} has yet to accept.",
            "It has not begun: {names} have yet to accept.",
            len(one["awaited"]),
            names=series(one["awaited"]),
        )
    return _("It has not begun: a seat is still open.")


KINDS = (MessageKind("list", _list, subject=marked("Your matches"), is_answer=True),)
