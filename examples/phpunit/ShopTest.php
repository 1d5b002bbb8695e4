<?php

// Run with: sandgate run -- vendor/bin/phpunit examples/phpunit

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/Shop.php';

final class ShopTest extends TestCase
{
    private const CARD = [
        'number' => '4200000000000000',
        'holder' => 'Jane Jones',
        'expiryMonth' => '05',
        'expiryYear' => '2034',
        'cvv' => '123',
    ];

    private Shop $shop;

    protected function setUp(): void
    {
        $this->shop = Shop::fromEnvironment();
    }

    public function testAGoodCardIsCharged(): void
    {
        [$status, $body] = $this->shop->pay('92.00', self::CARD);

        self::assertSame(200, $status);
        self::assertSame('000.100.110', $body['result']['code']);
    }

    public function testACardWithoutFundsIsDeclined(): void
    {
        // A result code as card holder is the answer of the acquirer.
        [$status, $body] = $this->shop->pay('92.00', ['holder' => '800.100.203'] + self::CARD);

        self::assertSame(400, $status);
        self::assertSame('800.100.203', $body['result']['code']);
    }

    public function testAnAuthorizationIsCapturedInPartsAndRefunded(): void
    {
        [, $authorized] = $this->shop->pay('92.00', self::CARD, 'PA');
        [, $captured] = $this->shop->capture($authorized['id'], '60.00');

        self::assertSame(200, $this->shop->capture($authorized['id'], '32.00')[0]);
        self::assertSame(400, $this->shop->capture($authorized['id'], '0.01')[0]);
        self::assertSame(200, $this->shop->refund($captured['id'], '10.00')[0]);
    }

    public function testAWrongAmountIsNamed(): void
    {
        [$status, $body] = $this->shop->pay('92,00', self::CARD);

        self::assertSame(400, $status);
        self::assertSame(['amount'], array_column($body['result']['parameterErrors'], 'name'));
    }
}
