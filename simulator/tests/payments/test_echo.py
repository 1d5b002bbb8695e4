"""What an answer repeats: flat names as a tree, the same whether it was remembered or not."""

from simulator.domain.core.echo import echoed
from simulator.grammar.remembered import LENGTH_MAX, NAMES_MAX


def test_dots_open_objects():
    sent = {"customer.givenName": "Jane", "customer.browser.language": "en"}

    assert echoed(sent) == {"customer": {"givenName": "Jane", "browser": {"language": "en"}}}


def test_indexes_open_lists_in_their_order_however_they_were_sent():
    sent = {
        "cart.items[2].name": "third",
        "cart.items[0].name": "first",
        "cart.items[1].name": "second",
        "cart.items[0].price": "1.00",
    }

    first, *others = echoed(sent)["cart"]["items"]

    assert first == {"name": "first", "price": "1.00"}
    assert others == [{"name": "second"}, {"name": "third"}]


def test_other_brackets_are_keys_of_a_map_even_where_they_are_numbers():
    sent = {"customParameters[0]": "a", "customParameters[a.b]": "c"}

    assert echoed(sent) == {"customParameters": {"0": "a", "a.b": "c"}}


def test_what_is_not_repeated_leaves_no_trace():
    assert echoed({"card.holder": "Jane Jones", "amount": "92.00"}) == {}


def test_equal_names_with_other_values_make_another_answer():
    first = echoed({"cart.items[0].name": "kettle", "customer.givenName": "Jane"})
    second = echoed({"cart.items[0].name": "pot", "customer.givenName": "John"})

    assert first == {"cart": {"items": [{"name": "kettle"}]}, "customer": {"givenName": "Jane"}}
    assert second == {"cart": {"items": [{"name": "pot"}]}, "customer": {"givenName": "John"}}


def test_more_names_than_are_remembered_make_the_same_tree():
    count = NAMES_MAX + 1
    sent = {f"cart.items[{index}].name": str(index) for index in range(count)}

    assert echoed(sent)["cart"]["items"] == [{"name": str(index)} for index in range(count)]


def test_longer_names_than_are_remembered_make_the_same_tree():
    name = "x" * (LENGTH_MAX + 1)

    assert echoed({f"customParameters[{name}]": "y"}) == {"customParameters": {name: "y"}}
