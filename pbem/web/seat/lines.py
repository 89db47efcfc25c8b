"""Lines of moves behind a seat's link: trying out one move after another, and the lines that its player kept."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.games import GAMES, Seat
from pbem.games.record import result
from pbem.i18n import _
from pbem.play.core import match_features
from pbem.play.core.errors import Refused
from pbem.play.inbox import note_lines
from pbem.play.matches import descriptions, kept_lines, lines
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names
from pbem.play.submissions import queue
from pbem.web.common import lookup
from pbem.web.common.move_choices import MAX_ADDRESS_CHARS
from pbem.web.common.seat_link import can_act, find_seat, hold_seat, resolve_seat
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction
from pbem.web.seat import notes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from flask.typing import ResponseReturnValue

    from pbem.db.models import SeatHolder, Token
    from pbem.play.core.context import Context
    from pbem.play.matches.lines import Line
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.play.matches.previews import Preview

pages = Blueprint("lines", __name__)

MAX_LISTED_MOVES = 60
"""Maximum moves listed to go on with; of more, the likely ones."""


@pages.get("/m/<token>/line")
def look(token: str) -> ResponseReturnValue:
    """Show the board after some moves, or after those of a kept line; nothing is played."""
    number = form_fields.get_number("kept", form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not can_act(ctx, found, match):
            return redirect(url_for("turn.seat", token=token))
        course = load_match(ctx, match)
        if number is None:
            return _explore(ctx, course, found, token, request.args.getlist("move"))
        one = kept_lines.find(ctx, course, found.holder, number)
        if one is None:
            return redirect(url_for("lines.show", token=token))
        progress = kept_lines.describe(one, player_names(ctx, match), found.holder.seat)
        if one.rest:
            return _explore(ctx, course, found, token, [move for _seat, move in one.rest], progress)
        return _page(ctx, course, found, token, one.line, progress=progress)


@pages.post("/m/<token>/line")
def go_on(token: str) -> ResponseReturnValue:
    """Show the board after one more move, at an address of its own if the moves fit into one."""
    typed = request.form.get("next", "").strip()
    if note_lines.may_contain_note([typed]):
        return notes.offer(token, typed)
    texts = [*_read_moves(), *([typed] if typed else [])]
    address = url_for("lines.look", token=token, move=texts)
    if len(address) <= MAX_ADDRESS_CHARS:
        return redirect(f"{address}#main", 303)
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not can_act(ctx, found, match):
            return redirect(url_for("turn.seat", token=token), 303)
        return _explore(ctx, load_match(ctx, match), found, token, texts)


@pages.get("/m/<token>/lines")
def show(token: str) -> ResponseReturnValue:
    """List the lines that a seat's player kept."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not can_act(ctx, found, match):
            return redirect(url_for("turn.seat", token=token))
        saved = {"1": _("Kept."), "oldest": _("Kept. The oldest line was forgotten for it.")}
        return _list_page(ctx, load_match(ctx, match), found, token, saved=saved.get(request.args.get("kept", ""), ""))


@pages.post("/m/<token>/lines")
def change(token: str) -> ResponseReturnValue:
    """Keep a line, or remove one that was kept."""
    texts, number = _read_moves(), form_fields.get_number("remove", form_fields.MAX_ID_DIGITS)
    with transaction() as ctx:
        found = resolve_seat(ctx, token)
        match = lookup.lock_seat(ctx, found)
        if not can_act(ctx, found, match):
            return redirect(url_for("turn.seat", token=token), 303)
        course = load_match(ctx, match)
        if not csrf.is_valid(f"lines {token}"):
            return _list_page(ctx, course, found, token, wrong=_(csrf.OLD_FORM)), 400
        if number is not None:
            kept_lines.remove(ctx, found.holder, number)
            return redirect(url_for("lines.show", token=token), 303)
        if form_fields.get_number("ply") != match.ply:
            wrong = _("Nothing was kept: the match has gone on since. Try the line again.")
            return _list_page(ctx, course, found, token, wrong=wrong), 409
        try:
            has_forgotten = kept_lines.keep(ctx, course, found.holder, texts)
        except Refused as refused:
            return _list_page(ctx, course, found, token, wrong=str(refused)), 422
        hold_seat(ctx, found.holder)
    return redirect(url_for("lines.show", token=token, kept="oldest" if has_forgotten else "1"), 303)


def list_facts(ctx: Context, course: LoadedMatch, holder: SeatHolder, names: Sequence[str]) -> list[dict[str, Any]]:
    """Return what templates show of the lines that a seat's player kept."""
    if not match_features.load(ctx, course.match.id).lines:
        return []
    return [
        {
            "id": one.row.id,
            "text": kept_lines.format_moves(one.line.texts),
            "progress": kept_lines.describe(one, names, holder.seat),
        }
        for one in kept_lines.list_kept(ctx, course, holder)
    ]


def line_facts(line: Line, names: Sequence[str], own: Seat) -> dict[str, Any]:
    """Return what templates need to keep a line that starts now and to go on with it."""
    facts: dict[str, Any] = {"longest_move": queue.MAX_MOVE_CHARS, "most_lines": kept_lines.MAX_LINES}
    seat, after = line.next_seat, line.after
    if seat is None or after is None or len(line.moves) == kept_lines.MAX_MOVES:
        return facts | {"following": None}
    moves = [*islice(after.game.moves(after.position, seat), MAX_LISTED_MOVES + 1)]
    listed = moves if len(moves) <= MAX_LISTED_MOVES else after.game.suggest(after.position, seat)
    return facts | {"following": {"name": names[seat - 1], "own": seat == own, "moves": listed}}


def outcome_facts(preview: Preview, game: str, names: tuple[str, ...], own: Seat) -> dict[str, Any]:
    """Return what templates need to show what a move does."""
    ending = result(preview.outcome, "finished", (), len(names)) if preview.outcome else None
    return {
        "preview": preview,
        "events": descriptions.log_sentences(game, preview.news, names, own),
        "ending": descriptions.ending_by_move(ending, names, own) if ending else "",
    }


def _read_moves() -> list[str]:
    """Return the moves that a form has, one a line."""
    return request.form.get("moves", "").splitlines()


def _explore(
    ctx: Context, course: LoadedMatch, found: Token, token: str, texts: Sequence[str], progress: str = ""
) -> ResponseReturnValue:
    """Show a line that starts now, or the part of it before a last move that is refused, with the reason."""
    own, wrong = Seat(found.holder.seat), ""
    for part in (texts, texts[:-1]):
        try:
            line = kept_lines.check(course, own, part)
        except Refused as refused:
            wrong = wrong or str(refused)
            continue
        back = url_for("lines.look", token=token, move=line.texts[:-1])
        facts = line_facts(line, player_names(ctx, course.match), own)
        return _page(
            ctx, course, found, token, line, progress=progress, wrong=wrong, typed=texts[-1] if wrong else "",
            back=back if len(line.moves) > 1 and len(back) <= MAX_ADDRESS_CHARS else None, now=True, **facts
        )  # fmt: skip
    return redirect(url_for("turn.seat", token=token, move=texts[0] if texts else None))


def _page(ctx: Context, course: LoadedMatch, found: Token, token: str, line: Line, **more: Any) -> str:
    names, own = player_names(ctx, course.match), Seat(found.holder.seat)
    return render_template(
        "seat/line.html",
        token=token,
        line=line,
        game=GAMES[course.match.game],
        match=course.match,
        names=names,
        you=own,
        **outcome_facts(lines.preview(line, own, names), course.match.game, names, own),
        **more,
    )


def _list_page(ctx: Context, course: LoadedMatch, found: Token, token: str, **more: Any) -> str:
    names = player_names(ctx, course.match)
    return render_template(
        "seat/lines.html",
        token=token,
        game=GAMES[course.match.game],
        kept_lines=list_facts(ctx, course, found.holder, names),
        most_lines=kept_lines.MAX_LINES,
        **more,
    )
