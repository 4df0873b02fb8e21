import { describe, expect, it } from 'vitest';
import { describeFirstLine, firstLine } from '../../../src/ingest/reading/input-files.js';

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
});
