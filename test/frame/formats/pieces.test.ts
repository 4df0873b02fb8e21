import type { Table } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import { expect, test } from 'vitest';
import { csvPieces } from '../../../src/frame/formats/csv.js';
import { danfoFrame } from '../../../src/frame/formats/danfo.js';
import { framePieces, jsonPieces } from '../../../src/frame/formats/frame-pieces.js';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { filePieces } from '../../../src/frame/formats/write-frame.js';
import { collect } from '../../sequences.js';
import { exactRows } from '../exact-rows.js';

const table = (from: number, to: number) =>
  fromRows(Array.from({ length: to - from }, (_, i) => ({ day: new Date(from + i), name: `=${from + i}` })));

const ROWS = 8192;

/** A frame that arrives in these batches. */
const streamOf = (...tables: Table[]) => ({
  schema: tables[0]!.schema,
  batches: (async function* () {
    for (const one of tables) yield* one.batches;
  })(),
});
const inParts = () => streamOf(table(0, 5), table(0, 5).slice(0, 0), table(5, ROWS + 1));

const text = async (pieces: AsyncIterable<string | Uint8Array>) => (await collect(pieces)).join('');

test('CSV has some thousand rows in each piece, and one header', async () => {
  const whole = table(0, ROWS + 1);
  const pieces = await collect(csvPieces(whole));
  expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1, ROWS, 1]);
  expect(pieces[0]).toBe('day,name\r\n');
  expect(exactRows(fromCsv(pieces.join(''), { schema: whole.schema }))).toEqual(exactRows(whole));
  expect(await text(csvPieces(inParts()))).toBe(pieces.join(''));
  expect(await collect(csvPieces(whole.slice(0, 0)))).toEqual(['day,name\r\n']);
  expect(await collect(csvPieces(table(0, ROWS)))).toHaveLength(2);
});

test('JSON has a row a line, in one array', async () => {
  const whole = table(0, ROWS + 1);
  const pieces = await collect(jsonPieces(whole));
  expect(pieces).toHaveLength(4);
  expect(JSON.parse(pieces.join(''))).toEqual(exactRows(whole));
  expect(pieces.join('').split('\n')).toHaveLength(ROWS + 1 + 3);
  expect(JSON.parse(await text(jsonPieces(inParts())))).toEqual(exactRows(whole));
  for (const none of [whole.slice(0, 0), streamOf(whole.slice(0, 0))])
    expect(JSON.parse(await text(jsonPieces(none)))).toEqual([]);
});

test('JSON keeps infinite numbers, also in lists', async () => {
  const rows = [{ x: Number.NEGATIVE_INFINITY, list: [1, Number.POSITIVE_INFINITY] }];
  expect(JSON.parse(await text(jsonPieces(fromRows(rows))))).toEqual(rows);
});

test('a frame is the same whole and in pieces, with the options of its format', async () => {
  const whole = table(0, 3);
  const options = { safe: true, date_only: true };
  const csv = whole.toCsv(options);
  expect(csv.split('\r\n').slice(1, 3)).toEqual(["1970-01-01,'=0", "1970-01-01T00:00:00.001Z,'=1"]);
  expect(await text(filePieces(whole, 'csv', options))).toBe(csv);
  expect(await text(framePieces(streamOf(whole), 'csv', options))).toBe(csv);
  expect(await text(filePieces(whole, 'csv'))).toBe(whole.toCsv());
  expect(await text(filePieces(whole, 'json'))).toBe(await text(jsonPieces(whole)));
  const parquet = { safe: true, row_group_rows: 2 };
  const pieces = (await collect(framePieces(streamOf(table(0, 4)), 'parquet', parquet))) as Uint8Array[];
  const bytes = Uint8Array.from(Buffer.concat(pieces));
  expect(readParquet(bytes, { rowGroups: [1] }).recordBatches()[0]!.numRows).toBe(2);
});

test.each<[() => unknown, string]>([
  [() => table(0, 1).toCsv({ safe: 1 as never }), 'safe: 1 is not true or false'],
  [() => table(0, 1).toCsv({ dates: true } as never), 'dates: toCsv has no such option'],
  [() => fromCsv(undefined as never), 'text: is missing'],
  [() => fromCsv('a\n', { schema: {} as never }), 'schema: an object is not an Arrow schema'],
  [() => fromCsv('a\n', { typos: {} } as never), 'typos: fromCsv has no such option; did you mean types?'],
  [() => fromRows({} as never), 'rows: an object is not a list'],
  [() => fromRows([{}, 5 as never]), 'rows[1]: 5 is not an object'],
  [() => fromRows([], { schema: {} as never }), 'schema: an object'],
  [() => fromRows([], { types: {} } as never), 'types: fromRows has no such option'],
  [() => fromColumns([] as never, { metadata: {} as never }), 'metadata: an object is not a Map'],
  [() => fromColumns({}, { meta: 1 } as never), 'meta: fromColumns has no such option'],
])('what is no frame, or no text of one, is refused by its name: %s', (call, message) => {
  expect(call).toThrow(message);
});

test('what is no frame, or no Danfo, is named before anything is converted', async () => {
  const one = fromRows([{ a: 1 }]);
  class DataFrame {}
  await expect(danfoFrame({} as never, { danfo: { DataFrame } as never })).rejects.toThrow(
    'table: an object',
  );
  await expect(danfoFrame(one, undefined as never)).rejects.toThrow('options: toDanfo needs');
  await expect(danfoFrame(one, {} as never)).rejects.toThrow('danfo: is missing');
  await expect(danfoFrame(one, { danfo: {} } as never)).rejects.toThrow('danfo.DataFrame: is missing');
});
