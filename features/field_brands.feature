Feature: Brands in profile field
  Shops send many brands: each is paid with as its provider works.

  @field:E54
  Scenario Outline: A brand of a provider redirects with any part of a bank account
    When the merchant sends a payment with only these parameters
      | paymentType      | <type>                   |
      | amount           | 92.00                    |
      | currency         | EUR                      |
      | paymentBrand     | <brand>                  |
      | shopperResultUrl | https://shop.example/end |
      | <name>           | <value>                  |
    Then the payment is pending
    And the response shows result.code "000.200.000"
    And the response redirects the shopper
    And the response shows
      | paymentBrand | <brand> |
      | paymentType  | <type>  |

    Examples:
      | brand               | type | name                 | value                  | why              |
      | PAYPAL              | DB   | descriptor           | Order 1                | nothing          |
      | PAYSAFECARD         | DB   | descriptor           | Order 1                | nothing          |
      | YANDEX              | DB   | descriptor           | Order 1                | nothing          |
      | TRUSTPAY_VA         | PA   | bankAccount.country  | SK                     | a country        |
      | KLARNA_INVOICE      | PA   | descriptor           | Order 1                | nothing          |
      | KLARNA_INSTALLMENTS | PA   | descriptor           | Order 1                | nothing          |
      | PAYOLUTION_INVOICE  | PA   | customer.ip          | 127.0.0.1              | a customer       |
      | PAYOLUTION_INS      | PA   | bankAccount.holder   | Jane Jones             | a holder         |
      | PAYOLUTION_ELV      | PA   | bankAccount.iban     | DE89370400440532013000 | an IBAN          |
      | BRADESCO            | PA   | bankAccount.bankCode | 4711                   | a bank           |
      | BOLETO              | PA   | bankAccount.holder   | Jane Jones             | a holder         |
      | CHINAUNIONPAY       | DB   | descriptor           | Order 1                | nothing          |
      | DAOPAY              | DB   | descriptor           | Order 1                | nothing          |
      | MONEYBOOKERS        | DB   | descriptor           | Order 1                | nothing          |
      | PAYTRAIL            | DB   | bankAccount.bankName | A Bank                 | a name of a bank |
      | PF_KARTE_DIRECT     | DB   | descriptor           | Order 1                | nothing          |
      | POLI                | DB   | bankAccount.country  | AU                     | a country        |
      | PRZELEWY            | DB   | bankAccount.country  | PL                     | a country        |
      | TRUSTLY             | DB   | bankAccount.number   | 4711                   | a number         |
      | UKASH               | DB   | descriptor           | Order 1                | nothing          |
      | ALIPAY              | DB   | descriptor           | Order 1                | nothing          |
      | SOFORTUEBERWEISUNG  | DB   | bankAccount.country  | DE                     | a country        |

  @field:E54 @decision:D-275
  Scenario Outline: A bank transfer may be a debit, and an authorization as ever
    When the merchant sends a payment with only these parameters
      | paymentType  | <type>     |
      | amount       | 92.00      |
      | currency     | EUR        |
      | paymentBrand | PREPAYMENT |
    Then the payment succeeds
    And the response shows paymentBrand "PREPAYMENT"

    Examples:
      | type | why                   |
      | DB   | existing clients send |
      | PA   | it is a request       |

  @field:E55
  Scenario Outline: A brand of a shop integration redirects
    When the merchant sends a payment with only these parameters
      | paymentType      | DB                       |
      | amount           | 92.00                    |
      | currency         | EUR                      |
      | paymentBrand     | <brand>                  |
      | shopperResultUrl | https://shop.example/end |
    Then the payment is pending
    And the response redirects the shopper
    And the response shows paymentBrand "<brand>"

    Examples:
      | brand                    | why                 |
      | KLARNA_PAYMENTS_ONE      | pays later or now   |
      | KLARNA_PAYMENTS_PAYLATER | pays later          |
      | KLARNA_PAYMENTS_PAYNOW   | pays now            |
      | KLARNA_PAYMENTS_SLICEIT  | pays in slices      |
      | PAYDIREKT                | an account          |
      | RATENKAUF                | pays in instalments |
      | SADAD                    | an account          |
      | STC_PAY                  | an account          |
      | TABBY                    | pays in instalments |
      | TAMARA                   | pays in instalments |
      | VALU                     | pays in instalments |
      | ZOODPAY                  | pays in instalments |
      | CLIQ                     | a transfer          |
      | HYPERCASH                | an account          |
      | URPAY                    | an account          |
      | ACI_INSTANTPAY           | a transfer          |

  @field:E55
  Scenario Outline: A brand of a wallet takes its decrypted data
    When the merchant sends a debit with
      | paymentBrand                      | <brand>                      |
      | mobileWallet.source               | web                          |
      | threeDSecure.eci                  | 05                           |
      | threeDSecure.verificationId       | AAACAgSRBklmQCFgMpEGAAAAAAA= |
      | threeDSecure.enrollmentStatus     | Y                            |
      | threeDSecure.authenticationStatus | Y                            |
    Then the payment succeeds
    And the response shows paymentBrand "<brand>"

    Examples:
      | brand        | why      |
      | APPLEPAY     | a wallet |
      | APPLEPAYTKN  | a wallet |
      | GOOGLEPAY    | a wallet |
      | CLICK_TO_PAY | a wallet |

  @field:E56
  Scenario Outline: A named card brand takes numbers of any range
    When the merchant sends a debit with
      | paymentBrand | <brand>  |
      | card.number  | <number> |
    Then the payment succeeds
    And the response shows paymentBrand "<brand>"

    Examples:
      | brand    | number           | why                  |
      | ASYACARD | 4111111111111111 | a number of one card |
      | AXESS    | 5454545454545454 | of another           |
      | BONUS    | 4200000000000000 | of one               |
      | WORLD    | 377777777777770  | with fifteen digits  |
      | POSTEPAY | 6011000000000004 | of a third           |
