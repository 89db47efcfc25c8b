"""A player's finished matches in the form in which BG Stats, an app that keeps plays of board games, adds a play.

Its fields and the link are those of https://www.bgstatsapp.com/support/push-plays-to-bg-stats-from-other-apps-or-websites/.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from sqlalchemy import bindparam, func, select, tuple_

from pbem.db import conditions
from pbem.db.models import LogEntry, Match, SeatHolder
from pbem.games import GAMES
from pbem.play.matches import withheld
from pbem.states import MatchState
from pbem.time_format import load_zone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pbem.play.core.context import Context

PLAYS_PER_PAGE = 20
"""Number of plays per page."""
LINK = "https://app.bgstatsapp.com/createPlay.html?data="
"""The link that opens the app, before the play as URL-encoded JSON."""
ENDINGS = frozenset({"finished", "resigned", "timed_out", "agreed"})
"""Endings of matches that were played; others have no result to keep."""

_PLAYS = (
    select(Match)
    .join(SeatHolder, SeatHolder.match_id == Match.id)
    .where(
        SeatHolder.player_id == bindparam("player"),
        SeatHolder.left_at.is_(None),
        Match.state == conditions.member(MatchState.OVER),
        Match.seed.is_not(None),
        Match.result["ending"].astext.in_(ENDINGS),
        Match.imported_at.is_(None),
        Match.forked_from_id.is_(None),
        withheld.SHOWS_TABLE,
    )
    .order_by(Match.ended_at.desc(), Match.id.desc())
    .limit(PLAYS_PER_PAGE + 1)
)
_PLAYS_BEFORE = _PLAYS.where(
    tuple_(Match.ended_at, Match.id) < tuple_(bindparam("ended_at", type_=Match.ended_at.type), bindparam("match"))
)
_NAMES = select(SeatHolder.match_id, SeatHolder.seat, SeatHolder.name).where(
    conditions.is_any_of(SeatHolder.match_id, "matches"), SeatHolder.left_at.is_(None)
)
_FIRST = (
    select(LogEntry.match_id, func.min(LogEntry.number))
    .where(conditions.is_any_of(LogEntry.match_id, "matches"), LogEntry.move.is_not(None))
    .group_by(LogEntry.match_id)
)
_FIRST_MOVES = select(LogEntry.match_id, LogEntry.seat).where(tuple_(LogEntry.match_id, LogEntry.number).in_(_FIRST))


@dataclass(frozen=True, slots=True)
class Play:
    """A finished match of a player; `data` is what the app adds."""

    match: str
    game: str
    ended_at: datetime
    result: Mapping[str, Any]
    names: Mapping[int, str]
    data: Mapping[str, Any]

    @property
    def link(self) -> str:
        """The link that opens the app with this play."""
        return LINK + quote(json.dumps(self.data, ensure_ascii=False, separators=(",", ":")), safe="")


def list_plays(ctx: Context, player: int, zone: str, before: tuple[datetime, str] | None = None) -> list[Play]:
    """List a player's finished matches, newest first, from before an end time and match id; one more than a page."""
    values: dict[str, Any] = {"player": player}
    if before:
        values |= {"ended_at": before[0], "match": before[1]}
    matches = ctx.session.scalars(_PLAYS_BEFORE if before else _PLAYS, values).all()
    ids = {"matches": [match.id for match in matches]}
    names: dict[str, dict[int, str]] = {match.id: {} for match in matches}
    for match_id, seat, name in ctx.session.execute(_NAMES, ids):
        names[match_id][seat] = name
    began = {row.match_id: row.seat for row in ctx.session.execute(_FIRST_MOVES, ids)}
    return [_play(ctx, match, names[match.id], began.get(match.id), zone) for match in matches]


def play_data(
    game: str, match: str, result: Mapping[str, Any], names: Mapping[int, str], *, began: int | None, played: str
) -> dict[str, Any]:
    """Return a play as the app reads it: `played` is when, `began` the seat that moved first.

    A match that did not end by the rules has no points.
    """
    points = {int(seat): score for seat, score in (result["scores"] or {}).items()}
    winners = result["winners"]
    return {
        "sourceName": "pbem",
        "sourcePlayId": match,
        "playDate": played,
        "game": {
            "name": GAMES[game].name if game in GAMES else game,
            "sourceGameId": game,
            "highestWins": all(points[seat] == max(points.values()) for seat in winners) if points else True,
            "noPoints": not points,
        },
        "players": [
            {
                "name": name,
                "sourcePlayerId": name,
                "winner": seat in winners,
                "startPlayer": seat == began,
                **({"score": points[seat]} if points else {}),
            }
            for seat, name in sorted(names.items())
        ],
    }


def _play(ctx: Context, match: Match, names: dict[int, str], began: int | None, zone: str) -> Play:
    ended, result = match.ended_at or ctx.now, match.result or {}
    played = ended.astimezone(load_zone(zone)).strftime("%Y-%m-%d %H:%M:%S")
    data = play_data(match.game, match.id, result, names, began=began, played=played)
    return Play(match.id, match.game, ended, result, names, data)
