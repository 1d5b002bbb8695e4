"""The run of `sandgate check`: its cases, its session of pytest, and the verdict of each case."""
