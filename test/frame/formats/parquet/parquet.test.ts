import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
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
    const folder = await mkdtemp(join(tmpdir(), 'cropframe-'));
    const path = join(folder, 'spans.parquet');
    try {
      const connection = await (await DuckDBInstance.create(':memory:')).connect();
      await connection.run(`COPY (SELECT 7 AS farm, [INTERVAL 3 MONTH] AS span) TO '${path}'`);
      const bytes = await readFile(path);
      await expect(fromParquet(bytes)).rejects.toThrow(/column "span" is an INTERVAL .* months/);
      expect(toRows(await fromParquet(bytes, { columns: ['farm'] }))).toEqual([{ farm: 7 }]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('DuckDB reads instants, nulls, names, statistics and provenance', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cropframe-'));
    const path = join(folder, 'frame.parquet');
    try {
      await writeFile(path, await toParquet(longFrame(ANNUAL, { names: NAMES, provenance: PROVENANCE })));
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
      await connection.run(`SET TimeZone = 'UTC'`);
      expect(
        await ask(`SELECT typeof(start_date), start_date::VARCHAR, value, region_name FROM '${path}'`),
      ).toEqual([
        ['TIMESTAMP WITH TIME ZONE', '1931-01-01 00:00:00+00', 1.25, 'Iowa'],
        ['TIMESTAMP WITH TIME ZONE', '2001-01-01 00:00:00+00', null, 'Iowa'],
        ['TIMESTAMP WITH TIME ZONE', '2001-01-01 00:00:00+00', -0.5, "Côte d'Ivoire"],
      ]);
      const statistics = `SELECT stats_min_value, stats_max_value, stats_null_count, compression FROM parquet_metadata('${path}')`;
      expect(await ask(`${statistics} WHERE path_in_schema = 'value'`)).toEqual([
        ['-0.5', '1.25', '1', 'ZSTD'],
      ]);
      const [[json]] = (await ask(
        `SELECT decode(value) FROM parquet_kv_metadata('${path}') WHERE decode(key) = 'cropframe.provenance'`,
      )) as [[string]];
      expect(JSON.parse(json)).toEqual(PROVENANCE);
      connection.closeSync();
      instance.closeSync();
    } finally {
      await rm(folder, { recursive: true });
    }
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
    const folder = await mkdtemp(join(tmpdir(), 'cropframe-'));
    const path = join(folder, 'other.parquet');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(
      `COPY (SELECT DATE '1969-12-31' AS day, TIMESTAMP '1969-12-31 23:59:59.9995' AS micros, 'é' AS text) TO '${path}' (FORMAT parquet)`,
    );
    expect(toRows(await fromParquet(await readFile(path)))).toEqual([
      { day: '1969-12-31T00:00:00.000Z', micros: '1969-12-31T23:59:59.999500Z', text: 'é' },
    ]);
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true });
  });

  const daily = (days: number) =>
    longFrame({
      series: [seriesOf()],
      runs: runsOf(
        Array.from({ length: days }, (_, day) => ({ series: 0, start: day, end: day, value: day })),
      ),
    });

  test('has the codec that is asked for, dictionaries, statistics, and who wrote it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cropframe-'));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();
    try {
      for (const [compression, codec] of [
        [undefined, 'ZSTD'],
        ['zstd', 'ZSTD'],
        ['snappy', 'SNAPPY'],
        ['none', 'UNCOMPRESSED'],
      ] as const) {
        const path = join(folder, `${compression}.parquet`);
        await writeFile(path, await toParquet(daily(300), { compression }));
        expect(
          await ask(
            `SELECT DISTINCT compression, encodings LIKE '%RLE_DICTIONARY%', row_group_num_rows FROM parquet_metadata('${path}')
             WHERE path_in_schema = 'metric_id'`,
          ),
        ).toEqual([[codec, true, '300']]);
        expect(await ask(`SELECT created_by FROM parquet_file_metadata('${path}')`)).toEqual([['cropframe']]);
      }
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true });
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
      const folder = await mkdtemp(join(tmpdir(), 'cropframe-'));
      const path = join(folder, 'bomb.parquet');
      const instance = await DuckDBInstance.create();
      const connection = await instance.connect();
      try {
        await connection.run(
          `COPY (SELECT ${cell} AS a FROM range(${rows}) AS t(i)) TO '${path}'
         (DICTIONARY_SIZE_LIMIT 2000000, STRING_DICTIONARY_PAGE_SIZE_LIMIT 100000000)`,
        );
        const bytes = await readFile(path);
        expect(bytes.byteLength).toBeLessThan(1_000_000);
        await expect(fromParquet(bytes)).rejects.toThrow(
          `bytes: these ${bytes.byteLength} bytes of Parquet ${reason}`,
        );
        expect((await fromParquet(await toParquet(daily(3)))).numRows).toBe(3);
      } finally {
        connection.closeSync();
        instance.closeSync();
        await rm(folder, { recursive: true });
      }
    },
  );

  test('refuses bytes that are not Parquet, and keeps the error of the reader', async () => {
    const reading = fromParquet(new TextEncoder().encode('no parquet at all'));
    await expect(reading).rejects.toThrow(ArgumentError);
    await expect(reading).rejects.toThrow(/^bytes: cannot be read as Parquet: /);
    await expect(reading).rejects.toHaveProperty('cause');
  });
});
