"""What happened may be shown to anyone: nothing secret is in it, in any form."""

import pytest

from pos_emulator.card.profiles import card_file
from pos_emulator.kernel.records import CardOutcome
from pos_emulator.tests.bench import Bench


def secrets_of(bench: Bench) -> list[str]:
    """What may stand nowhere: number, track 2, PIN block, holder and certificate, in hex too."""
    profile = bench.profile
    certificates = [
        record.hex().upper()[20:60] for (file, _), record in bench.slot.chip.contact.records.items()
        if file == 4
    ] if bench.slot.chip.contact else []  # fmt: skip
    return [
        profile.number,
        profile.number.encode().hex().upper(),
        profile.discretionary.chip,
        profile.discretionary.magstripe,
        profile.holder,
        profile.holder.encode().hex().upper(),
        f"24{profile.pin}FF" if profile.pin else profile.number,
        *certificates,
    ]


def everything_shown(outcome: CardOutcome) -> str:
    shown = [str(outcome), *(str(event) for event in outcome.history)]
    shown += [f"{tag} {value.hex().upper()} {value!r}" for tag, value in outcome.values.items()]
    return "\n".join(shown)


@pytest.mark.parametrize("name", sorted(card_file().cards))
def test_nothing_secret_is_in_what_happened(name):
    bench = Bench(name)
    bench.holder.pins = [bench.profile.pin or "0000"]
    outcomes = []
    if bench.slot.chip.contact:
        outcomes += [bench.insert(), bench.insert(10_00)]
    if bench.slot.chip.contactless:
        outcomes += [bench.tap(), bench.tap(60_00)]
    if "magstripe" in bench.profile.interfaces:
        outcomes.append(bench.swipe())

    for outcome in outcomes:
        shown = everything_shown(outcome)
        assert [secret for secret in secrets_of(bench) if secret in shown] == []


def test_what_happened_is_in_words_a_trainer_reads():
    bench = Bench("gold", pins=["1234"])
    history = bench.insert().history

    steps = [event.step for event in history]
    texts = "\n".join(event.text for event in history)
    objects = "\n".join(line for event in history for line in event.objects)

    assert steps[1].startswith("SELECT ")
    assert steps.index("SELECT A0000000031010") < steps.index("GENERATE AC") < steps.index("host")
    assert "PIN entered" in texts and "the host answered 00" in texts
    assert "GENERATE AC: done; asked to go online" in texts
    assert "9F27 cryptogram information data = 80 (ARQC, online)" in objects
    assert "5A application PAN = (account number, 8 bytes)" in objects
    assert "enciphered PIN checked online, if the terminal supports it" in objects


def test_a_record_shows_its_objects_but_the_secret_ones():
    history = Bench("gold", pins=["1234"]).insert().history
    record = next(event for event in history if "5F20" in event.response)

    assert record.command == "00B2010C"
    assert record.response.startswith("70(5713··") and record.response.endswith(")9000")


def test_what_goes_to_the_host_beside_the_account_holds_no_account():
    bench = Bench("gold", pins=["1234"])
    outcome = bench.insert()
    request = bench.issuer.requests[0]

    assert bench.profile.number not in request.icc_data.hex()
    assert bench.profile.number in request.account.hex()
    assert len(request.icc_data) <= 255
    assert bench.profile.number not in f"{request} {outcome} {bench.slot.chip}"
