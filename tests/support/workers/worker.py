"""What tests of worker share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.task_queue import celery_app
from workers.tasks import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery

    from tests.support.house import House


# -- the tasks, in this process ------------------------------------------------------------------------


@pytest.fixture
def app(house: House, valkey: str) -> Iterator[Celery]:
    config = replace(house.config, redis_url=valkey)
    app = celery_app(config)
    serve(app, config, house.engine)
    yield app
    app.close()
