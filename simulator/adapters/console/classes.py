"""The classes of this process."""

from collections.abc import Sequence

from simulator.domain.console.classes import TrainingClass


class ClassBook:
    """Implements ports.Classes."""

    def __init__(self) -> None:
        self._classes: dict[str, TrainingClass] = {}

    def classes(self) -> Sequence[TrainingClass]:
        """Every class, the newest last."""
        return list(self._classes.values())

    def get(self, identity: str) -> TrainingClass | None:
        """The class with this id, or None."""
        return self._classes.get(identity)

    def put(self, changed: TrainingClass) -> None:
        """Keep a class, new or changed."""
        self._classes[changed.id] = changed

    def remove(self, identity: str) -> None:
        """Forget a class."""
        self._classes.pop(identity, None)
