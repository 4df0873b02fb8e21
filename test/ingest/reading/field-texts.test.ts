import { describe, expect, it } from 'vitest';
import { readDelimited } from '../../../src/ingest/reading/delimited.js';
import { FieldTexts } from '../../../src/ingest/reading/field-texts.js';

/** The fields of a text that arrives in pieces of a size. */
async function fieldsOf(text: string, size: number): Promise<string[][]> {
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows: string[][] = [];
  for await (const block of readDelimited(pieces(), { delimiter: ',', quotes: true }))
    rows.push(...block.rows.map((row) => [...row]));
  return rows;
}

describe('the fields of a column', () => {
  it('are those of the file, whether they repeat, are new, or only begin or end alike', async () => {
    const long = 'x'.repeat(255);
    const columns = [
      (i: number) => String(i),
      (i: number) => (i % 2 === 0 ? 'Iowa' : 'Ohio'),
      (i: number) => ['a', 'b', 'a', '', 'ab', 'ba'][i % 6]!,
      (i: number) => ['1x', '2x', '1y', '1x', '1x'][i % 5]!,
      (i: number) => `${long}${['', 'y', 'yz', 'yz'][i % 4]}`,
      (i: number) => `${i % 3}${long}y`,
    ];
    for (const letter of ['', 'é', '麦']) {
      const rows = Array.from({ length: 3000 }, (_, i) => columns.map((field) => field(i) + letter));
      const text = rows.map((row) => row.join(',')).join('\n');
      expect((await fieldsOf(text, 65_536)).join('\n') === rows.join('\n'), letter).toBe(true);
    }
  });

  it('are right after thousands that were all new, and after thousands that were not', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => [
      String(i),
      String(i % 5000),
      i % 9 === 0 ? 'x' : 'yy',
    ]);
    const text = rows.map((row) => row.join(',')).join('\n');
    expect((await fieldsOf(text, 100_000)).join('\n') === rows.join('\n')).toBe(true);
  });

  it('are right with more texts that repeat than are kept', () => {
    const texts = new FieldTexts();
    const words = Array.from({ length: 50_000 }, (_, i) => i.toString(36).padStart(5, '_'));
    const text = words.join('');
    const codes = new TextEncoder().encode(text);
    const isRead = (i: number) => texts.read({ codes, text }, 5 * i, 5 * i + 5) === words[i];
    for (let i = 0; i + 1 < words.length; i += 2)
      for (const at of [i, i + 1, i, i + 1, i, i % 64]) if (!isRead(at)) expect.unreachable(words[at]);
    expect(words.every((_, i) => isRead(i))).toBe(true);
  });

  it('are told from others with the same hash', () => {
    const texts = new FieldTexts();
    const words = Array.from({ length: 6000 }, (_, i) => (i * 7919).toString(36).padStart(5, '_'));
    const text = words.join('');
    const codes = new TextEncoder().encode(text);
    for (let round = 0; round < 2; round++) {
      texts.beginBlock();
      const read = words.map((_, i) => texts.read({ codes, text }, 5 * i, 5 * i + 5));
      expect(read.join('')).toBe(text);
    }
    // The same codes at the same place of another block.
    const other = 'zzzzz';
    texts.beginBlock();
    expect(texts.read({ codes: new TextEncoder().encode(other), text: other }, 0, 5)).toBe('zzzzz');
    texts.beginBlock();
    expect(texts.read({ codes, text }, 0, 5)).toBe(words[0]);
  });
});
