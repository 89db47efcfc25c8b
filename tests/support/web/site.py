"""The pages over a house: moves are judged as soon as they are sent, mail is taken by SMTP."""

from __future__ import annotations

import asyncio
import socket
import threading
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import pytest
from jinja2 import BytecodeCache
from werkzeug.serving import make_server

from emails.inbound.transports.smtp import serve
from pbem.db.session import set_task_sender
from pbem.play.submissions.queue import JUDGE_TASK
from pbem.web import create_app
from pbem.web.request.context import EXTENSION
from tests.support.live_service import until
from tests.support.mailservers import listens
from tests.support.pages import Visitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _typeshed.wsgi import WSGIApplication
    from flask import Flask
    from jinja2.bccache import Bucket
    from sqlalchemy import Engine

    from pbem.config import Config
    from tests.support.house import House


class Compiled(BytecodeCache):
    """Templates as they were compiled: what one app has compiled, the next one reads."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self.kept:
            bucket.bytecode_from_string(self.kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.kept[bucket.key] = bucket.bytecode_to_string()


TEMPLATES = Compiled()


@lru_cache(maxsize=64)
def made(config: Config, engine: Engine) -> Flask:
    """Create the pages once for all tests that want the same ones: that takes longer than most of them."""
    app = create_app(config, engine)
    app.jinja_env.bytecode_cache = TEMPLATES
    return app


def pages_of(house: House) -> Flask:
    """The pages of a house; those of houses that differ only in where their mail lies are the same ones."""
    config = replace(house.config, dev_mailbox=house.config.dev_mailbox and "anywhere", smtp_listen="")
    if config.is_mail_local:
        config = replace(config, smtp_url="maildir:///anywhere")
    app = made(config, house.engine)
    app.extensions[EXTENSION] = replace(app.extensions[EXTENSION], config=house.config)
    return app


def visitor(house: House, *, keeps: bool = False) -> Visitor:
    """Somebody at the pages; their browser keeps no cookies unless it `keeps` them."""
    app = pages_of(house)
    # As behind gunicorn: a fault is a page, not a traceback.
    app.testing = False
    # What the client asks for unless told otherwise; it refuses nothing.
    app.config["SERVER_NAME"] = house.config.base_url.partition("//")[2]
    return Visitor(app.test_client(use_cookies=keeps))


@contextmanager
def serving(app: WSGIApplication, port: int = 0) -> Iterator[str]:
    """Serve an application at a port of this machine, any free one unless it is named; yields its address."""
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()


@contextmanager
def pages_at_a_port(house: House) -> Iterator[str]:
    """Serve a house's pages at a port of this machine, for programs and browsers; yields their address."""
    with serving(create_app(house.config, house.engine)) as address:
        yield address


@pytest.fixture
def judged(house: House) -> Iterator[None]:
    """Submissions are judged when they are committed, as if the worker were very quick."""

    def send(task: str, arguments: tuple[Any, ...]) -> None:
        if task == JUDGE_TASK:
            house.judge(*arguments)

    set_task_sender(send)
    yield
    set_task_sender(lambda _task, _arguments: None)


@pytest.fixture
def local(house: House) -> House:
    """The house as `pbem up` runs it, with the mailboxes shown."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = replace(house.config, dev_mailbox=str(house.folder), smtp_listen=f"127.0.0.1:{port}")
    return replace(house, config=config)


@pytest.fixture
def site(local: House, judged: None) -> Visitor:  # noqa: ARG001
    """Somebody at the pages of the local house."""
    return visitor(local)


@pytest.fixture
def returning(local: House, judged: None) -> Visitor:  # noqa: ARG001
    """Somebody at the pages of the local house, whose browser keeps cookies."""
    return visitor(local, keeps=True)


@pytest.fixture
def post_office(local: House) -> Iterator[None]:
    """The house's way in for mail, listening."""
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    thread = threading.Thread(target=lambda: loop.run_until_complete(serve(local.engine, local.config, stop)))
    thread.start()
    _host, _, port = local.config.smtp_listen.rpartition(":")
    until(lambda: listens(int(port)))
    yield
    loop.call_soon_threadsafe(stop.set)
    thread.join()
    loop.close()
