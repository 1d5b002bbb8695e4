"""A terminal with GPS says where a payment is made, and no other does. Choice: D-615."""

from decimal import Decimal

import pytest

from pos_emulator.gps import GpsReceiver, Position, PositionError, position_in
from pos_emulator.kernel.models import MODELS

BERLIN = "52.520008,13.404954,12"


@pytest.mark.parametrize(
    ("written", "sent"),
    [
        (BERLIN, ("52.520008", "13.404954", "12")),
        ("-33,151.2", ("-33.0", "151.2", None)),
        (" +1.5 , -0.00000001 ", ("1.5", "-0.00000001", None)),
        ("90,180,0", ("90.0", "180.0", "0")),
        ("-90.0,-180.00", ("-90.0", "-180.00", None)),
    ],
)
def test_a_position_is_sent_as_the_gateway_takes_it(written, sent):
    latitude, longitude, accuracy = sent
    expected = {"pos.location.latitude": latitude, "pos.location.longitude": longitude}
    if accuracy is not None:
        expected["pos.location.accuracy"] = accuracy

    assert position_in(written).parameters() == expected
    assert position_in(str(position_in(written))) == position_in(written)


@pytest.mark.parametrize(
    "written",
    [
        "", "52.5", "52.5,13.4,12,1", "north,13.4", "52.5;13.4", "90.00000001,0", "0,-180.1",
        "1e1,1", "NaN,1", "0.123456789,1", "52.5,13.4,-1", "52.5,13.4,1.5", "1,1,1234567",
        "\u0661,1", "1,",
    ],
)  # fmt: skip
def test_what_is_no_position_is_refused(written):
    with pytest.raises(PositionError, match="position: expected"):
        position_in(written)


def test_the_portable_model_alone_has_gps():
    assert [name for name, model in MODELS.items() if model.locates] == ["PORTABLE"]
    with pytest.raises(PositionError, match="with GPS, got MOBILE"):
        GpsReceiver("MOBILE", is_fitted=False).move(BERLIN)


def test_a_receiver_is_moved_and_may_receive_nothing():
    gps = GpsReceiver("PORTABLE", is_fitted=True)
    assert gps.position is None
    gps.move(BERLIN)
    assert gps.position == Position(
        latitude=Decimal("52.520008"), longitude=Decimal("13.404954"), accuracy=12
    )
    with pytest.raises(PositionError):
        gps.move("here")
    assert gps.position is not None
    gps.move(" ")
    assert gps.position is None
