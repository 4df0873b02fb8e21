import { describe, expect, it } from 'vitest';
import { parseWasdeValue } from '../../../src/ingest/wasde/wasde.js';

describe('parseWasdeValue', () => {
  it.each([
    ['14,892', 14_892],
    ['106.2 *', 106.2],
    ['75.2 **', 75.2],
    ['1,250 10/', 1250],
    ['.5', 0.5],
    ['-1.25', -1.25],
    ['83 2/', 83],
  ])('reads %s', (text, value) => {
    expect(parseWasdeValue(text)).toEqual({ value, remarks: {} });
  });

  it('keeps the ends of a range, and codes of missing figures', () => {
    expect(parseWasdeValue('6.80 - 8.00')).toEqual({ value: null, remarks: { low: 6.8, high: 8 } });
    expect(parseWasdeValue('3.20-3.80 *')).toEqual({ value: null, remarks: { low: 3.2, high: 3.8 } });
    expect(parseWasdeValue('3/')).toEqual({ value: null, remarks: { code: '3/' } });
    expect(parseWasdeValue('NA')).toEqual({ value: null, remarks: { code: 'NA' } });
  });

  it('reads an empty cell as null, and refuses all else', () => {
    expect(parseWasdeValue('  ')).toBeNull();
    for (const text of ['1,x50', '1,23', 'about 5', '1.2.3'])
      expect(() => parseWasdeValue(text)).toThrow('is not a number');
  });
});
