"""Database models: people, matches and their logs, incoming submissions, and outgoing mail."""

from pbem.db.models.accounts import ApiKey, Call, Feed, Passkey, SignIn, Visit, Webhook
from pbem.db.models.base import Base
from pbem.db.models.counts import Count
from pbem.db.models.incoming import Allowance, Letter, Poll, Submission
from pbem.db.models.matches import (
    Deadline,
    Holder,
    LogEntry,
    Match,
    MatchSeat,
    Message,
    Offer,
    Plan,
    Report,
    Standstill,
    Token,
    Turn,
    Vote,
)
from pbem.db.models.operating import Audit, Ban, Operator
from pbem.db.models.outgoing import Domain, Failure, Notice, Suppression
from pbem.db.models.people import Address, Declining, Mute, Player
from pbem.db.models.pictures import Animation
from pbem.db.models.replays import Comment, Statistic
from pbem.db.models.service import Pulse, Restoration

__all__ = [
    "Address",
    "Allowance",
    "Animation",
    "ApiKey",
    "Audit",
    "Ban",
    "Base",
    "Call",
    "Comment",
    "Count",
    "Deadline",
    "Declining",
    "Domain",
    "Failure",
    "Feed",
    "Holder",
    "Letter",
    "LogEntry",
    "Match",
    "MatchSeat",
    "Message",
    "Mute",
    "Notice",
    "Offer",
    "Operator",
    "Passkey",
    "Plan",
    "Player",
    "Poll",
    "Pulse",
    "Report",
    "Restoration",
    "SignIn",
    "Standstill",
    "Statistic",
    "Submission",
    "Suppression",
    "Token",
    "Turn",
    "Visit",
    "Vote",
    "Webhook",
]
