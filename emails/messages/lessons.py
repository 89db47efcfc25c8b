"""Mails of a lesson: a step with what to answer, the verdict on an answer, and the list of lessons."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

from emails.content.blocks import Board, Button, Choice, Choices, Footnote, Links, TitledList
from emails.messages.kinds import MessageKind
from pbem.boards import Turn, drawing_for
from pbem.games import GAMES
from pbem.i18n import _, marked
from pbem.play.lobby import lesson_mail
from pbem.play.matches import descriptions

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext

MAX_BUTTONS = 12
"""Maximum moves that have a button each; more are typed."""


def _step(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    if "ending" in facts:
        return [*_verdict(reader), *_end(reader)]
    lead = _("Step {number} of {count}: {heading}.", number=facts["number"], count=facts["count"],
             heading=_(facts["heading"]))  # fmt: skip
    lesson = [] if "verdict" in facts or "refused" in facts else [_("This is a lesson in {game}.", game=reader.game)]
    drawing = drawing_for(facts["game"])
    how = _("Reply with your move on a line of its own, above the quoted mail. The rest is ignored.")
    return [
        *lesson,
        *_verdict(reader),
        lead,
        _(facts["text"]),
        _(facts["question"]),
        _board(reader),
        *_choices(reader),
        Button(_("Choose your move on its page"), _page(reader)),
        Footnote((*drawing.legend, _("You are {name}.", name=reader.names[facts["seat"] - 1]), how)),
    ]


def _verdict(reader: MessageContext) -> list[Block]:
    """Return what became of the answer to the step before, or to the same one."""
    facts = reader.facts
    if "refused" in facts:
        # The reason may quote what was typed, so it is not in the first sentence, which inboxes show.
        return [_("Nothing was played in your lesson."), facts["refused"], _("Here is the same position again.")]
    if "verdict" not in facts:
        return []
    verdict = facts["verdict"]
    happened = descriptions.log_sentences(facts["game"], verdict["news"], reader.names, facts["seat"])
    lead = _("Right. {why}", why=_(verdict["why"])) if verdict["right"] else _("Not yet. {why}", why=_(verdict["why"]))
    again = [] if verdict["right"] else [_("Here is the same position again. Try another move.")]
    return [lead, TitledList(_("What happened:"), tuple(happened)), *again]


def _end(reader: MessageContext) -> list[Block]:
    game = reader.facts["game"]
    solo = GAMES[game].seats[-1] == 1
    line = f"{reader.word('new')} {game}" if solo else f"{reader.word('new')} {game} {_('with easy robot')}"
    pages = (
        (_("The rules of {game}", game=reader.game), reader.rules_page),
        (_("Find a table"), f"{reader.config.base_url}/lobby"),
    )
    return [
        _(reader.facts["ending"]),
        _("That was the lesson. You know enough for a first match."),
        _write_button(reader, line),
        Links(pages[:1] if solo else pages),
    ]


def _board(reader: MessageContext) -> Board:
    drawing, view, you = drawing_for(reader.facts["game"]), reader.view, reader.facts["seat"]
    of = (view["board"], reader.names, you)
    return Board(
        text=drawing.text(*of),
        svg=partial(drawing.svg, *of, Turn.of_view(view), described=False),
        words=partial(drawing.words, *of),
    )


def _choices(reader: MessageContext) -> list[Block]:
    """Offer each move where there are few; else show by an example how one is written."""
    moves = reader.view["moves"]
    if len(moves) > MAX_BUTTONS:
        drawing = drawing_for(reader.facts["game"])
        return [drawing.prompt(reader.view["board"], reader.facts["seat"], moves).text]
    return [Choices(_("You may play"), tuple(_choice(reader, move) for move in moves), ())]


def _choice(reader: MessageContext, move: str) -> Choice:
    query = {"chosen": move} if move in reader.facts["steps"] else {}
    url = f"{_page(reader)}?{urlencode(query)}" if query else _page(reader)
    return Choice(move, url, _mailto(lesson_mail.answer_address(reader.config, reader.facts), _("My move"), move))


def _page(reader: MessageContext) -> str:
    return f"{reader.config.base_url}/learn/{reader.facts['game']}/{reader.facts['number']}"


def _list(reader: MessageContext) -> list[Block]:
    facts, word = reader.facts, reader.word("learn")
    lead = _("You can learn these games by a lesson of a few minutes.")
    if facts["unknown"]:
        lead = _("There is no lesson of the game that you named. You can learn these:")
    return [
        lead,
        *(_write_button(reader, f"{word} {game}") for game in facts["games"]),
        Links(((_("The lessons on a page"), f"{reader.config.base_url}/learn"),)),
    ]


def _write_button(reader: MessageContext, line: str) -> Button:
    return Button(_("Write “{line}”", line=line), _mailto(reader.config.service_address, line, line))


def _mailto(address: str, subject: str, line: str) -> str:
    return f"mailto:{quote(address, safe='@+')}?subject={quote(subject)}&body={quote(line)}"


def _refused(reader: MessageContext) -> list[Block]:
    lead = _("This step of a lesson cannot be answered any more, or not from your address.")
    return [lead, _("To begin a lesson again:"), _write_button(reader, reader.word("learn"))]


KINDS = (
    MessageKind("lesson step", _step, subject=marked("Lesson"), game_fact="game", is_pictured=True),
    MessageKind("lessons", _list, subject=marked("Lessons")),
    MessageKind("lesson refused", _refused, subject=marked("Lessons")),
)
