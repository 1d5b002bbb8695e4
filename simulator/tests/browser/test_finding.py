"""Where a browser is looked for, in which order, and what is said where there is none."""

import pytest

from simulator.tests.browser.finding import NAMES, Machine, NoBrowser, browser_of


class Box:
    """A machine on which some programs are; apt-get adds what a test says."""

    def __init__(self, *programs: str, brings: str = ""):
        self.programs, self.brings = set(programs), brings
        self.ran: list[tuple[str, ...]] = []

    def which(self, name: str) -> str | None:
        return f"/usr/bin/{name}" if name in self.programs else None

    def run(self, command: tuple[str, ...], **_: object) -> None:
        self.ran.append(command)
        if self.brings in command:
            self.programs.add(self.brings)

    def machine(self, *, is_root: bool = True) -> Machine:
        return Machine(self.which, is_root, self.run)


@pytest.fixture
def own(tmp_path) -> str:
    """Playwright's own, there."""
    file = tmp_path / "chrome"
    file.touch()
    return str(file)


@pytest.mark.parametrize("name", NAMES)
def test_one_on_the_path_is_taken_and_nothing_is_installed(name, own):
    box = Box(name, "apt-get")

    assert browser_of(own, box.machine()) == f"/usr/bin/{name}"
    assert box.ran == []


@pytest.mark.parametrize(("offered", "tries"), [("chromium-headless-shell", 1), ("chromium", 2)])
def test_root_installs_what_apt_offers_and_says_so(own, offered, tries):
    box = Box("apt-get", brings=offered)

    with pytest.warns(UserWarning, match="installed a browser"):
        assert browser_of(own, box.machine()) == f"/usr/bin/{offered}"
    assert "update" in box.ran[0]
    assert len([each for each in box.ran if "install" in each]) == tries


@pytest.mark.parametrize(
    ("box", "is_root"),
    [
        (Box("apt-get", brings="chromium-headless-shell"), False),
        (Box(), True),
        (Box("apt-get"), True),
    ],
    ids=["not root", "no apt-get", "apt-get brings none"],
)
def test_else_it_is_the_one_of_playwright(box, is_root, own):
    assert browser_of(own, box.machine(is_root=is_root)) == own


def test_without_any_it_is_said_what_to_do(tmp_path):
    with pytest.raises(NoBrowser, match="playwright install"):
        browser_of(str(tmp_path / "none"), Box().machine())
