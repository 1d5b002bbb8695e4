Feature: The tea shop
  What our shop relies on. `sandgate check TARGET.toml --features examples/features` tests a gateway by it.

  Scenario: A paid order is refunded
    Given a tea shop
    And a debit of 12.50 EUR
    When the merchant refunds 12.50 EUR of it
    Then the refund succeeds

  @needs:clock
  Scenario: An authorized payment can be captured a day later
    Given a tea shop
    And an authorized payment of 30.00 EUR
    And 1 day passes
    When the merchant captures 30.00 EUR of it
    Then the capture succeeds
