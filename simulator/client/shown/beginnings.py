"""The beginning of a long text, where nothing of a secret is left at the cut."""

LENGTH_MAX = 100


def beginning_of(text: str, length_max: int = LENGTH_MAX) -> str:
    """A text; of a long one its first whole words. What is masked is masked whole (D-94), and a
    part of it would be shown.
    """
    if len(text) <= length_max:
        return text
    words = text[:length_max].rsplit(maxsplit=1)
    shown = words[0] if len(words) > 1 else ""
    while shown and not shown[-1].isalpha():
        shown = shown[:-1]
    count = f"{len(text)} characters"
    return f"{shown} ... ({count})" if shown else count
