"""Read behaviours from YAML files, one behaviour a file, and check them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import yaml

from scenarios.codes import code_problems
from scenarios.errors import BehaviourError, Problem, shown
from scenarios.known import KnownNames, impossible
from scenarios.records import Behaviour, behaviour_of
from scenarios.schema import problems_of
from scenarios.yaml_text import Loader, read_file, read_yaml, reason_of

SHIPPED = Path(__file__).parent / "behaviours"


def load_behaviours(
    folder: Path = SHIPPED, *, known: KnownNames | None = None
) -> dict[str, Behaviour]:
    """Every behaviour of `folder` by name, in their order. Raises BehaviourError with all problems.

    Without `known` they are not checked: for files that were, as the tests do the shipped.
    """
    behaviours, problems = {}, []
    for path in sorted(folder.glob("*.yaml")):
        try:
            behaviours[path.stem] = load_behaviour(path, known=known)
        except BehaviourError as error:
            problems.extend(_of_file(path, error))
    if problems:
        raise BehaviourError(str(folder), problems)
    return behaviours


def load_behaviour(path: Path, *, known: KnownNames | None = None) -> Behaviour:
    """The behaviour of one file. Raises BehaviourError: file, path in it, expected, got."""
    document = _document(path)
    problems = () if known is None else _file_problems(path, document, known)
    if problems:
        raise BehaviourError(path.name, problems)
    return _shaped(path, document)


def _of_file(path: Path, error: BehaviourError) -> list[Problem]:
    return [row._replace(where=f"{path.name}: {row.where}") for row in error.problems]


def _document(path: Path) -> Any:
    try:
        text = read_file(path)
        document = read_yaml(text)
        repeated = tuple(_repeated_words(yaml.compose(text, Loader)))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        problem = Problem("document", "a YAML file", _reason(error))
        raise BehaviourError(path.name, [problem]) from None
    if repeated:
        raise BehaviourError(path.name, repeated)
    return document


def _repeated_words(node: yaml.Node | None, where: str = "") -> Iterator[Problem]:
    # YAML itself lets the last of two equal words win without a sound.
    if not isinstance(node, yaml.MappingNode):
        return
    seen = set()
    for key, value in node.value:
        path = f"{where}.{key.value}".lstrip(".")
        if path in seen:
            yield Problem(path, "a word that stands once", "it stands twice")
        seen.add(path)
        yield from _repeated_words(value, path)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return f"one that cannot be read: {error.strerror}"
    return reason_of(error)


def _file_problems(path: Path, document: Any, known: KnownNames) -> list[Problem]:
    problems = problems_of(document)
    if problems:
        return problems
    if document["name"] != path.stem:
        expected = f"{path.stem!r}, the name of its file"
        problems.append(Problem("name", expected, shown(document["name"])))
    return [
        *problems,
        *code_problems(document, known.results),
        *impossible(document.get("match", {}), document["steps"], known),
    ]


def _shaped(path: Path, document: Any) -> Behaviour:
    try:
        return behaviour_of(document)
    except msgspec.ValidationError as error:
        problem = Problem("document", "a behaviour as the schema describes it", str(error))
        raise BehaviourError(path.name, [problem]) from None
