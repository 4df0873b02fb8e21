import { describe, expect, it } from 'vitest';
import { addressGroup, clientAddress } from '../../../src/service/access/client-address.js';

const from = (address: string, forwarded: string | null, trustProxy: boolean) => {
  const headers: HeadersInit = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
  const connection = { address, localPort: 1 };
  return clientAddress(new Request('http://localhost', { headers }), connection, trustProxy);
};

describe('clientAddress', () => {
  it.each([
    ['10.0.0.1', null, true, '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4', false, '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4', true, '1.2.3.4'],
    ['10.0.0.1', '6.6.6.6, 1.2.3.4', true, '1.2.3.4'],
    ['10.0.0.1', '1.2.3.4:5678', true, '1.2.3.4'],
    ['10.0.0.1', '[2001:db8::1]:80', true, '2001:db8::1'],
    ['10.0.0.1', '2001:db8::1', true, '2001:db8::1'],
    ['10.0.0.1', 'unknown', true, '10.0.0.1'],
    ['10.0.0.1', '1.2.3.4, ', true, '10.0.0.1'],
    ['::ffff:10.0.0.1', null, false, '10.0.0.1'],
    ['::1', null, false, '::1'],
  ])('of a socket of %s with X-Forwarded-For %s, believed: %s', (address, forwarded, trust, expected) => {
    expect(from(address, forwarded, trust)).toBe(expected);
  });

  it('is none in the same process', () => {
    expect(clientAddress(new Request('http://localhost'), undefined, true)).toBeNull();
  });
});

it.each([
  ['1.2.3.4', '1.2.3.4'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:0DB8:0:1::', '2001:db8:0:1::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('takes %s as one of %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
