Feature: Cards of every brand
  A brand has its own ranges of numbers, its own lengths and its own security code, wherever a card may
  be sent.

  @req:SVC-08 @req:PAY-04 @req:RSP-03 @needs:channels @pattern:limit
  Scenario Outline: A brand is detected from the first to the last number of its ranges
    Given a merchant whose channel detects brands
    When the merchant debits 92.00 EUR by the card <number> without a brand
    Then the payment succeeds
    And the response shows paymentBrand "<brand>"
    And the response shows card.bin "<bin>"

    Examples:
      | number              | brand    | bin    | why                  |
      | 4000000000006       | VISA     | 400000 | 13 digits            |
      | 4000000000000002    | VISA     | 400000 | the first of 16      |
      | 4999000000000005    | VISA     | 499900 | the last of 16       |
      | 4000000000000000006 | VISA     | 400000 | 19 digits            |
      | 5100000000000008    | MASTER   | 510000 | the first of a range |
      | 5500000000000004    | MASTER   | 550000 | the last of a range  |
      | 2221000000000009    | MASTER   | 222100 | the first of a range |
      | 2720000000000005    | MASTER   | 272000 | the last of a range  |
      | 340000000000009     | AMEX     | 340000 | one of two ranges    |
      | 370000000000002     | AMEX     | 370000 | the other range      |
      | 30000000000004      | DINERS   | 300000 | the first of a range |
      | 30500000000003      | DINERS   | 305000 | the last of a range  |
      | 36000000000008      | DINERS   | 360000 | another range        |
      | 3900000000000005    | DINERS   | 390000 | the last range       |
      | 6011000000000004    | DISCOVER | 601100 | the first range      |
      | 6440000000000005    | DISCOVER | 644000 | the first of a range |
      | 6490000000000004    | DISCOVER | 649000 | the last of a range  |
      | 6500000000000002    | DISCOVER | 650000 | the last range       |
      | 3528000000000007    | JCB      | 352800 | the first of a range |
      | 3589000000000003    | JCB      | 358900 | the last of a range  |

  @req:SVC-08 @req:PAY-04 @req:RSP-03 @decision:D-22 @pattern:limit
  Scenario Outline: A brand without a fixed number of digits is detected too
    When the merchant debits 92.00 EUR by the card <number> without a brand
    Then the payment succeeds
    And the response shows paymentBrand "<brand>"
    And the response shows card.bin "<bin>"

    Examples:
      | number              | brand    | bin    | why                  |
      | 500000000009        | MAESTRO  | 500000 | twelve digits        |
      | 5800000000000001    | MAESTRO  | 580000 | sixteen digits       |
      | 6430000000000007    | MAESTRO  | 643000 | beside DISCOVER      |
      | 6200000000000005    | UNIONPAY | 620000 | one of two ranges    |
      | 8100000000000002    | UNIONPAY | 810000 | the other range      |

  @req:SVC-08 @req:PAY-04 @decision:D-22 @decision:D-67 @pattern:limit
  Scenario Outline: A number beside the ranges of a brand is of no brand
    When the merchant debits 92.00 EUR by the card <number> without a brand
    Then the payment is refused with 100.100.501

    Examples:
      | number           | why               |
      | 2220000000000000 | before MASTER     |
      | 2721000000000004 | after MASTER      |
      | 30600000000001   | after DINERS      |
      | 3527000000000008 | before JCB        |
      | 3590000000000000 | after JCB         |
      | 5900000000000000 | between MAESTRO's |
      | 9000000000000001 | of no scheme      |

  @req:CARD-02 @req:PAY-04 @req:RSP-03
  Scenario Outline: A card of every brand pays, and shows its own digits
    When the shopper's card <number> of <brand> with the code <cvv> is debited 92.00 EUR
    Then the payment succeeds
    And the response shows
      | paymentBrand     | <brand> |
      | card.bin         | <bin>   |
      | card.last4Digits | <last4> |
      | amount           | 92.00   |
    And the response does not contain "<number>"

    Examples:
      | brand    | number           | cvv  | bin    | last4 | why               |
      | VISA     | 4111111111111111 | 737  | 411111 | 1111  | sixteen digits    |
      | MASTER   | 5105105105105100 | 737  | 510510 | 5100  | sixteen digits    |
      | MASTER   | 2223003122003222 | 737  | 222300 | 3222  | the newer range   |
      | AMEX     | 371449635398431  | 7373 | 371449 | 8431  | a four-digit code |
      | DINERS   | 30569309025904   | 737  | 305693 | 5904  | fourteen digits   |
      | DISCOVER | 6011111111111117 | 737  | 601111 | 1117  | sixteen digits    |
      | JCB      | 3530111333300000 | 737  | 353011 | 0000  | sixteen digits    |
      | MAESTRO  | 6304000000000000 | 737  | 630400 | 0000  | sixteen digits    |

  @req:CARD-01 @req:CARD-05 @decision:D-67 @pattern:limit
  Scenario Outline: A security code has the length of its brand
    When the shopper's card <number> of <brand> with the code <cvv> is debited 92.00 EUR
    Then <outcome>

    Examples:
      | brand  | number           | cvv  | outcome                                 | why            |
      | VISA   | 4111111111111111 | 1234 | the payment is refused with 100.100.601 | a digit more   |
      | MASTER | 5105105105105100 | 1234 | the payment is refused with 100.100.601 | a digit more   |
      | DINERS | 30569309025904   | 1234 | the payment is refused with 100.100.601 | a digit more   |
      | AMEX   | 371449635398431  | 123  | the payment is refused with 100.100.601 | a digit less   |
      | AMEX   | 371449635398431  | 1234 | the payment succeeds                    | its own length |

  @req:CARD-02 @req:PAY-04 @decision:D-67
  Scenario Outline: A number of another brand is refused
    When the shopper's card <number> of <brand> with the code <cvv> is debited 92.00 EUR
    Then the payment is refused with <code>

    Examples:
      | brand    | number           | cvv  | code        | why                     |
      | MASTER   | 4111111111111111 | 123  | 100.100.700 | it is VISA              |
      | DISCOVER | 4111111111111111 | 123  | 100.100.700 | it is VISA              |
      | VISA     | 5105105105105100 | 123  | 100.100.700 | it is MASTER            |
      | JCB      | 6011111111111117 | 123  | 100.100.700 | it is DISCOVER          |
      | MASTER   | 2721000000000004 | 123  | 100.100.700 | beyond the newer range  |
      | AMEX     | 4111111111111111 | 1234 | 100.100.101 | AMEX has fifteen digits |
      | VISA     | 371449635398431  | 123  | 100.100.101 | VISA has no fifteen     |

  @req:CARD-02 @code:D-67
  Scenario Outline: Every wrong digit is seen by the check digit
    When the merchant debits 92.00 EUR with card.number "<number>"
    Then the payment is refused with 100.100.101

    Examples:
      | number           | why                   |
      | 4111111111111112 | the last digit        |
      | 4111111111111101 | two digits changed    |
      | 4211111111111111 | the second digit      |
      | 4111111121111111 | a digit in the middle |
      | 1411111111111111 | the first two swapped |

  @req:CARD-02 @req:CARD-03 @req:CARD-04 @needs:clock @decision:D-67 @pattern:limit
  Scenario Outline: A card is charged in its last month and not in the next
    Given the sandbox clock is frozen at "<instant>"
    When the merchant debits 92.00 EUR with
      | card.expiryMonth | <month> |
      | card.expiryYear  | <year>  |
    Then <outcome>

    Examples:
      | instant              | month | year | outcome                                 | why                       |
      | 2028-02-29T23:59:59Z | 02    | 2028 | the payment succeeds                    | a leap day                |
      | 2028-03-01T00:00:00Z | 02    | 2028 | the payment is refused with 100.100.303 | the month after           |
      | 2027-12-31T23:59:59Z | 12    | 2027 | the payment succeeds                    | the last of a year        |
      | 2028-01-01T00:00:00Z | 12    | 2027 | the payment is refused with 100.100.303 | the year after            |
      | 2028-01-01T00:00:00Z | 01    | 2028 | the payment succeeds                    | the first of a year       |
      | 2028-06-15T12:00:00Z | 01    | 2029 | the payment succeeds                    | a smaller month next year |
      | 2028-06-15T12:00:00Z | 12    | 2027 | the payment is refused with 100.100.303 | a larger month last year  |
      | 2028-06-15T12:00:00Z | 05    | 2028 | the payment is refused with 100.100.303 | last month                |

  @req:CARD-02 @req:SVC-13 @needs:clock @decision:D-67 @pattern:limit @pattern:place
  Scenario Outline: A stored card is not changed to a month that is over
    Given the sandbox clock is frozen at "2027-05-15T12:00:00Z"
    And a stored card with
      | card.expiryMonth | 08   |
      | card.expiryYear  | 2027 |
    When the merchant changes the registration to
      | card.expiryMonth | <month> |
      | card.expiryYear  | <year>  |
    Then the response shows result.code "<code>"

    Examples:
      | month | year | code        | why                      |
      | 04    | 2027 | 100.100.303 | the month alone is older |
      | 08    | 2026 | 100.100.303 | the year alone is older  |
      | 05    | 2027 | 000.100.110 | the present month        |

  @req:CARD-02 @req:SVC-13 @needs:clock @decision:D-67 @pattern:limit @pattern:place
  Scenario Outline: A stored card is charged until it expires
    Given the sandbox clock is frozen at "2027-01-15T12:00:00Z"
    And a stored card with
      | card.expiryMonth | 03   |
      | card.expiryYear  | 2027 |
    And the sandbox clock is frozen at "<instant>"
    When the merchant debits 9.90 EUR from the registration
    Then <outcome>

    Examples:
      | instant              | outcome                                 | why                    |
      | 2027-03-31T23:59:59Z | the payment succeeds                    | the last second        |
      | 2027-04-01T00:00:00Z | the payment is refused with 100.100.303 | the first second after |

  @req:CARD-05 @needs:channels @code:D-19
  Scenario Outline: A channel that requires the security code requires it of every request with a card
    Given a merchant whose channel requires the security code
    When the merchant sends card.cvv "" with <kind>
    Then the payment is refused with 100.100.600

    Examples:
      | kind                    | why             |
      | an authorization        | no code is sent |
      | a debit                 | no code is sent |
      | a payment in a checkout | no code is sent |
      | a registration          | no code is sent |

  @req:CARD-05 @needs:channels
  Scenario Outline: A channel that requires the security code takes a card with it
    Given a merchant whose channel requires the security code
    When the merchant sends card.cvv "123" with <kind>
    Then it is accepted

    Examples:
      | kind                    | why             |
      | an authorization        | it has the code |
      | a debit                 | it has the code |
      | a payment in a checkout | it has the code |
      | a registration          | it has the code |

  @req:CARD-01 @req:RSP-03
  Scenario Outline: The holder of a card is shown as it was sent
    When the merchant debits 92.00 EUR with card.holder "<holder>"
    Then the payment succeeds
    And the response shows card.holder "<holder>"

    Examples:
      | holder                  | why                |
      | Bo  Li                  | two blanks         |
      | Zoë Müller-Lüdenscheidt | letters with marks |
      | 李小龙                     | three characters   |
      | Ann O'Hara-Li Jr.       | punctuation        |

  @req:CARD-03 @req:CARD-04 @req:RSP-03
  Scenario Outline: Every month is a month of expiry
    When the merchant debits 92.00 EUR with
      | card.expiryMonth | <month> |
      | card.expiryYear  | 2098    |
    Then the payment succeeds
    And the response shows card.expiryMonth "<month>"
    And the response shows card.expiryYear "2098"

    Examples:
      | month | why        |
      | 01    | the first  |
      | 02    | February   |
      | 09    | two digits |
      | 10    | two digits |
      | 11    | November   |
      | 12    | the last   |
