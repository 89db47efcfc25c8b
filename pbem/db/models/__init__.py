"""Database models: people, matches and their logs, incoming submissions, and outgoing mail."""

from pbem.db.models.accounts import (
    ApiKey,
    Feed,
    LoginSession,
    Passkey,
    PushMessage,
    PushSubscription,
    SignInLink,
    Webhook,
    WebhookDelivery,
)
from pbem.db.models.base import Base
from pbem.db.models.events import DealSet, Entrant, Event, EventMatch, LadderChallenge
from pbem.db.models.incoming import ImapCursor, RateLimitWindow, ServiceMail, Submission
from pbem.db.models.matches import (
    AbuseReport,
    ChatMessage,
    ClockPause,
    Deadline,
    LogEntry,
    Match,
    MatchSeat,
    MoveTiming,
    Offer,
    Plan,
    SeatHolder,
    Token,
    Vote,
)
from pbem.db.models.operating import AuditLogEntry, Ban, Operator
from pbem.db.models.outgoing import BounceReport, DomainBackoff, OutboxMessage, Suppression
from pbem.db.models.people import Address, Avoidance, InvitationBlock, Mute, Player, PrivateNote
from pbem.db.models.ratings import PlayerRating, RatingChange
from pbem.db.models.replays import Animation, Comment, Statistic
from pbem.db.models.robots import Analysis, Thought
from pbem.db.models.service import Heartbeat, MetricValue, Restore

__all__ = [
    "AbuseReport",
    "Address",
    "Analysis",
    "Animation",
    "ApiKey",
    "AuditLogEntry",
    "Avoidance",
    "Ban",
    "Base",
    "BounceReport",
    "ChatMessage",
    "ClockPause",
    "Comment",
    "Deadline",
    "DealSet",
    "DomainBackoff",
    "Entrant",
    "Event",
    "EventMatch",
    "Feed",
    "Heartbeat",
    "IdempotencyKey",
    "ImapCursor",
    "InvitationBlock",
    "LadderChallenge",
    "LogEntry",
    "LoginSession",
    "Match",
    "MatchSeat",
    "MetricValue",
    "MoveTiming",
    "Mute",
    "Offer",
    "Operator",
    "OutboxMessage",
    "Passkey",
    "Plan",
    "Player",
    "PlayerEvent",
    "PlayerRating",
    "PrivateNote",
    "PushMessage",
    "PushSubscription",
    "RateLimitWindow",
    "RatingChange",
    "Restore",
    "SeatHolder",
    "ServiceMail",
    "SignInLink",
    "Statistic",
    "Submission",
    "Suppression",
    "Thought",
    "Token",
    "Vote",
    "Webhook",
    "WebhookDelivery",
]
