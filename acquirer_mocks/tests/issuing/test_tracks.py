"""Codes on tracks: of the magstripe, of the chip, and of a tap in magstripe mode."""

import pytest
from pyemv.cvv import generate_cvc3
from pyemv.kd import derive_icc_mk_a

from acquirer_mocks.issuing.tracks import (
    TrackData,
    full_counter,
    is_code_valid,
    is_tap_code_valid,
    tap_code,
    track_data,
)
from acquirer_mocks.issuing.triple_des import supply_triple_des
from acquirer_mocks.tests.issuing.cards import FILE, ISSUER, SmallCard

OLD = SmallCard("tap-old")
FILLED = OLD.profile.contactless.track2


def tapped(counter: int, unpredictable: str = "4711") -> str:
    """Track 2 as the reader fills it: three digits of ATC, four of its own, three of the code."""
    supply_triple_des()
    card = OLD.profile
    begin = f"{card.number}D{card.expiry}{card.service_code}"
    key = derive_icc_mk_a(bytes.fromhex(ISSUER.master_keys.cvc3), card.number, "01")
    code = generate_cvc3(
        key,
        bytes.fromhex(f"{begin}{FILLED.static}".ljust(38, "F")),
        counter.to_bytes(2, "big"),
        bytes.fromhex(unpredictable.zfill(8)),
    ).zfill(5)
    return f"{begin}00{counter % 1000:03d}{unpredictable}{code[-3:]}4"


def is_valid_tap(track: str, counter: int) -> bool:
    return is_tap_code_valid(ISSUER, OLD.profile, track_data(track), sequence="01", counter=counter)


@pytest.mark.parametrize("name", FILE.cards)
def test_the_codes_of_each_card_are_valid_where_they_belong(name: str) -> None:
    card = FILE.cards[name]
    for digits, in_chip in ((card.discretionary.magstripe, False), (card.discretionary.chip, True)):
        track = TrackData(card.number, card.expiry, card.service_code, digits)
        assert is_code_valid(ISSUER, card, track, in_chip=in_chip)
        assert not is_code_valid(ISSUER, card, track, in_chip=not in_chip)


def test_a_magstripe_with_another_service_code_or_expiry_is_not_valid() -> None:
    card = SmallCard("dead-chip")
    track = track_data(card.track())
    for changed in (track._replace(service_code="101"), track._replace(expiry="3212")):
        assert not is_code_valid(ISSUER, card.profile, changed, in_chip=False)


@pytest.mark.parametrize("counter", [1, 7, 999, 1000, 65535])
def test_the_code_of_a_tap_is_valid_for_its_counter_alone(counter: int) -> None:
    track = tapped(counter)
    assert is_valid_tap(track, counter)
    assert not is_valid_tap(track, (counter + 1) % 65536)


def test_digits_that_were_changed_make_the_code_of_a_tap_invalid() -> None:
    track = tapped(12)
    for place in range(-8, -1):
        digit = str((int(track[place]) + 1) % 10)
        assert not is_valid_tap(track[:place] + digit + track[place:][1:], 12)


def test_what_a_tap_wrote_is_found_by_its_bitmaps() -> None:
    found = tap_code(FILLED, track_data(tapped(12)))
    assert (found.counter, found.unpredictable) == ("012", "4711")
    assert tap_code(FILLED, track_data(tapped(12)[:-1])) is None


@pytest.mark.parametrize(
    ("end", "seen", "counter"),
    [("001", 0, 1), ("000", 0, 1000), ("999", 5, 999), ("005", 5, 1005), ("006", 1005, 1006)],
)
def test_a_counter_is_the_next_that_ends_so(end: str, seen: int, counter: int) -> None:
    assert full_counter(end, seen) == counter


def test_no_counter_is_above_two_bytes() -> None:
    assert not is_valid_tap(tapped(65535), 65536)


@pytest.mark.parametrize("track", ["", "D", "42D3112", "4242D31x2201", "4242D311220"])
def test_a_track_without_its_parts_is_refused_and_not_shown(track: str) -> None:
    with pytest.raises(ValueError, match="^track 2: expected a number"):
        track_data(track)


def test_both_separators_and_filling_are_read() -> None:
    card = SmallCard("gold")
    assert track_data(card.track().replace("D", "=")) == track_data(card.track() + "F")
    assert repr(track_data(card.track())) == "TrackData(...)"
