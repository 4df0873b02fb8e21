import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importDataset } from '../src/ingest/import-dataset.js';
import type { Importer } from '../src/ingest/importer.js';
import { readReferenceData } from '../src/ingest/reference-data.js';
import { openStore } from '../src/store/open.js';
import { Child, type Measured } from './child.js';
import type { OurImport, Stored, TheirImport } from './import-child.js';
import { type BenchFile, ghcnByYearFile, mappedFile, quickStatsFile } from './import-files.js';
import { rival, type WorkloadMaker, workload } from './measure.js';

const ROWS = 1_000_000;

interface Import {
  readonly name: string;
  readonly dataset: OurImport['dataset'];
  readonly file: BenchFile;
  /** The rivals' query; `d` is the start of a period, and `v` its value. */
  readonly sql: string;
  /** The columns of the query that make a series. */
  readonly series: string;
  /** The last day of a period, the reporting date and the remark, from the query's columns. */
  readonly last: string;
  readonly reported?: string | undefined;
  readonly remark?: string | undefined;
}

/** Reads the file into a table of a database file. It knows no entities, series, conflicts or revisions. */
const readCsv = ({ sql }: Import): string[] => [`CREATE TABLE points AS ${sql}`];

/**
 * Stores what we do, by the engine alone: the columns that we have, sorted by series and period, and a search for periods with
 * two values. It knows no entities or revisions, and asks nothing of names and numbers.
 */
const readSorted = (one: Import): string[] => [
  `CREATE TEMP TABLE staged AS ${one.sql}`,
  `CREATE TABLE series AS SELECT *, (row_number() OVER ())::INTEGER AS series
   FROM (SELECT DISTINCT ${one.series} FROM staged ORDER BY ALL)`,
  `CREATE TABLE points AS SELECT series, (d::DATE - DATE '1970-01-01')::INTEGER AS start_day, 0 AS start_ms,
     (${one.last} - d::DATE)::INTEGER AS days, 0 AS end_ms, v, 7 AS unit_id, ${one.reported ?? 'NULL::TIMESTAMP_MS'} AS reported,
     make_timestamp_ms(1767225600000) AS available, ${one.remark ?? 'NULL::VARCHAR'} AS remark
   FROM staged JOIN series USING (${one.series}) ORDER BY series, start_day`,
  'SELECT series FROM points GROUP BY series, start_day, days HAVING count(*) > 1 LIMIT 1',
];

/** Ours has the last day of the last period, and theirs its first day: both are of one year. */
function assertAlike({ answer: ours }: Measured<Stored>, { answer: theirs }: Measured<Stored>): void {
  const compared = ({ points, firstMs, lastMs }: Stored) => ({
    points,
    firstMs,
    lastYear: new Date(lastMs).getUTCFullYear(),
  });
  deepStrictEqual(compared(ours), compared(theirs));
}

const importing = (title: string, describe: () => Promise<Omit<Import, 'name'>>): WorkloadMaker => {
  const name = `${title}, ${ROWS.toLocaleString('en-US')} rows`;
  return {
    name,
    async make() {
      const one = { ...(await describe()), name };
      const folder = mkdtempSync(join(tmpdir(), 'cropframe-import-'));
      await importRegions(join(folder, 'regions.duckdb'));
      const module = new URL('./import-child.ts', import.meta.url);
      const ours = new Child<OurImport, Stored>(module);
      const theirs = new Child<TheirImport, Stored>(module);
      const { dataset, file } = one;
      const rivals = [
        { name: 'read_csv into a table', statements: readCsv(one), day: 'd' },
        {
          name: 'read_csv into our columns, sorted, and a search for repeats',
          statements: readSorted(one),
          day: "(DATE '1970-01-01' + start_day)",
        },
      ];
      return workload<Measured<Stored>>({
        name,
        rows: file.rows,
        ours: () => ours.run({ dataset, file: file.path, folder }),
        ownMs: ({ ms }) => ms,
        ownPeak: ({ peakBytes }) => peakBytes,
        rivals: rivals.map(({ name, ...task }) =>
          rival<Measured<Stored>, Measured<Stored>>({
            name,
            run: () => theirs.run({ ...task, folder }),
            ownMs: ({ ms }) => ms,
            assertEqual: assertAlike,
          }),
        ),
        async close() {
          await Promise.all([ours.close(), theirs.close()]);
          file.close();
          rmSync(folder, { recursive: true });
        },
      });
    },
  };
};

/** A store as it is from its first import on. */
async function importRegions(path: string): Promise<void> {
  const store = await openStore(path);
  const regions: Importer = {
    dataset: 'regions',
    summary: '',
    needsFiles: false,
    read: () => readReferenceData([]),
  };
  await importDataset(store, regions);
  await store.close();
}

const quickStats = importing('Quick Stats', async () => {
  const file = await quickStatsFile(ROWS);
  const sql = `
    SELECT make_date(YEAR::INT, 1, 1)::TIMESTAMP AS d, replace(trim(VALUE), ',', '')::DOUBLE AS v,
      STATE_FIPS_CODE::INT AS state, ASD_CODE::INT AS district, COUNTY_CODE::INT AS county, AGG_LEVEL_DESC, SOURCE_DESC,
      SHORT_DESC, DOMAIN_DESC, DOMAINCAT_DESC, UNIT_DESC, REFERENCE_PERIOD_DESC, LOAD_TIME::TIMESTAMP AS loaded, "CV_%"
    FROM read_csv('${file.path}', delim = '\\t', quote = '', header = true, all_varchar = true)`;
  return {
    dataset: 'nass',
    file,
    sql,
    series: `state, district, county, AGG_LEVEL_DESC, SOURCE_DESC, SHORT_DESC, DOMAIN_DESC, DOMAINCAT_DESC, UNIT_DESC,
      REFERENCE_PERIOD_DESC`,
    last: "(d + INTERVAL '1 year')::DATE - 1",
    reported: 'loaded',
    remark: '"CV_%"',
  };
});

const ghcnByYear = importing('GHCN-Daily by year', async () => {
  const file = await ghcnByYearFile(ROWS);
  const sql = `
    SELECT strptime(column1, '%Y%m%d') AS d, column3::INT / 10 AS v, column0 AS station, column2 AS element,
      column4 AS measurement, column5 AS quality
    FROM read_csv('${file.path}', delim = ',', header = false, all_varchar = true)`;
  return {
    dataset: 'ghcnd',
    file,
    sql,
    series: 'station, element',
    last: 'd::DATE',
  };
});

const DOCUMENT = {
  source: { name: 'benchmark' },
  region: { column: 'county', level: 'district' },
  start_date: { column: 'month', format: 'YYYY-MM' },
  metric: { name: 'Production' },
  item: { name: 'Corn' },
  unit: { name: 'tonne' },
  values: 'tonnes',
};

const mapped = importing('a mapped CSV', async () => {
  const file = await mappedFile(ROWS);
  const sql = `
    SELECT strptime(month, '%Y-%m') AS d, tonnes::DOUBLE AS v, county
    FROM read_csv('${file.path}', delim = ',', header = true, all_varchar = true)`;
  return {
    dataset: DOCUMENT,
    file,
    sql,
    series: 'county',
    last: 'last_day(d)::DATE',
  };
});

export const workloads: readonly WorkloadMaker[] = [quickStats, ghcnByYear, mapped];
