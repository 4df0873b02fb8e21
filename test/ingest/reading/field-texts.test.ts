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

/** A block of fields beside each other that counts how often its whole text is asked for, and reads its fields. */
function blockOf(fields: readonly string[]) {
  const whole = fields.join('');
  const starts: number[] = [];
  let length = 0;
  for (const field of fields) {
    starts.push(length);
    length += field.length;
  }
  const texts = new FieldTexts();
  const block = {
    asked: 0,
    codes: new TextEncoder().encode(whole),
    get text() {
      block.asked++;
      return whole;
    },
  };
  const read = (i: number) => texts.read(block, starts[i]!, starts[i]! + fields[i]!.length);
  return { block, read };
}

/** FNV-1a, as 32 bits. */
function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5);
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
    const words = Array.from({ length: 70_000 }, (_, i) => i.toString(36).padStart(5, '_'));
    const text = words.join('');
    const codes = new TextEncoder().encode(text);
    const isRead = (i: number) => texts.read({ codes, text }, 5 * i, 5 * i + 5) === words[i];
    for (let i = 0; i + 1 < words.length; i += 2)
      for (const at of [i, i + 1, i, i + 1, i, i % 64]) if (!isRead(at)) expect.unreachable(words[at]);
    expect(words.every((_, i) => isRead(i))).toBe(true);
  });

  it('are told from others with the same hash, of the same length or longer', () => {
    const fields = ['kjuhbf', 'eaofdu', 'x', 'xabcqmojs', 'fqpciz', 'lbtwqo'];
    expect(new Set(fields.map(hashOf)).size).toBe(3);
    const { read } = blockOf(fields);
    for (const at of [0, 1, 2, 3, 4, 5, 1, 0, 3, 2, 5, 4]) expect(read(at)).toBe(fields[at]);
  });

  it('are told from those at the same place of another block', () => {
    const texts = new FieldTexts();
    const text = 'aaaaa';
    const codes = new TextEncoder().encode(text);
    expect(texts.read({ codes, text }, 0, 5)).toBe(text);
    const other = 'zzzzz';
    texts.beginBlock();
    expect(texts.read({ codes: new TextEncoder().encode(other), text: other }, 0, 5)).toBe('zzzzz');
    texts.beginBlock();
    expect(texts.read({ codes, text }, 0, 5)).toBe(text);
  });
});

describe('the text of a block', () => {
  const word = (i: number) => i.toString(36).padStart(4, '_');

  it('is not made for fields that repeat, unless they are longer than 256 characters', () => {
    const long = 'x'.repeat(255);
    const fields = ['corn', 'rye', `${long}a`, `${long}b`, `${long}bc`];
    const { block, read } = blockOf(fields);
    for (let i = 0; i < 10_000; i++) if (read(i % 4) !== fields[i % 4]) expect.unreachable(fields[i % 4]);
    expect(block.asked).toBe(0);
    expect(read(4)).toBe(`${long}bc`);
    expect(read(4)).toBe(`${long}bc`);
    expect(block.asked).toBe(1);
  });

  it('is cut from the 4,097th field on where most fields are new', () => {
    const fields = Array.from({ length: 4098 }, (_, i) => word(i));
    const { block, read } = blockOf(fields);
    for (let i = 0; i < 4096; i++) read(i);
    expect(block.asked).toBe(0);
    expect([read(4096), read(4097)]).toEqual(fields.slice(4096));
    expect(block.asked).toBe(2);
  });

  it('is not made where half of the fields are new', () => {
    const fields = Array.from({ length: 3000 }, (_, i) => word(i));
    const { block, read } = blockOf(['corn', 'rye', ...fields]);
    for (const at of [0, 1, 0, 1, 0]) read(at);
    for (let i = 0; i < fields.length; i++) for (const at of [i + 2, 0]) read(at);
    expect(block.asked).toBe(0);
  });

  it('is not made for 20,000 texts that come again and again, beside some that came before', () => {
    const fields = Array.from({ length: 20_000 }, (_, i) => word(i));
    const { block, read } = blockOf(['corn', 'rye', ...fields]);
    for (let i = 0; i < fields.length; i++) for (const at of [i + 2, 0, 1]) read(at);
    for (let round = 0; round < 5; round++) for (let i = 0; i < fields.length; i++) read(i + 2);
    expect(block.asked).toBe(0);
    expect(fields.every((field, i) => read(i + 2) === field)).toBe(true);
  });
});
