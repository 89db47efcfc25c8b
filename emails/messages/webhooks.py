"""The mail about a webhook that keeps failing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from emails.content.blocks import Button
from emails.messages.kinds import MessageKind
from pbem.i18n import _, marked

if TYPE_CHECKING:
    from emails.content.blocks import Block
    from emails.messages.context import MessageContext


def _webhook_ended(reader: MessageContext) -> list[Block]:
    facts, game = reader.facts, reader.game
    page = Button(_("Your webhooks for this match"), f"{reader.config.base_url}/mine/{facts['match']}/webhooks")
    # Inboxes show only the first sentence.
    if service := facts.get("service"):
        return [
            _(
                "{service} refuses our messages about this match of {game}, so we send no more.",
                service=service,
                game=game,
            ),
            _("We called {url}.", url=facts["url"]),
            facts["why"],
            _("Add a new address of it on this page, or try this one again. The match itself goes on as before."),
            page,
        ]
    return [
        _("Your webhook for this match of {game} has failed for days, so we have turned it off.", game=game),
        _("We called {url}. No call has succeeded since {day}.", url=facts["url"], day=reader.day("failing_since")),
        facts["why"],
        _("Once it works again, you can try it on this page. The match itself goes on as before."),
        page,
    ]


KINDS = (MessageKind("webhook ended", _webhook_ended, subject=marked("Webhook turned off")),)
