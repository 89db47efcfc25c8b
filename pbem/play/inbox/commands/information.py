"""Commands that ask for information: help, rules, the position and its history, moves, cards, lists, a replay."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.games import Seat
from pbem.games.record import result
from pbem.i18n import _, marked
from pbem.play.archive import records
from pbem.play.core.rate_limits import SECONDS_PER_DAY, Limit, hit
from pbem.play.inbox import match_list, rating_mail, refusals
from pbem.play.inbox.commands.base import OVER, RUNNING, Command, Invocation, done, refuse_on_page
from pbem.play.matches import descriptions, previews, share_keys
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names, render_position
from pbem.play.submissions import move_finder, suggestion_numbers
from pbem.play.submissions.permissions import Right
from pbem.play.submissions.queue import MAIL

if TYPE_CHECKING:
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.play.submissions.verdicts import Verdict

MAX_FILES_PER_DAY = 20
"""Maximum replay files mailed per player and day: one takes as long to make as dozens of mails."""
_PLACE_PREFIX = re.compile(
    r"(?:(?:is|stands|lies|ist|steht|liegt)\s+)?(?:(?:on|at|auf)\s+)?(?:(?:the|der|die|das)\s+)?", re.IGNORECASE
)
_MAX_PIECES = 200
"""Maximum first pieces of a move that are listed, where not all moves are."""


def _answer(call: Invocation, kind: str) -> Verdict:
    call.answer(kind)
    return done()


def _list(call: Invocation) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    match_list.enqueue(call.ctx, call.holder.player, call.holder.email, call.submission.message_id)
    return done()


def _rating(call: Invocation) -> Verdict:
    if call.submission.via != MAIL:
        return refuse_on_page()
    rating_mail.enqueue(call.ctx, call.holder.player, call.holder.email, call.submission.message_id)
    return done()


def _history(call: Invocation) -> Verdict:
    course, seat = _load(call)
    names = player_names(call.ctx, call.match)
    log = render_position(course, seat, names)["log"]
    call.answer("history", log=log)
    sentences = descriptions.log_sentences(call.match.game, log, names, seat)
    return done(" ".join(sentences) or _("Nobody has moved yet."))


def _moves(call: Invocation) -> Verdict:
    course, seat = _load(call)
    view = course.game.view(course.position, seat)
    moves = [*view.moves]
    pieces = [] if view.moves_are_all else [*course.game.steps(course.position, seat, ())][:_MAX_PIECES]
    call.answer("moves", moves=[] if pieces else moves, pieces=pieces)
    if not moves:
        return done(_("It is not your turn yet. You will get a mail when it is."))
    if pieces:
        return done(_("A move may begin with: {pieces}.", pieces=" | ".join(pieces)))
    return done(_("You may play: {moves}.", moves=" | ".join(moves)))


def _preview(call: Invocation) -> Verdict:
    course, seat = _load(call)
    game, names = call.match.game, player_names(call.ctx, call.match)
    found = move_finder.find([call.text, *call.below], suggestion_numbers.move_parser(course, seat, call.submission))
    if isinstance(found, move_finder.NotFound):
        return refusals.refuse(call.ctx, course, call.submission, found)
    preview = previews.preview(course, seat, found.move, names)
    effects = descriptions.move_effects(game, course.game.board(course.position, seat), names, seat, preview.move)
    news = descriptions.log_sentences(game, preview.news, names, seat)
    if preview.outcome:
        ending = result(preview.outcome, "finished", (), len(names))
        news.append(descriptions.ending_by_move(ending, names, seat))
    after = {part: preview.view[part] for part in ("board", "to_move", "log")} if preview.view else None
    call.answer("preview", move=preview.move, after=after, told=news, brings=effects)
    nothing = _("Nothing was played. “{move}” would be a legal move.", move=preview.move)
    return done(" ".join([nothing, *effects, *news]))


def _what(call: Invocation) -> Verdict | None:
    course, seat = _load(call)
    board, names = course.game.board(course.position, seat), player_names(call.ctx, call.match)
    place = _PLACE_PREFIX.sub("", call.text, count=1).rstrip("?!. ")
    description = descriptions.piece_description(call.match.game, board, names, seat, place)
    if not description and " " in place:
        # An exclamation, such as “What a game!”.
        return None
    call.answer("what", place=place, told=description)
    return done(" ".join(description) or _("There is nothing called “{place}” in this game.", place=place))


def _my_cards(call: Invocation) -> Verdict:
    course, seat = _load(call)
    items = descriptions.held_items(call.match.game, course.game.board(course.position, seat), seat)
    call.answer("my cards", told=items)
    return done(" ".join(items) or _("You hold nothing that is hidden from the others."))


def _replay(call: Invocation) -> Verdict:
    if refusal := _replay_refusal(call):
        return call.reject("no replay", refusal)
    key: dict[str, Any] = {} if call.match.public else {"shared": share_keys.shared_key(call.match)}
    call.answer("replay", **key)
    return done(_("You will get the match by mail, as one file."))


def _replay_refusal(call: Invocation) -> str:
    """Return why there is no file, or an empty string."""
    if call.match.state != OVER:
        return _("The match is still running. You can get it as a file when it is over.")
    try:
        records.build_record(call.ctx, call.match)
    except records.NoRecordYetError as early:
        return str(early)
    limit = Limit("replay by mail", str(call.holder.player_id), MAX_FILES_PER_DAY, SECONDS_PER_DAY)
    if call.ctx.config.limits is not None and hit(call.ctx, limit):
        return _("You were mailed many such files today. Please ask again tomorrow.")
    return ""


def _load(call: Invocation) -> tuple[LoadedMatch, Seat]:
    return load_match(call.ctx, call.match), Seat(call.holder.seat)


COMMANDS = (
    Command(
        "help",
        {"en": ("help",), "de": ("hilfe",)},
        marked("to get this help"),
        partial(_answer, kind="help"),
        Right.ASK,
    ),
    Command(
        "board",
        {"en": ("board",), "de": ("brett",)},
        marked("to get the position again"),
        partial(_answer, kind="board"),
        Right.ASK,
    ),
    Command(
        "rules",
        {"en": ("rules",), "de": ("regeln",)},
        marked("to get the rules of the game"),
        partial(_answer, kind="rules"),
        Right.ASK,
    ),
    Command("list", {"en": ("list",), "de": ("liste",)}, marked("to get a list of all your matches"), _list, Right.ASK),
    Command(
        "rating",
        {"en": ("rating", "ratings"), "de": ("wertung", "wertungen")},
        marked("to get your ratings"),
        _rating,
        Right.ASK,
    ),
    Command(
        "history",
        {"en": ("history", "log"), "de": ("verlauf",)},
        marked("to see all moves so far"),
        _history,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
    Command(
        "moves",
        {"en": ("moves",), "de": ("züge", "zuege")},
        marked("to see all your legal moves"),
        _moves,
        Right.ASK,
        frozenset({RUNNING}),
    ),
    Command(
        "preview",
        {"en": ("preview", "try"), "de": ("vorschau", "probe")},
        marked("followed by a move to see what it would do; nothing is played"),
        _preview,
        Right.ASK,
        frozenset({RUNNING}),
        needs_text=True,
    ),
    Command(
        "what",
        {"en": ("what",), "de": ("was",)},
        marked("followed by a square, a card, a spot or a pyramid to see what it is"),
        _what,
        Right.ASK,
        frozenset({RUNNING, OVER}),
        needs_text=True,
    ),
    Command(
        "my cards",
        {"en": ("my cards", "my hand", "my stash"), "de": ("meine karten", "meine hand")},
        marked("to see what you hold"),
        _my_cards,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
    Command(
        "replay",
        {"en": ("replay",), "de": ("wiedergabe",)},
        marked("to get a finished match as one file that replays it offline"),
        _replay,
        Right.ASK,
        frozenset({RUNNING, OVER}),
    ),
)
