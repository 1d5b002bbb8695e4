"""Under which addresses of this machine others reach a listener."""

from ipaddress import ip_address

import pytest

from simulator.adapters.http.own_addresses import own_addresses


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "192.0.2.1", "pay.example"])
def test_a_host_that_is_one_is_reached_at_itself(host: str) -> None:
    assert own_addresses(host) == (host,)


@pytest.mark.parametrize(("host", "versions"), [("0.0.0.0", {4}), ("::", {4, 6}), ("0::0", {4, 6})])
def test_a_listener_on_every_address_is_reached_at_those_of_the_interfaces(
    host: str, versions: set[int]
) -> None:
    found = [ip_address(each) for each in own_addresses(host)]

    assert len(found) == len(set(found))
    assert {each.version for each in found} <= versions
    assert not any(each.is_unspecified or each.is_loopback or each.is_link_local for each in found)
