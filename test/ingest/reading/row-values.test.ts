import { describe, expect, it } from 'vitest';
import { RowError } from '../../../src/ingest/batch/batch-builder.js';
import { parseRowDateOfAnyForm } from '../../../src/ingest/reading/dates.js';
import { parseRowDate, parseRowInteger } from '../../../src/ingest/reading/row-values.js';

describe('rowInteger', () => {
  it('reads codes with leading zeros, and nothing else', () => {
    expect(parseRowInteger('0440000', 'code')).toBe(440_000);
    expect(parseRowInteger(' 12 ', 'code')).toBe(12);
    for (const text of ['', '1.0', '-1', '1e3', '1234567890'])
      expect(() => parseRowInteger(text, 'code')).toThrow(RowError);
  });
});

describe('rowDay', () => {
  it('reads dates between blanks', () => {
    expect(parseRowDate(' 2012-02-29 ', 'day')).toBe(Date.UTC(2012, 1, 29));
  });

  it('reads dates in the calendar', () => {
    expect(parseRowDate('2012-02-29 12:00:00', 'load time')).toBe(Date.UTC(2012, 1, 29, 12));
    expect(() => parseRowDate('2011-02-29', 'load time')).toThrow('the load time "2011-02-29" is not a date');
  });

  it.each([
    '2024-02-29',
    '20240229',
    '2/29/2024',
    ' 02/29/2024 12:00:00 AM',
    '2/29/2024 1:45:00 PM',
    '2024-02-29T00:00:00',
    '2024-02-29T13:45:00',
    '2024-02-29 13:45',
    '2024-02-28T24:00:00',
    '2/28/2024 24:00',
  ])('reads "%s" as the day of agencies, whatever the time', (text) =>
    expect(parseRowDateOfAnyForm(text, 'date')).toBe(Date.UTC(2024, 1, 29)),
  );

  it.each(['20230229', '2/29/2023', '29/2/2024', '2024-02', '', '2024-02-29 99:99', '2/29/2024 13:00 PM'])(
    'refuses "%s" as one',
    (text) => {
      expect(() => parseRowDateOfAnyForm(text, 'date')).toThrow(`the date "${text}" is not a date`);
    },
  );
});
