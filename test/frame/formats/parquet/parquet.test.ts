import { Table } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longFrame } from '../../../../src/frame/build/long.js';
import { describeFrame } from '../../../../src/frame/display/describe.js';
import { fromParquet, toParquet } from '../../../../src/frame/formats/parquet/parquet.js';
import { toRows } from '../../../../src/frame/formats/rows.js';
import { readProvenance } from '../../../../src/frame/table/provenance.js';
import { ArgumentError } from '../../../../src/model/errors.js';
import { countRuns, someOf } from '../../../endurance.js';
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
        const read = await fromParquet(await toParquet(table));
        expect(contents(read)).toEqual(contents(table));
        expect(readProvenance(read)).toEqual(readProvenance(table));
        expect(describeFrame(read).checksum.state).toBe('verified');
      }),
      { numRuns: countRuns({ quick: 15, all: 100 }) },
    );
  });

  test('refuses intervals of other software, whose months are lost, and reads the other columns', async () => {
    const bytes = await writtenByDuckDB('SELECT 7 AS farm, [INTERVAL 3 MONTH] AS span');
    await expect(fromParquet(bytes)).rejects.toThrow(/column "span" is an INTERVAL .* months/);
    expect(toRows(await fromParquet(bytes, { columns: ['farm'] }))).toEqual([{ farm: 7 }]);
  });

  test('DuckDB reads instants, nulls, names, statistics and provenance', async () => {
    const bytes = await toParquet(longFrame(ANNUAL, { names: NAMES, provenance: PROVENANCE }));
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
    const bytes = await toParquet(longFrame(ANNUAL));
    const read = await fromParquet(bytes, { columns: ['end_date', 'value'] });
    expect(read.schema.fields.map(({ name }) => name)).toEqual(['end_date', 'value']);
    expect(toRows(read)).toEqual(
      toRows(longFrame(ANNUAL)).map(({ end_date, value }) => ({ end_date, value })),
    );
    await expect(fromParquet(bytes, { columns: ['yield'] })).rejects.toThrow(/yield/);
  });

  test('refuses or reads a damaged file, and still reads intact ones', async () => {
    const table = longFrame(ANNUAL, { names: NAMES, provenance: PROVENANCE });
    const wanted = [{}, { columns: ['end_date', 'value', 'region_name'] }];
    for (const compression of ['zstd', 'snappy', 'none'] as const) {
      const whole = await toParquet(table, { compression, rowGroupRows: 2 });
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
        numRuns: countRuns({ quick: 50, all: 400 }),
        seed: 20,
      });
      expect(refused.count).toBeGreaterThan(25);
      expect(contents(await fromParquet(whole))).toEqual(contents(table));
    }
  });

  test('reads files of DuckDB: days, microseconds, plain texts', async () => {
    const bytes = await writtenByDuckDB(
      `SELECT DATE '1969-12-31' AS day, TIMESTAMP '1969-12-31 23:59:59.9995' AS micros, 'é' AS text`,
    );
    expect(toRows(await fromParquet(bytes))).toEqual([
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
      const [columns, files] = await askedOfDuckDB(await toParquet(daily(300), { compression }), [
        `SELECT DISTINCT compression, encodings LIKE '%RLE_DICTIONARY%', row_group_num_rows FROM parquet_metadata(FILE)
         WHERE path_in_schema = 'metric_id'`,
        'SELECT created_by FROM parquet_file_metadata(FILE)',
      ]);
      expect([columns, files]).toEqual([[[codec, true, '300']], [['cropframe']]]);
    }
  });

  const bombs = [
    ['1::TINYINT', 40_000_000, 'state that they hold 40000000 values, which is too many'],
    // Nobody would suspect the long text by the mean length of all.
    [
      `CASE WHEN i < 100000 THEN 's' || i ELSE repeat('x', 1000000) END`,
      101_200,
      'are damaged, or need more than 1073741824 bytes of memory',
    ],
  ] as const;
  test.each(someOf(bombs, 1))(
    'refuses few bytes of %s in %d rows before they fill memory',
    async (cell, rows, reason) => {
      const bytes = await writtenByDuckDB(
        `SELECT ${cell} AS a FROM range(${rows}) AS t(i)`,
        'DICTIONARY_SIZE_LIMIT 2000000, STRING_DICTIONARY_PAGE_SIZE_LIMIT 100000000',
      );
      expect(bytes.byteLength).toBeLessThan(1_000_000);
      await expect(fromParquet(bytes)).rejects.toThrow(
        `bytes: these ${bytes.byteLength} bytes of Parquet ${reason}`,
      );
      expect((await fromParquet(await toParquet(daily(3)))).numRows).toBe(3);
    },
  );

  test('refuses bytes that are not Parquet, and keeps the error of the reader', async () => {
    const reading = fromParquet(new TextEncoder().encode('no parquet at all'));
    await expect(reading).rejects.toThrow(ArgumentError);
    await expect(reading).rejects.toThrow(/^bytes: cannot be read as Parquet: /);
    await expect(reading).rejects.toHaveProperty('cause');
  });
});
