"""Places for URLs of single payments: none who does not respond takes all of them."""

from collections import Counter
from urllib.parse import urlsplit

from simulator.adapters.webhooks.url_places import UrlPlaces
from simulator.domain.webhooks.records import Delivery
from simulator.tests.kit.making import NOON

MOST = 200
MANY = 700


def call(url: str, merchant: str = "a", failures: int = 0) -> Delivery:
    """A delivery to a URL of a merchant's payment."""
    return Delivery(
        id=url, event_id="e", url=url, merchant=merchant, failures=failures, began_at=NOON
    )


def enter(places: UrlPlaces, *calls: Delivery) -> list[str]:
    """Let each of them have a place, or wait; the URLs that have one at once."""
    begun = []
    for each in calls:
        if places.take(each):
            begun.append(each.url)
        else:
            places.wait(each)
    return begun


def on_many_hosts(merchant: str = "a", failures: int = 0) -> list[Delivery]:
    """Calls of one merchant, each at another host."""
    return [
        call(f"http://{merchant}{failures}-{number}/", merchant, failures) for number in range(MANY)
    ]


def begun_next(places: UrlPlaces) -> list[str]:
    """The URLs that begin now, where places were given back."""
    begun = []
    while (following := places.take_next()) is not None:
        begun.append(following[0])
    return begun


def test_one_merchant_leaves_half_of_the_places() -> None:
    places = UrlPlaces(MOST)
    assert len(enter(places, *on_many_hosts())) == MOST // 2
    assert enter(places, call("http://beside/", "b")) == ["http://beside/"]


def test_many_merchants_come_to_have_equal_shares_and_leave_one() -> None:
    places, merchants = UrlPlaces(MOST), "abcdefghi"
    for each in merchants:
        enter(places, *on_many_hosts(each))
    for url in [*places.urls]:
        places.give_back(url)
        begun_next(places)
    shares = Counter(urlsplit(url).netloc[0] for url in places.urls)
    share = MOST // (len(merchants) + 1)
    assert {*shares} == {*merchants}
    assert all(abs(each - share) <= 1 for each in shares.values())
    assert enter(places, call("http://beside/", "z")) == ["http://beside/"]


def test_one_host_leaves_places_for_another_one_of_its_merchant() -> None:
    places = UrlPlaces(MOST)
    begun = enter(places, *(call(f"http://silent/{number}") for number in range(MANY)))
    assert len(begun) == MOST // 3 + 1
    assert enter(places, call("http://beside/")) == ["http://beside/"]


def test_calls_that_failed_before_leave_places_for_first_ones() -> None:
    places = UrlPlaces(MOST)
    assert len(enter(places, *on_many_hosts(failures=1))) == MOST // 2
    assert enter(places, call("http://beside/")) == ["http://beside/"]


def test_merchants_take_turns_and_so_do_their_hosts() -> None:
    places = UrlPlaces(1)
    calls = (
        call("http://zero/", "z"),
        call("http://one/1"),
        call("http://one/2"),
        call("http://two/1"),
        call("http://three/1", "b"),
    )
    order = enter(places, *calls)
    while places.urls:
        places.give_back(order[-1])
        order += begun_next(places)
    assert order[1:] == ["http://one/1", "http://three/1", "http://two/1", "http://one/2"]


def test_deliveries_to_one_url_begin_together_and_wait_once() -> None:
    places = UrlPlaces(1)
    enter(places, call("http://one/"))
    again = call("http://two/")
    enter(places, again, again, Delivery(id="2", event_id="e", url=again.url, merchant="a",
                                         began_at=NOON))  # fmt: skip
    places.give_back("http://one/")
    url, identities = places.take_next()
    assert (url, [*identities]) == ("http://two/", ["http://two/", "2"])
    assert places.take(again)
    assert not places.has_waiting and places.take_next() is None


def test_a_place_that_is_given_back_is_free() -> None:
    places = UrlPlaces(MOST)
    for _ in range(3):
        begun = enter(places, *on_many_hosts()[: MOST // 2])
        assert len(begun) == MOST // 2
        for url in begun:
            places.give_back(url)
    assert not places.urls
