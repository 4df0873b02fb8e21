import { deepStrictEqual } from 'node:assert';
import { DuckDBInstance } from '@duckdb/node-api';
import { ghcnd } from '../../src/ingest/ghcnd/ghcnd.js';
import type { Importer } from '../../src/ingest/importer.js';
import { nass } from '../../src/ingest/nass/nass.js';
import { rival, type Workload, type WorkloadMaker, workload } from '../workload.js';
import { type BenchFile, ghcnByYearFile, quickStatsFile } from './files.js';

/** What both sides find in a file: enough to tell that every row was read and understood alike. */
interface Found {
  readonly points: number;
  readonly sum: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Our answer stays small: the points go from batch to batch, as they would into a store. */
const FOUND_BYTES = 32;
const ROWS = 400_000;

async function readOurs(importer: Importer, { path }: BenchFile): Promise<Found> {
  const found = { points: 0, sum: 0, firstMs: Number.POSITIVE_INFINITY, lastMs: Number.NEGATIVE_INFINITY };
  for await (const { points } of importer.read({ files: [path], importedMs: Date.UTC(2026, 0, 1) })) {
    if (points === undefined) continue;
    const { length, value, start_date } = points.columns;
    found.points += length;
    for (let i = 0; i < length; i++) found.sum += value[i]!;
    for (let i = 0; i < length; i++) {
      const ms = Number(start_date[i]);
      if (ms < found.firstMs) found.firstMs = ms;
      if (ms > found.lastMs) found.lastMs = ms;
    }
  }
  return found;
}

/**
 * The rival reads the columns that the importer uses into a table of typed columns, as the importer does, and sums them. It
 * knows no entities, series or revisions.
 */
async function readTheirs(select: string): Promise<Found> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE points AS ${select}`);
  const sums = 'SELECT count(*), sum(v), epoch_ms(min(d)), epoch_ms(max(d)) FROM points';
  const [row] = (await connection.runAndReadAll(sums)).getRows();
  connection.closeSync();
  instance.closeSync();
  const [points, sum, firstMs, lastMs] = row!.map(Number);
  return { points: points!, sum: sum!, firstMs: firstMs!, lastMs: lastMs! };
}

function assertAlike(ours: Found, theirs: Found): void {
  deepStrictEqual({ ...ours, sum: ours.sum.toPrecision(12) }, { ...theirs, sum: theirs.sum.toPrecision(12) });
}

function reading({
  name,
  importer,
  file,
  sql,
}: {
  name: string;
  importer: Importer;
  file: BenchFile;
  sql: string;
}): Workload<Found> {
  return {
    workload: `${name}: ${file.rows.toLocaleString('en-US')} rows, ${Math.round(file.bytes / 1e6)} MB`,
    rows: file.rows,
    bytes: () => FOUND_BYTES,
    ours: () => readOurs(importer, file),
    rivals: [
      rival<Found, Found>({
        rival: 'DuckDB read_csv',
        run: () => readTheirs(sql),
        assertEqual: assertAlike,
        wanted: 0.25,
      }),
    ],
    close: file.close,
  };
}

const quickStats: WorkloadMaker = async () => {
  const file = await quickStatsFile(ROWS);
  const sql = `
    SELECT make_date(YEAR::INT, 1, 1)::TIMESTAMP AS d, replace(trim(VALUE), ',', '')::DOUBLE AS v,
      STATE_FIPS_CODE::INT AS state, ASD_CODE::INT AS district, COUNTY_CODE::INT AS county, AGG_LEVEL_DESC, SOURCE_DESC,
      SHORT_DESC, DOMAIN_DESC, DOMAINCAT_DESC, UNIT_DESC, REFERENCE_PERIOD_DESC, LOAD_TIME::TIMESTAMP AS loaded, "CV_%"
    FROM read_csv('${file.path}', delim = '\\t', quote = '', header = true, all_varchar = true)`;
  return workload(reading({ name: 'Quick Stats, bulk', importer: nass, file, sql }));
};

const ghcnByYear: WorkloadMaker = async () => {
  const file = await ghcnByYearFile(3 * ROWS);
  const sql = `
    SELECT strptime(column1, '%Y%m%d') AS d, column3::INT / 10 AS v, column0 AS station, column2 AS element,
      column4 AS measurement, column5 AS quality
    FROM read_csv('${file.path}', delim = ',', header = false, all_varchar = true)`;
  return workload(reading({ name: 'GHCN-Daily, by year', importer: ghcnd, file, sql }));
};

export const workloads: readonly WorkloadMaker[] = [quickStats, ghcnByYear];
