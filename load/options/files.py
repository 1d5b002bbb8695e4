"""The files a run writes: each option has to name a file of its own that can be written."""

from pathlib import Path

from load.options.locust_options import LocustArguments
from load.options.values import OptionError
from load.report.files import locust_page_beside
from reports import files

# The suffixes of the CSV files: ours, and those of Locust.
CSV_FILES = ("operations", "stats", "stats_history", "failures", "exceptions")


def require_files(
    arguments: LocustArguments, thresholds: Path | None, baseline: Path | None,
    *, html: Path | None, csv: str, json: Path | None,
) -> None:  # fmt: skip
    """Require that each report can be written, and overwrites no other file. Raises OptionError."""
    if arguments.has("--csv-full-history") and not csv:
        raise OptionError("--csv-full-history: expected --csv beside it, got none")
    log = arguments.value_of("--logfile")
    written = [("--html", html), ("--json", json)]
    written += [("--csv", Path(f"{csv}_{name}.csv")) for name in CSV_FILES if csv]
    written += [("--logfile", Path(log))] if log else []
    written += [("--html (Locust's own page)", locust_page_beside(html))] if html else []
    read = [("--thresholds", thresholds), ("--baseline", baseline), ("TARGET", arguments.target)]
    try:
        files.demand_writable_files(written, others=read)
    except files.FileOptionError as error:
        raise OptionError(f"{error.option}: {error}") from None


def locust_report_options(html: Path | None, csv: str) -> list[str]:
    """Return the options for Locust's own reports beside ours."""
    page = ["--html", str(locust_page_beside(html.absolute()))] if html else []
    return page + (["--csv", str(Path(csv).absolute())] if csv else [])
