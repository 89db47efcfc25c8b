"""What tests of domain share."""

from __future__ import annotations

DOMAIN = "games.example.org"
