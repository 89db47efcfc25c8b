"""Devices that are notified: whose they are, how many, and when they are forgotten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from pbem.db.models import Player
from pbem.play.accounts import data_export, deletion, login_sessions
from pbem.play.core.errors import Refused
from pbem.play.notifications import push_subscriptions
from tests.support.play.notifications.push_service import add, push_service, subscriptions
from tests.support.play.notifications.pushed_turns import name, whist

if TYPE_CHECKING:
    from tests.support.house import House
    from tests.support.receiver import Receiver

__all__ = ["push_service"]


def test_a_browser_is_a_device_of_one_player(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    add(house, match_id, push_service.url + "/d", 3 - seat)
    (device,) = subscriptions(house)
    assert house.rows(select(Player.name).where(Player.id == device.player_id))[0][0] == name(3 - seat)


def test_a_player_has_ten_devices_at_most(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    for number in range(push_subscriptions.MAX_PER_PLAYER):
        add(house, match_id, f"{push_service.url}/{number}", seat)
    with pytest.raises(Refused, match="You already have 10 devices"):
        add(house, match_id, f"{push_service.url}/one-more", seat)


def test_devices_are_added_some_times_an_hour(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    for _again in range(push_subscriptions.MAX_CHANGES_PER_HOUR):
        add(house, match_id, f"{push_service.url}/same", seat)
    with pytest.raises(Refused, match="Too many tries"):
        add(house, match_id, f"{push_service.url}/same", seat)


def test_signing_out_forgets_the_device(house: House, push_service: Receiver) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/a", seat)
    add(house, match_id, push_service.url + "/b", seat)
    first, second = subscriptions(house)
    with house.transaction() as ctx:
        login_sessions.end(ctx, first.login_session_id)
    assert [one.id for one in subscriptions(house)] == [second.id]


def test_a_device_stays_when_its_player_signs_in_again_and_goes_when_another_does(
    house: House, push_service: Receiver
) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    (device,) = subscriptions(house)
    with house.transaction() as ctx:
        login_sessions.start(ctx, ctx.session.get_one(Player, device.player_id), "", device.login_session_id)
    (again,) = subscriptions(house)
    assert again.login_session_id != device.login_session_id
    with house.transaction() as ctx:
        other = ctx.session.scalars(select(Player).where(Player.name == name(3 - seat))).one()
        login_sessions.start(ctx, other, "", again.login_session_id)
    assert subscriptions(house) == []


def test_ones_data_lists_the_devices_without_what_reaches_them_and_deletion_forgets_them(
    house: House, push_service: Receiver
) -> None:
    match_id, seat = whist(house)
    add(house, match_id, push_service.url + "/d", seat)
    (device,) = subscriptions(house)
    with house.transaction() as ctx:
        (listed,) = data_export.build(ctx, device.player_id)["devices"]
    assert listed["name"] == "Firefox on Android"
    assert {*listed} == {"name", "created_at", "used_at", "failing_since", "last_error", "disabled_at"}
    with house.transaction() as ctx:
        deletion.delete(ctx, ctx.session.get_one(Player, device.player_id))
    assert subscriptions(house) == []
