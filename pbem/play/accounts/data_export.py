"""Personal data export: everything stored about a player, except what they must not know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import or_, select, true

from pbem.db.models import (
    AbuseReport,
    Address,
    Analysis,
    ApiKey,
    Avoidance,
    Ban,
    Base,
    ChatMessage,
    ClockPause,
    Comment,
    Entrant,
    KeptLine,
    LadderChallenge,
    LogEntry,
    LoginSession,
    Match,
    MatchSeat,
    Mute,
    Offer,
    OutboxMessage,
    Passkey,
    Plan,
    Player,
    PlayerEvent,
    PlayerRating,
    PrivateNote,
    PushSubscription,
    RatingChange,
    SeatHolder,
    ServiceMail,
    Submission,
    Suppression,
    Vote,
    Webhook,
)
from pbem.play.accounts import operator_history
from pbem.play.archive import player_statistics, records, statistics
from pbem.play.core import message_kinds
from pbem.play.core.context import timestamp, to_milliseconds
from pbem.play.matches import withheld
from pbem.play.players import suppressions, unsubscribes
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import ColumnElement, Select

    from pbem.games import Json
    from pbem.play.core.context import Context

FORMAT = "pbem-export/1"
_EXCLUDED_COLUMNS = frozenset({"hash", "secret", "public_key", "player_id", "raw", "idempotency_key"})
"""Columns that are never exported: credentials, and values without meaning to people."""

_PEOPLE = frozenset({"challenger_id", "challenged_id"})
"""Columns of challenges that would number other people."""


def build(ctx: Context, player: int) -> dict[str, Any]:
    """Return the account, the settings, and everything that a player did and said, as JSON data."""
    me = ctx.session.get_one(Player, player)
    seats = select(SeatHolder.id).where(SeatHolder.player_id == player)

    def rows(model: type[Base], *which: ColumnElement[bool], without: Collection[str] = ()) -> list[Any]:
        # By time of receipt where ids are not chronological.
        columns = model.__table__.columns
        order = [columns["received_at"]] if "received_at" in columns else []
        ordered = select(model).where(*which).order_by(*order, *model.__table__.primary_key.columns)  # type: ignore[attr-defined]
        return [_row_data(row, without) for row in ctx.session.scalars(ordered)]

    muted = select(Player.name).join(Mute, Mute.muted_id == Player.id).where(Mute.player_id == player)
    return {
        "format": FORMAT,
        "made": timestamp(ctx.now),
        "account": _row_data(me),
        "addresses": [one | _suppression(ctx, one["email"]) for one in rows(Address, Address.player_id == player)],
        "shut_out": rows(Ban, Ban.player_id == player, without={"id"}),
        "done_by_operators": operator_history.list_acts(ctx, player),
        "browsers": rows(LoginSession, LoginSession.player_id == player),
        "passkeys": rows(Passkey, Passkey.player_id == player, without={"id"}),
        "api_keys": rows(ApiKey, ApiKey.player_id == player),
        "events": rows(PlayerEvent, PlayerEvent.player_id == player, without={"id", "xid"}),
        "devices": rows(
            PushSubscription,
            PushSubscription.player_id == player,
            without={"id", "login_session_id", "endpoint", "signed_by"},
        ),
        "webhooks": rows(Webhook, Webhook.holder_id.in_(seats)),
        "absences": rows(ClockPause, ClockPause.player_id == player, without={"id", "match_id", "domain"}),
        "avoided": rows(Avoidance, Avoidance.player_id == player, without={"id", "avoided_id"}),
        "noted": rows(PrivateNote, PrivateNote.player_id == player, without={"id", "about_id"}),
        "kept_lines": rows(KeptLine, KeptLine.player_id == player, without={"id"}),
        "muted": list(ctx.session.scalars(muted.order_by(Player.name))),
        "matches": list(_matches(ctx, player)),
        "statistics": _statistics(ctx, player),
        "analyses": rows(
            Analysis, Analysis.asked_by == player, without={"asked_by", "due_at", "claimed_at", "attempts", "work"}
        ),
        "entries": rows(Entrant, Entrant.player_id == player),
        "challenged": rows(LadderChallenge, LadderChallenge.challenger_id == player, without=_PEOPLE),
        "was_challenged": rows(LadderChallenge, LadderChallenge.challenged_id == player, without=_PEOPLE),
        "ratings": rows(PlayerRating, PlayerRating.player_id == player),
        "rated": rows(RatingChange, RatingChange.player_id == player),
        "planned": rows(Plan, Plan.holder_id.in_(seats)),
        "said": rows(ChatMessage, ChatMessage.holder_id.in_(seats)),
        "commented": rows(Comment, Comment.holder_id.in_(seats)),
        "voted": rows(Vote, Vote.holder_id.in_(seats)),
        "reported": rows(
            AbuseReport, AbuseReport.reporter_id.in_(seats), without={"reported_holder_id", "reported_text"}
        ),
        "sent": rows(Submission, Submission.holder_id.in_(seats)),
        "letters": rows(ServiceMail, ServiceMail.sender.in_(_select_addresses(player))),
        "mails": rows(
            OutboxMessage,
            *notification_filter(player),
            without={"render_data", "render_preferences", "return_path_hash", "shard"},
        ),
    }


def notification_filter(player: int) -> tuple[ColumnElement[bool], ...]:
    """Return the filter for a player's notifications: about a seat of theirs, or to their address and about no seat."""
    seats = select(SeatHolder.id).where(SeatHolder.player_id == player)
    alone = (
        OutboxMessage.holder_id.is_(None)
        & OutboxMessage.recipient.in_(_select_addresses(player))
        & OutboxMessage.kind.not_in(message_kinds.names(lambda rules: rules.is_for_operators))
    )
    return (or_(OutboxMessage.holder_id.in_(seats), alone),)


def raw_mails(ctx: Context, player: int) -> Iterator[bytes]:
    """Yield the raw mails that a player sent to the service, as far as they are stored."""
    seats = select(SeatHolder.id).where(SeatHolder.player_id == player)
    sent = select(Submission.raw).where(Submission.holder_id.in_(seats), Submission.raw.is_not(None))
    yield from (raw for raw in ctx.session.scalars(sent.order_by(Submission.received_at, Submission.id)) if raw)
    mails = select(ServiceMail.raw).where(ServiceMail.sender.in_(_select_addresses(player)))
    yield from ctx.session.scalars(mails.order_by(ServiceMail.id))


def match_records(ctx: Context, player: int) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yield the id and record of each finished match in which a player sat, except forks."""
    sat = select(SeatHolder.match_id).where(SeatHolder.player_id == player)
    finished = (
        Match.id.in_(sat),
        Match.state == MatchState.OVER,
        Match.seed.is_not(None),
        Match.forked_from_id.is_(None),
        withheld.SHOWS_RECORD,
    )
    matches = ctx.session.scalars(select(Match).where(*finished).order_by(Match.id))
    yield from ((match.id, records.build_record(ctx, match).data()) for match in matches)


def _matches(ctx: Context, player: int) -> Iterator[dict[str, Any]]:
    """Yield each seat that a player has or had: the match, and what they did there."""
    wanted = (
        select(SeatHolder, Match, MatchSeat)
        .join(Match, SeatHolder.match_id == Match.id)
        .join(MatchSeat, (MatchSeat.match_id == Match.id) & (MatchSeat.seat == SeatHolder.seat))
        .where(SeatHolder.player_id == player)
        .order_by(SeatHolder.id)
    )
    for holder, match, seat in ctx.session.execute(wanted):
        # Only while they held the seat.
        since = LogEntry.logged_at >= to_milliseconds(holder.seated_at)
        until = LogEntry.logged_at <= holder.left_at if holder.left_at else true()
        log = select(LogEntry).where(LogEntry.match_id == match.id, LogEntry.seat == holder.seat, since, until)
        entries = list(ctx.session.scalars(log.order_by(LogEntry.number)))
        from_start = match.started_at is None or holder.seated_at <= match.started_at
        yield {
            "match": match.id,
            "game": match.game,
            "options": match.options,
            "public": match.public,
            "clock": match.time_control,
            "rated": match.rated,
            "plays_on_from": match.forked_from_id and {"match": match.forked_from_id, "step": match.forked_step},
            "state": match.state,
            "created_at": timestamp(match.created_at),
            "started_at": _plain_value(match.started_at),
            "ended_at": _plain_value(match.ended_at),
            "result": match.result,
            "host": match.host_id == player,
            "words": match.invitation_text if match.host_id == player else None,
            # A player who joined later has added nothing to the deal.
            "text_for_the_deal": seat.entropy if from_start else None,
            "seat": _row_data(holder, {"match_id", "generation"}),
            "moves": [
                {"ply": one.ply, "move": one.move, "at": timestamp(one.logged_at)} for one in entries if one.move
            ],
            "proposed": [one.kind for one in ctx.session.scalars(_select_offers(match, holder))],
            "acts": [{"event": one.event, "at": timestamp(one.logged_at)} for one in entries if one.event],
        }


def _suppression(ctx: Context, email: str) -> dict[str, Any]:
    """Return the active suppression of an address, if any, as the field `not_written_to`."""
    known = Suppression.hash == unsubscribes.address_hash(email), suppressions.is_active(ctx.now)
    row = ctx.session.scalar(select(Suppression).where(*known))
    return {"not_written_to": row and _row_data(row)}


def _statistics(ctx: Context, player: int) -> dict[str, Any] | None:
    found = statistics.for_player(ctx, player)
    return player_statistics.with_opponent_names(ctx, found.data) if found else None


def _select_offers(match: Match, holder: SeatHolder) -> Select[Any]:
    """Select the latest offers of a player who still sits in a match."""
    still = (
        SeatHolder.id == holder.id,
        SeatHolder.left_at.is_(None),
        Offer.match_id == match.id,
        Offer.seat == SeatHolder.seat,
    )
    return select(Offer).join(SeatHolder, SeatHolder.match_id == Offer.match_id).where(*still).order_by(Offer.kind)


def _select_addresses(player: int) -> Select[Any]:
    return select(Address.email).where(Address.player_id == player)


def _row_data(row: Base, without: Collection[str] = ()) -> dict[str, Any]:
    """Return a row as plain data, without credentials."""
    columns = (column.key for column in row.__table__.columns)
    return {name: _plain_value(getattr(row, name)) for name in columns if name not in {*_EXCLUDED_COLUMNS, *without}}


def _plain_value(value: Any) -> Any:
    return timestamp(value) if hasattr(value, "astimezone") else value
