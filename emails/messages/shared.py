"""Blocks that several mails share: the position, the news, the legal moves, the proof."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from emails.content.blocks import Block, Board, Button, Choice, Choices, Footnote, Links, TitledList
from pbem.boards import Turn, drawing_for
from pbem.i18n import _, marked, several
from pbem.play.clocks import clock_pauses
from pbem.play.conditional_moves import selection
from pbem.play.inbox import commands
from pbem.play.matches import descriptions
from pbem.play.players import reachability
from pbem.time_format import format_day

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
AUTOMATIC_MOVE_NOTE = marked("Your next move is clear, and we play it for you in a while: you need not do anything.")
"""Sentence for a player whose next move the service will play."""
REMINDED_COMMANDS = ("help", "rules", "board", "draw", "resign")
"""The commands that every mail mentions until the match is over."""
REMINDED_AFTERWARDS = ("help", "rules", "rematch", "replay", "look back", "par")
"""The commands that mails mention afterwards."""


def your_turn(reader: MessageContext) -> list[Block]:
    """Ask for a move: prompt, news, position, likely moves, deadline, score, help."""
    drawing = drawing_for(reader.facts["game"])
    prompt = drawing.prompt(reader.view["board"], reader.facts["seat"], reader.view["moves"])
    moves = reader.facts["suggestions"]
    named = drawing.named(reader.view["board"], reader.facts["seat"], moves)
    likely = [
        move_choice(reader, move, *words, number=number)
        for number, (move, words) in enumerate(zip(moves, named, strict=True), 1)
    ]
    how = _("Reply with your move on a line of its own, above the quoted mail; #1 plays the first suggested move.")
    # If there are more legal moves than the likely ones, and few enough, all are listed.
    legal = reader.view["moves"] if reader.view["moves_are_all"] else []
    fits = len(moves) < len(legal) <= MAX_LISTED_MOVES
    return [
        prompt.text,
        *news(reader),
        board(reader),
        *(TitledList(f"{heading}:", lines) for heading, lines in guide(reader)),
        Choices(_("Suggested moves"), tuple(likely), ()),
        *([Choices(_("You may play"), (), tuple(legal))] if fits else []),
        *kept_lines(reader),
        Button(_("Choose your move on its page"), reader.turn_page),
        *deadline(reader),
        *score(reader),
        *other_match(reader),
        Footnote(drawing.crib),
        Footnote((how, command_reminder(reader))),
    ]


def week_note(reader: MessageContext) -> list[str]:
    """Explain, in the first mail about a match of the week, what it is part of."""
    withheld = reader.facts.get("withheld") or {}
    if not withheld.get("week"):
        return []
    day = format_day(datetime.fromisoformat(withheld["until"]), "UTC")
    return [
        _("It is the Minimax of the week {number}: everybody plays the same wheel.", number=withheld["week"]),
        _("It counts if you finish it before {day}, 00:00 UTC. No sowing can be taken back until then.", day=day),
    ]


def current_position(reader: MessageContext) -> list[Block]:
    """Show a match: ask for a move if it is the reader's turn."""
    return your_turn(reader) if reader.their_turn else position(reader)


def operator_reason(reader: MessageContext) -> list[Block]:
    """Return the operator's reason, if the operator caused this mail."""
    why = reader.facts.get("operated")
    return [_("Their reason: “{reason}”", reason=why)] if why else []


def position(reader: MessageContext) -> list[Block]:
    """Show a match to a reader who need not move."""
    if not reader.view["board"]:
        return []
    page = Button(_("Look at the match"), reader.own_page)
    shown = [*news(reader), board(reader), *score(reader), *other_match(reader)]
    return [*shown, page, Footnote((command_reminder(reader),))]


def other_match(reader: MessageContext) -> list[Block]:
    """Name the place of a match in a pair that is played there and back, with links if anybody may watch."""
    pair = reader.facts.get("pair")
    if not pair:
        return []
    which = _("There and back, match {place} of 2.", place=pair["place"])
    pages = (
        (_("The other match"), f"{reader.config.base_url}/matches/{pair['other']}"),
        (_("Both together"), reader.pair_page),
    )
    return [which, *([Links(pages)] if pair["open"] else [])]


def score(reader: MessageContext) -> list[Block]:
    """Show the score so far."""
    points = drawing_for(reader.facts["game"]).points(reader.view["board"])
    if not points:
        return []
    if not reader.has_opponents:
        return [_("Your score so far: {points}.", points=points[0])]
    scores = {str(seat): count for seat, count in enumerate(points, 1)}
    return [descriptions.score(scores, reader.names)]


def kept_lines(reader: MessageContext) -> list[Block]:
    """Name the lines that the reader kept and that are still possible, in one sentence."""
    kept = reader.facts.get("kept_lines")
    if not kept:
        return []
    lines = " – ".join(kept)
    if more := reader.facts["more_lines"]:
        return [
            several(
                "You kept: {lines}; and {count} more line.",
                "You kept: {lines}; and {count} more lines.",
                more,
                lines=lines,
            )
        ]
    return [_("You kept: {lines}.", lines=lines)]


def deadline(reader: MessageContext) -> list[Block]:
    """Show the deadline of a move, if the match has a time control."""
    if not reader.facts.get("due"):
        return []
    due = reader.moment("due")
    if reader.facts.get("ends"):
        sentence = _("Your time ran out on {moment}; you may still move until {end}.",
                 moment=due, end=reader.moment("ends"))  # fmt: skip
    else:
        sentence = _("Please move by {moment}.", moment=due)
    return [sentence, *deadline_link(reader)]


def deadline_link(reader: MessageContext) -> list[Block]:
    """Link to the explanation of a deadline."""
    return [Links(((_("Why this deadline?"), f"{reader.turn_page}/why"),))]


def news(reader: MessageContext) -> list[Block]:
    """List what happened since the reader's last move, chat messages, and unreachable or absent players."""
    facts, names = reader.facts, reader.names
    lines = descriptions.log_sentences(facts["game"], facts["news"][-MAX_NEWS_MOVES:], names, facts["seat"])
    if (earlier := len(facts["news"]) - MAX_NEWS_MOVES) > 0:
        more = several("({count} earlier move is on the page.)", "({count} earlier moves are on the page.)", earlier)
        lines.insert(0, more)
    automatic = {
        why: "; ".join(one["move"] for one in facts.get("automatic", ()) if one["why"] == why) for why in _AUTOMATIC
    }
    unreachable = [one for one in facts.get("unreachable", ()) if one["seat"] != facts["seat"]]
    away = [one for one in facts.get("away", ()) if one["seat"] != facts["seat"]]
    return [
        *(_(_AUTOMATIC[why], moves=moves) for why, moves in automatic.items() if moves),
        *([TitledList(_("What happened:"), tuple(lines))] if lines else []),
        *descriptions.late_thoughts(names, facts.get("late", ())),
        *(
            descriptions.postponed_move(names[seat - 1], datetime.fromisoformat(at), reader.zone)
            for seat, at in facts.get("postponed", ())
        ),
        *chat_lines(reader),
        # Otherwise the reader would wonder why nothing happens.
        *(
            reachability.describe_unreachable_seat(
                names[one["seat"] - 1], one["seat"], datetime.fromisoformat(one["since"]), reader.zone
            )
            for one in unreachable
        ),
        *(
            clock_pauses.describe_absence(names[one["seat"] - 1], datetime.fromisoformat(one["until"]), reader.zone)
            for one in away
        ),
    ]


def automatic_move_note(reader: MessageContext) -> list[Block]:
    """Inform a player to move that the service will play for them."""
    return [_(AUTOMATIC_MOVE_NOTE)] if reader.facts.get("coming") else []


def premove(reader: MessageContext) -> list[Block]:
    """Mention a premove in any mail, and offer it once it may be played."""
    move = reader.facts.get("proposal")
    if not move:
        return []
    if not reader.facts["proposal_now"]:
        return [_("You also wrote “{move}”. We keep it, and offer it again when you can play it.", move=move)]
    offer = _("Before that you had also written “{move}”. It was not played, because something came up in between.",
              move=move)  # fmt: skip
    return [offer, play_now(reader, move)]


def chat_lines(reader: MessageContext) -> list[Block]:
    """List the chat messages of the others, with their names, and the reader's own."""
    lines = [_("{name} says: “{text}”", name=one["name"], text=one["text"]) for one in reader.facts.get("talk", ())]
    if wrote := reader.facts.get("wrote"):
        lines.append(_("You said: “{text}”", text=wrote))
    return [TitledList(_("Said at the table:"), tuple(lines))] if lines else []


def board(reader: MessageContext, seen: Mapping[str, Any] | None = None) -> Board:
    """Return the position as a block, or that of another view that the reader may see."""
    drawing = drawing_for(reader.facts["game"])
    view, you = reader.view if seen is None else seen, reader.facts["seat"]
    of = (view["board"], reader.names, you)
    return Board(
        text=drawing.text(*of),
        svg=partial(drawing.svg, *of, Turn.of_view(view), described=False),
        words=partial(drawing.words, *of),
    )


def deal_contribution(reader: MessageContext) -> list[Block]:
    """Show a player what they added to the deal, in the first mail after they accepted."""
    facts = reader.facts
    if "entropy_by" not in facts:
        return []
    if facts["entropy_by"] == "player":
        own = _("Your text for the shuffle was “{typed}”; its SHA-256 is your part of it: {entropy}",
                typed=facts["typed"], entropy=facts["entropy"])  # fmt: skip
    elif facts.get("first") or facts.get("joined"):
        own = shuffle_part(reader)
    else:
        own = _("You added nothing to the shuffle, so the text from your invitation is your part of it: {entropy}",
                entropy=facts["entropy"])  # fmt: skip
    return [Footnote((own,))]


def shuffle_part(reader: MessageContext) -> str:
    """Return the text that the server adds to the shuffle for a player."""
    return _("Your part of the shuffle: {entropy}", entropy=reader.facts["entropy"])


def proof(reader: MessageContext, *, full: bool) -> Footnote:
    """Show the head of the match's hash chain, so that mailboxes witness its history; if `full`, the commitment too."""
    facts = reader.facts
    lines = [_("Fairness check: {head}", head=facts["head"][:16])]
    if full or facts.get("first"):
        match, commitment = facts["match"], facts["commitment"]
        shared = [_("Shared deal: {set}", set=facts["pair"]["set"])] if "pair" in facts else []
        lines[:0] = [
            _("Match: {match}", match=match),
            *shared,
            _("Commitment to the deal: {commitment}", commitment=commitment),
        ]
    return Footnote(tuple(lines), (_("what is this?"), f"{reader.config.base_url}/fairness"))


def command_reminder(reader: MessageContext) -> str:
    """List the commands of a running or finished match in one line."""
    known = map(commands.by_name().__getitem__, REMINDED_AFTERWARDS if reader.view["outcome"] else REMINDED_COMMANDS)
    taught = ", ".join([one.word for one in known if reader.has_opponents or not one.needs_several_seats])
    return _("You may also reply with one word: {words}.", words=taught)


def turn_button(reader: MessageContext) -> list[Block]:
    """Link to the turn page if it is the reader's turn, below a mail that is not about the position."""
    return [Button(_("It is your turn: choose your move"), reader.turn_page)] if reader.their_turn else []


def brief_ending(reader: MessageContext) -> list[Block]:
    """Return the last blocks of a mail that is not about the position: the turn page and the commands."""
    return [*turn_button(reader), Footnote((command_reminder(reader),))]


def forwarding_warning() -> str:
    """Return the warning against forwarding a mail."""
    return _("Anyone who has this mail can move for you. Please do not forward it until you have moved.")


def no_moves_here() -> str:
    """Return the note that a reply to a mail about several matches is never parsed for moves."""
    return _("Do not reply to this mail with a move: each match has a page, and an address for a move by mail.")


def guide(reader: MessageContext) -> Guide:
    """Return the facts that the reader's choice depends on, under headings."""
    return descriptions.guide(reader.facts["game"], reader.view["board"], reader.names, reader.facts["seat"])


def move_choice(reader: MessageContext, move: str, name: str = "", hint: str = "", number: int = 0) -> Choice:
    """Return a move with its page and a reply that plays it."""
    return Choice(move, f"{reader.turn_page}?move={_quoted(move)}", reply_link(reader, move), name, hint, number)


def play_now(reader: MessageContext, move: str) -> Choices:
    """Offer to play a move that was written before."""
    return Choices(_("To play it now"), (move_choice(reader, move),), ())


def reply_link(reader: MessageContext, move: str) -> str:
    """Return a mailto: link to a reply that begins with a move."""
    address = reader.config.reply_address(reader.reply)
    return f"mailto:{_quoted(address, '@+')}?subject={_quoted(_('My move'))}&body={_quoted(move)}"


@lru_cache(maxsize=1024)
def _quoted(text: str, safe: str = "/") -> str:
    """Quote a text for a link; a move is in two, and a mail's reply address in one for each move."""
    return quote(text, safe)
