Feature: Errors
  A refusal names the invalid parameters with their values, except for secrets.

  @req:ERR-06
  Scenario: Every invalid parameter is named
    When the merchant debits 92.0 eur with
      | card.expiryMonth | 13 |
      | billing.country  | de |
      | customer.sex     | X  |
    Then the request is refused, naming amount, currency, card.expiryMonth, billing.country, customer.sex

  @req:ERR-06
  Scenario: Missing and invalid parameters are named together
    When the merchant debits 92.0 EUR without card.number
    Then the request is refused, naming amount, card.number

  @req:ERR-06
  Scenario Outline: The value of a secret is never repeated
    When the merchant debits 92.00 EUR with <secret> "<value>"
    Then the request is refused, naming <secret>
    And the response does not contain "<value>"

    Examples:
      | secret      | value                 | why               |
      | card.number | 42000000000000001234X | a number too long |
      | card.cvv    | 98765                 | a code too long   |

  @req:ERR-06
  Scenario: A card number with a wrong check digit is not repeated
    When the merchant debits 92.00 EUR with card.number "4200000000000001"
    Then the payment is refused
    And the response does not contain "4200000000000001"

  @req:ERR-06
  Scenario: An invalid parameter is named with its value
    When the merchant debits 92.0 EUR
    Then the request is refused, naming amount
    And the error of amount shows the value "92.0"

  @req:ERR-06 @decision:D-94
  Scenario Outline: A card number in a wrong value is masked, however it is written
    When the merchant debits 92.00 EUR with transactionCategory "<value>"
    Then the request is refused, naming transactionCategory
    And the error of transactionCategory shows the value "<shown>"

    Examples:
      | value                                                            | shown                                                         | why                                   |
      | 4200000000000000 of mine                                         | 420000******0000 of mine                                      | digits alone                          |
      | 4200 0000 0000 0000                                              | 420000******0000                                              | in four groups                        |
      | 4200-0000-0000-0000                                              | 420000******0000                                              | with hyphens                          |
      | 42 00 00 00 00 00 00 00                                          | 420000******0000                                              | in eight groups                       |
      | 3759 870000 00062                                                | ***********0062                                               | fifteen digits: no beginning          |
      | E-C 1234567890123456789                                          | E-C 123456*********6789                                       | no brand, a valid check digit         |
      | 30/20/23/2/24/13/6/23/31/15/31/24/14/6/6/8/4795/4220/5879/1580   | 30/20/23/2/24/13/6/23/31/15/31/24/14/6/6/8/479542******1580   | behind days, with most digits doubled |
      | 11/15/8/14/20/11/16/19/12/29/27/29/13/14/7/3/4930/4240/2560/4108 | 11/15/8/14/20/11/16/19/12/29/27/29/13/14/7/3/493042******4108 | behind days, with the others doubled  |

  @req:ERR-06 @decision:D-94
  Scenario: A wrong value that is a key and nothing else is not shown
    When the merchant debits 92.00 EUR with transactionCategory "0123456789abcdef0123456789abcdef0123456789abcdef"
    Then the request is refused, naming transactionCategory
    And the error of transactionCategory shows the value "***"

  @req:ERR-06 @decision:D-94
  Scenario: The longest number that may be one of a card is shown where its check digit is wrong
    When the merchant debits 92.00 EUR with transactionCategory "E-C 9999999999999999999"
    Then the request is refused, naming transactionCategory
    And the error of transactionCategory shows the value "E-C 9999999999999999999"

  @req:ERR-06 @decision:D-94 @pattern:limit
  Scenario Outline: A wrong value that is no card number is shown whole
    When the merchant debits 92.00 EUR with transactionCategory "<value>"
    Then the request is refused, naming transactionCategory
    And the error of transactionCategory shows the value "<value>"

    Examples:
      | value                                           | why                                   |
      | E-C 42000000000                                 | eleven digits                         |
      | E-C 420000000000000                             | a wrong check digit                   |
      | 30/20/23/2/24/13/6/23/31/15/31/24/14/6/6/8      | days                                  |
      | 0123456789abcdef0123456789abcdef0123456         | a key without its last nine digits    |

  @req:ERR-06 @decision:D-265 @pattern:limit
  Scenario Outline: A long wrong value is shown to its last letter before the cut
    When the merchant debits 92.00 EUR with transactionCategory of <letters> letters and <digits> digits
    Then the request is refused, naming transactionCategory
    And the error of transactionCategory shows the first <shown> letters alone

    Examples:
      | letters | digits | shown | why                          |
      | 255     | 0      | 255   | the longest that is not cut  |
      | 256     | 0      | 255   | one more                     |
      | 255     | 1      | 255   | a digit behind the cut       |
      | 254     | 2      | 254   | a digit in front of the cut  |
      | 150     | 150    | 150   | many digits in front of it   |
      | 1       | 300    | 1     | digits all the way           |
      | 0       | 300    | 0     | nothing but digits           |

  @req:ERR-06
  Scenario: A missing parameter is named without a value
    When the merchant debits 92.00 EUR without currency
    Then the request is refused, naming currency
    And the error of currency shows no value

  @req:ERR-01 @req:ERR-03 @decision:D-60
  Scenario: A payment may end with any final result code of the list
    When the merchant debits once with each final result code of the list
    Then each payment ends with its code and words of its own

  @req:ERR-01 @req:ERR-03 @decision:D-60
  Scenario: No payment ends at once with a result code that is not final
    When the merchant debits once with each other result code of the list
    Then each payment is refused with 600.200.810

  @req:ERR-06 @decision:D-02
  Scenario Outline: An unknown parameter is refused with the nearest known name
    When the merchant debits 92.00 EUR with <unknown> "Jane"
    Then the request is refused, naming <unknown>
    And the error of <unknown> has a message with "<known>"

    Examples:
      | unknown            | known              | why                      |
      | customer.givenname | customer.givenName | names are case-sensitive |
      | biling.city        | billing.city       | a letter is missing      |
      | card.holdr         | card.holder        | a letter is missing      |

  @req:ERR-06
  Scenario: A refused request stores nothing
    When the merchant debits 92.0 EUR
    Then the request is refused, naming amount
    And the response shows no id

  @req:ERR-01 @req:RSP-01 @needs:declines
  Scenario: A declined payment has its own id
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the payment is declined with 800.100.152
    And the response shows id as a payment id

  @req:ERR-01 @needs:declines @decision:D-17
  Scenario Outline: A declined payment shows its brand and no amount
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the response shows paymentBrand "VISA"
    And the response shows no <member>

    Examples:
      | member     | why                 |
      | amount     | nothing was debited |
      | currency   | nothing was debited |
      | descriptor | nothing was debited |

  @req:ERR-03 @req:RSP-02
  Scenario Outline: Every response has result code, build number, timestamp and request id
    When <something happens>
    Then the response shows result.code as a result code
    And the response shows buildNumber as some text
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id

    Examples:
      | something happens                                                   | why                  |
      | the merchant debits 92.00 EUR                                       | a success            |
      | the merchant debits 92.0 EUR                                        | a violation          |
      | the merchant debits 92.00 EUR with card.number "4200000000000001"   | a wrong check digit  |
      | the merchant debits 92.00 EUR without any credentials               | no credentials       |
      | the merchant debits 92.00 EUR with the token "bm9ib2R5fG5vdGhpbmc=" | a wrong token        |
      | the merchant requests an unknown resource                           | a mistyped address   |
      | the merchant reads an unknown payment                               | an unknown payment   |
      | the merchant captures an unknown payment                            | an unknown reference |

  @req:ERR-03 @req:RSP-02 @needs:declines
  Scenario: A decline has result code, build number, timestamp and request id
    When the merchant debits 92.00 EUR with card.holder "800.100.152"
    Then the response shows result.code as a result code
    And the response shows buildNumber as some text
    And the response shows timestamp as a timestamp
    And the response shows ndc as a request id

  @req:END-09
  Scenario: An unknown resource is not found
    When the merchant requests an unknown resource
    Then the request is refused as not found

  @req:ERR-01 @req:AUTH-03 @decision:D-59
  Scenario: Missing credentials are reported before invalid parameters
    When the merchant debits 92.0 EUR without any credentials
    Then the credentials are refused as missing or malformed

  @req:ERR-01 @req:AUTH-04 @decision:D-59
  Scenario: An unknown token is reported before invalid parameters
    When the merchant debits 92.0 EUR with the token "bm9ib2R5fG5vdGhpbmc="
    Then the credentials are refused as unknown

  @req:ERR-01 @req:AUTH-04 @decision:D-59
  Scenario: An unknown entity is reported before invalid parameters
    When the merchant debits 92.0 EUR for the entity "8ac7a4c7000000000000000000000000"
    Then the credentials are refused as unknown

  @req:ERR-01 @req:END-08 @decision:D-59
  Scenario: Invalid parameters are reported before an unknown payment
    Given an unknown payment
    When the merchant captures 92.0 EUR of it
    Then the request is refused, naming amount

  @req:ERR-01 @req:END-08 @decision:D-59 @decision:D-46 @decision:D-60
  Scenario: A refused capture is not sent to the acquirer
    Given an authorized payment of 92.00 EUR
    When the merchant captures 92.01 EUR of it, with the forced result 800.100.152
    Then the capture is refused with 700.400.100
