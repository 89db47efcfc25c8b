"""Blocks that several mails share: the position, the news, the legal moves, the proof."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails.content.blocks import Block, Board, Button, Choice, Choices, Footnote, Links, TitledList
from pbem.boards import drawing_for
from pbem.i18n import _, marked, several
from pbem.play.clocks import clock_pauses
from pbem.play.conditional_moves import selection
from pbem.play.inbox import commands
from pbem.play.matches import descriptions
from pbem.play.players import reachability
from pbem.time_format import format_moment

if TYPE_CHECKING:
    from collections.abc import Mapping

    from emails.messages.context import MessageContext
    from pbem.boards import Guide

MAX_NEWS_MOVES = 12
"""Maximum moves in the news of a mail; the page lists all of them."""
MAX_LISTED_MOVES = 24
"""Maximum legal moves that a mail lists; more are explained instead."""
_AUTOMATIC = {
    selection.FORCED: marked("Played for you, as it was your only move: {moves}."),
    selection.PLANNED: marked("Played for you, as you had planned: {moves}."),
}
AUTOMATIC_MOVE_NOTE = marked("Your next move is clear, and is played for you in a while: you need do nothing.")
"""Sentence for a player whose next move the service will play."""
REMINDED_COMMANDS = ("help", "rules", "board", "draw", "resign")
"""The commands that every mail mentions."""


def your_turn(reader: MessageContext) -> list[Block]:
    """Ask for a move: prompt, news, position, likely moves, deadline, score, help."""
    drawing = drawing_for(reader.facts["game"])
    prompt = drawing.prompt(reader.view["board"], reader.facts["seat"], reader.view["moves"])
    moves = reader.facts["suggestions"]
    named = drawing.named(reader.view["board"], reader.facts["seat"], moves)
    likely = [
        replace(move_choice(reader, move, *words), number=number)
        for number, (move, words) in enumerate(zip(moves, named, strict=True), 1)
    ]
    how = _("Reply with your move on a line of its own, above the quoted mail; #1 plays the first of the likely moves.")
    return [
        prompt,
        *news(reader),
        board(reader),
        *(TitledList(f"{heading}:", lines) for heading, lines in guide(reader)),
        Choices(_("Likely moves"), tuple(likely), ()),
        *_all_moves(reader),
        Button(_("Choose your move on its page"), reader.turn_page),
        *deadline(reader),
        *score(reader),
        Footnote(drawing.crib),
        Footnote((how, command_reminder(reader))),
    ]


def _all_moves(reader: MessageContext) -> list[Block]:
    """List all legal moves, if they are few enough and more than the likely ones."""
    moves = reader.view["moves"] if reader.view["moves_are_all"] else []
    fits = len(reader.facts["suggestions"]) < len(moves) <= MAX_LISTED_MOVES
    return [Choices(_("You may play"), (), tuple(moves))] if fits else []


def operator_reason(reader: MessageContext) -> list[Block]:
    """Return the operator's reason, if the operator caused this mail."""
    why = reader.facts.get("operated")
    return [_("Their reason: “{reason}”", reason=why)] if why else []


def position(reader: MessageContext) -> list[Block]:
    """Show a match to a reader who need not move."""
    if not reader.view["board"]:
        return []
    page = [Button(_("Look at the match"), reader.page)] if reader.facts["public"] else []
    return [*news(reader), board(reader), *score(reader), *page, Footnote((command_reminder(reader),))]


def score(reader: MessageContext) -> list[Block]:
    """Show the score so far."""
    points = drawing_for(reader.facts["game"]).points(reader.view["board"])
    if not points:
        return []
    if not reader.others:
        return [_("Your score so far: {points}.", points=points[0])]
    scores = {str(seat): count for seat, count in enumerate(points, 1)}
    return [descriptions.score(scores, reader.names)]


def deadline(reader: MessageContext) -> list[Block]:
    """Show the deadline of a move, if the match has a time control."""
    due, ends = (_moment(reader, reader.facts.get(fact)) for fact in ("due", "ends"))
    if not due:
        return []
    if ends:
        said = _("Your time ran out on {moment}; you may still move until {end}.", moment=due, end=ends)
    else:
        said = _("Please move by {moment}.", moment=due)
    return [said, *deadline_link(reader)]


def deadline_link(reader: MessageContext) -> list[Block]:
    """Link to the explanation of a deadline."""
    return [Links(((_("Why then"), f"{reader.turn_page}/why"),))]


def _moment(reader: MessageContext, written: str | None) -> str:
    return format_moment(datetime.fromisoformat(written), reader.zone) if written else ""


def news(reader: MessageContext) -> list[Block]:
    """List what happened since the reader's last move, chat messages, and unreachable or absent players."""
    entries = reader.facts["news"]
    lines = descriptions.log_sentences(
        reader.facts["game"], entries[-MAX_NEWS_MOVES:], reader.names, reader.facts["seat"]
    )
    if len(entries) > MAX_NEWS_MOVES:
        earlier = len(entries) - MAX_NEWS_MOVES
        told = several("({count} earlier move is on the page.)", "({count} earlier moves are on the page.)", earlier)
        lines.insert(0, told)
    happened = [TitledList(_("What happened:"), tuple(lines))] if lines else []
    return [
        *_played_automatically(reader),
        *happened,
        *chat_lines(reader),
        *_unreachable_players(reader),
        *_absences(reader),
    ]


def _played_automatically(reader: MessageContext) -> list[Block]:
    """List the moves that the service played for the reader since their last own move."""
    played = reader.facts.get("automatic", ())
    said: list[Block] = []
    for why, pattern in _AUTOMATIC.items():
        moves = "; ".join(one["move"] for one in played if one["why"] == why)
        said += [_(pattern, moves=moves)] if moves else []
    return said


def automatic_move_note(reader: MessageContext) -> list[Block]:
    """Inform a player to move that the service will play for them."""
    return [_(AUTOMATIC_MOVE_NOTE)] if reader.facts.get("coming") else []


def chat_lines(reader: MessageContext) -> list[Block]:
    """List the chat messages of the others, with their names, and the reader's own."""
    lines = [_("{name} says: “{text}”", name=one["name"], text=one["text"]) for one in reader.facts.get("talk", ())]
    if wrote := reader.facts.get("wrote"):
        lines.append(_("You said: “{text}”", text=wrote))
    return [TitledList(_("Said at the table:"), tuple(lines))] if lines else []


def _unreachable_players(reader: MessageContext) -> list[Block]:
    """List the players whom no mail reaches, so that nobody wonders why nothing happens."""
    others = [one for one in reader.facts.get("unreachable", ()) if one["seat"] != reader.facts["seat"]]
    return [
        reachability.describe_unreachable_seat(
            reader.names[one["seat"] - 1], one["seat"], datetime.fromisoformat(one["since"]), reader.zone
        )
        for one in others
    ]


def _absences(reader: MessageContext) -> list[Block]:
    """List the absent players, with the end of their absence."""
    others = [one for one in reader.facts.get("away", ()) if one["seat"] != reader.facts["seat"]]
    return [
        clock_pauses.describe_absence(reader.names[one["seat"] - 1], datetime.fromisoformat(one["until"]), reader.zone)
        for one in others
    ]


def board(reader: MessageContext, seen: Mapping[str, Any] | None = None) -> Board:
    """Return the position as a block, or another view that the reader may see."""
    drawing = drawing_for(reader.facts["game"])
    seen, you = reader.view["board"] if seen is None else seen, reader.facts["seat"]
    return Board(
        text=drawing.text(seen, reader.names, you),
        svg=partial(drawing.svg, seen, reader.names, you),
        words=drawing.words(seen, reader.names, you),
    )


def deal_contribution(reader: MessageContext) -> list[Block]:
    """Show a player what they added to the deal, in the first mail after they accepted."""
    facts = reader.facts
    if "entropy_by" not in facts:
        return []
    if facts["entropy_by"] == "player":
        own = _(
            "Your text for the deal was “{typed}”; its SHA-256, {entropy}, goes into the deal.",
            typed=facts["typed"],
            entropy=facts["entropy"],
        )
        return [own]
    default = _(
        "You typed no text for the deal, so the one from your invitation stands for you: {entropy}",
        entropy=facts["entropy"],
    )
    return [default]


def proof(reader: MessageContext, *, full: bool) -> Footnote:
    """Show the head of the match's hash chain, so that mailboxes witness its history."""
    facts = reader.facts
    lines = [_("Proof: this match’s chain stands at {head}.", head=facts["head"][:16])]
    if full:
        lines += [
            _("Commitment to the deal: {commitment}", commitment=facts["commitment"]),
            _("Match: {match}", match=facts["match"]),
        ]
    return Footnote(tuple(lines))


def command_reminder(reader: MessageContext) -> str:
    """List the commands in one line."""
    known = commands.by_name()
    taught = ", ".join(
        known[name].word for name in REMINDED_COMMANDS if reader.others or not known[name].needs_several_seats
    )
    return _("You may also reply with one word: {words}.", words=taught)


def guide(reader: MessageContext) -> Guide:
    """Return the facts that the reader's choice depends on, under headings."""
    return descriptions.guide(reader.facts["game"], reader.view["board"], reader.names, reader.facts["seat"])


def move_choice(reader: MessageContext, move: str, name: str = "", hint: str = "") -> Choice:
    """Return a move with its page and a reply that plays it."""
    return Choice(move, f"{reader.turn_page}?move={quote(move)}", reply_link(reader, move), name, hint)


def reply_link(reader: MessageContext, move: str) -> str:
    """Return a mailto: link to a reply that begins with a move."""
    address = reader.config.reply_address(reader.reply)
    return f"mailto:{quote(address, safe='@+')}?subject={quote(_('My move'))}&body={quote(move)}"
