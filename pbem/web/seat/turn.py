"""A seat's own page: the turn, choosing a move, previewing it, playing it."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.boards import drawing_for
from pbem.db.models import Submission
from pbem.games import GAMES, GameError, Seat
from pbem.games.typed_text import MAX_LENGTH
from pbem.i18n import _, refusal_text
from pbem.play.accounts import dashboard
from pbem.play.chat import conversation, messages
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox import commands, note_lines
from pbem.play.inbox.commands import conditional_moves
from pbem.play.lifecycle import agreements, held_moves, resigning
from pbem.play.matches import descriptions, lines, previews
from pbem.play.matches.match_state import load_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names
from pbem.play.notifications import fresh_links, outbox
from pbem.play.offers import match_pauses, wording
from pbem.play.offers.wording import KINDS
from pbem.play.players import private_notes
from pbem.play.submissions import queue, suggestion_numbers
from pbem.states import MatchState, SubmissionStatus
from pbem.web.common import move_choices, own_seat
from pbem.web.common.move_choices import MAX_ADDRESS_CHARS
from pbem.web.common.page_reload import reload_seconds
from pbem.web.common.seat_link import can_act, find_seat, hold_seat, holds_seat
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction
from pbem.web.seat import match_page, notes
from pbem.web.seat.lines import line_facts, list_facts, outcome_facts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

pages = Blueprint("turn", __name__)

MAX_CHAT_MESSAGES = 3
"""Maximum chat messages on a turn's page; the chat page shows all."""

COMMAND_PAGES = (
    {"resign": "turn.resign"}
    | dict.fromkeys(conditional_moves.COMMAND_NAMES, "conditional_moves.plan")
    | dict.fromkeys((*KINDS, agreements.RESUME), "offers.look")
)
"""Pages of the commands that may be typed instead of a move."""


@pages.get("/m/<token>")
def seat(token: str) -> ResponseReturnValue:
    """Show a seat its turn, the preview of a move, or its match while others are to move; with `follow` the last."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not found.ply:
            return redirect(url_for("invitations.invitation", token=token))
        if "sent" in request.args:
            return _result_page(ctx, found, match, token)
        if not tokens.is_current(ctx, found, match):
            return match_page.render_earlier(ctx, found, match, token)
        course = load_match(ctx, match)
        if not _is_to_move(found, match) or "follow" in request.args:
            return match_page.render(ctx, course, found, token, _seat_facts(ctx, course, found))
        typed = request.args.get("move", "").strip()
        parsed = commands.parse([typed])
        if parsed and parsed.command.name in COMMAND_PAGES and parsed.command.is_possible(match):
            return redirect(url_for(COMMAND_PAGES[parsed.command.name], token=token))
        return _preview_page(ctx, course, found, token, typed) if typed else _turn_page(ctx, course, found, token)


@pages.post("/m/<token>")
def play(token: str) -> ResponseReturnValue:
    """Store a move, and show its result."""
    typed, ply = request.form.get("move", "").strip(), form_fields.get_number("ply")
    if not typed or ply is None:
        return redirect(url_for("turn.seat", token=token), 303)
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if match.seed is None:
            return redirect(url_for("invitations.invitation", token=token), 303)
        current = tokens.is_current(ctx, found, match)
        too_long = _too_long_error() if len(typed) > queue.MAX_MOVE_CHARS else ""
        wrong = too_long if csrf.is_valid(f"play {token}") else _(csrf.OLD_FORM)
        if wrong and current and _is_to_move(found, match):
            return _preview_page(ctx, load_match(ctx, match), found, token, typed, wrong=wrong)
        if wrong:
            return _match_page(ctx, found, match, token, wrong), 400
        sent = current and ply < found.ply and queue.find_sent(ctx, found.holder_id, ply, typed)
        sent = sent or queue.send_move(ctx, found, queue.LINK, ply, typed)
        words = messages.sanitise(request.form.get("words", ""))
        if words and current and len(match.seats) > 1:
            # Stored with the move, so that the mails about it include the message.
            messages.store(ctx, match, found.holder, words, sent)
        if current:
            hold_seat(ctx, found.holder)
    return redirect(url_for("turn.seat", token=token, sent=sent), 303)


@pages.post("/m/<token>/preview")
def preview_typed(token: str) -> ResponseReturnValue:
    """Show the preview of a typed move at an address of its own, if the text fits into one."""
    typed = request.form.get("move", "").strip()
    if note_lines.may_contain_note([typed]):
        return notes.offer(token, typed)
    address = url_for("turn.seat", token=token, move=typed or None)
    if len(address) <= MAX_ADDRESS_CHARS:
        return redirect(f"{address}#main", 303)
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not tokens.is_current(ctx, found, match) or not _is_to_move(found, match):
            return redirect(url_for("turn.seat", token=token), 303)
        return _preview_page(ctx, load_match(ctx, match), found, token, typed)


@pages.post("/m/<token>/undo")
def undo(token: str) -> ResponseReturnValue:
    """Withdraw a held move, and show its state in any case."""
    sent = request.form.get("sent", "")
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        row = ctx.session.get(Submission, sent)
        if row is None or row.holder_id != found.holder_id:
            return redirect(url_for("turn.seat", token=token), 303)
        if csrf.is_valid(f"undo {token}") and tokens.is_current(ctx, found, match):
            held_moves.undo(ctx, row)
    return redirect(url_for("turn.seat", token=token, sent=sent), 303)


@pages.get("/m/<token>/resign")
def resign(token: str) -> ResponseReturnValue:
    """Ask for confirmation before resigning."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        return _resign_page(token, match, possible=can_act(ctx, found, match))


@pages.post("/m/<token>/resign")
def resigned(token: str) -> ResponseReturnValue:
    """Resign a match."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        possible = can_act(ctx, found, match)
        if not csrf.is_valid(f"{queue.RESIGN_COMMAND} {token}"):
            return _resign_page(token, match, possible=possible, wrong=_(csrf.OLD_FORM)), 400
        if not possible:
            return redirect(url_for("turn.seat", token=token), 303)
        sent = queue.send_resignation(ctx, found)
        hold_seat(ctx, found.holder)
    return redirect(url_for("turn.seat", token=token, sent=sent), 303)


@pages.post("/m/<token>/fresh")
def fresh_link(token: str) -> ResponseReturnValue:
    """Mail a link that works now to the seat's own address."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not csrf.is_valid(f"fresh {token}"):
            if match.seed is None:
                return redirect(url_for("turn.seat", token=token), 303)
            return _match_page(ctx, found, match, token, _(csrf.OLD_FORM)), 400
        fresh_links.enqueue(ctx, match, found.holder)
        return render_template("seat/fresh_link.html", match=match, game=GAMES[match.game], email=found.holder.email)


# -- the turn --------------------------------------------------------------------------------------


def _turn_page(ctx: Context, course: LoadedMatch, found: Token, token: str, typed: str = "", wrong: str = "") -> str:
    """Render what a seat may do; `wrong` is why the typed move was refused, if it was."""
    facts = _seat_facts(ctx, course, found)
    view = facts["view"]
    own = Seat(found.holder.seat)
    refused = bool(wrong and typed)
    start = previews.parse_move_start(course, own, typed) if refused else None
    begun = start is not None and not start.rest
    choosing = start.choosing if start else previews.follow_pieces(course, own, request.args.getlist("chosen"))
    single = tuple(view["moves"]) == choosing.pieces
    near = course.game.nearest(course.position, own, typed[:MAX_LENGTH]) if refused and not begun else ()
    drawing = drawing_for(course.match.game)
    return render_template(
        "seat/turn.html",
        token=token,
        task=drawing.task(view["board"], own, view["moves"]),
        guide=descriptions.guide(course.match.game, view["board"], facts["names"], own),
        to_preview=[move for move in facts["suggestions"] if previews.needs_preview(course, own, move)],
        named=drawing.named(view["board"], own, facts["suggestions"]),
        reasons=drawing.reasons(view["board"], facts["names"], own, facts["suggestions"]),
        legend=drawing.legend,
        goal=drawing.goal(view["board"]),
        preview_first=choosing.complete
        and previews.needs_preview(course, own, course.game.read(course.position, own, choosing.text)),
        **move_choices.template_facts(course, own, view["board"], choosing, partial(_address, token)),
        listed=view["moves"] if view["moves_are_all"] and not single else [],
        typed=typed,
        longest_move=queue.MAX_MOVE_CHARS,
        wrong=descriptions.shorten_refusal(near, wrong),
        started=begun,
        near=near,
        **facts,
    )


def _address(token: str, chosen: tuple[str, ...]) -> str:
    """Return the address of a turn with some pieces of its move chosen."""
    return url_for("turn.seat", token=token, chosen=[*chosen] or None)


def _preview_page(
    ctx: Context, course: LoadedMatch, found: Token, token: str, typed: str, wrong: str = ""
) -> str | tuple[str, int]:
    """Render the preview of a move, with the form that plays it."""
    if len(typed) > queue.MAX_MOVE_CHARS:
        return _turn_page(ctx, course, found, token, typed, _too_long_error()), 400
    own = Seat(found.holder.seat)
    names = player_names(ctx, course.match)
    try:
        preview = previews.preview(course, own, suggestion_numbers.parse_move(course, own, typed), names)
        line = lines.follow(course, own, [preview.move])
    except GameError as refused:
        wrong = _mail_command_hint(course.match, typed) or refusal_text(refused)
        return _turn_page(ctx, course, found, token, typed=typed, wrong=wrong)
    page = render_template(
        "seat/preview.html",
        token=token,
        game=GAMES[course.match.game],
        match=course.match,
        names=names,
        you=own,
        brings=descriptions.move_effects(
            course.match.game, course.game.board(course.position, own), names, own, preview.move
        ),
        **outcome_facts(preview, course.match.game, names, own),
        line=line,
        **line_facts(line, names, own),
        wrong=wrong,
        words=request.form.get("words", ""),
        talks=conversation.has_readers(ctx, course.match, found.holder),
        longest=messages.MAX_CHARS,
    )
    return (page, 400) if wrong else page


def _too_long_error() -> str:
    return _("A move has at most {most} characters.", most=queue.MAX_MOVE_CHARS)


def _mail_command_hint(match: Match, typed: str) -> str:
    """Return the hint that a command works by mail only; empty if `typed` is no command."""
    parsed = commands.parse([typed])
    if parsed is None or not parsed.command.is_possible(match):
        return ""
    return _("This command works in a reply to a mail: {line}.", line=parsed.command.help_line)


def _seat_facts(ctx: Context, course: LoadedMatch, found: Token) -> dict[str, Any]:
    """Return what the templates of a seat's own pages need: its view and what is new in it."""
    facts, drawing = outbox.position_facts(ctx, course, found.holder), drawing_for(course.match.game)
    names = tuple(facts["names"])
    events = descriptions.log_sentences(course.match.game, facts["news"], names, found.holder.seat)
    events += descriptions.late_thoughts(names, facts.get("late", ()))
    return {
        "match": course.match,
        "game": GAMES[course.match.game],
        "view": facts["view"] | {"text": drawing.text(facts["view"]["board"], names, found.holder.seat)},
        "names": names,
        "you": found.holder.seat,
        "suggestions": facts["suggestions"],
        "due": _parse_time(facts, "due"),
        "ends": _parse_time(facts, "ends"),
        "zone": found.holder.player.time_zone,
        "events": events,
        "notice": match_page.find_notice(ctx, course.match, found, events),
        "crib": drawing.crib,
        "planned": turn_deadlines.has_scheduled_move(ctx, course.match, found.holder.seat),
        "latest": conversation.visible_messages(ctx, course.match, found.holder, MAX_CHAT_MESSAGES),
        "longest": messages.MAX_CHARS,
        "note": private_notes.on_match(ctx, found.holder.player_id, course.match.id),
        "longest_note": private_notes.MAX_CHARS,
        "kept_lines": list_facts(ctx, course, found.holder, names) if course.match.state == MatchState.RUNNING else [],
        "proposals": agreements.open_proposals(ctx, course.match, found.holder),
        "held": held_moves.find_held(ctx, found.holder, ctx.now),
        "paused": _pause_text(ctx, course.match, found.holder.player.time_zone),
        "has_moved": any(seat == found.holder.seat for seat, _stage in course.turns),
        "talks": conversation.has_readers(ctx, course.match, found.holder),
        "pair": facts.get("pair"),
    }


def _parse_time(facts: Mapping[str, Any], name: str) -> datetime | None:
    """Parse a time of the facts of a position, as they are written for mails; None without one."""
    return datetime.fromisoformat(facts[name]) if name in facts else None


def _pause_text(ctx: Context, match: Match, zone: str) -> str:
    """Return the sentence for until when the clocks of a match are stopped; empty if they run."""
    until = match_pauses.end_time(ctx, match) if match.state == MatchState.RUNNING else None
    return wording.pause_text(until, zone) if until else ""


# -- result ----------------------------------------------------------------------------------------


def _result_page(ctx: Context, found: Token, match: Match, token: str) -> ResponseReturnValue:
    """Render the verdict on a move, or lead who holds the seat on to the turn or the match."""
    row = ctx.session.get(Submission, request.args["sent"])
    if row is None or row.holder_id != found.holder_id or row.via == queue.CHAT:
        return redirect(url_for("turn.seat", token=token))
    if row.status == SubmissionStatus.PENDING:
        return _pending_page(ctx, row, match, token)
    # The match was read before the verdict, so it may be older.
    ctx.session.refresh(match)
    if holds_seat(ctx, found.holder):
        found = tokens.current_token(ctx, match, found.holder)
    current = tokens.is_current(ctx, found, match)
    if row.status == SubmissionStatus.REJECTED and current and _is_to_move(found, match):
        return _turn_page(ctx, load_match(ctx, match), found, token, typed=row.text or "", wrong=row.reason or "")
    if not current:
        return match_page.render_earlier(ctx, found, match, token, notice=match_page.build_notice(ctx, match, row))
    mover = _seat_to_move(ctx, match, found.holder) or found.holder
    return redirect(url_for("turn.seat", token=dashboard.link_token(ctx, match, mover), after=row.id), 303)


def _pending_page(ctx: Context, row: Submission, match: Match, token: str) -> str:
    """Render a move that is held, or that is not judged yet."""
    facts = {"match": match, "game": GAMES[match.game], "text": row.text}
    if row.hold_until:
        following = own_seat.next_game(ctx, match, row.holder)
        held = {"held": row, "zone": row.holder.player.time_zone, "token": token, "next_game": following}
        return render_template("seat/held_move.html", **facts, **held)
    waiting = (ctx.now - row.received_at).total_seconds()
    again = reload_seconds(row.received_at, ctx.now)
    return render_template("seat/pending.html", **facts, waiting=waiting, reload_after=again)


def _match_page(ctx: Context, found: Token, match: Match, token: str, wrong: str) -> str:
    """Render the match without a turn, with an error above it."""
    if not tokens.is_current(ctx, found, match):
        return match_page.render_earlier(ctx, found, match, token, wrong)
    course = load_match(ctx, match)
    return match_page.render(ctx, course, found, token, _seat_facts(ctx, course, found), wrong)


def _seat_to_move(ctx: Context, match: Match, holder: SeatHolder) -> SeatHolder | None:
    """Return the seat of a seat's player that is to move: the same one, or another in a practice match."""
    if match.state != MatchState.RUNNING:
        return None
    own = holders(ctx, match) if match.forked_from_id else [holder]
    to_move = [one for one in own if one.player_id == holder.player_id and one.seat in match.to_move]
    return holder if holder in to_move else next(iter(to_move), None)


# -- resigning --------------------------------------------------------------------------------------


def _resign_page(token: str, match: Match, *, possible: bool, wrong: str = "") -> str:
    return render_template(
        "seat/resign.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        possible=possible,
        wrong=wrong,
        consequence=resigning.consequence(match),
    )


def _is_to_move(found: Token, match: Match) -> bool:
    return match.state == MatchState.RUNNING and found.holder.seat in match.to_move
