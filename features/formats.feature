Feature: Formats
  Each parameter has a format: values within it are accepted, the nearest values outside are refused.
  Lengths and characters of every field are tested by the boundary cases; here are the rules.

  @req:PAY-08 @req:PAY-12 @pattern:limit
  Scenario Outline: The merchant's own references have 8 to 255 characters
    When the merchant debits 92.00 EUR with <reference> of <length> characters
    Then the payment succeeds

    Examples:
      | reference             | length | why      |
      | merchantTransactionId | 8      | shortest |
      | merchantTransactionId | 255    | longest  |
      | merchantInvoiceId     | 8      | shortest |
      | merchantInvoiceId     | 255    | longest  |
      | merchantMemo          | 8      | shortest |
      | merchantMemo          | 255    | longest  |

  @req:PAY-08 @req:PAY-12 @pattern:limit
  Scenario Outline: The merchant's own references of any other length are refused
    When the merchant debits 92.00 EUR with <reference> of <length> characters
    Then the request is refused, naming <reference>

    Examples:
      | reference             | length | why       |
      | merchantTransactionId | 7      | too short |
      | merchantTransactionId | 256    | too long  |
      | merchantInvoiceId     | 7      | too short |
      | merchantInvoiceId     | 256    | too long  |
      | merchantMemo          | 7      | too short |
      | merchantMemo          | 256    | too long  |

  @req:PAY-11 @pattern:limit
  Scenario: A transaction category has up to 32 letters and digits
    When the merchant debits 92.00 EUR with transactionCategory of 32 characters
    Then the payment succeeds

  @req:PAY-11 @pattern:limit
  Scenario Outline: A malformed transaction category is refused
    When the merchant debits 92.00 EUR with transactionCategory "<category>"
    Then the request is refused, naming transactionCategory

    Examples:
      | category                          | why           |
      | E-C                               | a hyphen      |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | 33 characters |

  @req:CARD-01 @pattern:limit
  Scenario Outline: A card number has 12 to 19 digits
    When the merchant debits 92.00 EUR by the MAESTRO card <number>
    Then the payment succeeds

    Examples:
      | number              | why       |
      | 676100000006        | 12 digits |
      | 6799998900000060018 | 19 digits |

  @req:CARD-01 @pattern:limit
  Scenario Outline: Malformed card data is refused
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the request is refused, naming <parameter>

    Examples:
      | parameter   | value                | why          |
      | card.number | 42000000000          | 11 digits    |
      | card.number | 42000000000000000000 | 20 digits    |
      | card.number | 4200 0000 0000 0000  | blanks       |
      | card.cvv    | 12                   | 2 digits     |
      | card.cvv    | 12345                | 5 digits     |
      | card.cvv    | 12a                  | a letter     |
      | card.holder | JJ                   | 2 characters |

  @req:CARD-03 @pattern:limit
  Scenario Outline: An expiry month is one of 01 to 12
    When the merchant debits 92.00 EUR with card.expiryMonth "<month>"
    Then the request is refused, naming card.expiryMonth

    Examples:
      | month | why              |
      | 00    | before the first |
      | 13    | after the last   |
      | 1     | one digit        |

  @req:CARD-04 @pattern:limit
  Scenario Outline: An expiry year has four digits and starts with 19 or 20
    When the merchant debits 92.00 EUR with card.expiryYear "<year>"
    Then the request is refused, naming card.expiryYear

    Examples:
      | year | why            |
      | 34   | two digits     |
      | 2134 | starts with 21 |
      | 1834 | starts with 18 |

  @req:MODE-01
  Scenario: A test mode other than EXTERNAL and INTERNAL is refused
    When the merchant debits 92.00 EUR with testMode "LIVE"
    Then the request is refused, naming testMode

  @req:CUST-01
  Scenario Outline: A customer requires a given name and a surname
    When the merchant debits 92.00 EUR with
      | customer.email | jane.jones@shop.example |
      | <sent>         | <value>                 |
    Then the request is refused, naming <missing>

    Examples:
      | sent               | value   | missing                              | why             |
      | customer.givenName | Jane    | customer.surname                     | no surname      |
      | customer.surname   | Jones   | customer.givenName                   | no given name   |
      | customer.ip        | 1.2.3.4 | customer.givenName, customer.surname | neither of them |
      | customer.companyName | Jones Ltd  | customer.givenName, customer.surname | a company       |
      | customer.phone     | +49301234567 | customer.givenName, customer.surname | a phone         |
      | customer.birthDate | 1980-02-29 | customer.givenName, customer.surname | a day of birth  |

  @req:CUST-01
  Scenario: A customer with both names is accepted
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane                    |
      | customer.surname   | Jones                   |
      | customer.email     | jane.jones@shop.example |
    Then the payment succeeds

  @req:CUST-02 @pattern:limit
  Scenario Outline: A name longer than 48 characters is cut and not refused
    When the merchant debits 92.00 EUR for the customer "<given>" "<surname>"
    Then the payment succeeds
    And the response shows customer.givenName "<given kept>"
    And the response shows customer.surname "<surname kept>"

    Examples:
      | given                                             | given kept                                       | surname                                           | surname kept                                     | why           |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | Jones                                             | Jones                                            | 49 in given   |
      | Jane                                              | Jane                                             | ööööööööööööööööööööööööööööööööööööööööööööööööz | öööööööööööööööööööööööööööööööööööööööööööööööö | 49 in surname |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa  | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | Jones                                             | Jones                                            | 48 stay       |

  @req:CUST-03
  Scenario Outline: An identification document requires type and number
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane    |
      | customer.surname   | Jones   |
      | <sent>             | <value> |
    Then the request is refused, naming <missing>

    Examples:
      | sent                           | value     | missing                        | why            |
      | customer.identificationDocType | PASSPORT  | customer.identificationDocId   | a kind alone   |
      | customer.identificationDocId   | L01X00T47 | customer.identificationDocType | a number alone |

  @req:CUST-03
  Scenario: An identification document with type and number is accepted
    When the merchant debits 92.00 EUR with
      | customer.givenName             | Jane      |
      | customer.surname               | Jones     |
      | customer.identificationDocType | PASSPORT  |
      | customer.identificationDocId   | L01X00T47 |
    Then the payment succeeds

  @req:CUST-05 @req:CUST-06
  Scenario Outline: Every field of a shipping customer may be sent alone
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the payment succeeds

    Examples:
      | parameter                                  | value                   | why                    |
      | shipping.customer.email                    | jane.jones@shop.example | no name is needed      |
      | shipping.customer.phone                    | +49 30 1234             | no name is needed      |
      | shipping.customer.browser.screenColorDepth | 24                      | browser data beside it |

  @req:CUST-05 @req:CUST-02 @pattern:limit
  Scenario Outline: A long name of a shipping customer is cut and not refused
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the payment succeeds
    And the response shows <parameter> "<kept>"

    Examples:
      | parameter                   | value                                             | kept                                             | why            |
      | shipping.customer.givenName | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | the given name |
      | shipping.customer.surname   | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | the surname    |

  @req:CUST-05
  Scenario Outline: A shipping customer has the formats of a customer
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                   | value      | why              |
      | shipping.customer.sex       | X          | M or F           |
      | shipping.customer.birthDate | 31.01.1990 | year, month, day |
      | shipping.customer.status    | OLD        | NEW or EXISTING  |

  @req:CUST-05
  Scenario Outline: A shipping customer has no fingerprint and no device
    When the merchant debits 92.00 EUR with <parameter> "4711"
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                                  | why                          |
      | shipping.customer.browserFingerprint.id    | for the paying customer only |
      | shipping.customer.browserFingerprint.value | for the paying customer only |
      | shipping.customer.browser.deviceId         | for the paying customer only |

  @req:CUST-07
  Scenario Outline: A phone number has digits and the usual separators
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane    |
      | customer.surname   | Jones   |
      | customer.phone     | <phone> |
    Then the payment succeeds

    Examples:
      | phone              | why                 |
      | +49 (0)30/123-45.6 | every sign there is |
      | 030123456          | starts with a digit |

  @req:CUST-07 @pattern:limit
  Scenario Outline: A malformed phone number is refused
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane    |
      | customer.surname   | Jones   |
      | <parameter>        | <phone> |
    Then the request is refused, naming <parameter>

    Examples:
      | parameter       | phone                      | why                |
      | customer.phone  | (030) 123456               | starts with a sign |
      | customer.phone  | 030-CALL-ME                | letters            |
      | customer.mobile | (?!?)555-5555              | other signs        |
      | customer.mobile | 11111111111111111111111111 | 26 characters      |

  @req:STATE-02
  Scenario: A customer is new or existing
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane  |
      | customer.surname   | Jones |
      | customer.status    | OLD   |
    Then the request is refused, naming customer.status

  @req:ADDR-01
  Scenario Outline: A street of digits on both lines is refused
    When the merchant debits 92.00 EUR with
      | billing.street1 | <street1> |
      | billing.street2 | <street2> |
    Then the request is refused, naming billing.street<line>

    Examples:
      | street1 | street2 | line | why                  |
      | 12      | 34      | 1    | digits on both lines |

  @req:ADDR-01
  Scenario: A street of digits is refused without a second line
    When the merchant debits 92.00 EUR with billing.street1 "1234"
    Then the request is refused, naming billing.street1

  @req:ADDR-01
  Scenario: A second line of digits is refused without a first line
    When the merchant debits 92.00 EUR with billing.street2 "12"
    Then the request is refused, naming one of billing.street1, billing.street2

  @req:LIM-04 @req:CUST-04
  Scenario Outline: A day that no calendar has is refused
    When the merchant debits 92.00 EUR with
      | customer.givenName | Jane  |
      | customer.surname   | Jones |
      | customer.birthDate | <day> |
    Then the request is refused, naming customer.birthDate

    Examples:
      | day        | why                            |
      | 1900-02-29 | a century that is no leap year |
      | 1981-02-29 | a year that is none            |
      | 1980-02-30 | a leap year                    |
      | 1980-04-31 | a short month                  |

  @req:ADDR-01
  Scenario Outline: A letter on either line of a street is accepted
    When the merchant debits 92.00 EUR with
      | billing.street1 | <street1> |
      | billing.street2 | <street2> |
    Then the payment succeeds

    Examples:
      | street1   | street2 | why                    |
      | Main St 1 | 34      | a letter on the first  |
      | 12        | Flat B  | a letter on the second |

  @req:ADDR-02
  Scenario Outline: With a house number the second line of a street is ignored
    When the merchant debits 92.00 EUR with
      | <address>.street1      | Main Street |
      | <address>.street2      | Back yard   |
      | <address>.houseNumber1 | 12          |
    Then the payment succeeds
    And the response shows <address>.street1 "Main Street"
    And the response shows <address>.houseNumber1 "12"
    And the response shows no <address>.street2

    Examples:
      | address  | why                  |
      | billing  | the billing address  |
      | shipping | the shipping address |

  @req:ADDR-01 @req:ADDR-02
  Scenario: A street of digits is refused where the second line is ignored
    When the merchant debits 92.00 EUR with
      | billing.street1      | 4711        |
      | billing.street2      | Main Street |
      | billing.houseNumber1 | 12          |
    Then the request is refused, naming billing.street1

  @req:ADDR-03
  Scenario Outline: A second house number requires a first
    When the merchant debits 92.00 EUR with
      | <address>.street1      | Main Street |
      | <address>.houseNumber2 | 12          |
    Then the request is refused, naming <missing>

    Examples:
      | address  | missing               | why                  |
      | billing  | billing.houseNumber1  | the billing address  |
      | shipping | shipping.houseNumber1 | the shipping address |

  @req:ADDR-03
  Scenario: Two house numbers are accepted
    When the merchant debits 92.00 EUR with
      | billing.street1      | Main Street |
      | billing.houseNumber1 | 12          |
      | billing.houseNumber2 | 14          |
    Then the payment succeeds

  @req:SHIP-01
  Scenario Outline: An unlisted shipping method or preference is refused
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the request is refused, naming <parameter>

    Examples:
      | parameter           | value    | why             |
      | shipping.method     | BY_CAMEL | not in the list |
      | shipping.method     | ground   | small letters   |
      | shipping.preference | ASK_ME   | not in the list |

  @req:SHIP-01
  Scenario Outline: A listed shipping method or preference is accepted
    When the merchant debits 92.00 EUR with <parameter> "<value>"
    Then the payment succeeds

    Examples:
      | parameter           | value                | why   |
      | shipping.method     | PUDO                 | short |
      | shipping.method     | NEXT_DAY_OVERNIGHT   | long  |
      | shipping.preference | SET_PROVIDED_ADDRESS | long  |

  @req:MERCH-02 @pattern:limit
  Scenario Outline: Merchant data has names of 3 to 64 letters, digits, dots and underscores
    When the merchant debits 92.00 EUR with merchant.data[<name>] "anything"
    Then the request is refused, naming merchant.data[<name>]

    Examples:
      | name                                                              | why           |
      | ab                                                                | 2 characters  |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | 65 characters |
      | sub-merchant                                                      | a hyphen      |

  @req:MERCH-02 @pattern:limit
  Scenario: Merchant data within its limits is accepted
    When the merchant debits 92.00 EUR with merchant.data[a.B_9] of 2048 characters
    Then the payment succeeds

  @req:CUSTOM-02 @pattern:limit
  Scenario Outline: Custom parameters have names of 3 to 64 letters, digits, dots and underscores
    When the merchant debits 92.00 EUR with customParameters[<name>] "anything"
    Then the request is refused, naming customParameters[<name>]

    Examples:
      | name                                                              | why           |
      | ab                                                                | 2 characters  |
      | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | 65 characters |
      | order-number                                                      | a hyphen      |

  @req:CUSTOM-02 @pattern:limit
  Scenario: A custom parameter of 2048 characters is accepted
    When the merchant debits 92.00 EUR with customParameters[order.number] of 2048 characters
    Then the payment succeeds
    And the response shows customParameters[order.number] as a text of 2048 characters

  @req:CUSTOM-02 @pattern:limit
  Scenario: A custom parameter of 2049 characters is refused
    When the merchant debits 92.00 EUR with customParameters[order.number] of 2049 characters
    Then the request is refused, naming customParameters[order.number]

  @req:CUSTOM-01 @req:TRN-07
  Scenario: Custom parameters are echoed
    When the merchant debits 92.00 EUR with
      | customParameters[order.number] | 4711       |
      | customParameters[SHOPPER_note] | ring twice |
    Then the payment succeeds
    And the response shows
      | customParameters[order.number] | 4711       |
      | customParameters[SHOPPER_note] | ring twice |

  @req:CART-01 @pattern:limit
  Scenario: A cart accepts a thousand items
    When the merchant debits 92.00 EUR for a cart of 1000 items
    Then the payment succeeds

  @req:CART-01 @pattern:limit
  Scenario: A cart refuses more than a thousand items
    When the merchant debits 92.00 EUR for a cart of 1001 items
    Then the request is refused, naming cart.items[1000].name

  @req:CART-02 @req:RSP-08
  Scenario: Cart items have the unit COUNT by default
    When the merchant debits 92.00 EUR with
      | cart.items[0].name         | Book   |
      | cart.items[0].quantity     | 2      |
      | cart.items[1].name         | Apples |
      | cart.items[1].quantity     | 1.5    |
      | cart.items[1].quantityUnit | KG     |
    Then the payment succeeds
    And the response shows
      | cart.items[0].quantityUnit | COUNT |
      | cart.items[1].quantityUnit | KG    |

  @req:CART-03 @req:STATE-02
  Scenario Outline: A cart payment is pending, authorized or captured
    When the merchant debits 92.00 EUR with cart.payments[0].status "<status>"
    Then the payment succeeds

    Examples:
      | status     | why              |
      | pending    | not decided yet  |
      | authorized | an authorization |
      | captured   | a capture        |

  @req:CART-03 @req:STATE-02
  Scenario: A cart payment in another state is refused
    When the merchant debits 92.00 EUR with cart.payments[0].status "refunded"
    Then the request is refused, naming cart.payments[0].status

  @req:CART-04 @pattern:limit
  Scenario Outline: Prices have two decimals, taxes up to two and quantities up to three
    When the merchant debits 92.00 EUR with cart.items[0].<member> "<value>"
    Then the payment succeeds

    Examples:
      | member      | value            | why          |
      | price       | 9999999999.99    | the longest  |
      | totalAmount | 0.00             | the shortest |
      | discount    | 10.00            | two decimals |
      | tax         | 19               | no decimals  |
      | tax         | 19.25            | two decimals |
      | quantity    | 999999999999.999 | the longest  |

  @req:CART-04 @pattern:limit
  Scenario Outline: Other prices, taxes and quantities are refused
    When the merchant debits 92.00 EUR with cart.items[0].<member> "<value>"
    Then the request is refused, naming cart.items[0].<member>

    Examples:
      | member    | value         | why              |
      | price     | 10            | no decimals      |
      | price     | 10.5          | one decimal      |
      | taxAmount | 1.999         | three decimals   |
      | tax       | 100.01        | over 100 percent |
      | quantity  | 1.5555        | four decimals    |
      | quantity  | 1234567890123 | thirteen digits  |

  @req:AIR-01 @req:TRN-06
  Scenario: Passengers and their legs are nested
    When the merchant debits 92.00 EUR with
      | airline.bookingRefNum                      | X4711Y |
      | airline.passengers[0].name                 | Jane   |
      | airline.passengers[0].legs[0].flightNumber | SG 1   |
      | airline.passengers[0].legs[1].flightNumber | SG 2   |
      | airline.passengers[1].name                 | John   |
      | airline.passengers[1].legs[0].flightNumber | SG 1   |
    Then the payment succeeds

  @req:AIR-01 @req:TRN-06
  Scenario Outline: Passengers and their legs are counted from 0
    When the merchant debits 92.00 EUR with <parameter> "4711"
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                                  | why                |
      | airline.passengers[1].name                 | no first passenger |
      | airline.passengers[0].legs[1].flightNumber | no first leg       |

  @req:VIRT-01 @pattern:limit
  Scenario: A virtual account id has up to 100 characters
    When the merchant debits 92.00 EUR from the virtual account of 101 characters
    Then the request is refused, naming virtualAccount.accountId

  @req:BANK-01
  Scenario: A bank account requires a number or an IBAN
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder | Jane Jones |
      | bankAccount.bic    | MARKDEF1   |
    Then the request is refused, naming one of bankAccount.number, bankAccount.iban

  @req:BANK-02
  Scenario: A bank account number requires a bank code or a BIC
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder  | Jane Jones |
      | bankAccount.number  | 532013000  |
      | bankAccount.country | DE         |
    Then the request is refused, naming one of bankAccount.bankCode, bankAccount.bic

  @req:BANK-06
  Scenario: A bank account requires a holder
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.iban | DE89370400440532013000 |
      | bankAccount.bic  | MARKDEF1               |
    Then the request is refused, naming bankAccount.holder

  @req:BANK-03 @req:BANK-06 @req:BANK-07 @pattern:limit
  Scenario Outline: Malformed bank account data is refused
    When the merchant debits 92.00 EUR from a bank account of
      | bankAccount.holder | Jane Jones             |
      | bankAccount.iban   | DE89370400440532013000 |
      | bankAccount.bic    | MARKDEF1               |
      | <parameter>        | <value>                |
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                     | value                                | why                |
      | bankAccount.holder            | Jan                                  | 3 characters       |
      | bankAccount.iban              | 1289370400440532013000               | digits first       |
      | bankAccount.iban              | NO938601111794                       | 10 after the check |
      | bankAccount.bic               | MARKDEF11                            | 9 characters       |
      | bankAccount.mandate.id        | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa   | 34 characters      |
      | bankAccount.mandate.id        | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | 36 characters      |
      | bankAccount.mandate.reference | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa      | 31 characters      |
      | bankAccount.mandate.reference | aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa    | 33 characters      |

  @req:WAL-01
  Scenario: A wallet source other than web and app is refused
    When the merchant debits 92.00 EUR with mobileWallet.source "phone"
    Then the request is refused, naming mobileWallet.source

  @req:REC-01
  Scenario Outline: A recurringType is INITIAL or REPEATED
    When the merchant debits 92.00 EUR with recurringType "<type>"
    Then the payment succeeds

    Examples:
      | type     | why               |
      | INITIAL  | the first payment |
      | REPEATED | a later payment   |

  @req:REC-01
  Scenario: An unknown recurringType is refused
    When the merchant debits 92.00 EUR with recurringType "SOMETIMES"
    Then the request is refused, naming recurringType

  @req:REC-02 @pattern:limit
  Scenario Outline: A malformed number of installments is refused
    When the merchant debits 92.00 EUR with recurring.numberOfInstallments "<number>"
    Then the request is refused, naming recurring.numberOfInstallments

    Examples:
      | number | why         |
      | 1000   | four digits |
      | ten    | letters     |

  @req:TDS-01 @req:TDS-08
  Scenario: Data of an external authentication is accepted
    When the merchant debits 92.00 EUR with
      | threeDSecure.eci                  | 05                                   |
      | threeDSecure.verificationId       | AAABBWFlmQAAAABjRWWZEEFgFz8=         |
      | threeDSecure.enrollmentStatus     | Y                                    |
      | threeDSecure.authenticationStatus | Y                                    |
      | threeDSecure.version              | 2.2.0                                |
      | threeDSecure.dsTransactionId      | f25084f0-5b16-4c0a-ae5d-b24808a95e4b |
    Then the payment succeeds

  @req:TDS-02
  Scenario Outline: Four results of an external authentication require each other
    When the merchant debits 92.00 EUR with an external authentication that lacks <missing>
    Then the request is refused, naming <missing>

    Examples:
      | missing                           | why                      |
      | threeDSecure.eci                  | the ECI                  |
      | threeDSecure.verificationId       | the authentication value |
      | threeDSecure.enrollmentStatus     | the enrollment           |
      | threeDSecure.authenticationStatus | the authentication       |

  @req:TDS-03
  Scenario Outline: Each scheme may have its own requestor id
    When the merchant debits 92.00 EUR with <parameter> "REQ-4711"
    Then the payment succeeds

    Examples:
      | parameter                          | why            |
      | threeDSecure.v1.visa.requestorId   | first version  |
      | threeDSecure.v2.visa.requestorId   | second version |
      | threeDSecure.v2.visa.requestorName | second version |

  @req:TDS-04 @pattern:limit
  Scenario Outline: Later 3-D Secure indicators require version 2.2
    When the merchant debits 92.00 EUR with
      | threeDSecure.version | <version> |
      | <parameter>          | <value>   |
    Then the request is refused, naming <parameter>

    Examples:
      | parameter                       | value | version | why               |
      | threeDSecure.challengeIndicator | 05    | 2.1.0   | the first of them |
      | threeDSecure.challengeIndicator | 09    | 1.0.2   | the last of them  |
      | threeDSecure.exemptionFlag      | 01    | 2.1.0   | an exemption      |

  @req:TDS-04 @pattern:limit
  Scenario Outline: Earlier 3-D Secure indicators require no later version
    When the merchant debits 92.00 EUR with
      | threeDSecure.version | <version> |
      | <parameter>          | <value>   |
    Then the payment succeeds

    Examples:
      | parameter                       | value | version | why                |
      | threeDSecure.challengeIndicator | 04    | 2.1.0   | the last early one |
      | threeDSecure.challengeIndicator | 05    | 2.2.0   | a later one        |
      | threeDSecure.exemptionFlag      | 01    | 2.2.0   | an exemption       |

  @req:ASYNC-02 @pattern:limit
  Scenario Outline: An address for a result requires at least 6 characters
    When the merchant debits 92.00 EUR with <parameter> "http:"
    Then the request is refused, naming <parameter>

    Examples:
      | parameter        | why          |
      | shopperResultUrl | 5 characters |
      | notificationUrl  | 5 characters |

  @req:POS-01
  Scenario Outline: A terminal payment requires entry mode and terminal id
    When the merchant debits 92.00 EUR with <sent> "<value>"
    Then the request is refused, naming <missing>

    Examples:
      | sent           | value  | missing        | why             |
      | pos.entryMode  | MANUAL | pos.terminalId | which terminal  |
      | pos.terminalId | 4711   | pos.entryMode  | how it was read |

  @req:POS-06
  Scenario Outline: Unlisted terminal data is refused
    When the merchant debits 92.00 EUR with
      | pos.terminalId | 4711    |
      | pos.entryMode  | MANUAL  |
      | <parameter>    | <value> |
    Then the request is refused, naming <parameter>

    Examples:
      | parameter              | value     | why             |
      | pos.entryMode          | BY_HAND   | not in the list |
      | pos.pinEntryCapability | SOMETIMES | not in the list |
      | pos.transactionSource  | WEB       | always POS      |

  @req:GIFT-01
  Scenario: A listed gift card type is accepted
    When the merchant debits 92.00 EUR with giftCard.type "BABY_SHOWER"
    Then the payment succeeds

  @req:GIFT-01
  Scenario: An unlisted gift card type is refused
    When the merchant debits 92.00 EUR with giftCard.type "MONDAY"
    Then the request is refused, naming giftCard.type

  @req:COF-01
  Scenario: A standing instruction is accepted
    When the merchant debits 92.00 EUR with
      | standingInstruction.type   | RECURRING |
      | standingInstruction.mode   | INITIAL   |
      | standingInstruction.source | CIT       |
    Then the payment succeeds

  @req:COF-01
  Scenario Outline: Unlisted values of a standing instruction are refused
    When the merchant debits 92.00 EUR with standingInstruction.<member> "<value>"
    Then the request is refused, naming standingInstruction.<member>

    Examples:
      | member           | value     | why             |
      | type             | SOMETIMES | not in the list |
      | mode             | FIRST     | not in the list |
      | source           | SHOP      | not in the list |
      | industryPractice | HABIT     | not in the list |

  @req:LIM-04 @decision:D-03
  Scenario Outline: An empty parameter counts as not sent
    When the merchant debits 92.00 EUR with an empty <parameter>
    Then the payment succeeds

    Examples:
      | parameter          | why                      |
      | descriptor         | text                     |
      | merchantInvoiceId  | at least 8 characters    |
      | customer.birthDate | a date, and no name here |
      | billing.street2    | text                     |
