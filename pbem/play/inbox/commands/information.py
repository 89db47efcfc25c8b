"""Commands that inspect a match without playing: its history, legal moves, a preview, a piece, one's own cards."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pbem.games import Seat
from pbem.games.record import result
from pbem.i18n import _, marked
from pbem.play.inbox import refusals
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Invocation
from pbem.play.matches import descriptions, previews
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names, render_view
from pbem.play.notifications.replies import answer
from pbem.play.submissions import move_finder, suggestion_numbers
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.verdicts import Verdict
from pbem.states import SubmissionStatus

if TYPE_CHECKING:
    from pbem.play.matches.match_state import LoadedMatch

_PLACE_PREFIX = re.compile(
    r"(?:(?:is|stands|lies|ist|steht|liegt)\s+)?(?:(?:on|at|auf)\s+)?(?:(?:the|der|die|das)\s+)?", re.IGNORECASE
)
_MAX_PIECES = 200
"""Maximum first pieces of a move that are listed, where not all moves are."""


def _history(wish: Invocation) -> Verdict:
    course, seat = _course(wish)
    names = player_names(wish.ctx, wish.match)
    log = render_view(course, seat, names)["log"]
    answer(wish.ctx, wish.match, wish.submission, "history", log=log)
    return Verdict(
        SubmissionStatus.DONE,
        " ".join(descriptions.log_sentences(wish.match.game, log, names, seat)) or _("Nobody has moved yet."),
    )


def _moves(wish: Invocation) -> Verdict:
    course, seat = _course(wish)
    view = course.game.view(course.position, seat)
    moves = [*view.moves]
    pieces = [] if view.moves_are_all else [*course.game.steps(course.position, seat, ())][:_MAX_PIECES]
    answer(wish.ctx, wish.match, wish.submission, "moves", moves=[] if pieces else moves, pieces=pieces)
    if not moves:
        return Verdict(SubmissionStatus.DONE, _("It is not your turn yet; you will be mailed when it is."))
    if pieces:
        return Verdict(SubmissionStatus.DONE, _("A move may begin with: {pieces}.", pieces=" | ".join(pieces)))
    return Verdict(SubmissionStatus.DONE, _("You may play: {moves}.", moves=" | ".join(moves)))


def _preview(wish: Invocation) -> Verdict:
    course, seat = _course(wish)
    names = player_names(wish.ctx, wish.match)
    found = move_finder.find([wish.text, *wish.below], suggestion_numbers.move_parser(course, seat, wish.submission))
    if isinstance(found, move_finder.NotFound):
        return refusals.refuse(wish.ctx, course, wish.submission, found)
    looked = previews.preview(course, seat, found.move, names)
    brings = descriptions.move_effects(
        wish.match.game, course.game.board(course.position, seat), names, seat, looked.move
    )
    told = descriptions.log_sentences(wish.match.game, looked.news, names, seat)
    if looked.outcome:
        told.append(descriptions.ending_by_move(result(looked.outcome, "finished", (), len(names)), names, seat))
    after = looked.view["board"] if looked.view else None
    found_out: dict[str, Any] = {"after": after, "told": told, "brings": brings}
    answer(wish.ctx, wish.match, wish.submission, "preview", move=looked.move, **found_out)
    nothing = _("Nothing was played. “{move}” would be a legal move.", move=looked.move)
    return Verdict(SubmissionStatus.DONE, " ".join([nothing, *brings, *told]))


def _what(wish: Invocation) -> Verdict | None:
    course, seat = _course(wish)
    board, names = course.game.board(course.position, seat), player_names(wish.ctx, wish.match)
    place = _PLACE_PREFIX.sub("", wish.text, count=1).rstrip("?!. ")
    told = descriptions.piece_description(wish.match.game, board, names, seat, place)
    if not told and " " in place:
        # An exclamation, such as “What a game!”.
        return None
    answer(wish.ctx, wish.match, wish.submission, "what", place=place, told=told)
    return Verdict(
        SubmissionStatus.DONE, " ".join(told) or _("There is nothing called “{place}” in this game.", place=place)
    )


def _my_cards(wish: Invocation) -> Verdict:
    course, seat = _course(wish)
    told = descriptions.held_items(wish.match.game, course.game.board(course.position, seat), seat)
    answer(wish.ctx, wish.match, wish.submission, "my cards", told=told)
    return Verdict(SubmissionStatus.DONE, " ".join(told) or _("You hold nothing that others do not see."))


def _course(wish: Invocation) -> tuple[LoadedMatch, Seat]:
    return load_match(wish.ctx, wish.match), Seat(wish.submission.holder.seat)


COMMANDS = (
    Command(
        "history",
        {"en": ("history", "log"), "de": ("verlauf",)},
        marked("to be told all moves so far"),
        _history,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
    Command(
        "moves",
        {"en": ("moves",), "de": ("züge", "zuege")},
        marked("to be told every move that you may play now"),
        _moves,
        Right.ASK,
        frozenset({RUNNING}),
    ),
    Command(
        "preview",
        {"en": ("preview", "try"), "de": ("vorschau", "probe")},
        marked("with a move behind it, to see what it would bring; nothing is played"),
        _preview,
        Right.ASK,
        frozenset({RUNNING}),
        takes_text=True,
        needs_text=True,
    ),
    Command(
        "what",
        {"en": ("what",), "de": ("was",)},
        marked("with a square, a card, a spot or a pyramid behind it, to be told what it is"),
        _what,
        Right.ASK,
        frozenset({RUNNING, OVER}),
        takes_text=True,
        needs_text=True,
    ),
    Command(
        "my cards",
        {"en": ("my cards", "my hand", "my stash"), "de": ("meine karten", "meine hand")},
        marked("to be told what you hold"),
        _my_cards,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
)
