"""The one entry point: `sandgate`, and `python -m simulator`."""

import sys


def main() -> None:
    """Run the command line.

    Serving patches the standard library for gevent before anything else is imported; this is the
    only place that does. The other commands open no sockets and start faster without.
    """
    if sys.argv[1:2] == ["serve"]:
        from gevent import monkey

        monkey.patch_all()
    from simulator.cli import run

    run()


if __name__ == "__main__":
    main()
