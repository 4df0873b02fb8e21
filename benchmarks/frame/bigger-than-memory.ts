import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { type PointSet, packColumns } from '../../src/columns/packed-points.js';
import { streamLong } from '../../src/frame/build/long-stream.js';
import { writeParquet } from '../../src/frame/formats/parquet/write-parquet.js';
import { writeArrow } from '../../src/frame/formats/write-arrow.js';
import { DAY_MS } from '../../src/model/time.js';
import { numbers } from './points.js';

/**
 * Streams 50 million rows to a Parquet and an Arrow file, each in a process whose heap is limited to 1 GiB, checks
 * the Parquet file by counting and summing it with DuckDB, and prints time and peak memory:
 * `node --import tsx benchmarks/frame/bigger-than-memory.ts [rows]`
 */
const [rowsText = '50000000', format, path] = process.argv.slice(2);
const ROWS = Number(rowsText);
const SERIES_ROWS = 3_650;
const SERIES_IN_A_SET = 18;

/** Point sets as a fan-out brings them, one after the other; also sums what they hold. */
async function* sets(total: { rows: number; sum: number }): AsyncGenerator<PointSet> {
  const next = numbers(7);
  for (let first = 0; total.rows < ROWS; first += SERIES_IN_A_SET) {
    const length = Math.min(SERIES_IN_A_SET * SERIES_ROWS, ROWS - total.rows);
    const dates = BigInt64Array.from({ length }, (_, i) => BigInt((i % SERIES_ROWS) * DAY_MS));
    const value = Float64Array.from({ length }, () => Math.round(next() * 1_000));
    total.rows += length;
    for (const each of value) total.sum += each;
    const batch = {
      length,
      series: Uint32Array.from({ length }, (_, i) => Math.floor(i / SERIES_ROWS)),
      start_date: dates,
      end_date: dates,
      value,
      value_valid: null,
      unit_id: new Int32Array(length).fill(10),
      reporting_date: new BigInt64Array(length),
      reporting_valid: new Uint8Array(Math.ceil(length / 8)),
    };
    const series = Array.from({ length: SERIES_IN_A_SET }, (_, at) => ({
      metric_id: 1,
      item_id: 2,
      region_id: first + at,
      partner_region_id: 0,
      source_id: 26,
      frequency_id: 1,
      unit_id: 10,
    }));
    yield { series, runs: packColumns(batch) };
  }
}

async function write(kind: string, target: string): Promise<void> {
  const total = { rows: 0, sum: 0 };
  const began = performance.now();
  const stream = streamLong(sets(total), { series: [] });
  await writeFile(target, kind === 'parquet' ? writeParquet(stream) : writeArrow(stream));
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  const size = Math.round(statSync(target).size / 1e6);
  console.log(
    `${kind}: ${total.rows} rows in ${seconds} s, ${size} MB written, peak memory of the process ${peak} MiB`,
  );
  if (kind === 'parquet') await checkByDuckDb(target, total);
}

async function checkByDuckDb(target: string, total: { rows: number; sum: number }): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(`SELECT count(*), sum(value) FROM read_parquet('${target}')`);
  const [rows, sum] = reader.getRows()[0] as [bigint, number];
  if (Number(rows) !== total.rows || sum !== total.sum) {
    throw new RangeError(
      `DuckDB reads ${rows} rows of sum ${sum}; written were ${total.rows} of sum ${total.sum}`,
    );
  }
  console.log('parquet: DuckDB counts and sums the same');
  connection.closeSync();
  instance.closeSync();
}

if (format !== undefined && path !== undefined) {
  await write(format, path);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-bench-'));
  for (const kind of ['parquet', 'arrow']) {
    const limits = ['--max-old-space-size=1024', '--import', 'tsx'];
    const self = fileURLToPath(import.meta.url);
    const { status } = spawnSync(process.execPath, [...limits, self, rowsText, kind, join(folder, kind)], {
      stdio: 'inherit',
    });
    if (status !== 0) process.exitCode = 1;
  }
  rmSync(folder, { recursive: true });
}
