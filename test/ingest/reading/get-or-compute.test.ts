import { expect, it } from 'vitest';
import { getOrCompute, rememberLast } from '../../../src/ingest/reading/get-or-compute.js';

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

it('what was found for the last text is not looked for again, and nothing else is kept', () => {
  const asked: string[] = [];
  const find = rememberLast((text) => {
    asked.push(text);
    return text.length;
  });
  const texts = ['', '', 'Iowa', 'Iowa', 'Iowa', 'Ohio', 'Iowa', ''];
  expect(texts.map(find)).toEqual(texts.map(({ length }) => length));
  expect(asked).toEqual(['', 'Iowa', 'Ohio', 'Iowa', '']);
});
