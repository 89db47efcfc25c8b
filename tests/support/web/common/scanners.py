"""What tests of scanners share."""

from __future__ import annotations

import re
from hashlib import sha256
from itertools import product
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import text

from pbem.db.models import Base

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.pages import Visitor

AGENTS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.5 Safari/605.1",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
    "Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 6.1; Microsoft Outlook 16.0)",
    "Mozilla/5.0 (Windows NT 6.1; WOW64) SafeLinks/1.0",
    "Mozilla/5.0 (compatible; Microsoft Defender for Office 365)",
    "MicrosoftPreview/2.0 +https://aka.ms/MicrosoftPreview",
    "SkypeUriPreview Preview/0.5",
    "Barracuda Sentinel (EE)",
    "BarracudaCentral/1.0",
    "Mimecast-Link-Scanner",
    "Mozilla/5.0 (compatible; MimecastURLProtect/1.0)",
    "Proofpoint URL Defense",
    "Mozilla/5.0 (compatible; proofpoint-urldefense)",
    "Cisco-SLBrowser",
    "IronPort-URL-Scanner/1.0",
    "Sophos Email Security",
    "Symantec Email Security.cloud ClickTime",
    "FireEye-ETP/1.0",
    "TrendMicro-URLScan/2.0",
    "Trustwave-MailMarshal",
    "Forcepoint URL Sandbox",
    "ZscalerEmail/1.0",
    "Bitdefender-GravityZone",
    "ESET-MailScanner",
    "KasperskyMailScan/2.1",
    "GoogleImageProxy (via ggpht.com)",
    "Google-Safety (+http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Mozilla/5.0 (compatible; bingbot/2.0)",
    "YahooMailProxy; https://help.yahoo.com",
    "Mozilla/5.0 (compatible; YandexBot/3.0)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "Discordbot/2.0",
    "TelegramBot (like TwitterBot)",
    "WhatsApp/2.24",
    "facebookexternalhit/1.1",
    "Twitterbot/1.0",
    "LinkedInBot/1.0",
    "Mattermost-Bot/1.1",
    "Zulip URL preview",
    "Thunderbird/115.12",
    "Evolution/3.52",
    "Mutt/2.2 (urlview)",
    "Lynx/2.9 libwww-FM/2.14",
    "w3m/0.5.3",
    "curl/8.8",
    "Wget/1.24",
    "python-requests/2.32",
    "Go-http-client/2.0",
    "",
)
"""Browsers, link scanners of mail servers, previews of chat programs, and programs that give no name."""
PREFETCHES: tuple[dict[str, str], ...] = (
    {},
    {"Purpose": "prefetch"},
    {"Sec-Purpose": "prefetch;prerender"},
    {"X-Moz": "prefetch"},
)
METHODS = ("GET", "HEAD", "OPTIONS")


def written(house: House) -> str:
    """A digest of all that the database holds."""
    digest = sha256()
    with house.engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            rows = connection.execute(text(f'SELECT t::text FROM "{table.name}" t ORDER BY 1')).scalars()  # noqa: S608
            digest.update("\n".join([table.name, *rows]).encode())
    return digest.hexdigest()


def links_of_all_kinds(house: House) -> list[str]:
    """Every link that mails and pages give out, for matches that wait, run and are over."""
    over = house.start_match("minimax", 1)
    house.reply(house.last("Ann"), "resign yes")
    final = house.only("Ann")
    running = house.start_match("martian-whist", 2)
    turn = house.last("Ann")
    house.reply(turn, "take 1", sender="phone@example.org")
    held = house.only("Ann")
    house.make("minimax", 1)
    invitation = house.only("Ann")
    mails = [final, turn, held, invitation]
    said = {url for mail in mails for url in re.findall(r"http://127\.0\.0\.1:8000(/[^\s>\"]*)", mail.text + mail.html)}
    own = f"/m/{turn.token}"
    pages = {
        f"{own}{more}" for more in ("", f"?move={quote('take 1')}", "?chosen=take+1", "/resign", "/agreements", "/mail")
    }
    api = {f"/api/seats/{turn.token}", f"/api/matches/{running}", f"/api/matches/{over}/record", "/api/games"}
    everywhere = {
        f"/matches/{running}",
        f"/matches/{over}",
        "/",
        "/new/minimax",
        "/rules/montauk",
        "/readyz",
        "/metrics",
    }
    return sorted(said | pages | api | everywhere | {f"/invitation/{invitation.token}/decline", f"{own}/fresh"})


def opened(site: Visitor, links: list[str], agents: tuple[str, ...]) -> int:
    opens = 0
    for number, (link, agent, method) in enumerate(product(links, agents, METHODS)):
        headers = {"User-Agent": agent, **PREFETCHES[number % len(PREFETCHES)]}
        answer = site.client.open(link.replace("&amp;", "&"), method=method, headers=headers)
        assert answer.status_code < 500, (link, method)
        opens += 1
    return opens
