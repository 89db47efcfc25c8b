"""What tests of png share."""

from __future__ import annotations

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 720 360">'
