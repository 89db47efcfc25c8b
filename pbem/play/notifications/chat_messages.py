"""What a webhook sends: an event as JSON, or a message in the form of a chat service, in its owner's language."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pbem.games import GAMES
from pbem.i18n import _, use_locale
from pbem.play.matches import withheld
from pbem.play.notifications import chat_forms
from pbem.play.notifications.chat_forms import ChatMessage
from pbem.play.notifications.webhooks import ENDED, TURN
from pbem.states import WebhookForm

if TYPE_CHECKING:
    from pbem.db.models import Match, SeatHolder, Webhook, WebhookDelivery
    from pbem.play.core.context import Context


def request(
    ctx: Context, call: WebhookDelivery, webhook: Webhook, holder: SeatHolder, match: Match
) -> tuple[str, bytes]:
    """Return the address and the body of a call."""
    if webhook.form is WebhookForm.JSON:
        return webhook.url, call.body.encode()
    with use_locale(holder.player.language):
        message = _message(ctx, json.loads(call.body), webhook, holder, match)
    url, body = chat_forms.request(webhook.form, webhook.url, message)
    return url, json.dumps(body, ensure_ascii=False).encode()


def _message(ctx: Context, event: dict[str, Any], webhook: Webhook, holder: SeatHolder, match: Match) -> ChatMessage:
    game, ply = GAMES[match.game].name, event["data"]["ply"]
    words = {"name": holder.name, "game": game}
    if event["type"] == TURN:
        sentence = _("{name}, it is your turn in {game}, move {ply}.", ply=ply, **words)
    elif event["type"] == ENDED:
        sentence = _("{name}, your match of {game} is over.", **words)
    else:
        sentence = _("This is a test: messages for {name} about a match of {game} arrive here.", **words)
    # Everybody who reads the channel sees the picture: it is the one that is shown to the public, or none.
    picture = f"{ctx.config.base_url}/matches/{match.id}/picture.png?lang={holder.player.language}&v={ply}"
    is_shown = match.public and match.started_at is not None and not withheld.hides_table(match)
    mention = webhook.mention if event["type"] == TURN else ""
    return ChatMessage(game, sentence, event["data"]["url"], picture if is_shown else None, mention)
