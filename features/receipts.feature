@req:SVC-19
Feature: Receipts of terminals
  What a terminal prints is what the card message said: its numbers, its texts, its time.

  @req:POS-05 @req:MODE-03 @needs:control @decision:D-412
  Scenario Outline: A receipt has the numbers of its card message
    Given a terminal with keys of <method> DUKPT
    And a debit of 1.00 EUR by encrypted account data at the terminal
    When the terminal debits 92.00 EUR by encrypted account data with
      | testMode | EXTERNAL |
    Then the payment succeeds
    And the receipt has reference and merchant of the card message

    Examples:
      | method | why              |
      | AES    | the newer method |
      | TDES   | the older one    |

  @req:POS-05 @needs:control @needs:clock @decision:D-412
  Scenario Outline: A receipt has the time of the payment in UTC
    Given the sandbox clock is frozen at "<instant>"
    And a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data
    Then the response shows pos.timestamp "<shown>"

    Examples:
      | instant              | shown               | why                 |
      | 2027-07-01T10:20:30Z | 2027-07-01 10:20:30 | in summer           |
      | 2027-12-31T23:59:59Z | 2027-12-31 23:59:59 | the end of a year   |
      | 2028-02-29T00:00:00Z | 2028-02-29 00:00:00 | midnight, leap day  |

  @req:POS-01 @req:POS-06 @req:MODE-03 @needs:control @decision:D-406
  Scenario Outline: The card host receives the terminal, its keyboard and the number of the card
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data with
      | testMode | EXTERNAL |
      | <name>   | <value>  |
    Then the payment succeeds
    And the card message has
      | <field> | <element> |

    Examples:
      | name                   | value                 | field | element | why                      |
      | pos.panSequenceNumber  | 7                     | 23    | 007     | one digit                |
      | pos.panSequenceNumber  | 042                   | 23    | 042     | three digits             |
      | pos.panSequenceNumber  | 123                   | 23    | 123     | no zero                  |
      | pos.pinEntryCapability | PIN_ENTRY_AVAILABLE   | 22    | 051     | a keyboard               |
      | pos.pinEntryCapability | PIN_ENTRY_UNAVAILABLE | 22    | 052     | none                     |
      | pos.pinEntryCapability |                       | 22    | 050     | it does not say          |

  @req:POS-01 @req:POS-06 @req:MODE-03 @needs:control @decision:D-406
  Scenario Outline: The card host receives the number of the terminal in eight digits
    When the merchant debits 92.00 EUR with
      | testMode       | EXTERNAL |
      | pos.entryMode  | MANUAL   |
      | pos.terminalId | <number> |
    Then the payment succeeds
    And the card message has
      | 41 | <element> |

    Examples:
      | number       | element  | why                |
      | 4711         | 00004711 | zeros before it    |
      | 12345678     | 12345678 | as it is           |
      | 123456789012 | 56789012 | its last digits    |

  @req:POS-04 @needs:control @needs:scripts @decision:D-412
  Scenario Outline: Every reason of a decline has a text for the receipt
    Given a terminal with keys of AES DUKPT
    And the acquirer declines every payment with <code>
    When the terminal debits 92.00 EUR by encrypted account data
    Then the response shows pos.statusText "<text>"
    And the response shows pos.timestamp as a time without a zone
    And the response shows pos.merchantId as a merchant id

    Examples:
      | code        | text               | why                      |
      | 800.100.151 | CARDINVALID        | 14                       |
      | 800.100.155 | NOTENOUGHMONEY     | 51                       |
      | 800.100.157 | CARDEXPIRED        | 54                       |
      | 800.100.159 | KEEPCARD           | 43                       |
      | 800.100.160 | CARDBLOCKED        | 62                       |
      | 800.100.162 | LIMITEXCEEDED      | 61                       |
      | 800.100.166 | PINWRONG           | 55                       |
      | 800.100.152 | DECLINED           | no reason                |
      | 300.100.100 | INSERTCARD         | the chip is asked for    |
      | 900.100.600 | ISSUERNOTAVAILABLE | no connection            |

  @req:POS-02 @needs:control @decision:D-409
  Scenario: A key of another terminal decrypts no account
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data with
      | pos.terminalId | 99999999 |
    Then the payment is refused with 600.300.101

  @req:POS-02 @needs:control @decision:D-409
  Scenario Outline: A key serial number is not taken after a later one
    Given a terminal with keys of <method> DUKPT
    When the terminal debits 92.00 EUR after a payment with a later key serial number
    Then the payment is refused with 200.200.106

    Examples:
      | method | why              |
      | AES    | the newer method |
      | TDES   | the older one    |

  @req:POS-05 @needs:control @needs:scripts @decision:D-412
  Scenario: A declined payment has what its receipt needs
    Given a terminal with keys of AES DUKPT
    And the acquirer declines every payment with 800.100.155
    When the terminal debits 92.00 EUR by encrypted account data
    Then the response shows pos.clearing.authorizationIssuerCode "51"
    And the response shows pos.clearing.identifier as a retrieval reference

  @req:POS-04 @needs:control @needs:clock @needs:scripts @decision:D-412
  Scenario: A payment that is still decided has a text for it
    Given a terminal with keys of AES DUKPT
    And the acquirer leaves 1 payment pending
    When the terminal debits 92.00 EUR by encrypted account data
    Then the response shows pos.statusText "INPROGRESS"
