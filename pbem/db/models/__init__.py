"""The tables: people, matches and their logs, what was sent in, and what is owed to whom."""

from pbem.db.models.base import Base
from pbem.db.models.incoming import Allowance, Letter, Poll, Submission
from pbem.db.models.matches import Holder, LogEntry, Match, MatchSeat, Message, Token
from pbem.db.models.outgoing import Domain, Failure, Notice, Suppression
from pbem.db.models.people import Address, Player
from pbem.db.models.service import Pulse

__all__ = [
    "Address",
    "Allowance",
    "Base",
    "Domain",
    "Failure",
    "Holder",
    "Letter",
    "LogEntry",
    "Match",
    "MatchSeat",
    "Message",
    "Notice",
    "Player",
    "Poll",
    "Pulse",
    "Submission",
    "Suppression",
    "Token",
]
