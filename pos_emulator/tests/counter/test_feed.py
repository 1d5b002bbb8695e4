"""The feed of page and text window: numbered, limited, and a wait that ends."""

from datetime import datetime
from threading import Thread

from pos_emulator.counter.feed import NOTICES_MAX, WAITERS_MAX, Feed
from pos_emulator.terminal.records import Notice

NOW = datetime(2026, 11, 23, 12, 0, 0)


def a_notice(text: str = "done") -> Notice:
    return Notice("card", NOW, text)


def test_notices_are_numbered_and_the_oldest_are_forgotten() -> None:
    feed = Feed()
    for number in range(NOTICES_MAX + 5):
        feed.add(a_notice(str(number)))

    kept = feed.since(0)

    assert (len(kept), kept[0].number, kept[-1].notice.text) == (
        NOTICES_MAX,
        6,
        str(kept[-1].number - 1),
    )
    assert [each.number for each in feed.since(kept[-1].number - 2)] == [
        NOTICES_MAX + 4,
        NOTICES_MAX + 5,
    ]


def test_a_wait_ends_with_something_new_at_once_where_it_is_there() -> None:
    feed = Feed()
    seen = feed.wait(0)
    feed.touch()

    assert feed.wait(seen) == seen + 1
    assert feed.wait(seen + 1, wait_s_max=0.01) == seen + 1


def test_a_wait_is_woken() -> None:
    feed, woken = Feed(), []
    seen = feed.wait(0)
    waiting = Thread(target=lambda: woken.append(feed.wait(seen, 30)))
    waiting.start()

    feed.add(a_notice())

    waiting.join(10)
    assert woken == [seen + 1]


def test_no_more_than_so_many_wait_and_a_closed_feed_keeps_no_waiter() -> None:
    feed = Feed()
    seen = feed.wait(0)
    waiting = [Thread(target=feed.wait, args=(seen, 60)) for _ in range(WAITERS_MAX)]
    for each in waiting:
        each.start()
    while feed.waiters < WAITERS_MAX:
        pass

    assert feed.wait(seen, 60) == seen

    feed.close()
    for each in waiting:
        each.join(10)
    assert feed.waiters == 0 and feed.wait(seen, 60) == seen
