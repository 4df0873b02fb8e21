import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DayRecords } from '../../../src/ingest/ghcnd/day-records.js';

function all(text: string, firstLine = 1): { line: number; fields: string[]; text: string }[] {
  const records = new DayRecords();
  const found: { line: number; fields: string[]; text: string }[] = [];
  for (records.open({ text, firstLine }); records.next(); ) {
    const fields = Array.from({ length: 6 }, (_, i) => records.field(i));
    expect(fields.map((field) => field === '')).toEqual(fields.map((_, i) => records.isEmpty(i)));
    found.push({ line: records.line, fields, text: records.text });
  }
  return found;
}

describe('DayRecords', () => {
  it('has the same fields as a split at every comma', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '1', '-', ',', ' '), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(line), fc.constantFrom('\n', '\r\n'), fc.boolean(), (lines, end, endsWithFeed) => {
        const text = lines.join(end) + (endsWithFeed ? end : '');
        const expected = lines
          .map((one, i) => ({
            line: i + 5,
            fields: Array.from({ length: 6 }, (_, f) => one.split(',')[f] ?? ''),
            text: one,
          }))
          .filter((record) => record.text !== '');
        expect(all(text, 5)).toEqual(expected);
      }),
    );
  });

  it('reads whole numbers, and NaN for other texts', () => {
    const records = new DayRecords();
    records.open({ text: '12,-9999,,1.5,1234567890,x\n', firstLine: 1 });
    records.next();
    expect([0, 1, 2, 3, 4, 5].map((field) => records.integer(field))).toEqual([
      12,
      -9999,
      Number.NaN,
      Number.NaN,
      Number.NaN,
      Number.NaN,
    ]);
  });
});
