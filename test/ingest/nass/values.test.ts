import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNassMetadata, parseNassValue } from '../../../src/ingest/nass/nass.js';

describe('parseNassValue', () => {
  it('reads numbers with and without separators', () => {
    const number = fc.integer({ min: -(10 ** 12), max: 10 ** 12 });
    fc.assert(
      fc.property(number, fc.constantFrom('', ' ', '   '), (value, blank) => {
        for (const text of [String(value), value.toLocaleString('en-US')]) {
          expect(parseNassValue(blank + text)).toEqual({ value, code: null });
        }
      }),
    );
    expect(parseNassValue('123.1').value).toBe(123.1);
    expect(parseNassValue('.5').value).toBe(0.5);
  });

  it.each(['(D)', '(Z)', '(NA)', '(X)', '(S)', '(L)', '(H)'])('keeps the code %s', (code) => {
    expect(parseNassValue(`      ${code}`)).toEqual({ value: null, code });
  });

  it.each(['', '1,23', 'D', '(1)', '1 000', '1e5'])('refuses "%s"', (text) => {
    expect(() => parseNassValue(text)).toThrow('is neither a number nor a code');
  });
});

describe('nassMetadata', () => {
  it('has the code and the variation, if any', () => {
    expect(formatNassMetadata(null, '')).toBeNull();
    expect(formatNassMetadata('(D)', ' 2.5 ')).toBe('{"code":"(D)","cv_percent":2.5}');
    expect(formatNassMetadata(null, '(H)')).toBe('{"cv_code":"(H)"}');
  });
});
