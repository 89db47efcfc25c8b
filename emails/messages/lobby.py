"""Mails about open tables: the list of them, a requested seat, and the commands of the service's own address."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails.content.blocks import BulletList, Button, Footnote, Heading, TitledList
from emails.messages.invitations import bot_sentences, clock_sentences, how_it_is_played, option_sentences
from emails.messages.kinds import MessageKind
from pbem.boards.prose import series
from pbem.games import GAMES
from pbem.i18n import _, marked, several
from pbem.play.clocks import match_lengths
from pbem.play.inbox import commands, service_answers
from pbem.play.lobby import open_tables
from pbem.play.players import reliability
from pbem.play.players.reliability import Reliability
from pbem.play.ratings import wording as rating_wording

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _lobby(reader: MessageContext) -> list[Block]:
    tables = reader.facts["tables"]
    page = Button(_("The lobby, with all tables"), f"{reader.config.base_url}/lobby")
    if not tables:
        how = _("To open one that is listed here until others join, write:")
        return [_("No table is open right now."), how, BulletList((_("“new martian-whist with anybody”"),)), page]
    return [
        several("One open table waits for players.", "{number} open tables wait for players.", len(tables)),
        _("To join, reply with the line below a table. The match begins when its last seat is taken."),
        *_table_blocks(reader),
        *([_("There are more; these are the newest.")] if reader.facts["more"] else []),
        page,
    ]


def _table_blocks(reader: MessageContext) -> Iterator[Block]:
    for one in reader.facts["tables"]:
        yield Heading(_("{game} with {names}", game=GAMES[one["game"]].name, names=series(one["seated"])))
        taken = _("Seats taken: {taken} of {seats}.", taken=len(one["seated"]), seats=one["size"])
        known = [
            _("{name}: {own}.", name=name, own=reliability.describe(Reliability(**own)))
            for name, own in one.get("standings", ())
        ]
        yield TitledList(_("The table:"), (taken, *known, *_settings_lines(one)))
        yield _join_button(reader, one["code"])


def _settings_lines(one: Mapping[str, Any]) -> list[str]:
    long = match_lengths.describe(one["game"], one["size"], one["options"], one["clock"])
    takes = [_("It takes {long}.", long=long)] if long else []
    rated = [rating_wording.rated_sentence()] if one.get("rated") else []
    return [*option_sentences(one["game"], one["options"]), *takes, *clock_sentences(one), *bot_sentences(one), *rated]


def _seat_requested(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    lead = _("Somebody asked in your name for a seat at a table of {game} with {others}.",
             game=GAMES[facts["game"]].name, others=facts["others"])  # fmt: skip
    return [
        lead,
        _("If it was you, reply with the line below to take the seat. After it you can add a text for the deal."),
        _join_button(reader, open_tables.confirmation_code(reader.config, facts["table"], facts["email"])),
        how_it_is_played(),
        TitledList(_("The table:"), tuple(_settings_lines(facts))),
        Button(_("Look at the table"), f"{reader.config.base_url}/join/{facts['table']}"),
        Footnote((_("If it was not you, do nothing: no seat was taken."),)),
    ]


def _not_joined(reader: MessageContext) -> list[Block]:
    lead = _("You have not joined a table. {reason}", reason=reader.facts["reason"])
    others = _("These are open:") if reader.facts["tables"] else _("No other table is open right now.")
    listed = _("Write “{word}” to list all open tables.", word=reader.word("lobby"))
    return [lead, others, *_table_blocks(reader), listed]


def _help(reader: MessageContext) -> list[Block]:
    known, address = commands.by_name(), reader.config.service_address
    return [
        *_unknown_command(reader),
        _("This is what you can write to {address}, alone on the first line of a mail.", address=address),
        TitledList(_("Commands:"), tuple(known[name].help_line for name in service_answers.COMMANDS)),
        _("To play, reply to a mail of your match. Reply “{word}” to see what you can write there.",
          word=reader.word("help")),
        Button(_("The same on a page"), f"{reader.config.base_url}/"),
    ]  # fmt: skip


def _unknown_command(reader: MessageContext) -> list[Block]:
    """Return what became of a mail that holds no command for the service."""
    facts = reader.facts
    if "line" not in facts:
        return []
    if facts["match_command"]:
        return [_("“{line}” is about one match: reply with it to a mail of that match.", line=facts["line"])]
    passed = _("Your mail went to the operator, who may answer it.")
    nothing = _("No command was found in your mail, so nothing was done.")
    near = [_("Did you mean “{word}”?", word=facts["near"])] if facts["near"] else []
    return [passed if facts["forwarded"] else nothing, *near]


def _join_button(reader: MessageContext, code: str) -> Button:
    line = f"{reader.word('join')} {code}"
    address = quote(reader.config.service_address, safe="@+")
    page = f"mailto:{address}?subject={quote(_('Your tables'))}&body={quote(line)}"
    return Button(_("Reply “{line}” to join", line=line), page)


KINDS = (
    MessageKind("lobby", _lobby, subject=marked("Open tables")),
    MessageKind("join?", _seat_requested, subject=marked("A seat at a table")),
    MessageKind("not joined", _not_joined, subject=marked("A seat at a table")),
    MessageKind("service help", _help, subject=marked("What you can write here")),
)
