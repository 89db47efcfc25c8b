"""The task that calls webhooks, as a worker knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.play.notifications.webhooks import DELIVER_TASK
from pbem.task_queue import make_celery_app
from tests.support.play.notifications.webhooks import add, tried
from tests.support.receiver import receiving
from workers.tasks import register_tasks

if TYPE_CHECKING:
    from tests.support.house import House


def test_the_task_makes_the_calls_that_are_due(house: House) -> None:
    app = make_celery_app(house.config)
    register_tasks(app, house.config, house.engine)
    match_id = house.start_match("minimax", 1)
    with receiving() as program:
        add(house, match_id, program.url)
        tried(house, match_id)
        app.tasks[DELIVER_TASK]()
        assert len(program.calls) == 1
