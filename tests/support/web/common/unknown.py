"""What tests of unknown share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from pbem.db.models import Match, SeatHolder
from pbem.play.core import tokens
from pbem.states import MatchState

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.support.house import House, Mail
NEVER = "0123456789abcdefghjkmnpqrs"


def mailbox(token: str) -> str:
    return f"play+{token}@games.localhost"


def reply_token(mail: Mail) -> str:
    return mail.reply_to.partition("+")[2].partition("@")[0]


@pytest.fixture
def dead(local: House) -> Mapping[str, tuple[str, str]]:
    """Tokens that open nothing, as links and as reply addresses, by why they do not."""
    found: dict[str, tuple[str, str]] = {
        "never issued": (NEVER, NEVER),
        "none at all": ("no-such-token", "no-such-token"),
    }
    ways = ("renewed", "expired", "a former holder's", "good")
    matches = []
    for why in ways:
        match_id = local.start_match("minimax", 1)
        mail = local.last("Ann")
        found[why] = mail.token, reply_token(mail)
        matches.append(match_id)
    with local.transaction() as ctx:
        of = dict(zip(ways, matches, strict=True))
        ctx.session.execute(update(SeatHolder).where(SeatHolder.match_id == of["renewed"]).values(generation=2))
        ctx.session.execute(
            update(Match)
            .where(Match.id == of["expired"])
            .values(state=MatchState.OVER, ended_at=ctx.now - tokens.VALID_AFTER_END - timedelta(seconds=1))
        )
        ctx.session.execute(
            update(SeatHolder).where(SeatHolder.match_id == of["a former holder's"]).values(left_at=ctx.now)
        )
    link, answer = found.pop("good")
    found["of another kind"] = answer, link
    found["of another service"] = (tokens.derive("another key of another service", "link", 1, 1, 1),) * 2
    return found
