"""What makes the pages installable: manifest, icons, service worker and the offline page."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from tests.support.web.site import visitor

if TYPE_CHECKING:
    from tests.support.house import House


def test_the_manifest_names_the_app_and_icons_of_the_size_that_it_says(local: House) -> None:
    client = visitor(local).client
    response = client.get("/manifest.webmanifest")
    assert response.mimetype == "application/manifest+json"
    manifest = json.loads(response.text)
    assert manifest["name"] == "Slow games by mail"
    assert (manifest["start_url"], manifest["display"]) == ("/mine", "standalone")
    purposes = [(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]]
    assert purposes == [("192x192", "any"), ("192x192", "maskable"), ("512x512", "any"), ("512x512", "maskable")]
    for icon in manifest["icons"]:
        picture = client.get(icon["src"])
        assert picture.mimetype == "image/png"
        size = Image.open(io.BytesIO(picture.data)).size
        assert f"{size[0]}x{size[1]}" == icon["sizes"]


def test_a_maskable_icon_stays_whole_in_a_circle(local: House) -> None:
    picture = Image.open(io.BytesIO(visitor(local).client.get("/app-icon-maskable-192.png").data)).convert("RGB")
    paper, (width, height) = picture.getpixel((0, 0)), picture.size
    # The safe zone is a circle of 40 % of the width.
    outside = [
        picture.getpixel((x, y))
        for x in range(width)
        for y in range(height)
        if (x - width / 2) ** 2 + (y - height / 2) ** 2 > (0.4 * width) ** 2
    ]
    assert set(outside) == {paper}
    assert len(picture.getcolors(width * height) or ()) > 3


@pytest.mark.parametrize("name", ["64", "maskable", "maskable-7", "other-192"])
def test_an_icon_of_another_name_is_not_found(local: House, name: str) -> None:
    assert visitor(local).client.get(f"/app-icon-{name}.png").status_code == 404


def test_the_service_worker_serves_all_pages_and_is_asked_for_anew(local: House) -> None:
    script = visitor(local).client.get("/service-worker.js")
    assert script.mimetype == "text/javascript"
    assert "notificationclick" in script.text
    assert script.headers["Cache-Control"] == "no-cache"


@pytest.mark.parametrize(("language", "sentence"), [("en", "cannot be reached"), ("de", "nicht erreichbar")])
def test_the_offline_page_says_so_and_loads_nothing(local: House, language: str, sentence: str) -> None:
    page = visitor(local).client.get("/offline", headers={"Accept-Language": language})
    assert page.headers["Content-Language"] == language
    assert sentence in page.text
    assert not re.search(r"<(?:link|script|img|form)\b", page.text)
    (style,) = re.findall(r"<style>(.*?)</style>", page.text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert page.headers["Content-Security-Policy"].startswith(f"default-src 'none'; style-src 'sha256-{digest}';")


def test_pages_may_load_the_manifest_and_the_service_worker(local: House) -> None:
    page = visitor(local).client.get("/")
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page.text
    assert "worker-src 'self'; manifest-src 'self'" in page.headers["Content-Security-Policy"]
