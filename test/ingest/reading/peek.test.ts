import { describe, expect, it } from 'vitest';
import { describeFirstLine, firstLine } from '../../../src/ingest/reading/peek.js';

describe('describeFirstLine', () => {
  const decoded = (bytes: Uint8Array): string => firstLine(new TextDecoder().decode(bytes));

  it.each([
    ['with a byte order mark', '\uFEFFArea,Item\n1,2\n', false],
    ['without one', 'Area,Item\n1,2\n', false],
    ['with the high byte first', '\uFEFFArea,Item\n1,2\n', true],
    ['with the high byte first and no mark', 'Area,Item\n1,2\n', true],
  ])('says how to save text in UTF-16 %s', (_, text, isBigEndian) => {
    const bytes = Buffer.from(text, 'utf16le');
    expect(describeFirstLine(decoded(isBigEndian ? bytes.swap16() : bytes))).toMatch(
      /UTF-16; save it as UTF-8/,
    );
  });

  it('shows text, and says of other bytes that they are none', () => {
    expect(describeFirstLine(decoded(Buffer.from('Fläche,Wert\r\n')))).toBe(
      'its first line is "Fläche,Wert"',
    );
    expect(describeFirstLine(decoded(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0)))).toBe('it is not text');
  });
});

describe('the beginning of a text', () => {
  it('is shortened in messages', () => {
    expect(describeFirstLine('x'.repeat(120))).toBe(`its first line is "${'x'.repeat(120)}"`);
    expect(describeFirstLine('x'.repeat(121), 'it has')).toBe(`it has "${'x'.repeat(120)}…"`);
    expect(describeFirstLine('a\tb')).toBe('its first line is "a\tb"');
    expect(describeFirstLine('a\0')).toBe('it is not text');
    expect(describeFirstLine('Fläche \0a\0b\0c')).toBe('it is not text');
    expect(firstLine('\na')).toBe('');
  });
});
