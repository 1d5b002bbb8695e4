"""A target on another machine is loaded only if it was declared with --owned."""

import pytest

from load.gateway.target import TargetNotAllowedError, require_allowed


@pytest.mark.parametrize(
    ("base_url", "is_owned"),
    [
        ("http://127.0.0.1:8080/", False),
        ("http://localhost/", False),
        ("https://pay.example/", True),
    ],
)
def test_a_target_on_this_machine_or_declared_as_owned_is_allowed(base_url, is_owned):
    require_allowed(base_url, is_owned=is_owned)


def test_a_target_on_another_machine_is_not_allowed():
    with pytest.raises(TargetNotAllowedError, match="got pay.example; add --owned"):
        require_allowed("https://pay.example/", is_owned=False)
