"""The conformance suite: Gherkin, steps and boundary cases for a gateway at any address."""
