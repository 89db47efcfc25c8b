"""Messages that several pages answer with."""

from __future__ import annotations

from pbem.i18n import marked

UNKNOWN_CHALLENGE = marked("There is no such challenge. Use the link in the newest mail about it.")
UNKNOWN_GAME = marked("There is no such game. The home page lists all games.")
UNKNOWN_EVENT = marked("There is no such event.")
UNKNOWN_LINK = marked("This link is not valid. Use the link in the newest mail about your match.")
UNKNOWN_MATCH = marked("There is no such match, or it is private.")
UNKNOWN_SET = marked("There is no such deal.")
UNKNOWN_SEASON = marked("There is no such season. The page of the leagues lists them.")
UNKNOWN_TABLE = marked("There is no table at this address. The lobby lists the open tables.")
