import pytest
from hypothesis import given
from hypothesis import strategies as st

from pos_emulator.dol import encode_dol, fill_dol, parse_dol, split_dol
from pos_emulator.tlv import Node, TlvError, TlvLimits, encode, find, find_all, leaves, parse, walk

TWO_APPLICATIONS = bytes.fromhex("6103870101") + bytes.fromhex("6103870102")


def test_repeated_objects_all_stay_and_keep_their_order():
    found = find_all(parse(TWO_APPLICATIONS), "61")

    assert [node.children[0].value for node in found] == [b"\x01", b"\x02"]
    assert [node.offset for node in walk(found)] == [0, 2, 5, 7]


def test_bytes_00_around_objects_are_skipped_at_every_depth():
    padded = bytes.fromhex("0000 6107 00 870101 0000 00 5A0142 00")

    assert encode(parse(padded)) == bytes.fromhex("6107008701010000005A0142")
    assert [node.tag for node in leaves(parse(padded))] == ["87", "5A"]


@pytest.mark.parametrize("size", [0, 1, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF - 8])
def test_an_object_is_read_as_it_was_written_at_each_size_of_length(size):
    node = Node("9F10", bytes(size))

    assert parse(encode([node])) == (node,)


@pytest.mark.parametrize(
    ("written", "offset", "reason"),
    [
        ("5A", 1, "the length is missing"),
        ("9F", 0, "the tag is cut off"),
        ("9F80", 0, "begins with an empty byte"),
        ("9F81828301", 0, "more than 4 bytes"),
        ("5A0311", 0, "has 3 bytes, 1 are left"),
        ("5A80", 1, "indefinite"),
        ("5A83000001", 1, "more than two bytes"),
        ("5A82", 1, "cut off"),
        ("5A8101AA", 1, "shortest form"),
        ("5A8200FF", 1, "shortest form"),
        ("61035A0311", 2, "has 3 bytes, 1 are left"),
    ],
)
def test_malformed_bytes_are_refused_where_they_stand(written, offset, reason):
    with pytest.raises(TlvError, match=reason) as error:
        parse(bytes.fromhex(written))

    assert error.value.offset == offset


def test_an_error_names_no_value():
    with pytest.raises(TlvError) as error:
        parse(bytes.fromhex("5A084242420000010009" + "5704424242"))

    assert "4242" not in str(error.value)
    assert "4242" not in repr(Node("5A", bytes.fromhex("4242420000010009")))


def nested(depth: int) -> bytes:
    inner = b""
    for _ in range(depth):
        inner = encode([Node("61", inner)])
    return inner


@pytest.mark.parametrize(
    ("limits", "fits", "too_much"),
    [
        (TlvLimits(size_bytes=4), bytes.fromhex("5A020102"), bytes.fromhex("5A03010203")),
        (TlvLimits(depth=3), nested(2), nested(3)),
        (TlvLimits(count=2), TWO_APPLICATIONS[:5], TWO_APPLICATIONS),
    ],
)
def test_a_tree_is_bounded_in_bytes_depth_and_count(limits, fits, too_much):
    assert parse(fits, limits)
    with pytest.raises(TlvError):
        parse(too_much, limits)


@given(st.binary(max_size=80))
def test_bytes_of_any_kind_are_a_tree_or_an_error(data):
    try:
        nodes = parse(data)
    except TlvError:
        return
    assert parse(encode(nodes)) == nodes


def test_a_list_of_data_is_filled_by_the_format_of_each_tag():
    dol = parse_dol(encode_dol([("9F02", 6), ("9F1A", 3), ("5A", 10), ("9F4E", 4), ("DF01", 2)]))
    values = {
        "9F02": bytes.fromhex("00000000006000"),
        "9F1A": bytes.fromhex("0276"),
        "5A": bytes.fromhex("4242420000010009"),
        "9F4E": b"Sandgate",
    }

    filled = fill_dol(dol, values)

    assert filled.hex().upper() == "0000000060000002764242420000010009FFFF53616E640000"
    assert split_dol(dol, filled)["9F4E"] == b"Sand"


@pytest.mark.parametrize("data", ["9F", "9F02", "9F0206" * 50])
def test_a_list_of_data_is_refused_if_it_is_damaged_or_too_long(data):
    with pytest.raises(TlvError):
        parse_dol(bytes.fromhex(data))


def test_values_of_another_length_are_no_answer_to_a_list():
    with pytest.raises(TlvError):
        split_dol(parse_dol(b"\x95\x05"), bytes(4))


def test_find_looks_at_every_depth_and_takes_the_first():
    assert find(parse(TWO_APPLICATIONS), "87") == b"\x01"
    assert find(parse(TWO_APPLICATIONS), "50") is None
