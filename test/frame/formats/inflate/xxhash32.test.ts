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
