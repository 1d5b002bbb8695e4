Feature: The tea shop
  What our shop relies on, in its own words. `sandgate check TARGET.toml --features` judges a gateway by it.

  Scenario: A pot of tea is paid and given back
    Given a tea shop
    And a debit of 12.50 EUR
    When the merchant refunds 12.50 EUR of it
    Then the refund succeeds

  @needs:clock
  Scenario: A table that was reserved may be paid a day later
    Given a tea shop
    And an authorised payment of 30.00 EUR
    And 1 day passes
    When the merchant captures 30.00 EUR of it
    Then the capture succeeds
