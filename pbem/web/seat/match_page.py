"""A seat's page of its match while it waits for others, and once the match is over; and what an old link shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from flask import render_template, request, url_for

from pbem.db.models import Submission
from pbem.games import GAMES, Seat
from pbem.games.hidden import Eye
from pbem.games.record import effective_moves
from pbem.play.core import tokens
from pbem.play.deadlines import turn_deadlines
from pbem.play.lifecycle import agreements, rematches
from pbem.play.lifecycle.agreements import Participant
from pbem.play.matches import descriptions, share_keys, spectating, withheld
from pbem.play.matches.match_state import load_match
from pbem.play.matches.views import player_names, render_view
from pbem.play.offers.wording import TAKEBACK
from pbem.play.submissions import queue
from pbem.states import MatchState
from pbem.web.common import own_seat, par_part

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match, Token
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch
    from pbem.play.matches.spectating import AwaitedPlayer

RELOAD_SECONDS = 30
"""Seconds after which the page reloads itself, for players without scripts who ask for that."""
MAX_LINES = 4
"""Maximum sentences in the note about a move; of more, the first and the last ones."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What became of a move that was just sent, and the sentences of what happened since; `refused` is why, if so."""

    move: str
    status: str
    refused: str = ""
    lines: Sequence[str] = ()
    may_take_back: bool = False


def render(ctx: Context, course: LoadedMatch, found: Token, token: str, facts: dict[str, Any], wrong: str = "") -> str:
    """Render a seat's page of a match that waits for others, or is over; `facts` are those of the turn's page too."""
    match, running = course.match, course.match.state == MatchState.RUNNING
    return render_template(
        "seat/match.html",
        token=token,
        running=running,
        your_turn=running and found.holder.seat in match.to_move,
        mark=spectating.seat_version(ctx, match) if running else "",
        reload=RELOAD_SECONDS if "reload" in request.args else 0,
        awaited=_awaited_players(ctx, match, facts["names"]) if running else [],
        next_game=own_seat.next_game(ctx, match, found.holder),
        again=not running and rematches.is_possible(ctx, match),
        shared=None if match.public else share_keys.shared_key(match),
        par=None if running else par_part.load(ctx, match, found.holder, url_for("par.own", token=token)),
        closed=withheld.explain(ctx, match, facts["zone"]) if withheld.hides_record(match) and not running else "",
        wrong=wrong,
        **facts,
    )


def render_earlier(
    ctx: Context, found: Token, match: Match, token: str, wrong: str = "", notice: Notice | None = None
) -> str:
    """Render what happened since a link's turn, to its seat only until the stage is over; a fresh link goes by mail."""
    own = Seat(found.holder.seat) if tokens.is_of_current_stage(found, match) else None
    if own is None and withheld.hides_table(match):
        return _render_closed(ctx, found, match, token, wrong, notice)
    course = load_match(ctx, match)
    names = player_names(ctx, match)
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
        awaited=_awaited_players(ctx, match, names) if own else [],
        zone=found.holder.player.time_zone,
        notice=notice,
        wrong=wrong,
    )


def _render_closed(
    ctx: Context, found: Token, match: Match, token: str, wrong: str = "", notice: Notice | None = None
) -> str:
    """Render the page of an old link of a table that is withheld: how to get a fresh one, and nothing of the match."""
    return render_template(
        "seat/earlier_link_closed.html",
        token=token,
        match=match,
        game=GAMES[match.game],
        sentence=withheld.explain(ctx, match, found.holder.player.time_zone),
        notice=notice,
        wrong=wrong,
    )


def find_notice(ctx: Context, match: Match, found: Token, events: Sequence[str]) -> Notice | None:
    """Return the notice about the move that the request names, if the seat's player sent it."""
    sent = request.args.get("after")
    row = ctx.session.get(Submission, sent) if sent else None
    if row is None or row.match_id != match.id or row.holder.player_id != found.holder.player_id:
        return None
    notice = build_notice(ctx, match, row)
    if notice is None or notice.status != "played":
        return notice
    lines = [*events[:1], *events[1:][1 - MAX_LINES :]]
    can_take_back = agreements.can_propose(Participant(ctx, match, found.holder), TAKEBACK)
    return replace(notice, lines=lines, may_take_back=can_take_back)


def build_notice(ctx: Context, match: Match, row: Submission) -> Notice | None:
    """Return the notice about a submission; None if it is no move, is not judged yet, or the match ended by it."""
    verdict = queue.find_status(ctx, row.id)
    if verdict is None or verdict.status == "pending" or row.via == queue.CHAT:
        return None
    if verdict.status == "played" and match.state == MatchState.OVER:
        return None
    return Notice(row.text or "", verdict.status, verdict.reason or "")


def _awaited_players(ctx: Context, match: Match, names: tuple[str, ...]) -> list[AwaitedPlayer]:
    return spectating.awaited_players(ctx, match, names, turn_deadlines.for_match(ctx, match))


def _log_since(course: LoadedMatch, log: list[Any], ply: int) -> list[Any]:
    """Return the entries of a view's log from a ply on; each entry is one move that was not taken back."""
    return log[sum(move.ply < ply for move in effective_moves(course.log)) :]
