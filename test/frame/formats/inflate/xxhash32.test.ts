import { expect, test } from 'vitest';
import { xxHash32 } from '../../../../src/frame/formats/inflate/xxhash32.js';

test.each([
  ['', 0x02cc5d05],
  ['a', 0x550d7456],
  ['abc', 0x32d153ff],
  ['Nobody inspects the spammish repetition', 0xe2293b2f],
])('the published hash of “%s”', (text, hash) => {
  expect(xxHash32(new TextEncoder().encode(text))).toBe(hash);
});

const [P1, P2, P3, P4, P5] = [0x9e3779b1n, 0x85ebca77n, 0xc2b2ae3dn, 0x27d4eb2fn, 0x165667b1n];
const low32 = (value: bigint) => BigInt.asUintN(32, value);
const rotated = (value: bigint, by: bigint) => low32((low32(value) << by) | (low32(value) >> (32n - by)));
const round = (sum: bigint, word: number) => low32(rotated(sum + BigInt(word) * P2, 13n) * P1);

/** The hash by its specification, in numbers of any length. */
function plainHash(bytes: Buffer): bigint {
  let at = 0;
  let hash = P5;
  if (bytes.length >= 16) {
    const sums = [P1 + P2, P2, 0n, -P1];
    for (; at + 16 <= bytes.length; at += 16)
      for (const i of sums.keys()) sums[i] = round(sums[i]!, bytes.readUInt32LE(at + 4 * i));
    hash = [1n, 7n, 12n, 18n].reduce((total, by, i) => total + rotated(sums[i]!, by), 0n);
  }
  hash += BigInt(bytes.length);
  for (; at + 4 <= bytes.length; at += 4)
    hash = low32(rotated(hash + BigInt(bytes.readUInt32LE(at)) * P3, 17n) * P4);
  for (; at < bytes.length; at++) hash = low32(rotated(hash + BigInt(bytes[at]!) * P5, 11n) * P1);
  hash = low32(hash);
  hash = low32((hash ^ (hash >> 15n)) * P2);
  hash = low32((hash ^ (hash >> 13n)) * P3);
  return hash ^ (hash >> 16n);
}

test('bytes of any length to a few stripes hash as the specification computes it', () => {
  for (let length = 0; length <= 100; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => Math.imul(i + length, 0x9e3779b1) >>> 24);
    expect(BigInt(xxHash32(bytes)), `${length}`).toBe(plainHash(Buffer.from(bytes)));
  }
});
