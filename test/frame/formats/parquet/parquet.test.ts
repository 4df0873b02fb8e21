import {
  Bool,
  type DataType,
  DateMillisecond,
  Dictionary,
  Field,
  Int64,
  List,
  makeData,
  Struct,
  Table,
  TimeSecond,
  TimestampSecond,
  Uint8,
  Utf8,
  Utf8View,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { parquetMetadata } from 'hyparquet/src/metadata.js';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../../src/frame/build/long.js';
import { fromParquet } from '../../../../src/frame/formats/parquet/read-parquet.js';
import { withFooterText, writeParquet } from '../../../../src/frame/formats/parquet/write-parquet.js';
import { frame } from '../../../../src/frame/frame.js';
import { frameChecksum } from '../../../../src/frame/table/checksum.js';
import { CHECKSUM_KEY } from '../../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { countRuns } from '../../../endurance.js';
import { collect } from '../../../sequences.js';
import { exactRows } from '../../exact-rows.js';
import { NAMES, PROVENANCE, runsOf, seriesOf } from '../../points.js';
import { anyFrame, contents } from '../round-trip.js';
import { askedOfDuckDB, writtenByDuckDB } from './duckdb-files.js';

const ANNUAL = {
  series: [seriesOf(), seriesOf({ region_id: 6 })],
  runs: runsOf([
    { series: 0, start: '1931-01-01', end: '1931-12-31', value: 1.25, reporting: '1932-01-12' },
    { series: 0, start: '2001-01-01', end: '2001-12-31', value: null },
    { series: 1, start: '2001-01-01', end: '2001-12-31', value: -0.5 },
  ]),
};

describe('Parquet', () => {
  test('round-trips any frame, with provenance and a valid checksum', async () => {
    await fc.assert(
      fc.asyncProperty(anyFrame, async (table) => {
        const read = await fromParquet(await frame(table).toParquet());
        expect(contents(read)).toEqual(contents(table));
        expect(read.provenance).toEqual(frame(table).provenance);
        expect(read.summary().checksum.state).toBe('verified');
      }),
      { numRuns: countRuns({ quick: 5, all: 100 }) },
    );
  });

  test('refuses intervals of other software, and reads the other columns', async () => {
    const bytes = await writtenByDuckDB('SELECT 7 AS farm, [INTERVAL 3 MONTH] AS span');
    await expect(fromParquet(bytes)).rejects.toThrow(
      /column "span" is .*Interval<.*, but frames do not support unions or intervals/,
    );
    expect(exactRows(await fromParquet(bytes, { columns: ['farm'] }))).toEqual([{ farm: 7 }]);
  });

  test('DuckDB reads instants, nulls, names, statistics and provenance', async () => {
    const bytes = await longFrame(ANNUAL, { names: NAMES, provenance: PROVENANCE }).toParquet();
    const [rows, statistics, texts] = await askedOfDuckDB(bytes, [
      'SELECT typeof(start_date), start_date::VARCHAR, value, region_name FROM FILE',
      `SELECT stats_min_value, stats_max_value, stats_null_count FROM parquet_metadata(FILE)
       WHERE path_in_schema = 'value'`,
      `SELECT decode(value) FROM parquet_kv_metadata(FILE) WHERE decode(key) = 'cropframe.provenance'`,
    ]);
    expect(rows).toEqual([
      ['TIMESTAMP WITH TIME ZONE', '1931-01-01 00:00:00+00', 1.25, 'Iowa'],
      ['TIMESTAMP WITH TIME ZONE', '2001-01-01 00:00:00+00', null, 'Iowa'],
      ['TIMESTAMP WITH TIME ZONE', '2001-01-01 00:00:00+00', -0.5, "Côte d'Ivoire"],
    ]);
    expect(statistics).toEqual([['-0.5', '1.25', '1']]);
    expect(JSON.parse(texts![0]![0] as string)).toEqual(PROVENANCE);
  });

  test('keeps only the requested columns', async () => {
    const bytes = await longFrame(ANNUAL).toParquet();
    const read = await fromParquet(bytes, { columns: ['end_date', 'value'] });
    expect(read.schema.fields.map(({ name }) => name)).toEqual(['end_date', 'value']);
    expect(exactRows(read)).toEqual(
      exactRows(longFrame(ANNUAL)).map(({ end_date, value }) => ({ end_date, value })),
    );
    await expect(fromParquet(bytes, { columns: ['yield'] })).rejects.toThrow(/yield/);
  });

  test('refuses or reads a damaged file, and still reads intact ones', async () => {
    const table = longFrame(ANNUAL, { names: NAMES, provenance: PROVENANCE });
    const wanted = [{}, { columns: ['end_date', 'value', 'region_name'] }];
    for (const compression of ['zstd', 'snappy', 'none'] as const) {
      const whole = await table.toParquet({ compression, row_group_rows: 2 });
      const anyDamage = fc.record({
        bytes: fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        end: fc.option(fc.nat(whole.length), { freq: 9, nil: whole.length }),
      });
      const refused = { count: 0 };
      const readable = async ({ bytes, end }: { bytes: [number, number][]; end: number }) => {
        const damaged = whole.slice(0, end);
        for (const [at, byte] of bytes) damaged[at] = byte;
        for (const options of wanted) {
          const outcome = await fromParquet(damaged, options).catch((error: unknown) => error);
          if (outcome instanceof Table) continue;
          expect(outcome).toBeInstanceOf(ArgumentError);
          refused.count++;
        }
      };
      await fc.assert(fc.asyncProperty(anyDamage, readable), {
        numRuns: countRuns({ quick: 20, all: 400 }),
        seed: 20,
      });
      expect(refused.count).toBeGreaterThan(25);
      expect(contents(await fromParquet(whole))).toEqual(contents(table));
    }
  });

  test('refuses or reads a file with a damaged footer, and the process survives', async () => {
    const of = vectorFromArray([1n, null], new Int64());
    const nested = vectorFromArray([['x'], []], new List(new Field('item', new Utf8(), true)));
    const whole = await frame(new Table({ a: of, b: nested, c: of })).toParquet({ compression: 'none' });
    const end = whole.length - 8;
    const start = end - new DataView(whole.buffer, whole.byteOffset + end).getUint32(0, true);
    for (let at = start; at < whole.length; at += countRuns({ quick: 21, all: 1 }))
      for (const mask of [1, 0x40, 0xff]) {
        const changed = whole.slice();
        changed[at]! ^= mask;
        const outcome = await fromParquet(changed).catch((error: unknown) => error);
        expect(outcome instanceof Table || outcome instanceof ArgumentError, `byte ${at}, ${mask}`).toBe(
          true,
        );
      }
    expect((await fromParquet(whole)).numRows).toBe(2);
  });

  test('names a column of 128-bit integers, such as Polars writes', async () => {
    const table = new Table({
      ok: vectorFromArray([1n], new Int64()),
      big: vectorFromArray([1n], new Int64()),
    });
    const whole = await frame(table).toParquet();
    const text = parquetMetadata(whole).key_value_metadata!.find(({ key }) => key === 'ARROW:schema')!.value!;
    // The bit widths of both columns in the flatbuffer; the columns are there in reverse order.
    const flat = Buffer.from(text, 'base64');
    const widths = [...flat.keys()].filter((at) => flat.readUInt32LE(Math.min(at, flat.length - 4)) === 64);
    const outcomes = await Promise.all(
      widths.map(async (at) => {
        const changed = Buffer.from(flat);
        changed.writeUInt32LE(128, at);
        const file = withFooterText(whole, text, changed.toString('base64'));
        return fromParquet(file).then(String, (error: unknown) => String(error));
      }),
    );
    expect(outcomes).toContainEqual(
      expect.stringMatching(
        /bytes: column "big" is Int128, which Arrow does not support; write it as 64-bit/,
      ),
    );
  });

  /** The rows, with times of a day in seconds and in milliseconds alike, and so days and their midnights. */
  const cellsOf = (table: Table) =>
    JSON.stringify(exactRows(table)).replaceAll(/T00:00:00\.000Z|\.000(?=")/g, '');
  const seconds = BigInt64Array.of(1_577_836_800n, -1n);
  const nested = (type: DataType, parts: object) =>
    new Vector([makeData({ type, length: 2, nullCount: 0, ...parts } as never)]);
  const fixed = (type: DataType, data: ArrayBufferView) => nested(type, { data });
  const timestamps = fixed(new TimestampSecond('UTC'), seconds);
  const days = BigInt64Array.of(0n, -86_400_000n);
  const codes = (dictionary: Vector) =>
    nested(new Dictionary(dictionary.type, new Uint8()), { data: Uint8Array.of(1, 0), dictionary });
  const list = (values: Vector) =>
    nested(new List(new Field('item', values.type, true)), {
      valueOffsets: Int32Array.of(0, 1, 2),
      child: values.data[0],
    });
  const struct = (values: Vector) =>
    nested(new Struct([new Field('at', values.type, true)]), { children: [values.data[0]] });
  /** The pieces of a Parquet file that are written from the batches of a table. */
  const streamed = ({ schema, batches }: Table) =>
    writeParquet({
      schema,
      batches: (async function* () {
        yield* batches;
      })(),
    } as never);

  test('reads the zone of times that pyarrow had in seconds', async () => {
    // pyarrow 25: pa.table({'t': pa.array([1580495400], pa.timestamp('s', tz='Asia/Kolkata'))}), plain and uncompressed.
    const bytes = Buffer.from(
      'UEFSMRUAFRwVHCwVAhUAFQYVBhwAAAACAAAAAgFA7N38bwEAABUEGSw1ABgGc2NoZW1hFQIAFQQlAhgBdCUSTIwRHBwAAAAAABYCGRwZHCYAHBUE' +
        'GSUGABkYAXQVABYCFkIWQiYISRwVABUAFQIAPCkGGSYAAgAAABZCFgImCBZCABkcGAxBUlJPVzpzY2hlbWEYuAEvLy8vLzRBQUFBQVFBQUFBQUFBS0FB' +
        'd0FCZ0FGQUFnQUNnQUFBQUFCQkFBRUFBQUF3UC8vL3dRQUFBQUJBQUFBRkFBQUFCQUFGQUFJQUFZQUJ3QU1BQUFBRUFBUUFBQUFBQUFCQ2hBQUFBQWNB' +
        'QUFBQkFBQUFBQUFBQUFCQUFBQWRBQUFBQWdBQ0FBQUFBUUFDQUFBQUFRQUFBQU1BQUFBUVhOcFlTOUxiMnhyWVhSaEFBQUFBQT09ABggcGFycXVldC1j' +
        'cHAtYXJyb3cgdmVyc2lvbiAyNS4wLjEZHBwAAABRAQAAUEFSMQ==',
      'base64',
    );
    const table = await fromParquet(bytes);
    expect(String(table.schema.fields[0]!.type)).toBe('Timestamp<MILLISECOND, Asia/Kolkata>');
    expect(exactRows(table)).toEqual([{ t: '2020-01-31T18:30:00.000Z' }]);
  });

  test.each<[string, Vector, string]>([
    ['seconds with a zone', timestamps, 'TIMESTAMP WITH TIME ZONE'],
    ['seconds', fixed(new TimestampSecond(), seconds), 'TIMESTAMP'],
    ['dates in milliseconds', fixed(new DateMillisecond(), BigInt64Array.of(0n, 1n)), 'TIMESTAMP'],
    ['times of day in seconds', fixed(new TimeSecond(), Int32Array.of(0, 86_399)), 'TIME'],
    ['lists of seconds', list(timestamps), 'TIMESTAMP WITH TIME ZONE[]'],
    ['structs of dates', struct(fixed(new DateMillisecond(), days)), 'STRUCT("at" TIMESTAMP)'],
    [
      'structs of lists of times',
      struct(list(fixed(new TimeSecond(), Int32Array.of(0, 1)))),
      'STRUCT("at" TIME[])',
    ],
    ['codes of seconds', codes(fixed(new TimestampSecond(), seconds)), 'TIMESTAMP'],
    [
      'codes of text views',
      codes(vectorFromArray(['a', 'a text longer than twelve'], new Utf8View())),
      'VARCHAR',
    ],
    ['codes of booleans', codes(vectorFromArray([true, false], new Bool())), 'BOOLEAN'],
    ['codes of lists', codes(list(fixed(new TimestampSecond(), seconds))), 'TIMESTAMP[]'],
  ])('other readers see the type of %s, and the values come back', async (_, vector, type) => {
    const several = new Table({ t: vector }).concat(new Table({ t: vector }).slice(1));
    const bytes = await frame(several).toParquet();
    const question = 'SELECT column_type FROM (DESCRIBE SELECT t FROM read_parquet(FILE))';
    expect((await askedOfDuckDB(bytes, [question]))[0]).toEqual([[type]]);
    const back = await fromParquet(bytes);
    expect(cellsOf(back)).toBe(cellsOf(several));
    expect(back.schema.metadata.get(CHECKSUM_KEY)).toBe(frameChecksum(back));
    const pieces = await collect(streamed(several));
    expect(cellsOf(await fromParquet(Buffer.concat(pieces)))).toBe(cellsOf(several));
  });

  test('refuses times that milliseconds do not hold, by the name of the column', async () => {
    const far = new Table({
      ok: timestamps,
      t: fixed(new TimestampSecond(), BigInt64Array.of(0n, 2n ** 62n)),
    });
    await expect(frame(far).toParquet()).rejects.toThrow(
      /^table: column "t" contains the time 4611686018427387904 s since 1970/,
    );
  });

  test('reads files of DuckDB: days, microseconds, plain texts', async () => {
    const bytes = await writtenByDuckDB(
      `SELECT DATE '1969-12-31' AS day, TIMESTAMP '1969-12-31 23:59:59.9995' AS micros, 'é' AS text`,
    );
    expect(exactRows(await fromParquet(bytes))).toEqual([
      { day: '1969-12-31T00:00:00.000Z', micros: '1969-12-31T23:59:59.999500Z', text: 'é' },
    ]);
  });

  const daily = (days: number) =>
    longFrame({
      series: [seriesOf()],
      runs: runsOf(
        Array.from({ length: days }, (_, day) => ({ series: 0, start: day, end: day, value: day })),
      ),
    });

  test('has the codec that is asked for, dictionaries, statistics, and who wrote it', async () => {
    for (const [compression, codec] of [
      [undefined, 'ZSTD'],
      ['zstd', 'ZSTD'],
      ['snappy', 'SNAPPY'],
      ['none', 'UNCOMPRESSED'],
    ] as const) {
      const [columns, files] = await askedOfDuckDB(await daily(300).toParquet({ compression }), [
        `SELECT DISTINCT compression, encodings LIKE '%RLE_DICTIONARY%', row_group_num_rows FROM parquet_metadata(FILE)
         WHERE path_in_schema = 'metric_id'`,
        'SELECT created_by FROM parquet_file_metadata(FILE)',
      ]);
      expect([columns, files]).toEqual([[[codec, true, '300']], [['cropframe']]]);
    }
  });

  test('refuses few bytes whose footer states many values', async () => {
    const [rows, stated] = [1_100_000, 40_000_000];
    const written = await writtenByDuckDB(
      `SELECT 1::TINYINT AS a FROM range(${rows})`,
      `ROW_GROUP_SIZE ${2 * rows}`,
    );
    const text = Buffer.from(written).toString('latin1').replaceAll(inFooter(rows), inFooter(stated));
    const bytes = Uint8Array.from(Buffer.from(text, 'latin1'));
    await expect(fromParquet(bytes)).rejects.toThrow(
      `bytes: these ${bytes.byteLength} bytes of Parquet claim to contain ${stated} values, which is too many`,
    );
  });

  test('refuses bytes that are not Parquet', async () => {
    const reading = fromParquet(new TextEncoder().encode('no parquet at all'));
    await expect(reading).rejects.toThrow(ArgumentError);
    await expect(reading).rejects.toThrow(/^bytes: cannot be read as Parquet: its footer is incomplete/);
  });
});

/** A count as Thrift writes it: seven bits a byte, twice the number. */
function inFooter(count: number): string {
  const bytes: number[] = [];
  for (let rest = 2 * count; rest > 0; rest = rest >> 7) bytes.push((rest & 127) | (rest > 127 ? 128 : 0));
  return String.fromCharCode(...bytes);
}
