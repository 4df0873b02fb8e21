import { expect, it } from 'vitest';
import { MONTHS, monthByName, monthByPrefix } from '../../../src/ingest/reading/row-values.js';

it('months are known by the beginning of their names, and by their names', () => {
  const names = Array.from({ length: 12 }, (_, month) =>
    new Date(Date.UTC(2023, month, 1)).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' }),
  );
  const numbers = names.map((_, i) => i + 1);
  expect(names.map((name) => monthByPrefix(name))).toEqual(numbers);
  expect(names.map((name) => monthByName(` ${name} `))).toEqual(numbers);
  expect(names.map((name) => name.slice(0, 3).toUpperCase())).toEqual(MONTHS);
  expect([monthByPrefix('Ja'), monthByPrefix('xyz'), monthByName('Jan'), monthByName('')]).toEqual([
    0, 0, 0, 0,
  ]);
});
