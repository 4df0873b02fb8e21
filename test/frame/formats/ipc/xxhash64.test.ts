import fc from 'fast-check';
import { expect, test } from 'vitest';
import { xxHash64Low } from '../../../../src/frame/formats/ipc/xxhash64.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);

test.each([
  ['', 0x51d8e999],
  ['a', 0xa98c6e5b],
  ['abc', 0xad770999],
  ['Nobody inspects the spammish repetition', 0x8a378bf1],
])('the low word of the published hash of “%s”', (text, hash) => {
  expect(xxHash64Low(bytesOf(text))).toBe(hash);
});

const [P1, P2, P3] = [0x9e3779b185ebca87n, 0xc2b2ae3d27d4eb4fn, 0x165667b19e3779f9n];
const [P4, P5] = [0x85ebca77c2b2ae63n, 0x27d4eb2f165667c5n];
const low64 = (value: bigint) => BigInt.asUintN(64, value);
const rotated = (value: bigint, by: bigint) => low64((value << by) | (low64(value) >> (64n - by)));
const round = (sum: bigint, word: bigint) => low64(rotated(low64(sum + word * P2), 31n) * P1);

/** The whole hash by its specification, in numbers of any length. */
function plainHash(bytes: Buffer): bigint {
  let at = 0;
  let hash = P5;
  if (bytes.length >= 32) {
    const sums = [P1 + P2, P2, 0n, -P1];
    for (; at + 32 <= bytes.length; at += 32) {
      for (const i of sums.keys()) sums[i] = round(sums[i]!, bytes.readBigUInt64LE(at + 8 * i));
    }
    hash = [1n, 7n, 12n, 18n].reduce((total, by, i) => total + rotated(sums[i]!, by), 0n);
    for (const sum of sums) hash = low64((low64(hash) ^ round(0n, sum)) * P1 + P4);
  }
  hash = low64(hash + BigInt(bytes.length));
  for (; at + 8 <= bytes.length; at += 8) {
    hash = low64(rotated(hash ^ round(0n, bytes.readBigUInt64LE(at)), 27n) * P1 + P4);
  }
  if (at + 4 <= bytes.length) {
    hash = low64(rotated(hash ^ low64(BigInt(bytes.readUInt32LE(at)) * P1), 23n) * P2 + P3);
    at += 4;
  }
  for (; at < bytes.length; at++) hash = low64(rotated(hash ^ low64(BigInt(bytes[at]!) * P5), 11n) * P1);
  hash = low64((hash ^ (hash >> 33n)) * P2);
  hash = low64((hash ^ (hash >> 29n)) * P3);
  return hash ^ (hash >> 32n);
}

test('any bytes hash as the specification computes it', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(BigInt(xxHash64Low(bytes))).toBe(BigInt.asUintN(32, plainHash(Buffer.from(bytes))));
    }),
  );
});

test('bytes of any length to a few stripes hash as the specification computes it', () => {
  for (let length = 0; length <= 100; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => Math.imul(i + length, 0x9e3779b1) >>> 24);
    expect(BigInt(xxHash64Low(bytes)), `${length}`).toBe(BigInt.asUintN(32, plainHash(Buffer.from(bytes))));
  }
});
