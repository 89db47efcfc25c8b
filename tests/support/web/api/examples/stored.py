"""The examples of the OpenAPI document, as recorded from the running program; run as a module, this one stores them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from pbem.config import database_url
from pbem.db.session import connect, set_task_sender
from pbem.db.upgrade import upgrade
from pbem.ops.up import process
from pbem.ops.up.postgres import Cluster
from pbem.play.core import context
from pbem.play.submissions.queue import JUDGE_TASK
from pbem.web.api import examples
from tests.support.house import open_house
from tests.support.web.api.examples import events, matches, timeouts
from tests.support.web.api.examples.recorder import Recorder
from tests.support.web.api.matches import app_of

if TYPE_CHECKING:
    from tests.support.house import House

BASE = "https://games.example.org"
SEED = 24


def record(house: House) -> str:
    """Record the examples in an empty house: the same in each run."""

    def send(task: str, arguments: tuple[Any, ...]) -> None:
        if task == JUDGE_TASK:
            house.judge(*arguments)

    config = replace(house.config, base_url=BASE, smtp_url="smtp://localhost", allow_anonymous=False)
    client = app_of(replace(house, config=config)).test_client(use_cookies=False)
    client.environ_base["wsgi.url_scheme"] = "https"
    recorder = Recorder(house, client)
    set_task_sender(send)
    # Libraries draw too, as often as they must connect: only what the service draws is the same in each run.
    with patch.object(context, "secrets", SimpleNamespace(token_bytes=Random(SEED).randbytes)):
        matches.record(recorder)
        events.record(recorder)
        timeouts.record(recorder)
    set_task_sender(lambda _task, _arguments: None)
    found = {"calls": recorder.calls, "problems": recorder.problems}
    return json.dumps(found, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def write() -> None:
    """Store the examples anew, as recorded with a database of their own."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        cluster = Cluster.in_folder(folder / "postgres", fsync=False)
        cluster.create()
        with process.running(cluster.part(folder / "database.log")):
            upgrade(cluster.url)
            engine = connect(database_url({"DATABASE_URL": cluster.url}))
            examples.FILE.write_text(record(open_house(engine, folder / "mail")), encoding="utf-8")
            engine.dispose()


if __name__ == "__main__":
    write()
