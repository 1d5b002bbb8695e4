Feature: The book shop
  `sandgate check TARGET.toml --features examples/own_steps` tests a gateway by steps of the shop's own.

  @smoke
  Scenario: A receipt shows what was ordered
    Given an order of 2 books
    When the shop charges the order
    Then the payment succeeds
    And the receipt says 2 of Book
