import type { Table } from 'apache-arrow';
import { readParquet } from 'parquet-wasm';
import { describe, expect, test } from 'vitest';
import { csvPieces } from '../../../src/frame/formats/csv.js';
import { danfoFrame } from '../../../src/frame/formats/danfo.js';
import { framePieces, jsonPieces } from '../../../src/frame/formats/frame-pieces.js';
import { fromColumns, fromRows } from '../../../src/frame/formats/from-rows.js';
import { fromCsv } from '../../../src/frame/formats/read-csv.js';
import { filePieces } from '../../../src/frame/formats/write-frame.js';
import { exactRows } from '../exact-rows.js';

const table = (from: number, to: number) =>
  fromColumns({
    day: {
      type: 'timestamp',
      values: BigInt64Array.from({ length: to - from }, (_, i) => BigInt(from + i)),
      valid: null,
    },
    name: { type: 'utf8', values: Array.from({ length: to - from }, (_, i) => `=${from + i}`), valid: null },
  });

const ROWS = 8192;

/** A frame that arrives in these batches. */
const streamOf = (...tables: Table[]) => ({
  schema: tables[0]!.schema,
  batches: (async function* () {
    for (const one of tables) yield* one.batches;
  })(),
});

async function all<T>(pieces: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

describe('a frame in pieces', () => {
  test('of CSV has some thousand rows in each, and one header', async () => {
    const whole = table(0, ROWS + 1);
    const pieces = await all(csvPieces(whole));
    expect(pieces.map((piece) => piece.split('\r\n').length - 1)).toEqual([1, ROWS, 1]);
    expect(pieces[0]).toBe('day,name\r\n');
    expect(exactRows(fromCsv(pieces.join(''), { schema: whole.schema }))).toEqual(exactRows(whole));
    const streamed = await all(csvPieces(streamOf(table(0, 5), table(5, 5), table(5, ROWS + 1))));
    expect(streamed.join('')).toBe(pieces.join(''));
    expect(await all(csvPieces(table(0, 0)))).toEqual(['day,name\r\n']);
    expect(await all(csvPieces(table(0, ROWS)))).toHaveLength(2);
  });

  test('of JSON has a row a line, in one array', async () => {
    const whole = table(0, ROWS + 1);
    const pieces = await all(jsonPieces(whole));
    expect(pieces).toHaveLength(4);
    expect(JSON.parse(pieces.join(''))).toEqual(exactRows(whole));
    expect(pieces.join('').split('\n')).toHaveLength(ROWS + 1 + 3);
    const streamed = await all(jsonPieces(streamOf(table(0, 5), table(5, 5), table(5, ROWS + 1))));
    expect(JSON.parse(streamed.join(''))).toEqual(exactRows(whole));
    for (const none of [table(0, 0), streamOf(table(0, 0))])
      expect(JSON.parse((await all(jsonPieces(none))).join(''))).toEqual([]);
  });

  test('is the same whole, in every format, with the options of CSV', async () => {
    const whole = table(0, 3);
    const options = { safe: true, date_only: true };
    const csv = whole.toCsv(options);
    expect(csv.split('\r\n').slice(1, 3)).toEqual(["1970-01-01,'=0", "1970-01-01T00:00:00.001Z,'=1"]);
    expect((await all(filePieces(whole, 'csv', options))).join('')).toBe(csv);
    expect((await all(framePieces(streamOf(whole), 'csv', options))).join('')).toBe(csv);
    expect((await all(filePieces(whole, 'csv'))).join('')).toBe(whole.toCsv());
    expect((await all(framePieces(streamOf(whole), 'csv'))).join('')).toBe(whole.toCsv());
    expect((await all(filePieces(whole, 'json'))).join('')).toBe((await all(jsonPieces(whole))).join(''));
    const startOf = async (format: 'arrow' | 'arrow-stream' | 'parquet') => {
      const [first] = await all(filePieces(whole, format));
      return Buffer.from(first as Uint8Array).toString('latin1', 0, 4);
    };
    expect([await startOf('arrow'), await startOf('parquet')]).toEqual(['ARRO', 'PAR1']);
    expect(await startOf('arrow-stream')).toBe('\xff\xff\xff\xff');
  });

  test('arrives as Parquet with the options of Parquet', async () => {
    const options = { safe: true, row_group_rows: 2 };
    const pieces = (await all(framePieces(streamOf(table(0, 4)), 'parquet', options))) as Uint8Array[];
    const bytes = Uint8Array.from(Buffer.concat(pieces));
    expect(readParquet(bytes, { rowGroups: [1] }).recordBatches()[0]!.numRows).toBe(2);
  });
});

describe('what is no frame, or no text of one', () => {
  test('is refused by its name', () => {
    expect(() => table(0, 1).toCsv({ safe: 1 as never })).toThrow('safe: 1 is not true or false');
    expect(() => table(0, 1).toCsv({ date_only: 'x' as never })).toThrow('date_only: "x"');
    expect(() => table(0, 1).toCsv({ dates: true } as never)).toThrow('dates: toCsv has no such option');
    expect(() => fromCsv(undefined as never)).toThrow('text: is missing');
    expect(() => fromCsv('a\n', { schema: {} as never })).toThrow('schema: an object is not an Arrow schema');
    expect(() => fromCsv('a\n', { typos: {} } as never)).toThrow(
      'typos: fromCsv has no such option; did you mean types?',
    );
    expect(() => fromRows({} as never)).toThrow('rows: an object is not a list');
    expect(() => fromRows([{}, 5 as never])).toThrow('rows[1]: 5 is not an object');
    expect(() => fromRows([], { schema: {} as never })).toThrow('schema: an object');
    expect(() => fromRows([], { types: {} } as never)).toThrow('types: fromRows has no such option');
    expect(() => fromColumns([] as never, { metadata: {} as never })).toThrow(
      'metadata: an object is not a Map',
    );
    expect(() => fromColumns({}, { meta: 1 } as never)).toThrow('meta: fromColumns has no such option');
    expect(exactRows(fromRows([]))).toEqual([]);
  });
});

test('a Danfo frame gets dates, numbers and texts by row, NaN for a null number', async () => {
  class DataFrame {
    readonly given: unknown[];
    constructor(...given: unknown[]) {
      this.given = given;
    }
  }
  const valid = Uint8Array.of(0b01);
  const frame = fromColumns({
    time: { type: 'timestamp', values: BigInt64Array.of(5n, 6n), valid },
    float: { type: 'float64', values: Float64Array.of(1.5, 2), valid },
    full: { type: 'float64', values: Float64Array.of(0.5, 3), valid: null },
    int: { type: 'int32', values: Int32Array.of(1, 2), valid },
    whole: { type: 'int32', values: Int32Array.of(1, 2), valid: null },
    word: { type: 'dictionary', values: Int32Array.of(0, 0), categories: ['x'], valid },
    text: { type: 'utf8', values: ['y', null], valid },
  });
  const { given } = await danfoFrame(frame, { danfo: { DataFrame } });
  expect(given).toEqual([
    [
      [new Date(5), 1.5, 0.5, 1, 1, 'x', 'y'],
      [null, Number.NaN, 3, Number.NaN, 2, null, null],
    ],
    {
      columns: ['time', 'float', 'full', 'int', 'whole', 'word', 'text'],
      dtypes: ['datetime', 'float32', 'float32', 'float32', 'int32', 'string', 'string'],
      config: { lowMemoryMode: true },
    },
  ]);
  await expect(danfoFrame({} as never, { danfo: { DataFrame } })).rejects.toThrow('table: an object');
  await expect(danfoFrame(frame, undefined as never)).rejects.toThrow('options: toDanfo needs');
  await expect(danfoFrame(frame, {} as never)).rejects.toThrow('danfo: is missing');
  await expect(danfoFrame(frame, { danfo: {} } as never)).rejects.toThrow('danfo.DataFrame: is missing');
});
