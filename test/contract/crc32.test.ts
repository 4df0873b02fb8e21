import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc32, portableCrc32 } from '../../src/contract/crc32.js';

test('the CRC-32 of the digits is the one of its specification', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(crc32(digits)).toBe(0xcbf43926);
  expect(portableCrc32(digits)).toBe(0xcbf43926);
});

test('the portable CRC-32 is that of Node, for any bytes and in parts', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 90, size: 'max' }), fc.nat(90), (bytes, cut) => {
      const whole = zlib.crc32(bytes);
      expect(portableCrc32(bytes)).toBe(whole);
      expect(crc32(bytes)).toBe(whole);
      expect(portableCrc32(bytes.subarray(cut), portableCrc32(bytes.subarray(0, cut)))).toBe(whole);
    }),
  );
});
