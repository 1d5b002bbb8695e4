"""`sandgate completion SHELL`: completion of commands and options in bash, zsh and fish."""

from typing import Annotated, Any, Literal

import typer
from typer import completion

PROGRAM = "sandgate"
# The shell sets it when it asks for completions.
COMPLETION_VARIABLE = "_SANDGATE_COMPLETE"


def main(
    shell: Annotated[
        Literal["bash", "zsh", "fish"], typer.Argument(metavar="SHELL", help="bash, zsh or fish.")
    ],
) -> None:
    """Print the completion script of a shell.

    bash: eval "$(sandgate completion bash)" in ~/.bashrc

    zsh: eval "$(sandgate completion zsh)" in ~/.zshrc, after compinit

    fish: sandgate completion fish > ~/.config/fish/completions/sandgate.fish
    """
    library: Any = completion
    typer.echo(
        library.get_completion_script(
            prog_name=PROGRAM, complete_var=COMPLETION_VARIABLE, shell=shell
        )
    )


def enable_completion() -> None:
    """Let the application answer the shell that asks for completions."""
    library: Any = completion
    library.completion_init()
