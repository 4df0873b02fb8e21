import { describe, expect, it } from 'vitest';
import { allowAnyone } from '../../../src/service/access/auth.js';
import { addressGroup, addressReader } from '../../../src/service/access/client-address.js';
import { createService } from '../../../src/service/service.js';
import { openTokenStore } from '../token-service.js';

const from = (address: string, forwarded: string | null, trustProxy: boolean) => {
  const headers: HeadersInit = forwarded === null ? {} : { 'x-forwarded-for': forwarded };
  const connection = { address, localPort: 1 };
  return addressReader({ trustProxy })(new Request('http://localhost', { headers }), connection);
};

describe('the address of a client', () => {
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
    expect(addressReader({})(new Request('http://localhost'), undefined)).toBeNull();
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

it.each([
  [false, ['x-forwarded-for', 'forwarded', 'x-real-ip'], 1],
  [true, ['x-forwarded-for'], 0],
  [false, ['accept'], 0],
])(
  'a proxy is warned of once where it is not trusted: trusted %s, headers %s',
  async (trustProxy, names, count) => {
    const store = await openTokenStore();
    const warnings: string[] = [];
    const onWarning = (text: string) => void warnings.push(text);
    const service = createService(store, { authorize: allowAnyone, trustProxy, onWarning });
    for (const name of [...names, ...names]) {
      const request = new Request('http://localhost/health', { headers: { [name]: '1.2.3.4' } });
      await service(request, { address: '127.0.0.1', localPort: 1 });
      await service(request);
    }
    expect(warnings).toHaveLength(count);
    if (count > 0)
      expect(warnings[0]).toMatch(/share one limit for wrong passwords; start with --trust-proxy/);
    await store.close();
  },
);
