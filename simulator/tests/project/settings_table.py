"""The table of the options of `serve`: python -m simulator.tests.project.settings_table."""

from simulator.settings import ROWS


def markdown_table() -> str:
    """The rows as the table of the documentation."""
    lines = ["| option | variable | key | default | meaning |", "|---|---|---|---|---|"]
    for row in ROWS:
        option = f"`{row.option} {row.kind}`".replace(" `", "`")
        key = "" if row.name == "config" else f"`{row.key}`"
        default = f"`{row.default}`" if row.default not in (None, {}) else "none"
        if isinstance(row.default, bool):
            default = "no"
        lines.append(f"| {option} | `{row.variable}` | {key} | {default} | {row.help} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(markdown_table(), end="")
