"""The report of a load run: terminal tables, HTML page, JSON and CSV."""
