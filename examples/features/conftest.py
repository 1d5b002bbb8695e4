"""Steps of the tea shop, in addition to those that `sandgate steps` lists."""

from pytest_bdd import given


@given("a tea shop", target_fixture="shop_name")
def tea_shop() -> str:
    return "Leaves and Water"
