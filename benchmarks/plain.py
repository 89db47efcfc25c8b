"""A plain page to hold others against: Flask, one SELECT of a screenful of rows, one template, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, render_template
from jinja2 import DictLoader
from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy import Engine

PATH = "/"
_NEWEST = text(
    "SELECT id, game, ended_at, log_length FROM matches"
    " WHERE state = 'over' AND public AND seed IS NOT NULL ORDER BY ended_at DESC, id DESC LIMIT 20"
)
_TEMPLATE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{ title }}</title></head>
<body>
<h1>{{ title }}</h1>
<ul>
{% for match in matches %}
<li><a href="{{ url_for('newest', match=match.id) }}">{{ match.game }}</a>:
{{ match.log_length }} moves, {{ match.ended_at }}</li>
{% endfor %}
</ul>
</body>
</html>
"""


def create_plain_app(engine: Engine) -> Flask:
    """Create an application with this page alone, which reads through SQLAlchemy as ours do."""
    app = Flask("benchmarks.plain")
    app.jinja_loader = DictLoader({"newest.html": _TEMPLATE})

    @app.get(PATH)
    def newest() -> str:
        with engine.connect() as connection:
            matches = connection.execute(_NEWEST).all()
        return render_template("newest.html", title="Finished matches", matches=matches)

    return app
