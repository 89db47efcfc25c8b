"""Stored plans of players: added to, followed as the match goes on, and removed.

Nobody but the player ever learns that there is a plan; its moves look like any others.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select

from pbem.db.models import Plan, SeatHolder
from pbem.games import IllegalMove, InvalidMove, Seat, typed_text
from pbem.games.chain import EventEntry, MoveEntry
from pbem.games.record import effective_moves
from pbem.i18n import _, marked, use_locale
from pbem.play.conditional_moves import matching, parser, plans
from pbem.play.core import match_features

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pbem.db.models import Match
    from pbem.games import Move
    from pbem.play.core.context import Context
    from pbem.play.matches.match_state import LoadedMatch

DROPPED_BY_TAKEBACK = marked("A move was taken back.")
DROPPED_BY_OTHER_MOVE = marked("You played something else.")
"""Reasons for dropping lines without matching them."""


def current(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> plans.Plan:
    """Return the current plan of a player, without changing anything."""
    return _bring_up_to_date(course, holder, _row(ctx, holder)).plan


def grammar_for(course: LoadedMatch, holder: SeatHolder) -> parser.Grammar:
    """Return the grammar of a player's plan."""
    game, seat = course.game, Seat(holder.seat)
    view = game.view(course.position, seat)

    def canonical(text: str) -> str:
        if seat in view.to_move:
            try:
                return game.read(course.position, seat, text)
            except IllegalMove:
                return game.meant(course.position, seat, text)
            except InvalidMove:
                pass
        line = game.foresight.spelled(typed_text.fold(text[: typed_text.MAX_LENGTH], game.arrow))
        known = game.foresight.wished(view, line) or game.ahead(course.position, seat, text)
        if known is None:
            raise InvalidMove("“{move}” does not look like a move of {game}.", move=text, game=game.name)
        return known

    return parser.Grammar(partial(game.meets, view), canonical, game.policies)


def add_lines(
    ctx: Context, course: LoadedMatch, holder: SeatHolder, lines: Sequence[str], *, anew: bool = False
) -> plans.Plan:
    """Add lines to a player's plan, or replace it (`anew`); returns the plan as understood.

    Raises PlanError with a sentence, and then changes nothing. The caller has locked the match, and afterwards checks
    again whether the service plays for the seat.
    """
    understood = parser.parse(lines, grammar_for(course, holder))
    old = _bring_up_to_date(course, holder, _row(ctx, holder))
    plan = understood if anew else plans.merged(old.plan, understood)
    # The first lines are about turns after the current stage, later ones about the same turns as the lines beside them.
    _store(ctx, holder, plan, (old.stage, old.length) if old.plan.lines else _stage_and_length(course))
    return plan


def remove(ctx: Context, course: LoadedMatch, holder: SeatHolder, number: str = "") -> plans.Plan:
    """Remove a line of a plan, or the whole plan; raises PlanError if there is no such line."""
    old = _bring_up_to_date(course, holder, _row(ctx, holder))
    plan = plans.without(old.plan, number) if number else plans.Plan()
    _store(ctx, holder, plan, (old.stage, old.length))
    return plan


def next_move(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> Move | None:
    """Return the move that a plan has for a seat now, or None, without changing anything."""
    row = _row(ctx, holder)
    return _next_step(course, holder, row)[0].move if row else None


def advance(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> None:
    """Advance a plan, because the service is about to play for its seat in this position."""
    if row := _row(ctx, holder):
        step, old = _next_step(course, holder, row)
        row.dropped_reasons = _join(row.dropped_reasons, step.missed)
        _store(ctx, holder, step.plan, _stage_and_length(course) if step.move else (old.stage, old.length))


def turn_facts(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts about a plan for the turn mail: why it has no move now. Drops the lines that do not fit."""
    row = _row(ctx, holder)
    if row is None:
        return {}
    step, old = _next_step(course, holder, row)
    missed, row.dropped_reasons = _join(row.dropped_reasons, step.missed), ""
    plan = old.plan if step.move else step.plan
    _store(ctx, holder, plan, (old.stage, old.length))
    return ({"missed": missed} if missed else {}) | ({"plan": plans.facts(plan)} if plan else {})


def facts(ctx: Context, course: LoadedMatch, holder: SeatHolder) -> dict[str, Any]:
    """Return the facts about a player's plan for any other mail."""
    plan = current(ctx, course, holder)
    return {"plan": plans.facts(plan)} if plan else {}


def examples(course: LoadedMatch, holder: SeatHolder) -> list[str]:
    """List example lines for a plan in this match, with its own conditions, moves and policies."""
    game, seat = course.game, Seat(holder.seat)
    view = game.view(course.position, seat)
    move = next(iter(game.suggest(course.position, seat)), "…") if seat in view.to_move else "…"
    lines = [f"if {condition}: {move}" for condition in game.conditions(view)[:2]]
    return [*lines, f"when I can: {move}", *(f"always {order}" for order in [*game.policies][-1:])]


def delete_all(ctx: Context, match: Match) -> None:
    """Delete all plans of a match, which is over."""
    holders = select(SeatHolder.id).where(SeatHolder.match_id == match.id)
    ctx.session.execute(delete(Plan).where(Plan.holder_id.in_(holders)))


@dataclass(frozen=True, slots=True)
class _Progress:
    """A plan after the moves since it was stored; `answered` is whether another seat has moved since."""

    plan: plans.Plan
    stage: int
    length: int
    missed: str = ""
    answered: bool = False


def _bring_up_to_date(course: LoadedMatch, holder: SeatHolder, row: Plan | None) -> _Progress:
    """Bring a plan up to date: moves made by hand follow or leave its lines, and a takeback drops it."""
    here = _stage_and_length(course)
    if row is None:
        return _Progress(plans.Plan(), *here)
    plan, stage, length, answered = plans.from_data(row.lines), row.stage, row.log_length, False
    if any(isinstance(entry, EventEntry) and entry.event == "taken_back" for entry in course.log[length:]):
        return _Progress(plans.Plan(), *here, _(DROPPED_BY_TAKEBACK) if plan else "")
    lengths = {entry.ply: at for at, entry in enumerate(course.log, 1) if isinstance(entry, MoveEntry)}
    for (seat, at), played in zip(course.turns, effective_moves(course.log), strict=True):
        if seat != holder.seat:
            answered = answered or lengths[played.ply] > length
        elif at > stage and answered and plan.lines:
            stage, length, answered = at, lengths[played.ply], False
            kept = matching.after_own_move(plan, played.move)
            if kept is None:
                return _Progress(replace(plan, lines=()), stage, length, _(DROPPED_BY_OTHER_MOVE))
            plan = kept
    return _Progress(plan, stage, length, answered=answered)


def _next_step(course: LoadedMatch, holder: SeatHolder, row: Plan) -> tuple[matching.Step, _Progress]:
    """Choose the next move of a plan, with its messages in the player's language."""
    game, seat = course.game, Seat(holder.seat)
    view = game.view(course.position, seat)
    with use_locale(holder.player.language):
        old = _bring_up_to_date(course, holder, row)
        turn = matching.Turn(
            partial(game.meets, view),
            partial(game.read, course.position, seat),
            partial(game.follow, view),
            concerned=game.stage(course.position) > old.stage,
            answered=old.answered,
        )
        step = matching.next_step(old.plan, turn)
        return replace(step, missed=_join(old.missed, step.missed)), old


def _join(*sentences: str) -> str:
    return " ".join(filter(None, sentences))


def _stage_and_length(course: LoadedMatch) -> tuple[int, int]:
    return course.game.stage(course.position), len(course.log)


def _row(ctx: Context, holder: SeatHolder) -> Plan | None:
    return ctx.session.get(Plan, holder.id) if match_features.load(ctx, holder.match_id).plans else None


def _store(ctx: Context, holder: SeatHolder, plan: plans.Plan, upto: tuple[int, int]) -> None:
    """Store a plan, followed up to a stage and log length; delete the row if there is neither a plan nor a message."""
    row = _row(ctx, holder)
    if row is None and plan:
        row = Plan(holder_id=holder.id, dropped_reasons="", created_at=ctx.now)
        ctx.session.add(row)
    if row is None:
        return
    row.lines, (row.stage, row.log_length) = plans.to_data(plan), upto
    if not plan and not row.dropped_reasons:
        ctx.session.delete(row)
    ctx.session.flush()
