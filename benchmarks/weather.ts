import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DataSeries } from '../src/index.js';

/** A store of daily values that are made up: two items in five thousand regions, two thousand days each. */
export const SERIES = 10_000;
export const DAYS = 2_000;
const REGIONS = 5_000;
const FIRST_DAY = '2015-01-01';

const COMMAND = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const FOLDER = join(tmpdir(), 'cropframe-benchmarks');

export const regionName = (series: number): string => `Synthetic region ${series % REGIONS}`;
const itemName = (series: number): string => `Synthetic item ${Math.floor(series / REGIONS)}`;

/** The files of the store and of its points in one plain table; they are built once for each state of the sources. */
export async function weatherFiles(): Promise<{ store: string; plain: string }> {
  const state = execFileSync('git', ['rev-parse', '--short', 'HEAD:src/store'], { encoding: 'utf8' }).trim();
  const store = join(FOLDER, `weather-${state}.duckdb`);
  const plain = join(FOLDER, 'plain.duckdb');
  mkdirSync(FOLDER, { recursive: true });
  const table = join(FOLDER, 'weather.parquet');
  if (!existsSync(table) || !existsSync(plain)) await writePoints(table, plain);
  if (!existsSync(store)) importPoints(table, store);
  return { store, plain };
}

async function writePoints(table: string, plain: string): Promise<void> {
  for (const file of [table, plain]) rmSync(file, { force: true });
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${plain}' AS plain (ROW_GROUP_SIZE 20480)`);
  await connection.run(`CREATE TABLE plain.point AS
    SELECT series::INTEGER AS series, (DATE '${FIRST_DAY}' + day::INTEGER)::TIMESTAMP_MS AS start_date,
      start_date AS end_date, (hash(series, day) % 601)::DOUBLE / 10 - 30 AS value, 1::INTEGER AS unit_id,
      NULL::TIMESTAMP_MS AS reporting_date
    FROM range(${SERIES}) AS s(series), range(${DAYS}) AS d(day) ORDER BY series, day`);
  await connection.run(`COPY (
    SELECT 'Synthetic item ' || series // ${REGIONS} AS item, 'Synthetic region ' || series % ${REGIONS} AS region,
      start_date::DATE AS day, value FROM plain.point
  ) TO '${table}' (FORMAT PARQUET)`);
  await connection.run('DETACH plain');
  connection.closeSync();
  instance.closeSync();
}

function importPoints(table: string, store: string): void {
  const document = `${store}.json`;
  const named = (count: number, nameOf: (i: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [nameOf(i), {}]));
  writeFileSync(
    document,
    JSON.stringify({
      source: { name: 'Benchmark' },
      define: {
        items: named(SERIES / REGIONS, (i) => itemName(i * REGIONS)),
        regions: named(REGIONS, regionName),
      },
      item: 'item',
      region: 'region',
      metric: { name: 'Temperature' },
      unit: { name: '°C' },
      start_date: { column: 'day', format: 'YYYY-MM-DD' },
      values: 'value',
    }),
  );
  const draft = `${store}.draft`;
  for (const file of [draft, `${draft}.wal`]) rmSync(file, { force: true });
  execFileSync(process.execPath, [COMMAND, 'import', document, table, '--store', draft], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  renameSync(draft, store);
}

/** The series of the store by their number. */
export async function seriesByNumber(client: {
  getDataSeries(): Promise<readonly DataSeries[]>;
}): Promise<DataSeries[]> {
  const byName = new Map(
    (await client.getDataSeries()).map((series) => [`${series.item_name} ${series.region_name}`, series]),
  );
  return Array.from({ length: SERIES }, (_, i) => {
    const series = byName.get(`${itemName(i)} ${regionName(i)}`);
    if (series === undefined) throw new Error(`the store has no series ${i}`);
    return series;
  });
}

/** `cropframe serve` over the store, as a user runs it. */
export class ServedStore {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(store: string): Promise<ServedStore> {
    const args = [COMMAND, 'serve', '--store', store, '--port', '0', '--no-auth', '--log', 'none'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface(child.stdout)) {
      const url = /^listening on (\S+)/.exec(line)?.[1];
      if (url !== undefined) return new ServedStore(child, url);
    }
    throw new Error(`cropframe serve does not serve ${store}`);
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
