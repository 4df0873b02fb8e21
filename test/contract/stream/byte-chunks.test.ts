import { expect, test } from 'vitest';
import { joinSmall } from '../../../src/contract/stream/byte-chunks.js';

const chunk = (length: number, byte: number) => new Uint8Array(length).fill(byte);
const described = (chunks: Iterable<Uint8Array>) =>
  Array.from(chunks, (bytes) => [bytes.length, bytes[0], bytes.at(-1)]);

test('neighbouring small chunks are joined, and large ones passed on as they are', () => {
  const large = chunk(65_537, 3);
  const given = [chunk(2, 1), chunk(65_536, 2), large, chunk(1, 4), chunk(0, 0), chunk(3, 5)];
  const joined = [...joinSmall(given)];
  expect(described(joined)).toEqual([
    [65_538, 1, 2],
    [65_537, 3, 3],
    [4, 4, 5],
  ]);
  expect(joined[1]).toBe(large);
  expect(described(joinSmall([large, large]))).toEqual([
    [65_537, 3, 3],
    [65_537, 3, 3],
  ]);
  expect([...joinSmall([])]).toEqual([]);
});
