Feature: Accounts at every place
  The rules of an account hold for every brand and wherever one is sent: in a payment, in a checkout, when it
  is stored, and when what was stored is charged.

  @req:CARD-02 @code:D-67
  Scenario Outline: Every brand's check digit is tested
    When the shopper's card <number> of <brand> with the code <cvv> is debited 92.00 EUR
    Then the payment is refused with 100.100.101

    Examples:
      | brand    | number              | cvv  | why                |
      | VISA     | 4000000000007       | 123  | 13 digits          |
      | VISA     | 4000000000000000007 | 123  | 19 digits          |
      | MASTER   | 5105105105105101    | 123  | the last digit     |
      | MASTER   | 2223003122003223    | 123  | the newer range    |
      | AMEX     | 371449635398432     | 1234 | the last digit     |
      | AMEX     | 371449635398413     | 1234 | two digits swapped |
      | DINERS   | 30569309025905      | 123  | the last digit     |
      | DISCOVER | 6011111111111118    | 123  | the last digit     |
      | JCB      | 3530111333300001    | 123  | the last digit     |
      | MAESTRO  | 6304000000000001    | 123  | the last digit     |
      | MAESTRO  | 500000000008        | 123  | twelve digits      |

  @req:CARD-02 @pattern:limit @decision:D-67
  Scenario Outline: A number has a length of its brand
    When the shopper's card <number> of <brand> with the code <cvv> is debited 92.00 EUR
    Then the payment is refused with 100.100.101

    Examples:
      | brand    | number              | cvv  | why       |
      | VISA     | 40000000000002      | 123  | 14 digits |
      | VISA     | 40000000000000006   | 123  | 17 digits |
      | VISA     | 400000000000000002  | 123  | 18 digits |
      | MASTER   | 510000000000003     | 123  | 15 digits |
      | MASTER   | 51000000000000003   | 123  | 17 digits |
      | MASTER   | 2221000000000000000 | 123  | 19 digits |
      | AMEX     | 37000000000007      | 1234 | 14 digits |
      | AMEX     | 3400000000000000    | 1234 | 16 digits |
      | DINERS   | 3050000000002       | 123  | 13 digits |
      | DISCOVER | 601100000000001     | 123  | 15 digits |
      | JCB      | 352800000000007     | 123  | 15 digits |

  @req:CARD-02 @code:D-67
  Scenario Outline: A card that cannot be charged is refused at every place
    When the merchant sends <name> "<value>" with <kind>
    Then the payment is refused with <code>

    Examples:
      | kind                           | name            | value            | code        | why                 |
      | a debit at the card host       | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a debit at the card host       | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a wallet payment               | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a wallet payment               | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a wallet payment in a checkout | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a wallet payment in a checkout | card.expiryYear | 2019             | 100.100.303 | expired             |
      | a registration in a checkout   | card.number     | 4200000000000001 | 100.100.101 | a wrong check digit |
      | a registration in a checkout   | card.expiryYear | 2019             | 100.100.303 | expired             |

  @req:CARD-01 @req:CARD-05 @code:D-67 @pattern:limit
  Scenario Outline: A code of another length is refused at every place
    When the merchant sends card.cvv "1234" with <kind>
    Then the payment is refused with 100.100.601

    Examples:
      | kind                          | why                   |
      | an authorization              | VISA has three digits |
      | a credit                      | VISA has three digits |
      | a debit at the card host      | VISA has three digits |
      | a registration                | VISA has three digits |
      | a payment in a checkout       | VISA has three digits |
      | a registration in a checkout  | VISA has three digits |
      | a payment from a registration | VISA has three digits |
      | a risk check                  | VISA has three digits |

  @req:CARD-05 @needs:channels @code:D-19
  Scenario Outline: A channel requires the security code however a card is paid with
    Given a merchant whose channel requires the security code
    When the merchant sends these with a debit
      | card.cvv | |
      | <name> | <value> |
    Then the payment is refused with 100.100.600

    Examples:
      | name                       | value    | why                    |
      | testMode                   | EXTERNAL | at the card host       |
      | createRegistration         | true     | the card is stored     |
      | paymentBrand               |          | the brand is detected  |
      | standingInstruction.source | CIT      | the shopper takes part |

  @req:CARD-05 @req:COF-01 @needs:channels @decision:D-145
  Scenario: A charge without the shopper has no security code
    Given a merchant whose channel requires the security code
    When the merchant sends these with a debit
      | card.cvv                   |          |
      | standingInstruction.mode   | REPEATED |
      | standingInstruction.source | MIT      |
    Then it is accepted

  @req:CARD-02 @req:CARD-03 @code:D-67
  Scenario: A stored card is not changed to one that has expired
    Given a stored card
    When the merchant changes the registration to
      | card.expiryMonth | 12   |
      | card.expiryYear  | 2019 |
    Then the payment is refused with 100.100.303

  @req:CARD-01 @req:SVC-13 @req:RSP-03 @code:D-119
  Scenario: A charge shows the holder and the expiry that were stored
    When the merchant sends transactionCategory "EC" with a payment from a registration
    Then it is accepted
    And the response shows
      | card.holder      | Jane Jones |
      | card.bin         | 420000     |
      | card.expiryMonth | 12         |
      | card.expiryYear  | 2099       |

  @req:BANK-01 @req:BANK-02 @req:BANK-06 @req:SVC-09
  Scenario Outline: A bank account is complete wherever it is sent
    When the merchant sends <name> "" with <kind>
    Then the request is refused, naming one of <named>

    Examples:
      | kind                             | name               | named                                 | why        |
      | a direct debit in a checkout     | bankAccount.iban   | bankAccount.iban, bankAccount.number  | no account |
      | a direct debit in a checkout     | bankAccount.bic    | bankAccount.bic, bankAccount.bankCode | no bank    |
      | a direct debit in a checkout     | bankAccount.holder | bankAccount.holder                    | no holder  |
      | a registration of a bank account | bankAccount.iban   | bankAccount.iban, bankAccount.number  | no account |
      | a registration of a bank account | bankAccount.bic    | bankAccount.bic, bankAccount.bankCode | no bank    |
      | a registration of a bank account | bankAccount.holder | bankAccount.holder                    | no holder  |
      | a direct debit                   | bankAccount.iban   | bankAccount.iban, bankAccount.number  | no account |
      | a direct debit                   | bankAccount.bic    | bankAccount.bic, bankAccount.bankCode | no bank    |
      | a direct debit                   | bankAccount.holder | bankAccount.holder                    | no holder  |

  @req:BANK-03 @req:BANK-06 @req:BANK-07 @req:SVC-09 @pattern:limit
  Scenario Outline: A bank account has its form in a checkout too
    When the merchant sends <name> "<value>" with a direct debit in a checkout
    Then the request is refused, naming <name>

    Examples:
      | name                          | value      | why              |
      | bankAccount.holder            | Jo1        | three characters |
      | bankAccount.iban              | DE8937040  | too short        |
      | bankAccount.bic               | COBADEFFX  | nine characters  |
      | bankAccount.mandate.id        | A123       | too short        |
      | bankAccount.mandate.reference | R123       | too short        |
      | transactionDueDate            | 2027-02-29 | no such day      |

  @req:BANK-01 @req:BANK-02 @req:BANK-03 @req:BANK-06 @req:BANK-07 @req:RSP-08 @pattern:place @pattern:values
  Scenario Outline: Every member of a bank account is shown as it was sent
    When the merchant sends these with <kind>
      | bankAccount.holder                  | Jane JONES-Müller                   |
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.bic                     | COBADEFF                            |
      | bankAccount.bankCode                | 37040044                            |
      | bankAccount.bankName                | Bank of the shop                    |
      | bankAccount.country                 | DE                                  |
      | bankAccount.mandate.id              | a1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
      | bankAccount.mandate.reference       | r1234567890123456789012345678901    |
    Then it is accepted
    And the response shows
      | bankAccount.holder                  | Jane JONES-Müller                   |
      | bankAccount.iban                    | DE89370400440532013000              |
      | bankAccount.bic                     | COBADEFF                            |
      | bankAccount.bankCode                | 37040044                            |
      | bankAccount.bankName                | Bank of the shop                    |
      | bankAccount.country                 | DE                                  |
      | bankAccount.mandate.id              | a1234567890123456789012345678901234 |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          |
      | bankAccount.mandate.reference       | r1234567890123456789012345678901    |

    Examples:
      | kind                             | why           |
      | a direct debit                   | it is debited |
      | a direct debit in a checkout     | in a checkout |
      | a registration of a bank account | it is stored  |

  @req:BANK-07 @req:RSP-08
  Scenario Outline: An account that is written in small letters is shown so
    When the merchant sends these with <kind>
      | bankAccount.iban | gb82west12345698765432 |
      | bankAccount.bic  | markgb2l               |
    Then it is accepted
    And the response shows
      | bankAccount.iban | gb82west12345698765432 |
      | bankAccount.bic  | markgb2l               |

    Examples:
      | kind                         | why           |
      | a direct debit               | it is debited |
      | a direct debit in a checkout | in a checkout |

  @req:BANK-06 @req:RSP-08
  Scenario Outline: A holder keeps the blanks that were sent
    When the merchant sends bankAccount.holder " Jane  Jones " with <kind>
    Then it is accepted
    And the response shows bankAccount.holder " Jane  Jones "

    Examples:
      | kind                             | why           |
      | a direct debit                   | it is debited |
      | a direct debit in a checkout     | in a checkout |
      | a registration of a bank account | it is stored  |

  @req:WAL-01 @req:SVC-03
  Scenario Outline: A wallet source demands what a wallet decrypts, whatever the brand
    When the merchant sends mobileWallet.source "<source>" with <kind>
    Then the request is refused, naming threeDSecure.verificationId, threeDSecure.eci

    Examples:
      | kind                    | source | why             |
      | a debit                 | web    | neither is sent |
      | a debit                 | app    | neither is sent |
      | a credit                | web    | neither is sent |
      | a credit                | app    | neither is sent |
      | a payment in a checkout | web    | neither is sent |
      | a payment in a checkout | app    | neither is sent |
      | a registration          | web    | neither is sent |
      | a registration          | app    | neither is sent |

  @req:BANK-01 @req:BANK-02 @req:SVC-05 @req:SVC-13 @code:D-119 @pattern:place
  Scenario: A stored national account is charged with all its members
    When the merchant sends transactionCategory "EC" with a payment from a national account that is stored
    Then it is accepted
    And the response shows
      | bankAccount.number   | 0532013000 |
      | bankAccount.bankCode | 37040044   |
      | bankAccount.country  | DE         |
      | bankAccount.holder   | Jane Jones |

  @req:BANK-04 @req:RISK-05 @needs:channels
  Scenario Outline: What is no part of the risk check leaves the score as it is
    Given a merchant whose channel checks the risk by the country
    And a direct debit of 92.00 EUR
    When the merchant sends <name> "<value>" with a direct debit
    Then the response shows risk.score as some text
    And the response shows the risk score of the payment

    Examples:
      | name                                | value                               | why                |
      | bankAccount.mandate.id              | A1234567890123456789012345678901234 | the mandate        |
      | bankAccount.mandate.dateOfSignature | 2020-02-29                          | when it was signed |
      | transactionDueDate                  | 2099-12-31                          | when it is due     |

  @req:BANK-05 @req:SVC-13 @pattern:place
  Scenario Outline: A debit that is due later is pending at every place
    When the merchant sends transactionDueDate "2099-12-31" with <kind>
    Then the payment is pending
    And the response shows transactionDueDate "2099-12-31"

    Examples:
      | kind                                 | why              |
      | a direct debit                       | a debit          |
      | a direct debit in a checkout         | in a checkout    |
      | a payment from a stored bank account | a stored account |
      | a direct debit by SEPA               | the older brand  |
      | a direct debit by SEPA in a checkout | the older brand  |
      | a payment from a stored SEPA account | the older brand  |

  @req:BANK-05 @decision:D-144
  Scenario Outline: A due date that is over is refused at every place
    When the merchant sends these with <kind>
      | paymentType        | <type>     |
      | transactionDueDate | 2020-02-29 |
    Then the payment is refused with 100.500.301

    Examples:
      | kind                                 | type | why              |
      | a direct debit                       | DB   | a debit          |
      | a direct debit                       | PA   | an authorization |
      | a payment from a stored bank account | DB   | a stored account |
      | a direct debit by SEPA               | DB   | the older brand  |
      | a payment from a stored SEPA account | DB   | the older brand  |

  @req:RSP-06 @needs:brands
  Scenario Outline: Every result of a bank account shows where the merchant's money comes in
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted
    And the response shows merchant.bankAccount.holder as some text
    And the response shows merchant.bankAccount.number as some text
    And the response shows merchant.bankAccount.bic as some text
    And the response shows merchant.bankAccount.country as some text

    Examples:
      | kind                                 | why              |
      | a direct debit                       | a debit          |
      | a direct debit in a checkout         | in a checkout    |
      | a payment from a stored bank account | a stored account |
      | a credit to a bank account           | a credit         |

  @req:VIRT-01 @req:SVC-04
  Scenario Outline: The id of a virtual account is shown letter by letter
    When the merchant sends virtualAccount.accountId "<account>" with <kind>
    Then it is accepted
    And the response shows virtualAccount.accountId "<account>"

    Examples:
      | kind                                           | account                     | why                   |
      | a payment from a virtual account               | Jane.Jones+Shop@Pay.Example | capitals              |
      | a payment from a virtual account               | 007                         | zeros before a number |
      | a payment from a virtual account in a checkout | Jane.Jones+Shop@Pay.Example | capitals              |
      | a payment from a virtual account in a checkout | 007                         | zeros before a number |
      | a registration of a virtual account            | Jane.Jones+Shop@Pay.Example | capitals              |
      | a registration of a virtual account            | 007                         | zeros before a number |

  @req:VIRT-01 @code:D-145
  Scenario Outline: A virtual account has an id at every place
    When the merchant sends these with <kind>
      | virtualAccount.accountId |        |
      | paymentType              | <type> |
    Then the payment is refused with 100.210.101

    Examples:
      | kind                                | type | why              |
      | a payment from a virtual account    | DB   | a sale           |
      | a payment from a virtual account    | PA   | an authorization |
      | a payment from a virtual account    | CD   | a credit         |
      | a registration of a virtual account | RG   | it is stored     |

  @req:WAL-01 @req:SVC-03
  Scenario Outline: A wallet payment needs nothing but its six parameters
    When the merchant sends these with <kind>
      | threeDSecure.enrollmentStatus     |          |
      | threeDSecure.authenticationStatus |          |
      | mobileWallet.source               | <source> |
    Then it is accepted
    And the response shows card.last4Digits "0000"
    And the response shows threeDSecure.eci "05"

    Examples:
      | kind                           | source | why            |
      | a wallet payment               | web    | in the browser |
      | a wallet payment               | app    | in an app      |
      | a wallet payment in a checkout | app    | in a checkout  |

  @req:WAL-01 @req:SVC-03 @req:SVC-09
  Scenario Outline: Decrypted wallet data is complete at every place
    When the merchant sends <name> "" with <kind>
    Then the request is refused, naming <name>

    Examples:
      | kind                           | name                        | why           |
      | a wallet payment               | mobileWallet.source         | it is missing |
      | a wallet payment               | threeDSecure.verificationId | it is missing |
      | a wallet payment               | threeDSecure.eci            | it is missing |
      | a wallet payment               | card.expiryYear             | it is missing |
      | a wallet payment in a checkout | mobileWallet.source         | it is missing |
      | a wallet payment in a checkout | threeDSecure.verificationId | it is missing |
      | a wallet payment in a checkout | threeDSecure.eci            | it is missing |
      | a wallet payment in a checkout | card.expiryYear             | it is missing |
      | a registration of a wallet     | mobileWallet.source         | it is missing |
      | a registration of a wallet     | threeDSecure.verificationId | it is missing |
      | a registration of a wallet     | threeDSecure.eci            | it is missing |
      | a registration of a wallet     | card.expiryYear             | it is missing |

  @req:WAL-01 @req:SVC-03
  Scenario Outline: A wallet source has one of its two names at every place
    When the merchant sends mobileWallet.source "<source>" with <kind>
    Then the request is refused, naming mobileWallet.source

    Examples:
      | kind                           | source  | why              |
      | a wallet payment               | in-app  | it is not listed |
      | a wallet payment               | browser | it is not listed |
      | a wallet payment in a checkout | in-app  | it is not listed |
      | a wallet payment in a checkout | browser | it is not listed |
      | a registration of a wallet     | in-app  | it is not listed |
      | a registration of a wallet     | browser | it is not listed |

  @req:COF-03 @req:TDS-02
  Scenario Outline: A recurring series of its own terms is accepted
    When the merchant sends these with <kind>
      | threeDSecure.eci                         | 05                           |
      | threeDSecure.verificationId              | AAABBWFlmQAAAABjRWWZEEFgFz8= |
      | threeDSecure.enrollmentStatus            | Y                            |
      | threeDSecure.authenticationStatus        | Y                            |
      | standingInstruction.type                 | <type>                       |
      | standingInstruction.mode                 | INITIAL                      |
      | standingInstruction.source               | CIT                          |
      | standingInstruction.expiry               | <expiry>                     |
      | standingInstruction.frequency            | <frequency>                  |
      | standingInstruction.numberOfInstallments | <number>                     |
    Then it is accepted

    Examples:
      | kind                     | type        | expiry     | frequency | number | why                 |
      | an authorization         | RECURRING   | 2099-12-31 | 30        |        | no number is needed |
      | an authorization         | UNSCHEDULED |            |           |        | no terms are needed |
      | an authorization         | INSTALLMENT | 2099-12-31 | 1         | 2      | all terms           |
      | a debit at the card host | RECURRING   | 2099-12-31 | 30        |        | no number is needed |
      | a debit at the card host | UNSCHEDULED |            |           |        | no terms are needed |
      | a debit at the card host | INSTALLMENT | 2099-12-31 | 1         | 2      | all terms           |

  @req:COF-01 @decision:D-123
  Scenario Outline: Two parameters that contradict each other on a series are refused
    When the merchant sends these with <kind>
      | recurringType              | <mark> |
      | standingInstruction.mode   | <mode> |
      | standingInstruction.source | CIT    |
    Then the payment is refused with 100.900.500

    Examples:
      | kind                          | mark     | mode     | why         |
      | a debit                       | INITIAL  | REPEATED | they differ |
      | a debit                       | REPEATED | INITIAL  | they differ |
      | a payment from a registration | INITIAL  | REPEATED | they differ |
      | a payment from a registration | REPEATED | INITIAL  | they differ |
      | a payment in a checkout       | INITIAL  | REPEATED | they differ |
      | a payment in a checkout       | REPEATED | INITIAL  | they differ |

  @req:COF-02 @req:SVC-15 @decision:D-123
  Scenario Outline: A charge by the registration has its own reference by every type
    Given a series started by the shopper
    When the merchant charges the series by <type>
    Then the payment succeeds
    And the response shows the reference of the series

    Examples:
      | type | why              |
      | PA   | an authorization |
      | DB   | a sale           |

  @req:COF-02 @decision:D-123
  Scenario: A charge by the registration is not made under the reference of another gateway
    Given a series started by the shopper
    When the merchant charges the series with the reference "of another gateway"
    Then the payment is refused with 600.200.501

  @req:COF-02 @req:SVC-15
  Scenario: The reference of a series is the whole one that charges name
    Given a series started by the shopper
    When the merchant authorizes 9.90 EUR without the shopper, with the reference of the series
    Then the payment succeeds
    And the response shows the reference of the series

  @req:TOK-01 @req:SVC-12
  Scenario Outline: Every kind of account is stored on demand
    When the merchant sends createRegistration "true" with <kind>
    Then it is accepted
    And the response shows registrationId as a payment id
    And what is read is what was answered

    Examples:
      | kind                             | why              |
      | an authorization                 | it was asked for |
      | a debit                          | it was asked for |
      | a credit                         | it was asked for |
      | a debit at the card host         | it was asked for |
      | a direct debit                   | it was asked for |
      | a payment from a virtual account | it was asked for |
      | a wallet payment                 | it was asked for |
      | a payment in a checkout          | it was asked for |

  @req:TOK-01 @req:SVC-12
  Scenario Outline: What refers to a payment stores no account
    When the merchant sends createRegistration "true" with <kind>
    Then it is accepted
    And the response shows no registrationId

    Examples:
      | kind       | why                          |
      | a capture  | it has no account of its own |
      | a refund   | it has no account of its own |
      | a reversal | it has no account of its own |
      | a rebill   | it has no account of its own |

  @req:TOK-01 @req:SVC-12 @req:SVC-11
  Scenario: An account that a payment stored has its customer and its addresses
    Given the registration of a payment with
      | customer.givenName | Jane        |
      | customer.surname   | Jones       |
      | billing.city       | Graz        |
      | billing.country    | AT          |
      | shipping.city      | Linz        |
      | corporate.name     | Jones Books |
    When the merchant reads the registration
    Then the registration succeeds
    And the response shows
      | customer.givenName | Jane        |
      | customer.surname   | Jones       |
      | billing.city       | Graz        |
      | billing.country    | AT          |
      | shipping.city      | Linz        |
      | corporate.name     | Jones Books |
      | card.holder        | Jane Jones  |
      | card.expiryYear    | 2099        |
      | card.last4Digits   | 0000        |

  @req:TOK-02 @req:TOK-03
  Scenario Outline: A holder fills an empty one where that is asked for, and by every type
    Given a stored card without a holder
    When the merchant <pays> 9.90 EUR from the registration with
      | card.holder    | Ann Other |
      | overrideHolder | <wish>    |
    Then the payment succeeds
    And the response <shows>
    And the registration still has no holder

    Examples:
      | pays       | wish  | shows                         | why                 |
      | authorizes | true  | shows card.holder "Ann Other" | an authorization    |
      | credits    | true  | shows card.holder "Ann Other" | a credit            |
      | authorizes | false | shows no card.holder          | it is not asked for |
      | debits     | false | shows no card.holder          | it is not asked for |

  @req:TOK-03 @req:TOK-02 @req:END-03 @pattern:place
  Scenario: A holder fills an empty one in a checkout that was changed to it
    Given a stored card without a holder
    And a checkout for 92.00 EUR that offers the stored card
    And the merchant changes the checkout to
      | overrideHolder | true      |
      | card.holder    | Ann Other |
    When the shopper pays in the checkout by the stored card
    Then the payment succeeds
    And the response shows card.holder "Ann Other"
    And the registration still has no holder

  @req:TOK-01 @req:SVC-10 @decision:D-128
  Scenario: A checkout offers no account that is not there, wherever it stands
    Given a stored card
    When the merchant prepares a checkout that offers the stored card and an unknown one
    Then the response shows result.code "100.150.200"

  @req:TDS-02
  Scenario Outline: One result of another MPI alone demands the four of them
    When the merchant sends threeDSecure.<name> "<value>" with <kind>
    Then the request is refused, naming <missing>

    Examples:
      | kind                          | name           | value                                                            | missing                                                                                                         | why                    |
      | a debit                       | xid            | Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+ | threeDSecure.eci, threeDSecure.verificationId, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus | the others are missing |
      | a debit                       | eci            | 05                                                               | threeDSecure.verificationId, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus                   | the others are missing |
      | a debit                       | verificationId | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     | threeDSecure.eci, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus                              | the others are missing |
      | a payment from a registration | xid            | Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+ | threeDSecure.eci, threeDSecure.verificationId, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus | the others are missing |
      | a payment from a registration | eci            | 05                                                               | threeDSecure.verificationId, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus                   | the others are missing |
      | a payment from a registration | verificationId | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     | threeDSecure.eci, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus                              | the others are missing |
      | a payment in a checkout       | xid            | Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+ | threeDSecure.eci, threeDSecure.verificationId, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus | the others are missing |
      | a payment in a checkout       | eci            | 05                                                               | threeDSecure.verificationId, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus                   | the others are missing |
      | a payment in a checkout       | verificationId | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     | threeDSecure.eci, threeDSecure.enrollmentStatus, threeDSecure.authenticationStatus                              | the others are missing |

  @req:TDS-03 @decision:D-51
  Scenario Outline: Each scheme of a version has its own requestor
    When the merchant debits 92.00 EUR with threeDSecure.<name> "shop-4711"
    Then the payment succeeds

    Examples:
      | name                        | why                   |
      | v1.visa.requestorId         | version 1             |
      | v1.mastercard.requestorId   | version 1             |
      | v1.maestro.requestorId      | version 1             |
      | v1.amex.requestorId         | version 1             |
      | v1.diners.requestorId       | version 1             |
      | v1.discover.requestorId     | version 1             |
      | v1.jcb.requestorId          | version 1             |
      | v2.visa.requestorId         | version 2             |
      | v2.visa.requestorName       | version 2             |
      | v2.mastercard.requestorId   | version 2             |
      | v2.mastercard.requestorName | version 2             |
      | v2.amex.requestorId         | version 2             |
      | v2.amex.requestorName       | version 2             |
      | v2.diners.requestorId       | version 2             |
      | v2.diners.requestorName     | version 2             |
      | v2.discover.requestorId     | version 2             |
      | v2.discover.requestorName   | version 2             |
      | v2.jcb.requestorId          | version 2             |
      | v2.jcb.requestorName        | version 2             |
      | v1.visa.password            | a secret of version 1 |
      | v1.mastercard.password      | a secret of version 1 |

  @req:TDS-03 @decision:D-51
  Scenario Outline: A scheme that a version does not know has no requestor there
    When the merchant debits 92.00 EUR with threeDSecure.<name> "shop-4711"
    Then the request is refused, naming threeDSecure.<name>

    Examples:
      | name                    | why              |
      | v2.maestro.requestorId  | not of version 2 |
      | v1.unionpay.requestorId | of no version    |
      | v1.amex.password        | it has none      |
      | v2.visa.password        | not of version 2 |
      | v1.visa.requestorName   | not of version 1 |
      | v3.visa.requestorId     | no such version  |

  @req:TDS-04 @pattern:limit
  Scenario Outline: Every later value demands version 2.2 at every place
    When the merchant sends these with <kind>
      | threeDSecure.version | <version> |
      | threeDSecure.<name>  | <value>   |
    Then the request is refused, naming threeDSecure.<name>

    Examples:
      | kind                          | name               | value | version | why                  |
      | a debit                       | challengeIndicator | 05    | 2.1.0   | an earlier version   |
      | a debit                       | challengeIndicator | 06    | 2.1.0   | an earlier version   |
      | a debit                       | challengeIndicator | 07    | 2.1.0   | an earlier version   |
      | a debit                       | challengeIndicator | 08    | 2.1.0   | an earlier version   |
      | a debit                       | challengeIndicator | 09    | 2.1.0   | an earlier version   |
      | a debit                       | exemptionFlag      | 01    | 2.1.0   | an earlier version   |
      | a debit                       | exemptionFlag      | 02    | 2.1.0   | an earlier version   |
      | a debit                       | exemptionFlag      | 03    | 2.1.0   | an earlier version   |
      | a debit                       | exemptionFlag      | 04    | 2.1.0   | an earlier version   |
      | a debit                       | challengeIndicator | 05    | 1.0.2   | an earlier version   |
      | a debit                       | challengeIndicator | 06    | 1.0.2   | an earlier version   |
      | a debit                       | challengeIndicator | 07    | 1.0.2   | an earlier version   |
      | a debit                       | challengeIndicator | 08    | 1.0.2   | an earlier version   |
      | a debit                       | challengeIndicator | 09    | 1.0.2   | an earlier version   |
      | a debit                       | exemptionFlag      | 01    | 1.0.2   | an earlier version   |
      | a debit                       | exemptionFlag      | 02    | 1.0.2   | an earlier version   |
      | a debit                       | exemptionFlag      | 03    | 1.0.2   | an earlier version   |
      | a debit                       | exemptionFlag      | 04    | 1.0.2   | an earlier version   |
      | a debit                       | challengeIndicator | 05    | 2.1.9   | the last earlier one |
      | a debit                       | exemptionFlag      | 02    | 2.1.9   | the last earlier one |
      | a payment from a registration | challengeIndicator | 05    | 2.1.9   | the last earlier one |
      | a payment from a registration | exemptionFlag      | 02    | 2.1.9   | the last earlier one |
      | a payment in a checkout       | challengeIndicator | 05    | 2.1.9   | the last earlier one |
      | a payment in a checkout       | exemptionFlag      | 02    | 2.1.9   | the last earlier one |
      | a debit at the card host      | challengeIndicator | 05    | 2.1.9   | the last earlier one |
      | a debit at the card host      | exemptionFlag      | 02    | 2.1.9   | the last earlier one |

  @req:TDS-04 @pattern:limit
  Scenario Outline: Every value is taken with version 2.2, and with none named
    When the merchant sends these with a debit
      | threeDSecure.version | <version> |
      | threeDSecure.<name>  | <value>   |
    Then it is accepted
    And the response shows threeDSecure.<name> "<value>"

    Examples:
      | name               | value | version | why                   |
      | challengeIndicator | 05    | 2.2.0   | the first that has it |
      | challengeIndicator | 09    | 2.2.0   | the first that has it |
      | exemptionFlag      | 01    | 2.2.0   | the first that has it |
      | exemptionFlag      | 04    | 2.2.0   | the first that has it |
      | challengeIndicator | 05    | 2.3.1   | a later one           |
      | challengeIndicator | 09    | 2.3.1   | a later one           |
      | exemptionFlag      | 01    | 2.3.1   | a later one           |
      | exemptionFlag      | 04    | 2.3.1   | a later one           |
      | challengeIndicator | 05    |         | none is named         |
      | challengeIndicator | 09    |         | none is named         |
      | exemptionFlag      | 01    |         | none is named         |
      | exemptionFlag      | 04    |         | none is named         |

  @req:TDS-01 @req:SVC-18 @needs:control
  Scenario Outline: Every result of another MPI reaches the card host
    When the merchant debits 92.00 EUR with
      | testMode                                | EXTERNAL                                                         |
      | threeDSecure.eci                        | <eci>                                                            |
      | threeDSecure.verificationId             | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     |
      | threeDSecure.xid                        | MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw |
      | threeDSecure.enrollmentStatus           | Y                                                                |
      | threeDSecure.authenticationStatus       | A                                                                |
      | threeDSecure.dsTransactionId            | f25084f0-5b16-4c0a-ae5d-b24808a95e4b                             |
      | threeDSecure.version                    | 2.2.0                                                            |
      | threeDSecure.authType                   | 02                                                               |
      | threeDSecure.transactionStatusReason    | 11                                                               |
      | threeDSecure.challengeMandatedIndicator | Y                                                                |
      | threeDSecure.exemptionFlag              | 03                                                               |
    Then the payment succeeds
    And the card host received
      | threeDSecure.eci                        | <eci>                                                            |
      | threeDSecure.verificationId             | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     |
      | threeDSecure.xid                        | MDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAw |
      | threeDSecure.enrollmentStatus           | Y                                                                |
      | threeDSecure.authenticationStatus       | A                                                                |
      | threeDSecure.dsTransactionId            | f25084f0-5b16-4c0a-ae5d-b24808a95e4b                             |
      | threeDSecure.version                    | 2.2.0                                                            |
      | threeDSecure.authType                   | 02                                                               |
      | threeDSecure.transactionStatusReason    | 11                                                               |
      | threeDSecure.challengeMandatedIndicator | Y                                                                |
      | threeDSecure.exemptionFlag              | 03                                                               |

    Examples:
      | eci | why             |
      | 01  | every indicator |
      | 02  | every indicator |
      | 03  | every indicator |
      | 04  | every indicator |
      | 05  | every indicator |
      | 06  | every indicator |
      | 07  | every indicator |
      | 08  | every indicator |

  @req:TDS-01 @req:SVC-18 @needs:control
  Scenario Outline: Every result of another MPI reaches an acquirer too
    When the merchant sends these with <kind>
      | threeDSecure.eci                  | 07                                                               |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8=                                     |
      | threeDSecure.xid                  | Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+Q0FWVg/+ |
      | threeDSecure.enrollmentStatus     | Y                                                                |
      | threeDSecure.authenticationStatus | A                                                                |
      | threeDSecure.dsTransactionId      | f25084f0-5b16-4c0a-ae5d-b24808a95e4b                             |
      | threeDSecure.version              | 2.2.0                                                            |
    Then it is accepted
    And the acquirer received threeDSecure.eci
    And the acquirer received threeDSecure.verificationId
    And the acquirer received threeDSecure.xid
    And the acquirer received threeDSecure.enrollmentStatus
    And the acquirer received threeDSecure.authenticationStatus
    And the acquirer received threeDSecure.dsTransactionId
    And the acquirer received threeDSecure.version

    Examples:
      | kind                          | why         |
      | an authorization              | it was sent |
      | a debit                       | it was sent |
      | a payment from a registration | it was sent |
      | a payment in a checkout       | it was sent |

  @req:PAY-09 @req:PAY-10 @needs:control
  Scenario Outline: What is for the merchant alone stays there at every place
    When the merchant sends <name> "order-4711-alone" with <kind>
    Then it is accepted
    And the acquirer did not receive <name>

    Examples:
      | kind                          | name              | why                   |
      | a capture                     | merchantInvoiceId | it is not sent onward |
      | a capture                     | merchantMemo      | it is not sent onward |
      | a refund                      | merchantInvoiceId | it is not sent onward |
      | a refund                      | merchantMemo      | it is not sent onward |
      | a rebill                      | merchantInvoiceId | it is not sent onward |
      | a rebill                      | merchantMemo      | it is not sent onward |
      | a payment from a registration | merchantInvoiceId | it is not sent onward |
      | a payment from a registration | merchantMemo      | it is not sent onward |
      | a payment in a checkout       | merchantInvoiceId | it is not sent onward |
      | a payment in a checkout       | merchantMemo      | it is not sent onward |
      | a direct debit                | merchantInvoiceId | it is not sent onward |
      | a direct debit                | merchantMemo      | it is not sent onward |

  @req:RISK-02 @req:RISK-04 @req:RISK-05 @needs:scripts @decision:D-164
  Scenario Outline: A risk check alone uses what is sent for it
    Given <setup>
    When the merchant sends <name> "<value>" with a risk check
    Then the response shows result.code "<code>"

    Examples:
      | setup                                                    | name        | value  | code        | why                    |
      | the risk system denies payments over 100.00              | risk.amount | 100.01 | 100.380.100 | a cent above the limit |
      | the risk system denies payments over 90.00               | risk.amount | 89.99  | 000.300.100 | a cent below it        |
      | the risk system denies the brand MASTER with 100.400.142 | risk.brand  | MASTER | 100.400.142 | that brand             |
      | the risk system denies the brand VISA with 100.400.142   | risk.brand  | MASTER | 000.300.100 | another brand          |

  @req:RISK-03 @req:RISK-05 @needs:scripts @decision:D-165 @pattern:limit
  Scenario Outline: A risk check alone is made for the time that is sent
    Given the risk system accepts 1 payment an hour from an account
    And a debit of 92.00 EUR
    When the merchant sends <name> "<value>" with a risk check
    Then the response shows result.code "<code>"

    Examples:
      | name                 | value               | code        | why            |
      | risk.merchantWebsite | shop                | 800.120.101 | within an hour |
      | risk.orderTimestamp  | 2020-01-31 10:00:00 | 000.300.100 | years before   |

  @req:RISK-05 @req:END-02 @needs:channels
  Scenario Outline: A score is read as it was answered, at every place
    Given a merchant whose channel checks the risk
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted
    And the response shows risk.score as some text
    And what is read is what was answered

    Examples:
      | kind                             | why             |
      | an authorization                 | it was screened |
      | a debit                          | it was screened |
      | a debit at the card host         | it was screened |
      | a wallet payment                 | it was screened |
      | a direct debit                   | it was screened |
      | a payment from a virtual account | it was screened |
      | a payment in a checkout          | it was screened |
      | a payment from a registration    | it was screened |

  @req:RISK-05 @needs:channels @decision:D-164
  Scenario Outline: What takes nothing from a shopper is not screened
    Given a merchant whose channel has a risk system that denies everything
    When the merchant sends transactionCategory "EC" with <kind>
    Then it is accepted

    Examples:
      | kind                             | why                       |
      | a credit                         | money goes to the shopper |
      | a registration                   | no money moves            |
      | a registration of a bank account | no money moves            |

  @req:RISK-01 @req:RISK-05 @needs:channels @decision:D-167
  Scenario Outline: The screening service has rules of its own
    Given a merchant whose channel has a <party> that denies everything
    When the merchant sends risk.serviceId "<service>" with a debit
    Then <outcome>

    Examples:
      | party             | service | outcome                                  | why             |
      | screening service | S       | the payment is declined with 100.400.142 | one character   |
      | screening service | S1      | the payment succeeds                     | another service |
      | screening service |         | the payment succeeds                     | no service      |
      | risk system       | S       | the payment succeeds                     | one character   |
      | risk system       | S1      | the payment is declined with 100.400.142 | another service |
