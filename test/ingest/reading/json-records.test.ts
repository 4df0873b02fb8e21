import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedTextError } from '../../../src/ingest/reading/delimited.js';
import { JSON_RECORDS } from '../../../src/ingest/reading/json-records.js';

const { header: firstRecordKeys, readColumns, records } = JSON_RECORDS;

async function read(text: string, size = 5): Promise<{ rows: string[][]; lines: number[] }> {
  const bytes = new TextEncoder().encode(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const all = { rows: [] as string[][], lines: [] as number[] };
  for await (const { fields, line } of records(pieces(), await readColumns(pieces()))) {
    all.rows.push([...fields]);
    all.lines.push(line);
  }
  return all;
}

describe('records in JSON', () => {
  it('makes a row of each record, whatever the order of its keys', async () => {
    const text =
      '{"data":[{"year":2012,"Value":"1,540","note":null},\n {"Value":"}\\"{","year":2013,"note":true}],"count":2}';
    expect(await read(text)).toEqual({
      rows: [
        ['2012', '1,540', ''],
        ['2013', '}"{', 'true'],
      ],
      lines: [2, 3],
    });
  });

  it('reads any records from pieces of any size', async () => {
    const lists = fc.array(
      fc.record({ a: fc.string(), b: fc.double({ noNaN: true }), c: fc.string({ unit: 'grapheme' }) }),
      { minLength: 1 },
    );
    await fc.assert(
      fc.asyncProperty(lists, fc.integer({ min: 1, max: 60 }), fc.nat(3), async (list, size, indent) => {
        const { rows } = await read(JSON.stringify(list, null, indent), size);
        const plain = JSON.parse(JSON.stringify(list)) as Record<string, unknown>[];
        expect(rows).toEqual(plain.map(({ a, b, c }) => [a, String(b ?? ''), c]));
      }),
    );
  });

  it.each([
    ['a list that is cut short', '[{"a":1},{"a":2}', 4, 'or it is truncated'],
    ['a record that is cut short', '{"data":[{"a":1},{"a":', 3, 'or it is truncated'],
    ['a damaged record', '[{"a":1},{"a":oops}]', 3, 'not well-formed JSON'],
    ['texts in place of records', '[{"a":1},"b"]', 3, 'it is not a flat object such as {"year": 2012}'],
    ['nothing in place of a record', '[null]', 2, 'it is not a flat object'],
    ['lists in place of records', '{"data":[[1,2],[3,4]]}', 2, 'it is not a flat object'],
    ['records within records', '[{"a":{"b":1}}]', 2, 'it is not a flat object'],
    ['something else', '<html></html>', 2, 'it is not a list of records'],
  ])('refuses %s', async (_, text, line, message) => {
    const error = await read(text).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(DamagedTextError);
    expect((error as DamagedTextError).message).toContain(message);
    expect((error as DamagedTextError).line).toBe(line);
  });

  it('refuses a record without end before it fills memory', async () => {
    const text = `[{"a":1},{"a":"${'x'.repeat(3_000_000)}`;
    const attempt = read(text, 65_536);
    await expect(attempt).rejects.toThrow('it is not a flat object');
    await expect(attempt).rejects.toMatchObject({ line: 3 });
  });

  it('reads nothing that follows the list, however long it is', async () => {
    const text = `{"data":[{"a":1}],"notes":["${'x'.repeat(3_000_000)}"],"more":[{"a":2}]}`;
    for (const size of [65_536, text.length])
      expect((await read(text, size)).rows, String(size)).toEqual([['1']]);
  });

  it('has the columns of all records, as services leave out the keys of nulls', async () => {
    expect((await read('[{"a":1},{"b":2,"a":3},{"c":4}]')).rows).toEqual([
      ['1', '', ''],
      ['3', '2', ''],
      ['', '', '4'],
    ]);
  });

  it('reads an empty list as no rows', async () => {
    expect(await read('{ "data" : [ ] }')).toEqual({ rows: [], lines: [] });
  });
});

it('keys of the first record are those of the first record where the beginning holds it, and none elsewhere', () => {
  expect(firstRecordKeys('{"data":[{"year":2012,"Value":"1"},{"ye')).toEqual(['year', 'Value']);
  for (const text of ['', 'year,Value', '[', '[]', '[{"year":20', '[{"year":oops}]', '[null]', '["year"]'])
    expect(firstRecordKeys(text), text).toEqual([]);
});
