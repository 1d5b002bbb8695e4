Feature: Terminals at the point of sale
  A card is read by a terminal. Account data and PIN travel encrypted, each under a key of its own; the
  chip speaks with its issuer.

  @req:SVC-19 @req:POS-02 @needs:terminal
  Scenario Outline: A terminal that the gateway knows pays by encrypted account data
    Given a terminal
    When the terminal debits 92.00 EUR by the test card, read by <mode>
    Then the payment succeeds
    And the response hides the number of the test card

    Examples:
      | mode                           | why                       |
      | MAGSTRIPE                      | a swipe                   |
      | MAGSTRIPE, with its PIN        | a swipe and a PIN         |
      | MAGSTRIPE_AS_FALLBACK          | a swipe after a dead chip |
      | MANUAL                         | a typed number            |

  @req:POS-04 @req:POS-05 @needs:terminal
  Scenario: A terminal that the gateway knows is answered what its receipt needs
    Given a terminal
    When the terminal debits 92.00 EUR by the test card, read by MAGSTRIPE
    Then the payment succeeds
    And the response shows pos.statusText as some text
    And the response shows pos.clearing.authorizationIssuerCode as some text
    And the response shows pos.clearing.authorizationAcquirerCode as some text
    And the response shows pos.clearing.identifier as some text
    And the response shows pos.merchantId as some text
    And the response shows pos.timestamp as a time without a zone

  @req:SVC-19 @req:POS-02 @needs:control @decision:D-405
  Scenario Outline: Encrypted account data pays like a card
    Given a terminal with keys of <method> DUKPT
    When the terminal debits 92.00 EUR by encrypted account data
    Then the payment succeeds
    And the response shows paymentBrand "VISA"
    And the response shows card.bin "420000"
    And the response shows card.last4Digits "0000"
    And the response does not contain "4200000000000000"

    Examples:
      | method | why                              |
      | TDES   | a serial number of 20 hex digits |
      | AES    | a serial number of 24 hex digits |

  @req:SVC-19 @needs:control @decision:D-405 @req:POS-01 @req:POS-06
  Scenario Outline: A terminal pays whatever way the card was read
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by the encrypted account 5454545454545454 read by <mode>
    Then the payment succeeds
    And the response shows paymentBrand "MASTER"

    Examples:
      | mode                  | why                       |
      | ICC                   | an inserted chip          |
      | NFC_ICC               | a tap                     |
      | NFC_MAGSTRIPE         | a tap with magstripe data |
      | MAGSTRIPE             | a swipe                   |
      | MAGSTRIPE_AS_FALLBACK | a swipe after a dead chip |
      | MANUAL                | a typed number            |

  @req:POS-02 @needs:control @decision:D-410
  Scenario Outline: An encrypted account obeys the rules of a card
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by the encrypted account <number> read by ICC
    Then the payment is refused with <code>

    Examples:
      | number           | code        | why                  |
      | 4200000000000001 | 100.100.101 | a wrong check digit  |
      | 9900000000000005 | 100.100.501 | a number of no brand |

  @req:POS-02 @needs:control @decision:D-409
  Scenario: A key serial number is taken once
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR twice with one key serial number
    Then the payment is refused with 200.200.106

  @req:POS-02 @needs:control @decision:D-409
  Scenario: A key for PINs decrypts no account
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR with the account under the key for PINs
    Then the payment is refused with 600.300.101

  @req:POS-02 @needs:control @decision:D-409
  Scenario Outline: A key that was loaded into no terminal decrypts no account
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data with
      | pos.encryptedSred.ksn | <ksn> |
    Then the payment is refused with 600.300.101

    Examples:
      | ksn                      | why                  |
      | FFFF9876543210E00001     | a key of TDES DUKPT  |
      | 123456789012345600000001 | a key of AES DUKPT   |

  @req:SVC-19 @req:POS-02 @needs:control @decision:D-510
  Scenario Outline: A terminal that loads its keys over an open line pays with them
    Given a terminal that loads its keys of <method> DUKPT remotely
    When the terminal debits 92.00 EUR by encrypted account data
    Then the payment succeeds
    And the response does not contain "4200000000000000"

    Examples:
      | method | why                 |
      | TDES   | the earlier method  |
      | AES    | the present method  |

  @req:SVC-19 @req:POS-02 @needs:control @decision:D-510
  Scenario: A second terminal loads its keys from the same authority
    Given a terminal that loads its keys of AES DUKPT remotely
    And a debit of 92.00 EUR by encrypted account data at the terminal
    And a terminal that loads its keys of AES DUKPT remotely
    When the terminal debits 12.00 EUR by encrypted account data
    Then the payment succeeds

  @req:POS-02 @needs:control @decision:D-408
  Scenario Outline: A key serial number of no method is refused
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data with
      | pos.encryptedSred.ksn | <ksn> |
    Then the request is refused, naming pos.encryptedSred.ksn

    Examples:
      | ksn                      | why                    |
      |                          | none                   |
      | FFFFFFFFFFFFFFFFFFF      | 19 digits              |
      | FFFFFFFFFFFFFFFFFFFFF    | 21 digits              |
      | FFFFFFFFFFFFFFFFFFFFFFFF | a counter devices skip |
      | XXXXXXXXXXXXXXXXXXXX     | no hex digits          |

  @req:POS-02 @needs:control @decision:D-408 @pattern:limit
  Scenario Outline: A key serial number has a counter of so many bits that devices use
    Given a terminal with keys of <method> DUKPT
    When the terminal debits 92.00 EUR under a counter of <bits> bits that is not its own
    Then the request is refused, naming pos.encryptedSred.<wrong>

    Examples:
      | method | bits | wrong | why                                 |
      | TDES   | 10   | data  | the most: the data have another key |
      | TDES   | 11   | ksn   | one more                            |
      | AES    | 16   | data  | the most: the data have another key |
      | AES    | 17   | ksn   | one more                            |

  @req:POS-02 @needs:control @decision:D-480
  Scenario Outline: Account data that was cut is refused
    Given a terminal with keys of <method> DUKPT
    When the terminal debits 92.00 EUR by encrypted account data without its last <part>
    Then the request is refused, naming pos.encryptedSred.data

    Examples:
      | method | part  | why                    |
      | TDES   | block | the padding is missing |
      | AES    | block | the padding is missing |
      | TDES   | byte  | not a whole block      |
      | AES    | byte  | not a whole block      |

  @req:POS-02 @needs:terminal @code:D-480 @pattern:limit
  Scenario Outline: Account data has a number and an expiry
    Given a terminal
    When the terminal debits 92.00 EUR by the account "<number>" with the expiry "<expiry>"
    Then the request is refused, naming pos.encryptedSred.data

    Examples:
      | number               | expiry | why               |
      | 4200000000000000     |        | no expiry         |
      | 4200000000000000     | 3405   | a day is missing  |
      | 4200000000000000     | 341331 | no such month     |
      | 42000000000          | 340531 | eleven digits     |
      | 42000000000000000000 | 340531 | twenty digits     |

  @req:MODE-03 @req:POS-01 @req:POS-06 @req:SVC-19 @needs:control @decision:D-410
  Scenario Outline: The card host receives how the card was read
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data with
      | testMode      | EXTERNAL |
      | pos.entryMode | <mode>   |
    Then the payment succeeds
    And the card message has
      | 22 | <entry> |

    Examples:
      | mode                  | entry | why                       |
      | ICC                   | 051   | an inserted chip          |
      | NFC_ICC               | 071   | a tap                     |
      | NFC_MAGSTRIPE         | 911   | a tap with magstripe data |
      | MAGSTRIPE             | 901   | a swipe                   |
      | MAGSTRIPE_AS_FALLBACK | 801   | a swipe after a dead chip |
      | MANUAL                | 011   | a typed number            |

  @req:SVC-19 @req:POS-01 @needs:control @decision:D-610
  Scenario Outline: A sequence number of a terminal that comes again is another payment
    Given a terminal with keys of <method> DUKPT
    And a debit of 92.00 EUR by encrypted account data at the terminal with
      | pos.transactionSequenceNumber | 7 |
    When the terminal debits <amount> EUR by encrypted account data with
      | pos.transactionSequenceNumber | <number> |
    Then the payment succeeds
    And the response shows amount "<amount>"

    Examples:
      | method | amount | number | why                        |
      | AES    | 92.00  | 7      | the same once more         |
      | TDES   | 12.00  | 7      | the same of another amount |
      | AES    | 92.00  | 8      | the next                   |

  @req:SVC-19 @req:POS-01 @needs:channels @needs:control @decision:D-610 @pattern:limit
  Scenario Outline: A channel may refuse a sequence number of a terminal that comes again
    Given a merchant whose channel refuses a sequence number again
    And a terminal with keys of AES DUKPT
    And a debit of 92.00 EUR by encrypted account data at the terminal with
      | pos.transactionSequenceNumber | 7 |
    When the terminal debits 12.00 EUR by encrypted account data with
      | pos.transactionSequenceNumber | <number> |
      | testMode                      | <mode>   |
    Then <outcome>

    Examples:
      | number | mode     | outcome                                  | why                   |
      | 7      | INTERNAL | the payment is declined with 800.120.402 | the same              |
      | 007    | INTERNAL | the payment is declined with 800.120.402 | zeros in front        |
      | 7      | EXTERNAL | the payment is declined with 800.120.402 | the same, at the host |
      | 8      | INTERNAL | the payment succeeds                     | the next              |
      | 6      | EXTERNAL | the payment succeeds                     | the one before        |

  @req:SVC-19 @req:POS-01 @needs:channels @needs:control @needs:clock @decision:D-610 @pattern:limit
  Scenario Outline: A sequence number is free again where nothing uses it
    Given a merchant whose channel refuses a sequence number again
    And a terminal with keys of AES DUKPT
    And the sandbox clock is frozen
    And a debit of 92.00 EUR by encrypted account data at the terminal with
      | pos.transactionSequenceNumber     | 7      |
      | customParameters[forceResultCode] | <code> |
    And <time> pass
    When the terminal debits 12.00 EUR by encrypted account data with
      | pos.transactionSequenceNumber | 7 |
    Then <outcome>

    Examples:
      | code        | time     | outcome                                  | why             |
      | 000.100.110 | 23 hours | the payment is declined with 800.120.402 | less than a day |
      | 000.100.110 | 24 hours | the payment succeeds                     | a day           |
      | 800.100.152 | 1 minute | the payment succeeds                     | it was declined |

  @req:SVC-19 @needs:control @decision:D-410
  Scenario: A debit at a terminal is refunded without the card
    Given a terminal with keys of AES DUKPT
    And a debit of 92.00 EUR by encrypted account data at the terminal
    When the merchant refunds 92.00 EUR of it
    Then the payment succeeds
    And the response does not contain "4200000000000000"

  @req:SVC-19 @needs:control @decision:D-410
  Scenario: An authorization at a terminal is reversed without the card
    Given a terminal with keys of AES DUKPT
    And an authorization of 92.00 EUR by encrypted account data at the terminal
    When the merchant reverses it
    Then the payment succeeds
    And the response does not contain "4200000000000000"

  @req:SVC-19 @req:POS-02 @req:POS-03 @needs:control @decision:D-430
  Scenario: A chip with its PIN pays, and accepts the answer of its issuer
    Given a terminal with keys of AES DUKPT
    When the card gold pays 92.00 EUR with the PIN "1234"
    Then the card approves too
    And the response shows pos.iccDataResponse as some text
    And the response shows pos.clearing.authorizationIssuerCode "00"

  @req:SVC-19 @req:POS-01 @req:POS-02 @needs:control @decision:D-438
  Scenario Outline: A tap pays by the code that the card makes for it
    Given a terminal with keys of AES DUKPT
    And the card <card> was tapped for 20.00 EUR
    When the card <card> is tapped for 12.00 EUR
    Then the card approves too
    And the response shows pos.clearing.authorizationIssuerCode "00"
    And the response shows amount "12.00"

    Examples:
      | card    | why                                   |
      | tap     | a cryptogram over the payment         |
      | tap-old | magstripe mode: a code and a counter  |

  @req:POS-02 @needs:control @decision:D-432
  Scenario Outline: A chip pays the amount and currency that it was asked for
    Given a terminal with keys of AES DUKPT
    When the card gold pays 1.00 EUR with the PIN "1234" and <asked> is asked for
    Then the payment by card is refused with 800.100.183
    And the response shows pos.clearing.authorizationIssuerCode "05"

    Examples:
      | asked       | why              |
      | 1000.00 EUR | a larger amount  |
      | 0.50 EUR    | a smaller amount |
      | 1.00 USD    | another currency |

  @req:POS-02 @needs:control @decision:D-430
  Scenario Outline: A wrong PIN is refused, the third one for good
    Given a terminal with keys of AES DUKPT
    When the card gold pays 92.00 EUR with the PIN "9999" <times> times
    Then the payment by card is refused with <code>
    And the response shows pos.clearing.authorizationIssuerCode "<response>"

    Examples:
      | times | code        | response | why               |
      | 1     | 800.100.166 | 55       | tries are left    |
      | 2     | 800.100.166 | 55       | one try is left   |
      | 3     | 800.100.178 | 75       | no tries are left |

  @req:POS-02 @needs:control @decision:D-430 @pattern:limit
  Scenario Outline: A PIN is right or wrong as a whole
    Given a terminal with keys of AES DUKPT
    When the card gold pays 92.00 EUR with the PIN "<pin>"
    Then the payment by card is refused with 800.100.166
    And the response shows pos.clearing.authorizationIssuerCode "55"

    Examples:
      | pin    | why                    |
      | 12345  | the PIN and one digit  |
      | 123412 | the PIN and two digits |
      | 0123   | a digit before it      |
      | 1235   | the last digit         |
      | 2234   | the first digit        |

  @req:POS-02 @needs:control @decision:D-430
  Scenario: A right PIN gives all tries back
    Given a terminal with keys of AES DUKPT
    And the card gold paid 92.00 EUR with the PIN "9999" 2 times
    And the card gold paid 92.00 EUR with the PIN "1234" 1 times
    When the card gold pays 92.00 EUR with the PIN "9999" 2 times
    Then the payment by card is refused with 800.100.166

  @req:POS-02 @req:SVC-19 @needs:control @decision:D-430 @pattern:limit
  Scenario Outline: A card at a terminal pays as long as its account has money
    Given a terminal with keys of AES DUKPT
    And the card poor paid 30.00 EUR with the PIN "1234" 1 times
    When the card poor pays <amount> EUR with the PIN "1234"
    Then the response to the card shows <code>

    Examples:
      | amount | code | why               |
      | 20.00  | 00   | all that is left  |
      | 20.01  | 10   | a part alone      |
      | 40.01  | 51   | not even the half |
      | 0.01   | 00   | the smallest      |

  @req:POS-04 @req:SVC-19 @needs:channels @needs:control @decision:D-481
  Scenario Outline: A channel that takes parts is paid the part that the issuer approves
    Given a merchant whose channel takes a part of a payment
    And a terminal with keys of AES DUKPT
    When the card poor pays <amount> EUR with the PIN "1234"
    Then the response to the card shows <code> and <taken>

    Examples:
      | amount | code | taken     | why                            |
      | 50.00  | 00   | 50.00 EUR | all of it                      |
      | 80.00  | 10   | 50.00 EUR | a part                         |
      | 100.00 | 10   | 50.00 EUR | half of it, the least          |
      | 100.01 | 51   | nothing   | less than half is not approved |

  @req:POS-03 @needs:control @needs:scripts @decision:D-430
  Scenario Outline: The issuer's commands come back to the card
    Given a terminal with keys of AES DUKPT
    And the issuer sends the command "<command>" to the card
    When the card gold pays 92.00 EUR with the PIN "1234"
    Then the card is answered the command <header>

    Examples:
      | command             | header   | why                     |
      | unblock-pin         | 84240000 | a PIN is unblocked      |
      | block-application   | 841E0000 | an application          |
      | unblock-application | 84180000 | an application again    |
      | block-card          | 84160000 | the whole card          |
      | reset-counters      | 84DA9F13 | a counter is written    |
      | put-data 9F14 05    | 84DA9F14 | a limit is written      |

  @req:POS-03 @needs:control @needs:scripts @decision:D-430
  Scenario Outline: A card declines what its issuer does not prove
    Given a terminal with keys of AES DUKPT
    And the answer of the issuer has <proof> proof
    When the card gold pays 92.00 EUR with the PIN "1234"
    Then the card declines
    And the response to the card shows 00

    Examples:
      | proof   | why                     |
      | a wrong | it is not of the issuer |

  @req:POS-02 @req:MODE-03 @req:MODE-04 @needs:control @decision:D-430
  Scenario Outline: A PIN is checked in either test mode
    Given a terminal with keys of AES DUKPT
    When the card gold pays 92.00 EUR with the PIN "<pin>" in the test mode <mode>
    Then the response to the card shows <code>

    Examples:
      | mode     | pin  | code | why     |
      | INTERNAL | 9999 | 55   | a wrong |
      | EXTERNAL | 9999 | 55   | a wrong |
      | INTERNAL | 1234 | 00   | a right |
      | EXTERNAL | 1234 | 00   | a right |

  @req:POS-04 @needs:control @decision:D-412
  Scenario: The status text says what became of a payment
    Given a terminal with keys of AES DUKPT
    When the terminal debits 92.00 EUR by encrypted account data
    Then the response shows pos.statusText "APPROVED"

  @req:POS-04 @needs:control @needs:scripts @decision:D-412
  Scenario Outline: The acquirer's status text stands in place of approved or declined
    Given a terminal with keys of AES DUKPT
    And the acquirer <verdict> with the status text "<text>"
    When the terminal debits 92.00 EUR by encrypted account data
    Then the response shows pos.statusText "<text>"

    Examples:
      | verdict  | text       | why                      |
      | approves | THANKYOU   | other words of approval  |
      | declines | CALLISSUER | the merchant has to call |

  @req:POS-04 @needs:control @decision:D-412
  Scenario: A wrong PIN has a status text of its own
    Given a terminal with keys of AES DUKPT
    When the card gold pays 92.00 EUR with the PIN "9999"
    Then the payment by card is refused with 800.100.166
    And the response shows pos.statusText "PINWRONG"

  @req:POS-05 @needs:control @decision:D-412
  Scenario: A terminal gets the facts for its receipt
    Given a terminal with keys of AES DUKPT
    When the card gold pays 92.00 EUR with the PIN "1234"
    Then the card approves too
    And the response shows pos.clearing.authorizationIssuerCode "00"
    And the response shows pos.clearing.authorizationAcquirerCode as an authorization code
    And the response shows pos.clearing.identifier as a retrieval reference
    And the response shows pos.merchantId as a merchant id
    And the response shows pos.timestamp as a time without a zone

  @req:POS-05 @needs:control @decision:D-412
  Scenario: A payment that is read later has the same facts for its receipt
    Given a terminal with keys of AES DUKPT
    And a debit of 92.00 EUR by encrypted account data at the terminal
    When the merchant reads it
    Then the response shows pos.statusText "APPROVED"
    And the response shows pos.timestamp as a time without a zone

  @req:POS-05 @needs:control @decision:D-412
  Scenario: A payment without a terminal has no facts for a receipt
    When the merchant debits 92.00 EUR
    Then the response shows no pos

  @req:POS-07 @needs:control @decision:D-55
  Scenario Outline: Six models of terminals pay
    Given a terminal of the model <model>
    When the terminal debits 92.00 EUR by encrypted account data
    Then the payment succeeds

    Examples:
      | model      | why                  |
      | COUNTERTOP | on the counter       |
      | PORTABLE   | carried to the table |
      | MOBILE     | with a telephone     |
      | PINPAD     | for a till           |
      | INTEGRATED | in a till            |
      | UNATTENDED | in a machine         |

  @req:POS-07 @needs:control @decision:D-55
  Scenario: Another model is refused where the models are a list
    Given a merchant whose sandbox sets D-55 to "listed"
    When the merchant debits 92.00 EUR with
      | pos.entryMode  | MANUAL              |
      | pos.terminalId | 4711                |
      | pos.deviceType | SANDGATE_WRISTWATCH |
    Then the request is refused, naming pos.deviceType

  @req:POS-03 @req:POS-02 @needs:control @code:D-430
  Scenario Outline: A chip that its issuer declines accepts the answer too
    Given a terminal with keys of <method> DUKPT
    When the card <card> pays <amount> EUR with the PIN "<pin>" in the test mode <mode>
    Then the payment by card is refused with <code>
    And the response shows pos.iccDataResponse as some text

    Examples:
      | method | card | amount | pin  | mode     | code        | why               |
      | AES    | gold | 92.00  | 9999 | INTERNAL | 800.100.166 | a wrong PIN       |
      | TDES   | gold | 92.00  | 9999 | EXTERNAL | 800.100.166 | at the card host  |
      | AES    | poor | 200.00 | 1234 | INTERNAL | 800.100.155 | too little money  |
      | AES    | poor | 200.00 | 1234 | EXTERNAL | 800.100.155 | at the card host  |
