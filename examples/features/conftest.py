"""Steps of the tea shop's own. They stand beside those that `sandgate steps` lists."""

from pytest_bdd import given


@given("a tea shop", target_fixture="shop_name")
def tea_shop() -> str:
    return "Leaves and Water"
