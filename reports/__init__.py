"""Reports: the verdicts of a run as HTML, JUnit, JSON and requirement coverage."""
