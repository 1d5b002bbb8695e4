"""One client has all of a /64 network, and counts as one."""

import pytest

from simulator.adapters.http.sources import source_of


@pytest.mark.parametrize("address", ["127.0.0.1", "192.0.2.7"])
def test_an_ipv4_address_counts_alone(address):
    assert source_of(address) == address


@pytest.mark.parametrize(
    "address", ["2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", "2001:0DB8:0:0:1::"]
)
def test_a_network_of_ipv6_counts_as_one_client(address):
    assert source_of(address) == "2001:db8::/64"


@pytest.mark.parametrize("address", ["2001:db8:0:1::1", "2001:db9::1", "::1"])
def test_another_network_is_another_client(address):
    assert source_of(address) != "2001:db8::/64"


def test_an_ipv4_address_on_a_listener_of_both_is_the_same_client():
    assert source_of("::ffff:192.0.2.7") == "192.0.2.7"


def test_the_interface_of_a_local_address_does_not_count():
    assert source_of("fe80::1%eth0") == source_of("fe80::2%eth1") == "fe80::/64"
