import { strict as assert } from 'node:assert';
import { addressKind, type AddressKind } from '../../../src/adapters/net/privateAddress';

/**
 * From IANA's registries of special-purpose addresses, and from cloud providers' documentation of their metadata
 * services.
 */
const known: Readonly<Record<AddressKind, readonly string[]>> = {
  public: [
    '93.184.215.14',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
  ],
  own: [
    '127.0.0.1',
    '127.1.2.3',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.254',
    '192.168.1.1',
    '100.64.0.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    'fc00::1',
    'fd12:3456::1',
    '::ffff:10.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:1::1',
    'ff02::1',
  ],
  control: [
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '168.63.129.16',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    'localhost',
    '',
  ],
};

describe('address kinds', () => {
  for (const kind of ['public', 'own', 'control'] as const)
    it(`${kind} addresses are recognized in every notation`, () => {
      const others = known[kind]
        .map((address) => [address, addressKind(address)])
        .filter(([, found]) => found !== kind);
      assert.deepEqual(others, []);
    });
});
