"""Pages of an account."""

from pbem.web.account import (
    api_keys,
    availability,
    avoidance,
    bots,
    confirmations,
    dashboard,
    deals,
    deletion,
    feeds,
    language,
    mail_preferences,
    passkeys,
    people_notes,
    settings,
    sign_in,
    unsubscribe,
)

PAGES = (
    api_keys.pages,
    availability.pages,
    avoidance.pages,
    bots.pages,
    confirmations.pages,
    dashboard.pages,
    deals.pages,
    deletion.pages,
    feeds.pages,
    language.pages,
    mail_preferences.pages,
    passkeys.pages,
    people_notes.pages,
    settings.pages,
    sign_in.pages,
    unsubscribe.pages,
)
