import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RowError } from '../../../src/ingest/batch/batch-builder.js';
import {
  parsePlainNumber,
  parseRowDate,
  parseRowDateOfAnyForm,
  parseRowInteger,
  parseRowNumber,
} from '../../../src/ingest/reading/row-values.js';

describe('rowNumber', () => {
  it('reads numbers in every notation', () => {
    const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(finite, (number) => parseRowNumber(String(number), 'value') === number));
    const whole = fc.integer({ min: -1e9, max: 1e9 });
    fc.assert(
      fc.property(
        whole,
        (number) => parseRowNumber(` ${number.toLocaleString('en-US')} `, 'value') === number,
      ),
    );
  });

  it.each(['', '-', '.', '1,23', '12,3456', '1.2.3', '0x10', 'NaN', '1 2'])('refuses "%s"', (text) => {
    expect(() => parseRowNumber(text, 'value')).toThrow(RowError);
  });
});

describe('rowInteger', () => {
  it('reads codes with leading zeros, and nothing else', () => {
    expect(parseRowInteger('0440000', 'code')).toBe(440_000);
    for (const text of ['', '1.0', '-1', '1e3', '1234567890'])
      expect(() => parseRowInteger(text, 'code')).toThrow(RowError);
  });
});

describe('rowNumber and rowInteger', () => {
  it.each([
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['1,234.5', 1234.5],
  ])('read "%s"', (text, number) => {
    expect(parseRowNumber(text, 'value')).toBe(number);
    expect(parseRowInteger(' 12 ', 'code')).toBe(12);
  });
});

describe('rowDay', () => {
  it.each(['120240229', '202402291', 'x2/29/2024', '2/29/20245', '2/29/2024x', '2024-02-29Tx\n2'])(
    'refuses "%s", which only begins or ends with a date',
    (text) => {
      expect(() => parseRowDateOfAnyForm(text, 'date')).toThrow(RowError);
    },
  );

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
  ])('reads "%s" as the day of agencies, whatever the time', (text) =>
    expect(parseRowDateOfAnyForm(text, 'date')).toBe(Date.UTC(2024, 1, 29)),
  );

  it.each(['20230229', '2/29/2023', '29/2/2024', '2024-02', ''])('refuses "%s" as one', (text) => {
    expect(() => parseRowDateOfAnyForm(text, 'date')).toThrow(`the date "${text}" is not a date`);
  });
});

const codeOf = (mark: string): number => mark.charCodeAt(0);
const GROUPED = /^-?(\d+|\d{1,3}(,\d{3})+)?(\.\d+)?$/;

/** What `parsePlainNumber` makes of a text, by the grammar of numbers. */
function plainNumber(text: string): number {
  const isNumber = GROUPED.test(text) && /\d/.test(text);
  return isNumber && text.replace(/\D/g, '').length <= 15 ? Number(text.replaceAll(',', '')) : Number.NaN;
}

describe('parsePlainNumber', () => {
  it('takes marks only where a number has them', () => {
    const marked =
      '1,234 12,345.5 1,234,567.25 0,123 -123,456 1234,567 1,234567 ,123 -,123 1,23 1,2345 1,234,56 1,234,5678 1, 1,234, ' +
      '1,234. 1.234,567 1.5,000 1,234.5,678 1.,234 1.2,34.5 1.2.3 1..2 1,23.4 1,2345.6 1,,234 1,2,345 12,34,567 . -. .5 -.5 ' +
      '5. - -- 1-2 -1.5';
    for (const text of ['', ...marked.split(' ')])
      expect(parsePlainNumber(text, { decimal: codeOf('.'), thousands: codeOf(',') }), text).toBe(
        plainNumber(text),
      );
  });

  it('reads up to 15 digits, wherever the decimal mark is', () => {
    for (let length = 12; length <= 18; length++)
      for (let at = 0; at <= length; at++) {
        const digits = '987654321098765432'.slice(0, length);
        const text = at === length ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
        expect(parsePlainNumber(text, { decimal: codeOf('.'), thousands: codeOf(',') }), text).toBe(
          plainNumber(text),
        );
      }
  });

  it('is the double that Number reads, or leaves the text to others', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('0', '1', '9', '-', '.', ',', ' ', 'e'), maxLength: 12 }),
      fc
        .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.integer({ min: 0, max: 999_999 }))
        .map((parts) => parts.join('.')),
      fc.integer().map((number) => number.toLocaleString('en-US')),
    );
    fc.assert(
      fc.property(text, (one) => {
        const found = parsePlainNumber(one, { decimal: codeOf('.'), thousands: codeOf(',') });
        expect(found).toBe(plainNumber(one));
      }),
      { numRuns: 2_000 },
    );
  });

  it('reads other decimal marks, and no groups where there is no mark of thousands', () => {
    const marks = { decimal: codeOf(','), thousands: Number.NaN };
    expect(parsePlainNumber('-1,25', marks)).toBe(-1.25);
    expect(parsePlainNumber('1.250', marks)).toBeNaN();
  });
});
