"""The replay of a match: its board at any step, what happened, what was legal, chat and comments."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request

from pbem.boards import drawing_for
from pbem.games import GAMES, Eye, Game
from pbem.i18n import _
from pbem.play.archive import comments, replays
from pbem.play.chat import conversation
from pbem.play.core.context import timestamp
from pbem.play.core.errors import Refused
from pbem.play.matches import withheld
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names
from pbem.play.players import private_notes
from pbem.states import MatchState
from pbem.time_format import format_day, load_zone
from pbem.web.common import board_images
from pbem.web.matches import looking_back_section, share, social_cards
from pbem.web.matches.replay_reader import find_public_reader, find_seat_reader
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction
from pbem.web.request.read_replica import may_use_replica

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask.typing import ResponseReturnValue

    from pbem.play.archive.replays import MoveListLine, Step
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.web.matches.replay_reader import Reader

pages = Blueprint("replay", __name__)

MAX_LEGAL_MOVES = 60
"""Maximum legal moves listed."""
MAX_LINE_LENGTH = 88
"""Maximum characters of a line in the list of moves; the step itself shows all."""


@pages.get("/matches/<match_id>/replay")
@may_use_replica
def match(match_id: str) -> ResponseReturnValue:
    """Show a match at a step to anyone who may see it."""
    with transaction() as ctx:
        return _page(ctx, find_public_reader(ctx, match_id))


@pages.get("/matches/<match_id>/replay/step")
@may_use_replica
def match_step(match_id: str) -> ResponseReturnValue:
    """Show a step alone, for the page that is open already."""
    with transaction() as ctx:
        return _page(ctx, find_public_reader(ctx, match_id), "matches/replay_step.html")


@pages.post("/matches/<match_id>/replay/comment")
def match_comment(match_id: str) -> ResponseReturnValue:
    """Store or delete a comment of a signed-in player who had a seat."""
    with transaction() as ctx:
        return _change_comment(ctx, find_public_reader(ctx, match_id))


@pages.get("/m/<token>/replay")
def own(token: str) -> ResponseReturnValue:
    """Show a seat its match at a step: as it sees it by the link of its turn, else as spectators do."""
    with transaction() as ctx:
        return _page(ctx, find_seat_reader(ctx, token))


@pages.get("/m/<token>/replay/step")
def own_step(token: str) -> ResponseReturnValue:
    """Show a step alone, for the page that is open already."""
    with transaction() as ctx:
        return _page(ctx, find_seat_reader(ctx, token), "matches/replay_step.html")


@pages.post("/m/<token>/replay/comment")
def own_comment(token: str) -> ResponseReturnValue:
    """Store or delete a comment of a seat's player."""
    with transaction() as ctx:
        return _change_comment(ctx, find_seat_reader(ctx, token))


# -- page ----------------------------------------------------------------------------------------------


def _page(ctx: Context, reader: Reader, template: str = "matches/replay.html", **more: Any) -> str:
    match = reader.match
    course, names, sitters = load_match(ctx, match), player_names(ctx, match), replays.seat_history(ctx, match)
    number = _requested_step(course)
    step = replays.get_step(course, reader.viewer, names, number, sitters)
    you = None if isinstance(reader.viewer, Eye) else int(reader.viewer)
    over = match.state == MatchState.OVER
    counts = comments.count_by_step(ctx, match) if over else {}
    facts = {
        "reader": reader,
        "match": match,
        "game": GAMES[match.game],
        "names": names,
        "step": step,
        "last": len(course.log),
        "you": you,
        "view": step.view(match.game, you),
        "at": datetime.fromisoformat(step.at) if step.at else match.started_at,
        "legal": [
            (step.names[one.seat - 1], one.moves[:MAX_LEGAL_MOVES], len(one.moves) - MAX_LEGAL_MOVES)
            for one in step.moves
        ],
        "ended": over and number == len(course.log),
        "comments": comments.list_for_step(ctx, match, number, reader.player) if counts.get(number) else [],
        "chat": _chat_at_step(ctx, reader, course, number),
        "longest": comments.MAX_CHARS,
        "closed": withheld.explain(ctx, match, reader.zone) if over and withheld.hides_table(match) else "",
    }
    if template == "matches/replay.html":
        lines = replays.move_list(course, reader.viewer, names, sitters)
        facts |= {
            "days": _group_by_day(lines, reader.zone),
            "counts": counts,
            "secrets": type(course.game).exchange is not Game.exchange,
            "card": _social_card(reader, names, step),
            "note": _note(ctx, reader),
            "longest_note": private_notes.MAX_CHARS,
            "looking_back": looking_back_section.section(ctx, reader, course, names) if over else None,
        }
    return render_template(template, **facts, **_sharing_facts(reader, names, step), **more)


def _sharing_facts(reader: Reader, names: tuple[str, ...], step: Step) -> dict[str, Any]:
    """Return how to share a step, and its picture; nothing of what is not to be shared."""
    if not reader.may_share:
        return {}
    svg = drawing_for(reader.match.game).svg(step.board, step.names, turn=step.turn)
    shared = share.share(reader.match, names, svg, step.number)
    return {"share": shared, "drawn": board_images.inline_svg(svg)}


def _social_card(reader: Reader, names: tuple[str, ...], step: Step) -> social_cards.Card | None:
    """Build the card of the page of a step; None if it is not to be shared."""
    if not reader.may_share:
        return None
    sentence = " ".join(step.told) or _("The deal.")
    return social_cards.match_card(reader.match, names, sentence, step.board, step.number)


def _requested_step(course: LoadedMatch) -> int:
    """Return the requested step; by default the deal of a finished match, and the present of a running one."""
    ply, step = form_fields.get_number("ply"), form_fields.get_number("step")
    if ply is not None:
        step = replays.step_number(course, ply)
    otherwise = 0 if course.match.state == MatchState.OVER and ply is None else len(course.log)
    return otherwise if step is None else min(step, len(course.log))


def _chat_at_step(ctx: Context, reader: Reader, course: LoadedMatch, number: int) -> list[Any]:
    """Return the chat while the match was at a step, for its players once it is over."""
    if reader.holder is None or not reader.may_read_chat or len(course.match.seats) == 1:
        return []
    begin, end = replays.step_interval(course, number)
    return [
        one
        for one in conversation.visible_messages(ctx, course.match, reader.holder)
        if begin <= timestamp(one.at) < end
    ]


def _note(ctx: Context, reader: Reader) -> str:
    """Return the note of a seat's player on the match once it is over, for the page behind their link."""
    if reader.token is None or reader.player is None:
        return ""
    return private_notes.on_match(ctx, reader.player, reader.match.id)


def _group_by_day(lines: Sequence[MoveListLine], zone: str) -> list[tuple[str, list[tuple[MoveListLine, str, str]]]]:
    """Group lines by their day in the reader's zone, each with its time and a short text."""
    there = load_zone(zone)
    timed = [(line, datetime.fromisoformat(line.at).astimezone(there)) for line in lines]
    return [
        (format_day(group[0][1], zone), [(line, f"{at:%H:%M}", _shorten(line.told)) for line, at in group])
        for _date, found in groupby(timed, key=lambda one: one[1].date())
        for group in [list(found)]
    ]


def _shorten(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MAX_LINE_LENGTH else f"{line[: MAX_LINE_LENGTH - 1].rstrip()}…"


# -- comments ------------------------------------------------------------------------------------------


def _change_comment(ctx: Context, reader: Reader) -> ResponseReturnValue:
    step, number = form_fields.get_number("step"), form_fields.get_number("gone")
    back = redirect(reader.address(step=step or 0) + "#step", 303)
    holder = reader.holder
    if holder is None:
        return back
    typed = request.form.get("words", "")
    if not csrf.is_valid(reader.purpose):
        return _page(ctx, reader, typed=typed, wrong=_(csrf.OLD_FORM)), 400
    if number is not None:
        comments.remove(ctx, reader.match, holder, number)
    elif step is not None and step <= len(load_match(ctx, reader.match).log):
        try:
            comments.add(ctx, reader.match, holder, step, typed)
        except Refused as refused:
            return _page(ctx, reader, typed=typed, wrong=str(refused)), 422
    return back
