"""A seat's own page: the turn, choosing a move, previewing it, playing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Blueprint, redirect, render_template, request, url_for

from pbem.boards import drawing_for
from pbem.db.models import Submission
from pbem.games import GAMES, GameError, Seat
from pbem.games.hidden import Eye
from pbem.games.record import result
from pbem.games.typed_text import MAX_LENGTH
from pbem.i18n import _, refusal_text
from pbem.play.accounts import dashboard
from pbem.play.chat import conversation, messages
from pbem.play.conditional_moves import plan_store
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.inbox import commands
from pbem.play.inbox.commands import conditional_moves
from pbem.play.lifecycle import agreements, held_moves, rematches
from pbem.play.matches import descriptions, previews, share_keys, spectating
from pbem.play.matches.match_state import effective_moves, load_match
from pbem.play.matches.seats import holders
from pbem.play.matches.views import player_names, render_view
from pbem.play.notifications import fresh_links, outbox
from pbem.play.offers.wording import KINDS
from pbem.play.submissions import queue, suggestion_numbers
from pbem.states import MatchState
from pbem.web.common.page_reload import reload_seconds
from pbem.web.common.seat_link import can_act, find_seat
from pbem.web.common.urls import turn_page
from pbem.web.request import csrf, form_fields
from pbem.web.request.context import transaction
from pbem.web.seat import move_choices

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

    from pbem.db.models import Match, SeatHolder, Token
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

pages = Blueprint("turn", __name__)

MAX_CHAT_MESSAGES = 3
"""Maximum chat messages on a turn's page; the chat page shows all."""

MAX_ADDRESS_CHARS = 2000
"""Maximum length of an address that a typed move is part of; web servers refuse about twice as much."""

COMMAND_PAGES = (
    {"resign": "turn.resign"}
    | dict.fromkeys(conditional_moves.COMMAND_NAMES, "conditional_moves.plan")
    | dict.fromkeys((*KINDS, agreements.RESUME), "offers.look")
)
"""Pages of the commands that may be typed instead of a move."""
RESIGN_COMMAND = "resign yes"
"""Command that the form sends; the judge knows it from mails."""


@pages.get("/m/<token>")
def seat(token: str) -> ResponseReturnValue:
    """Show a seat its turn, the preview of a move, or the result of one."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not found.ply:
            return redirect(url_for("invitations.invitation", token=token))
        if "sent" in request.args:
            return _result_page(ctx, found, match, token)
        current = tokens.is_current(ctx, found, match)
        if current and match.state == MatchState.OVER:
            return render_template(
                "seat/match_over.html",
                token=token,
                again=rematches.is_possible(ctx, match),
                shared=None if match.public else share_keys.shared_key(match),
                **_seat_facts(ctx, load_match(ctx, match), found),
            )
        if not current or not _is_to_move(found, match):
            return _earlier_page(ctx, found, match, token)
        course = load_match(ctx, match)
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
            return _earlier_page(ctx, found, match, token, wrong=wrong), 400
        sent = queue.send_move(ctx, found, queue.LINK, ply, typed)
        words = messages.sanitise(request.form.get("words", ""))
        if words and current and len(match.seats) > 1:
            # Stored with the move, so that the mails about it include the message.
            messages.store(ctx, match, found.holder, words, sent)
    return _redirect_to_result(found, token, sent, current=current)


@pages.post("/m/<token>/preview")
def preview_typed(token: str) -> ResponseReturnValue:
    """Show the preview of a typed move at an address of its own, if the text fits into one."""
    typed = request.form.get("move", "").strip()
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
        if not csrf.is_valid(f"{RESIGN_COMMAND} {token}"):
            return _resign_page(token, match, possible=possible, wrong=_(csrf.OLD_FORM)), 400
        if not possible:
            return redirect(url_for("turn.seat", token=token), 303)
        sent = queue.send_move(ctx, found, queue.LINK, found.ply, RESIGN_COMMAND)
    return _redirect_to_result(found, token, sent, current=True)


@pages.post("/m/<token>/fresh")
def fresh_link(token: str) -> ResponseReturnValue:
    """Mail a link that works now to the seat's own address."""
    with transaction() as ctx:
        found, match = find_seat(ctx, token)
        if not csrf.is_valid(f"fresh {token}"):
            if match.seed is None:
                return redirect(url_for("turn.seat", token=token), 303)
            return _earlier_page(ctx, found, match, token, wrong=_(csrf.OLD_FORM)), 400
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
        named=drawing.named(view["board"], own, facts["suggestions"]),
        reasons=drawing.reasons(view["board"], facts["names"], own, facts["suggestions"]),
        legend=drawing.legend,
        goal=drawing.goal(view["board"]),
        choosing=choosing,
        **move_choices.template_facts(course, own, view["board"], choosing, token),
        listed=view["moves"] if view["moves_are_all"] and not single else [],
        typed=typed,
        longest_move=queue.MAX_MOVE_CHARS,
        wrong=descriptions.shorten_refusal(near, wrong),
        started=begun,
        near=near,
        **facts,
    )


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
    except GameError as refused:
        wrong = _mail_command_hint(course.match, typed) or refusal_text(refused)
        return _turn_page(ctx, course, found, token, typed=typed, wrong=wrong)
    page = render_template(
        "seat/preview.html",
        token=token,
        preview=preview,
        game=GAMES[course.match.game],
        match=course.match,
        names=names,
        you=own,
        events=descriptions.log_sentences(course.match.game, preview.news, names, own),
        brings=descriptions.move_effects(
            course.match.game, course.game.board(course.position, own), names, own, preview.move
        ),
        ending=descriptions.ending_by_move(result(preview.outcome, "finished", (), len(names)), names, own)
        if preview.outcome
        else "",
        wrong=wrong,
        words=request.form.get("words", ""),
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
    facts = outbox.position_facts(ctx, course, found.holder)
    names = tuple(facts["names"])
    return {
        "match": course.match,
        "game": GAMES[course.match.game],
        "view": facts["view"],
        "names": names,
        "you": found.holder.seat,
        "suggestions": facts["suggestions"],
        "due": turn_deadlines.due_or_overdue(ctx, course.match, found.holder.seat),
        "ends": turn_deadlines.grace_end(ctx, course.match, found.holder.seat),
        "zone": found.holder.player.time_zone,
        "events": descriptions.log_sentences(course.match.game, facts["news"], names, found.holder.seat),
        "crib": drawing_for(course.match.game).crib,
        "planned": plan_store.is_scheduled(ctx, course.match, found.holder),
        "latest": conversation.visible_messages(ctx, course.match, found.holder, MAX_CHAT_MESSAGES),
        "longest": messages.MAX_CHARS,
        "proposals": agreements.open_proposals(ctx, course.match, found.holder),
        "held": held_moves.find_held(ctx, found.holder, ctx.now),
    }


# -- result ----------------------------------------------------------------------------------------


def _redirect_to_result(found: Token, token: str, sent: str, *, current: bool) -> ResponseReturnValue:
    """Redirect to the page that shows the verdict on a submission."""
    # Only a link that was current leads on to the next turn.
    was = csrf.proof(f"{found.holder_id} {sent}") if current else None
    return redirect(url_for("turn.seat", token=token, sent=sent, was=was), 303)


def _result_page(ctx: Context, found: Token, match: Match, token: str) -> ResponseReturnValue:
    sent = request.args["sent"]
    row = ctx.session.get(Submission, sent)
    verdict = queue.find_status(ctx, sent)
    if row is None or verdict is None or row.holder_id != found.holder_id or row.via == queue.CHAT:
        return redirect(url_for("turn.seat", token=token))
    if verdict.status == "pending":
        if row.hold_until:
            facts = {"held": row, "zone": row.holder.player.time_zone, "token": token}
            return render_template("seat/held_move.html", match=match, game=GAMES[match.game], text=row.text, **facts)
        waiting = (ctx.now - row.received_at).total_seconds()
        again = reload_seconds(row.received_at, ctx.now)
        return render_template(
            "seat/pending.html", match=match, game=GAMES[match.game], text=row.text, waiting=waiting, reload_after=again
        )
    # The match was read before the verdict, so it may be older.
    ctx.session.refresh(match)
    current = tokens.is_current(ctx, found, match)
    if verdict.status == "rejected" and current and _is_to_move(found, match):
        return _turn_page(ctx, load_match(ctx, match), found, token, typed=row.text or "", wrong=verdict.reason or "")
    course = load_match(ctx, match)
    proven = csrf.is_valid_proof(request.args.get("was", ""), f"{row.holder_id} {sent}", csrf.PROOF_SECONDS)
    trusted = proven or current
    mover = _seat_to_move(ctx, match, found.holder)
    names = player_names(ctx, match)
    is_private = proven or tokens.is_of_current_stage(found, match)
    view = render_view(course, Seat(found.holder.seat) if is_private else Eye.PUBLIC, names)
    return render_template(
        "seat/sent.html",
        match=match,
        game=GAMES[match.game],
        verdict=verdict,
        text=row.text,
        command=row.text == RESIGN_COMMAND,
        go_on=turn_page(ctx, match, mover) if mover and trusted else None,
        # The link by which the move came is spent.
        seat_token=dashboard.link_token(ctx, match, found.holder)
        if match.state == MatchState.RUNNING and trusted
        else None,
        your_turn=mover is not None,
        token=token,
        names=names,
        you=found.holder.seat,
        view=view,
        events=descriptions.log_sentences(match.game, _log_since(course, view["log"], found.ply), names),
    )


def _seat_to_move(ctx: Context, match: Match, holder: SeatHolder) -> SeatHolder | None:
    """Return the seat of a seat's player that is to move: the same one, or another in a practice match."""
    if match.state != MatchState.RUNNING:
        return None
    own = holders(ctx, match) if match.forked_from_id else [holder]
    to_move = [one for one in own if one.player_id == holder.player_id and one.seat in match.to_move]
    return holder if holder in to_move else next(iter(to_move), None)


def _earlier_page(ctx: Context, found: Token, match: Match, token: str, wrong: str = "") -> str:
    """Render what happened since a link's turn, to its seat only until the stage is over; a fresh link goes by mail."""
    course = load_match(ctx, match)
    names = player_names(ctx, match)
    current = tokens.is_current(ctx, found, match)
    own = Seat(found.holder.seat) if tokens.is_of_current_stage(found, match) else None
    view = render_view(course, own or Eye.PUBLIC, names)
    return render_template(
        "seat/earlier_link.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        names=names,
        you=own,
        view=view,
        events=descriptions.log_sentences(match.game, _log_since(course, view["log"], found.ply), names),
        your_turn=match.state == MatchState.RUNNING and found.holder.seat in match.to_move,
        present=own is not None,
        current=current,
        awaited=spectating.awaited_players(ctx, match, names) if own else [],
        zone=found.holder.player.time_zone,
        name=found.holder.name,
        proposals=agreements.open_proposals(ctx, match, found.holder) if current else [],
        wrong=wrong,
    )


def _log_since(course: LoadedMatch, log: list[Any], ply: int) -> list[Any]:
    """Return the entries of a view's log from a ply on; each entry is one move that was not taken back."""
    return log[sum(move.ply < ply for move in effective_moves(course.log)) :]


# -- resigning --------------------------------------------------------------------------------------


def _resign_page(token: str, match: Match, *, possible: bool, wrong: str = "") -> str:
    return render_template(
        "seat/resign.html", token=token, match=match, game=GAMES[match.game], possible=possible, wrong=wrong
    )


def _is_to_move(found: Token, match: Match) -> bool:
    return match.state == MatchState.RUNNING and found.holder.seat in match.to_move
