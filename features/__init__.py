"""The conformance suite: Gherkin, steps and boundary cases that judge any address."""
