"""Pages of an account."""

from pbem.web.account import (
    api_keys,
    autoplay,
    availability,
    confirmations,
    dashboard,
    deletion,
    feeds,
    held_moves,
    mail_preferences,
    passkeys,
    reminders,
    settings,
    sign_in,
    unsubscribe,
)

PAGES = (
    api_keys.pages,
    availability.pages,
    confirmations.pages,
    dashboard.pages,
    deletion.pages,
    feeds.pages,
    autoplay.pages,
    held_moves.pages,
    mail_preferences.pages,
    passkeys.pages,
    reminders.pages,
    settings.pages,
    sign_in.pages,
    unsubscribe.pages,
)
