"""What tests of worker share."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from pbem.task_queue import make_celery_app
from workers.tasks import register_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from celery import Celery

    from tests.support.house import House


# -- the tasks, in this process ------------------------------------------------------------------------


@pytest.fixture
def app(house: House, valkey: str) -> Iterator[Celery]:
    config = replace(house.config, redis_url=valkey)
    app = make_celery_app(config)
    register_tasks(app, config, house.engine)
    yield app
    app.close()
