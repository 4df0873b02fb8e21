import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonRecords } from '../../../src/ingest/reading/json-records.js';
import { DamagedTextError } from '../../../src/ingest/reading/line-blocks.js';

async function read(text: string, size = 5): Promise<{ rows: string[][]; lines: number[] }> {
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const all = { rows: [] as string[][], lines: [] as number[] };
  for await (const { rows, lines } of readJsonRecords(pieces())) {
    all.rows.push(...rows.map((row) => [...row]));
    all.lines.push(...lines);
  }
  return all;
}

describe('readJsonRecords', () => {
  it('makes a header of the keys, and a row of each record, whatever the order of its keys', async () => {
    const text =
      '{"data":[{"year":2012,"Value":"1,540","note":null},\n {"Value":"}\\"{","year":2013,"note":true}],"count":2}';
    expect(await read(text)).toEqual({
      rows: [
        ['year', 'Value', 'note'],
        ['2012', '1,540', ''],
        ['2013', '}"{', 'true'],
      ],
      lines: [1, 2, 3],
    });
  });

  it('reads any records from pieces of any size', async () => {
    const records = fc.array(fc.record({ a: fc.string(), b: fc.double({ noNaN: true }), c: fc.string() }), {
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 60 }), fc.nat(3), async (list, size, indent) => {
        const { rows } = await read(JSON.stringify(list, null, indent), size);
        const plain = JSON.parse(JSON.stringify(list)) as Record<string, unknown>[];
        expect(rows).toEqual([['a', 'b', 'c'], ...plain.map(({ a, b, c }) => [a, String(b ?? ''), c])]);
      }),
    );
  });

  it.each([
    ['a list that is cut short', '[{"a":1},{"a":2}', 3, 'is cut short'],
    ['a record that is cut short', '{"data":[{"a":1},{"a":', 2, 'is cut short'],
    ['a damaged record', '[{"a":1},{"a":oops}]', 3, 'not well-formed JSON'],
    ['texts in place of records', '[{"a":1},"b"]', 3, 'not well-formed JSON'],
    ['something else', '<html></html>', 1, 'it is not a list of records'],
  ])('refuses %s', async (_, text, line, message) => {
    const error = await read(text).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DamagedTextError);
    expect((error as DamagedTextError).message).toContain(message);
    expect((error as DamagedTextError).line).toBe(line);
  });

  it('refuses a record without end before it fills memory', async () => {
    const text = `[{"a":"${'x'.repeat(3_000_000)}`;
    await expect(read(text, 65_536)).rejects.toThrow('a record has more than a million characters');
  });
});
