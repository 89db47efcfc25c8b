"""Looking at a match without playing: what has happened, what may be played, what a move would do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pbem.games import Seat
from pbem.games.record import result
from pbem.play import previews, refusing, suggested, telling, typed_moves
from pbem.play.answers import answer
from pbem.play.commands.command import OVER, RUNNING, Command, Wish
from pbem.play.history import course_of
from pbem.play.permissions import Right
from pbem.play.verdicts import DONE, Verdict
from pbem.play.views import names_of, shown
from pbem.words import _, marked

if TYPE_CHECKING:
    from pbem.play.history import Course

_PLACE = re.compile(
    r"(?:(?:is|stands|lies|ist|steht|liegt)\s+)?(?:(?:on|at|auf)\s+)?(?:(?:the|der|die|das)\s+)?", re.IGNORECASE
)
_LISTED = 200
"""So many first pieces of a move are listed, where its moves are countless."""


def _history(wish: Wish) -> Verdict:
    course, seat = _course(wish)
    names = names_of(wish.table, wish.match)
    log = shown(course, seat, names)["log"]
    answer(wish.table, wish.match, wish.submission, "history", log=log)
    return Verdict(DONE, " ".join(telling.told(wish.match.game, log, names, seat)) or _("Nobody has moved yet."))


def _moves(wish: Wish) -> Verdict:
    course, seat = _course(wish)
    view = course.game.view(course.position, seat)
    moves = [*view.moves]
    pieces = [] if view.moves_are_all else [*course.game.steps(course.position, seat, ())][:_LISTED]
    answer(wish.table, wish.match, wish.submission, "moves", moves=[] if pieces else moves, pieces=pieces)
    if not moves:
        return Verdict(DONE, _("It is not your turn yet; you will be mailed when it is."))
    if pieces:
        return Verdict(DONE, _("A move may begin with: {pieces}.", pieces=" | ".join(pieces)))
    return Verdict(DONE, _("You may play: {moves}.", moves=" | ".join(moves)))


def _preview(wish: Wish) -> Verdict:
    course, seat = _course(wish)
    names = names_of(wish.table, wish.match)
    found = typed_moves.find([wish.text, *wish.below], suggested.reader(course, seat, wish.submission))
    if isinstance(found, typed_moves.NotFound):
        return refusing.refused(wish.table, course, wish.submission, found)
    looked = previews.preview(course, seat, found.move, names)
    brings = telling.brings(wish.match.game, course.game.board(course.position, seat), names, seat, looked.move)
    told = telling.told(wish.match.game, looked.news, names, seat)
    if looked.outcome:
        told.append(telling.would_end(result(looked.outcome, "finished", (), len(names)), names, seat))
    after = looked.view["board"] if looked.view else None
    found_out: dict[str, Any] = {"after": after, "told": told, "brings": brings}
    answer(wish.table, wish.match, wish.submission, "preview", move=looked.move, **found_out)
    nothing = _("Nothing was played. “{move}” would be a legal move.", move=looked.move)
    return Verdict(DONE, " ".join([nothing, *brings, *told]))


def _what(wish: Wish) -> Verdict | None:
    course, seat = _course(wish)
    board, names = course.game.board(course.position, seat), names_of(wish.table, wish.match)
    place = _PLACE.sub("", wish.text, count=1).rstrip("?!. ")
    told = telling.what(wish.match.game, board, names, seat, place)
    if not told and " " in place:
        # Somebody exclaims, as in “What a game!”.
        return None
    answer(wish.table, wish.match, wish.submission, "what", place=place, told=told)
    return Verdict(DONE, " ".join(told) or _("There is nothing called “{place}” in this game.", place=place))


def _mine(wish: Wish) -> Verdict:
    course, seat = _course(wish)
    told = telling.held(wish.match.game, course.game.board(course.position, seat), seat)
    answer(wish.table, wish.match, wish.submission, "my cards", told=told)
    return Verdict(DONE, " ".join(told) or _("You hold nothing that others do not see."))


def _course(wish: Wish) -> tuple[Course, Seat]:
    return course_of(wish.table, wish.match), Seat(wish.submission.holder.seat)


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
        takes=True,
        needs=True,
    ),
    Command(
        "what",
        {"en": ("what",), "de": ("was",)},
        marked("with a square, a card, a spot or a pyramid behind it, to be told what it is"),
        _what,
        Right.ASK,
        frozenset({RUNNING, OVER}),
        takes=True,
        needs=True,
    ),
    Command(
        "my cards",
        {"en": ("my cards", "my hand", "my stash"), "de": ("meine karten", "meine hand")},
        marked("to be told what you hold"),
        _mine,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
)
