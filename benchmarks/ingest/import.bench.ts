import { deepStrictEqual } from 'node:assert';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { csv } from '../../src/ingest/csv/csv.js';
import { ghcnd } from '../../src/ingest/ghcnd/ghcnd.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Importer } from '../../src/ingest/importer.js';
import { nass } from '../../src/ingest/nass/nass.js';
import { readReferenceData } from '../../src/ingest/reference-data.js';
import { openStore } from '../../src/store/open.js';
import { quantile } from '../measure.js';
import { rival, type Workload, type WorkloadMaker, workload } from '../workload.js';
import { type BenchFile, ghcnByYearFile, mappedFile, quickStatsFile } from './files.js';

/** What both sides have stored: a point each row, over the same dates. */
interface Stored {
  readonly points: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Processor time of all threads of the process. */
  readonly cpuMs: number;
}

/** Runs work that stores points, and measures the processor time of the process meanwhile. */
async function withCpu(work: () => Promise<Omit<Stored, 'cpuMs'>>): Promise<Stored> {
  const began = process.cpuUsage();
  const stored = await work();
  const { user, system } = process.cpuUsage(began);
  return { ...stored, cpuMs: (user + system) / 1000 };
}

const cpuMs = (runs: readonly Stored[]): number =>
  Math.round(
    quantile(
      runs.map((run) => run.cpuMs),
      0.5,
    ),
  );

const ROWS = 1_000_000;
const ANSWER_BYTES = 24;

interface Import {
  readonly name: string;
  readonly importer: Importer;
  readonly file: BenchFile;
  readonly mapping?: object;
  /** The rival's query; `d` is the start of a period. */
  readonly sql: string;
}

/** Imports a file into a copy of a store that has the regions, as stores have from their first import on. */
async function importOurs(
  { importer, file, mapping }: Import,
  folder: string,
): Promise<Omit<Stored, 'cpuMs'>> {
  const path = join(folder, 'ours.duckdb');
  copyFileSync(join(folder, 'regions.duckdb'), path);
  const store = await openStore(path);
  const importedMs = Date.UTC(2026, 0, 1);
  const { added } = await importDataset(store, importer, {
    files: [file.path],
    importedMs,
    settings: { mapping },
  });
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for await (const batch of store.series({ selection: {}, includeHistorical: true })) {
    for (const { startMs, endMs } of batch) {
      firstMs = Math.min(firstMs, startMs);
      lastMs = Math.max(lastMs, endMs);
    }
  }
  await store.close();
  return { points: added, firstMs, lastMs };
}

/** Reads the file into a table of a database file. It knows no entities, series, conflicts or revisions. */
async function importTheirs({ sql }: Import, folder: string): Promise<Omit<Stored, 'cpuMs'>> {
  const path = join(folder, 'theirs.duckdb');
  rmSync(path, { force: true });
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE points AS ${sql}`);
  await connection.run('CHECKPOINT');
  const found = 'SELECT count(*), epoch_ms(min(d)), epoch_ms(max(d)) FROM points';
  const [row] = (await connection.runAndReadAll(found)).getRows();
  connection.closeSync();
  instance.closeSync();
  const [points, firstMs, lastMs] = row!.map(Number);
  return { points: points!, firstMs: firstMs!, lastMs: lastMs! };
}

/** Ours has the last day of the last period, and theirs its first day: both are of one year. */
function assertAlike(ours: Stored, theirs: Stored): void {
  const compared = ({ points, firstMs, lastMs }: Stored) => ({
    points,
    firstMs,
    lastYear: new Date(lastMs).getUTCFullYear(),
  });
  deepStrictEqual(compared(ours), compared(theirs));
}

async function importing(one: Import): Promise<Workload> {
  const { name, file } = one;
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-import-'));
  const store = await openStore(join(folder, 'regions.duckdb'));
  const regions: Importer = {
    dataset: 'regions',
    summary: '',
    needsFiles: false,
    read: () => readReferenceData([]),
  };
  await importDataset(store, regions);
  await store.close();
  return workload<Stored>({
    workload: `import ${name}: ${file.rows.toLocaleString('en-US')} rows, ${Math.round(file.bytes / 1e6)} MB`,
    rows: file.rows,
    bytes: () => ANSWER_BYTES,
    ours: () => withCpu(() => importOurs(one, folder)),
    figures: (_, runs) => ({ 'CPU ms': cpuMs(runs) }),
    rivals: [
      rival<Stored, Stored>({
        rival: 'DuckDB read_csv into a table of a file',
        run: () => withCpu(() => importTheirs(one, folder)),
        figures: (_, runs) => ({ 'read_csv CPU ms': cpuMs(runs) }),
        assertEqual: assertAlike,
        wanted: 0.5,
      }),
    ],
    close: () => {
      file.close();
      rmSync(folder, { recursive: true });
    },
  });
}

const quickStats: WorkloadMaker = async () => {
  const file = await quickStatsFile(ROWS);
  const sql = `
    SELECT make_date(YEAR::INT, 1, 1)::TIMESTAMP AS d, replace(trim(VALUE), ',', '')::DOUBLE AS v,
      STATE_FIPS_CODE::INT AS state, ASD_CODE::INT AS district, COUNTY_CODE::INT AS county, AGG_LEVEL_DESC, SOURCE_DESC,
      SHORT_DESC, DOMAIN_DESC, DOMAINCAT_DESC, UNIT_DESC, REFERENCE_PERIOD_DESC, LOAD_TIME::TIMESTAMP AS loaded, "CV_%"
    FROM read_csv('${file.path}', delim = '\\t', quote = '', header = true, all_varchar = true)`;
  return importing({ name: 'Quick Stats, bulk', importer: nass, file, sql });
};

const ghcnByYear: WorkloadMaker = async () => {
  const file = await ghcnByYearFile(ROWS);
  const sql = `
    SELECT strptime(column1, '%Y%m%d') AS d, column3::INT / 10 AS v, column0 AS station, column2 AS element,
      column4 AS measurement, column5 AS quality
    FROM read_csv('${file.path}', delim = ',', header = false, all_varchar = true)`;
  return importing({ name: 'GHCN-Daily, by year', importer: ghcnd, file, sql });
};

const MAPPING = {
  source: { name: 'benchmark' },
  region: { column: 'county', level: 'district' },
  start_date: { column: 'month', format: 'YYYY-MM' },
  metric: { name: 'Production' },
  item: { name: 'Corn' },
  unit: { name: 'tonne' },
  value: 'tonnes',
};

const mapped: WorkloadMaker = async () => {
  const file = await mappedFile(ROWS);
  const sql = `
    SELECT strptime(month, '%Y-%m') AS d, tonnes::DOUBLE AS v, county
    FROM read_csv('${file.path}', delim = ',', header = true, all_varchar = true)`;
  return importing({ name: 'a mapped CSV', importer: csv, file, mapping: MAPPING, sql });
};

export const workloads: readonly WorkloadMaker[] = [quickStats, ghcnByYear, mapped];
