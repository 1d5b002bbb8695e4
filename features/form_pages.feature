Feature: Pages of the hosted form
  The form also stands on a page of the gateway, which a merchant can send a shopper to. The page says
  how the checkout stands, in the shopper's language, and leads back to the shop.

  @req:FORM-07 @req:FORM-01 @needs:control @needs:clock @decision:D-314 @pattern:limit
  Scenario Outline: A page of the form lasts as long as its checkout
    Given the sandbox clock is frozen
    And a checkout for 92.00 EUR
    And <time> pass
    When the shopper opens the <page> of the checkout
    Then the page <stands>

    Examples:
      | page               | time                      | stands   | why                     |
      | page               | 29 minutes                | is there | it can be paid          |
      | page               | 29 minutes and 59 seconds | is there | the last that holds     |
      | page               | 30 minutes                | is over  | the first that does not |
      | sheet of GOOGLEPAY | 29 minutes and 59 seconds | is there | the last that holds     |
      | sheet of GOOGLEPAY | 30 minutes                | is over  | the first that does not |

  @req:FORM-07 @req:PAY-02 @decision:D-314
  Scenario Outline: A page of the form shows what is to be paid
    Given a checkout for <amount> <currency>
    When the shopper opens the <page> of the checkout
    Then the page is there
    And the page says "<amount> <currency>"

    Examples:
      | page               | amount  | currency | why              |
      | page               | 92.00   | EUR      | an amount        |
      | page               | 1234.56 | USD      | another currency |
      | sheet of GOOGLEPAY | 92.00   | EUR      | an amount        |
      | sheet of GOOGLEPAY | 0.01    | GBP      | the smallest     |

  @req:FORM-07 @req:SVC-09 @decision:D-314
  Scenario Outline: The page of a paid checkout leads back to the shop
    Given a checkout for 92.00 EUR with shopperResultUrl "<address>"
    And the shopper has paid in the checkout by card
    When the shopper opens the page of the checkout
    Then the page leads back to "<address>" with id and resourcePath

    Examples:
      | address                            | why                 |
      | https://shop.example/done          | an address          |
      | https://shop.example/done?order=47 | a query of its own  |

  @req:FORM-07 @req:SVC-09 @decision:D-314
  Scenario: The page leads back to the address that came with the payment
    Given a checkout for 92.00 EUR
    And the shopper has paid in the checkout by card with shopperResultUrl "https://shop.example/later"
    When the shopper opens the page of the checkout
    Then the page leads back to "https://shop.example/later" with id and resourcePath

  @req:FORM-03 @req:FORM-07 @decision:D-314
  Scenario: The page of a checkout speaks 25 languages
    Given a checkout for 92.00 EUR
    When the shopper opens the page of the checkout in each of the 25 languages
    Then each page has the choice of a language in words of its own

  @req:FORM-10 @req:FORM-06 @needs:channels @decision:D-310 @pattern:limit
  Scenario Outline: Rules of a channel choose the brands of a checkout, the first that holds
    Given a merchant whose channel offers brands by rules
    And a checkout for <amount> <currency> with billing.country "<country>"
    When the form of the checkout is opened
    Then the form may offer <brands>

    Examples:
      | amount | currency | country | brands       | why                        |
      | 92.00  | USD      | DE      | AMEX         | a currency                 |
      | 100.00 | EUR      | DE      | VISA, MASTER | the least amount of a rule |
      | 99.99  | EUR      | DE      | VISA         | a cent less                |
      | 10.00  | EUR      | DE      | MASTER       | the most of a rule         |
      | 10.01  | EUR      | DE      | VISA         | a cent more                |
      | 99.99  | EUR      | FR      | DISCOVER     | a country                  |
      | 99.99  | GBP      | US      | DISCOVER     | another country            |
      | 100.00 | GBP      | US      | VISA, MASTER | the first of two           |

  @req:FORM-03 @decision:D-312
  Scenario Outline: A form that asks for an address gets the names of countries
    Given a checkout for 92.00 EUR
    When the form of the checkout is opened with countries "<wish>"
    Then the form gets <which>

    Examples:
      | wish  | which              | why                    |
      | true  | names of countries | it asks for an address |
      | false | no countries       | it asks for none       |

  @req:SVC-09 @req:END-04 @needs:control @decision:D-342
  Scenario Outline: What a form kept is paid with once the shopper confirms it
    Given <prepared>
    And <kept>
    When the shopper confirms what the form kept
    Then the shopper is led to "<address>" with id and resourcePath
    And the merchant reads a payment of 92.00 EUR in the checkout

    Examples:
      | prepared | kept | address | why |
      | a checkout for 92.00 EUR with shopperResultUrl "https://shop.example/done" | the payment form keeps a card for the page of the shop | https://shop.example/done | the checkout has it |
      | a checkout for 92.00 EUR | the payment form keeps a card for the page of the shop at "https://shop.example/later" | https://shop.example/later | the form has it |

  @req:FORM-10 @req:FORM-06 @needs:channels @decision:D-311
  Scenario Outline: The risk profile of the shopper chooses the brands of a checkout
    Given a merchant whose channel offers brands by the profile of the shopper
    And a checkout for 92.00 EUR with <name> "<value>"
    When the form of the checkout is opened
    Then the form may offer <brands>

    Examples:
      | name                     | value   | brands       | why                    |
      | risk.parameters[profile] | new     | MASTER       | a new shopper          |
      | risk.parameters[profile] | known   | VISA, MASTER | one who came before    |
      | risk.parameters[profile] | unknown | VISA         | no rule has it         |
      | risk.parameters[profile] | NEW     | VISA         | capitals are different |
      | risk.parameters[other]   | new     | VISA         | another parameter      |

  @req:FORM-10 @req:SVC-10 @needs:channels @decision:D-310
  Scenario: A registration checkout has no amount, so a rule without one chooses its brands
    Given a merchant whose channel offers brands by rules
    And a registration checkout
    When the form of the checkout is opened
    Then the form may offer VISA
