"""Mails about open tables: the list of them, a requested seat, and the commands of the service's own address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails.content.blocks import BulletList, Button, Footnote, Heading, TitledList
from emails.messages.invitations import clock_sentences, option_sentence
from emails.messages.kinds import MessageKind
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.play.clocks import match_lengths
from pbem.play.inbox import commands
from pbem.play.lobby import open_tables
from pbem.play.matches import descriptions
from pbem.play.players import reliability
from pbem.play.players.reliability import Reliability

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _lobby(reader: MessageContext) -> list[Block]:
    tables = reader.facts["tables"]
    page = Button(_("The lobby, with all tables"), f"{reader.config.base_url}/lobby")
    if not tables:
        return [
            _("No table waits at present."),
            _("Open one yourself, and it is listed here until somebody comes. To do so, write:"),
            BulletList((_("“new martian-whist with anybody”"),)),
            page,
        ]
    lead = several("One table waits for somebody like you.", "{number} tables wait for somebody like you.", len(tables))
    more = [_("There are more; these are the newest.")] if reader.facts["more"] else []
    how = _("To sit down, reply with the line that stands below a table. The match begins when its last seat is taken.")
    return [lead, how, *_table_blocks(reader), *more, page]


def _table_blocks(reader: MessageContext) -> Iterator[Block]:
    for one in reader.facts["tables"]:
        yield Heading(_("{game} with {names}", game=GAMES[one["game"]].name, names=series(one["seated"])))
        taken = _("Seats taken: {taken} of {seats}.", taken=len(one["seated"]), seats=one["size"])
        line = f"{commands.by_name()['join'].word} {one['code']}"
        yield TitledList(_("The table:"), (taken, *_reliability_lines(one), *_settings_lines(one)))
        yield Button(_("Reply “{line}” to join", line=line), _mailto(reader, line))


def _reliability_lines(one: Mapping[str, Any]) -> list[str]:
    """Describe the reliability of the players at a table."""
    known = one.get("standings", ())
    return [_("{name}: {own}.", name=name, own=reliability.describe(Reliability(**own))) for name, own in known]


def _settings_lines(one: Mapping[str, Any]) -> list[str]:
    options = [
        option_sentence(
            descriptions.option_question(one["game"], name), descriptions.option_value(one["game"], name, value)
        )
        for name, value in one["options"].items()
    ]
    long = match_lengths.describe(one["game"], one["size"], one["options"], one["clock"])
    takes = [_("It takes {long}.", long=long)] if long else []
    return [*options, *takes, *clock_sentences(one)]


def _seat_requested(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    code = open_tables.confirmation_code(reader.config, facts["table"], facts["email"])
    line = f"{commands.by_name()['join'].word} {code}"
    lead = _("Somebody asked in your name for a seat at a table of {game} with {others}.",
             game=GAMES[facts["game"]].name, others=facts["others"])  # fmt: skip
    how = _("If it was you, reply with the line below, and you sit there. Behind it you may type a text for the deal.")
    slow = _(
        "It is played by mail, slowly: when it is your turn you get a mail, and answer it with your move. "
        "No account, no password, and it costs nothing."
    )
    return [
        lead,
        how,
        Button(_("Reply “{line}” to join", line=line), _mailto(reader, line)),
        slow,
        TitledList(_("The table:"), tuple(_settings_lines(facts))),
        Button(_("Look at the table"), f"{reader.config.base_url}/join/{facts['table']}"),
        Footnote((_("If it was not you, do nothing: no seat was taken."),)),
    ]


def _not_joined(reader: MessageContext) -> list[Block]:
    lead = _("You have not joined a table. {reason}", reason=reader.facts["reason"])
    if not reader.facts["tables"]:
        return [lead, _("No other table waits at present."), *_help_line()]
    return [lead, _("These wait at present:"), *_table_blocks(reader), *_help_line()]


def _help_line() -> list[Block]:
    word = commands.by_name()["lobby"].word
    return [_("Write “{word}” for all tables that wait.", word=word)]


def _help(reader: MessageContext) -> list[Block]:
    known = commands.by_name()
    lead = _("This is what you may write to this address, alone on the first line of a mail.")
    words = TitledList(_("The words are:"), tuple(known[name].help_line for name in SERVICE_COMMANDS))
    play = _("To play, answer the mail of a match; “{word}” in such an answer tells what may stand there.",
             word=known["help"].word)  # fmt: skip
    page = Button(_("The same on a page"), f"{reader.config.base_url}/")
    return [lead, words, play, page]


SERVICE_COMMANDS = ("lobby", "join", "new", "list", "away", "back")
"""The commands that the service's own address accepts."""


def _mailto(reader: MessageContext, line: str) -> str:
    address = quote(reader.config.service_address, safe="@+")
    return f"mailto:{address}?subject={quote(_('Your tables'))}&body={quote(line)}"


KINDS = (
    MessageKind("lobby", _lobby, subject=marked("Open tables")),
    MessageKind("join?", _seat_requested, subject=marked("A seat at a table")),
    MessageKind("not joined", _not_joined, subject=marked("A seat at a table")),
    MessageKind("service help", _help, subject=marked("What you may write here")),
)
