"""The mail about a webhook that keeps failing."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from pbem.i18n import _
from pbem.time_format import format_day

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _webhook_ended(reader: MessageContext) -> list[Block]:
    facts = reader.facts
    since = format_day(datetime.fromisoformat(facts["failing_since"]), reader.zone)
    lead = _("Your webhook for this match of {game} has failed for days, so it is called no more.", game=reader.game)
    # Inboxes show only the first sentence.
    what = _("We called {url}. Since {day} no call has come through.", url=facts["url"], day=since)
    page = f"{reader.config.base_url}/mine/{facts['match']}/webhooks"
    return [
        lead,
        what,
        facts["why"],
        _("Once it works again, this page has a button that tries it; the match itself goes on as ever."),
        Button(_("Your webhooks for this match"), page),
    ]


KINDS = (MessageKind("webhook ended", _webhook_ended),)
