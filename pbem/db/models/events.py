"""Events: leagues, ladders and fields with their entrants, and the deals that several matches share."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, ForeignKey, Identity, Index, SmallInteger
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column

from pbem.db.models.base import Base
from pbem.states import ChallengeState, DealSetKind, EntrantState, EventKind, EventState, MatchRole


class Event(Base):
    """A season of a league, a ladder, or a field, whose players have entered.

    A league of a game is the row of its seasons, counted by `season`; a ladder has one season that does not end, and a
    field is one too. People enter from `opens_at`; the groups are drawn at `draws_at`, the matches begin at
    `starts_at`; all are over by `ends_at`, and were at `ended_at`. `rules` counts up when the rules of new events
    change.
    """

    __tablename__ = "events"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    kind: Mapped[EventKind]
    game: Mapped[str]
    options: Mapped[dict[str, Any]]
    time_control: Mapped[str]
    season: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    rules: Mapped[int] = mapped_column(SmallInteger, server_default="1")
    state: Mapped[EventState] = mapped_column(server_default="open")
    opens_at: Mapped[datetime]
    draws_at: Mapped[datetime | None]
    starts_at: Mapped[datetime | None]
    ends_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("kind IN ('league', 'ladder', 'field')", name="kind"),
        CheckConstraint("state IN ('open', 'drawn', 'running', 'over')", name="state"),
        Index("uq_events_season", "kind", "game", "season", unique=True),
        Index("ix_events_unfinished", "kind", "game", postgresql_where=sql("state <> 'over'")),
    )


class Entrant(Base):
    """A player who has entered an event, under the name by which it lists them.

    `grp` is the number of their group, from 1; `place` their place on the ladder, held since `place_since`, or in their
    group once the season is over. `entropy` is what they typed for the deals of their matches. `stays` is whether they
    enter the next season too. `household` has hashes of the addresses of others at home, who are drawn into other
    groups. `left_at` is when they withdrew, or were withdrawn, and `left_reason` why; `losses_on_time` counts those in
    this event, on a ladder those since the last match that ended in time.
    """

    __tablename__ = "entrants"

    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"), primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"), primary_key=True)
    name: Mapped[str]
    state: Mapped[EntrantState] = mapped_column(server_default="entered")
    grp: Mapped[int | None] = mapped_column(SmallInteger)
    place: Mapped[int | None]
    place_since: Mapped[datetime | None]
    stays: Mapped[bool] = mapped_column(server_default="true")
    household: Mapped[list[str]] = mapped_column(server_default="{}")
    entropy: Mapped[str | None]
    losses_on_time: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    asked_at: Mapped[datetime | None]
    entered_at: Mapped[datetime]
    left_at: Mapped[datetime | None]
    left_reason: Mapped[str | None]

    __table_args__ = (
        CheckConstraint("state IN ('entered', 'withdrawn')", name="state"),
        Index("ix_entrants_player", "player_id"),
    )


class EventMatch(Base):
    """The match of an event, with the number of its group; `role` is whether its result counts there.

    `settled_at` is when a ladder has taken its result into account; `annulled_at` since when an operator lets it count
    for nothing.
    """

    __tablename__ = "event_matches"

    match_id: Mapped[str] = mapped_column(ForeignKey("matches.id"), primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    grp: Mapped[int | None] = mapped_column(SmallInteger)
    role: Mapped[MatchRole]
    settled_at: Mapped[datetime | None]
    annulled_at: Mapped[datetime | None]

    __table_args__ = (
        CheckConstraint("role IN ('counts', 'friendly')", name="role"),
        Index("ix_event_matches_event", "event_id", "grp"),
        Index("ix_event_matches_to_settle", "event_id", postgresql_where=sql("settled_at IS NULL")),
    )


class LadderChallenge(Base):
    """A challenge on a ladder, from an entrant to one above, with their places at that time.

    `reminded_at` is when the one challenged was reminded to answer. `match_id` is the match of one that was accepted;
    by it the challenger gained, and the one who was late lost, so many places.
    """

    __tablename__ = "ladder_challenges"

    id: Mapped[int] = mapped_column(BigInteger, Identity(), primary_key=True)
    event_id: Mapped[int] = mapped_column(ForeignKey("events.id"))
    challenger_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    challenged_id: Mapped[int] = mapped_column(ForeignKey("players.id", ondelete="CASCADE"))
    challenger_place: Mapped[int]
    challenged_place: Mapped[int]
    state: Mapped[ChallengeState] = mapped_column(server_default="offered")
    offered_at: Mapped[datetime]
    reminded_at: Mapped[datetime | None]
    answered_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    match_id: Mapped[str | None] = mapped_column(ForeignKey("matches.id"), index=True)
    places_gained: Mapped[int] = mapped_column(server_default="0")
    places_lost: Mapped[int] = mapped_column(server_default="0")

    __table_args__ = (
        CheckConstraint("state IN ('offered', 'accepted', 'declined', 'lapsed', 'taken_back', 'over')", name="state"),
        Index("ix_ladder_challenges_event", "event_id", "offered_at"),
        Index("ix_ladder_challenges_challenger", "challenger_id"),
        Index("ix_ladder_challenges_challenged", "challenged_id"),
        Index("ix_ladder_challenges_unfinished", "event_id", postgresql_where=sql("ended_at IS NULL")),
    )


class DealSet(Base):
    """A deal that several matches share: one secret and commitment, and the entropies of all seats of all of them.

    `seed` and `entropies` are None until the deal: at `starts_at`, or once all have accepted. `opened_at` is when its
    secret and all that was withheld of its matches became public: once all are over, or at `closes_at`. `week` counts
    the deals of the week; `people` took part in it, and `finished` of them played to the end, as counted last.
    """

    __tablename__ = "deal_sets"

    id: Mapped[str] = mapped_column(primary_key=True)
    kind: Mapped[DealSetKind]
    event_id: Mapped[int | None] = mapped_column(ForeignKey("events.id"), index=True)
    week: Mapped[int | None]
    game: Mapped[str]
    options: Mapped[dict[str, Any]]
    secret: Mapped[bytes]
    commitment: Mapped[bytes]
    entropies: Mapped[list[str] | None]
    seed: Mapped[bytes | None]
    created_at: Mapped[datetime]
    starts_at: Mapped[datetime | None]
    closes_at: Mapped[datetime | None]
    opened_at: Mapped[datetime | None]
    people: Mapped[int] = mapped_column(server_default="0")
    finished: Mapped[int] = mapped_column(server_default="0")

    __table_args__ = (
        CheckConstraint("kind IN ('there_and_back', 'field', 'week', 'imported')", name="kind"),
        Index("uq_deal_sets_week", "week", unique=True, postgresql_where=sql("week IS NOT NULL")),
        Index("ix_deal_sets_closed", "created_at", postgresql_where=sql("opened_at IS NULL")),
    )
