import { expect, it } from 'vitest';
import { getOrCompute } from '../../../src/ingest/reading/get-or-compute.js';

it('a value is computed once for each key, also where it is 0, empty or null', () => {
  const known = new Map<string, unknown>([['stored', 'before']]);
  const asked: unknown[] = [];
  for (const value of [0, '', null, false, 'text'])
    for (let time = 0; time < 2; time++) {
      const found = getOrCompute(known, String(value), () => {
        asked.push(value);
        return value;
      });
      expect(found).toBe(value);
    }
  expect(asked).toEqual([0, '', null, false, 'text']);
  expect(getOrCompute(known, 'stored', () => expect.unreachable())).toBe('before');
});
