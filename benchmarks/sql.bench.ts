import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DuckDBConnection, DuckDBInstance, type DuckDBMaterializedResult } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import type { ColumnTable } from 'arquero';
import * as aq from 'arquero';
import { fromColumns } from '../src/frame/formats/from-rows.js';
import { loadDanfo } from '../src/frame/formats/optional-package.js';
import type { Frame } from '../src/frame/frame.js';
import { DAY_MS } from '../src/model/time.js';
import { type SqlQuery, sql } from '../src/sql.js';
import { type Rival, rival, type WorkloadMaker, workload } from './measure.js';

const REGIONS = 500;
const ITEMS = ['Barley', 'Corn', 'Oats', 'Wheat'];
const DAYS = 1_000;
const ROWS = REGIONS * ITEMS.length * DAYS;

const regions = Array.from({ length: REGIONS }, (_, at) => `Region ${at}`);
const regionAt = (row: number) => Math.floor(row / (ITEMS.length * DAYS));
const itemAt = (row: number) => Math.floor(row / DAYS) % ITEMS.length;

/** Daily values of four items in many regions, the same in every run. */
const values = Float64Array.from({ length: ROWS }, (_, row) => ((row * 48_271) % 10_007) / 100);

function makeFrame(): Frame {
  const days = BigInt64Array.from({ length: ROWS }, (_, row) => BigInt((row % DAYS) * DAY_MS));
  const codes = (codeAt: (row: number) => number) =>
    Int32Array.from({ length: ROWS }, (_, row) => codeAt(row));
  return fromColumns({
    region: { type: 'dictionary', values: codes(regionAt), categories: regions, valid: null },
    item: { type: 'dictionary', values: codes(itemAt), categories: ITEMS, valid: null },
    day: { type: 'timestamp', values: days, valid: null },
    value: { type: 'float64', values, valid: null },
  });
}

const states = fromColumns({
  region: { type: 'utf8', values: regions, valid: null },
  state: { type: 'float64', values: Float64Array.from(regions, (_, at) => at % 50), valid: null },
});

/** All that an answer is compared by: the sorted numbers of a column. */
type Numbers = ArrayLike<number>;

function assertClose(ours: Numbers, theirs: Numbers): void {
  const [one, other] = [Float64Array.from(ours).sort(), Float64Array.from(theirs).sort()];
  if (one.length !== other.length) throw new RangeError(`${one.length} values are not ${other.length}`);
  const wrong = one.findIndex(
    (value, at) => Math.abs(value - other[at]!) > 1e-9 * Math.max(1, Math.abs(value)),
  );
  if (wrong >= 0) throw new RangeError(`value ${wrong}: ${one[wrong]} is not ${other[wrong]}`);
}

const numbersOf = (table: Table): Numbers => table.getChildAt(table.numCols - 1)!.toArray();

interface Question {
  readonly name: string;
  readonly sql: string;
  readonly arquero?: ((data: { frame: ColumnTable; states: ColumnTable }) => Numbers) | undefined;
  readonly danfo?: ((data: DanfoData) => Numbers) | undefined;
}

/** The part of Danfo's objects that is used. It has no pivot, no rolling window and no percentile. */
interface DanfoFrame {
  groupby(names: string[]): { col(names: string[]): Record<'mean' | 'sum', () => DanfoFrame> };
  column(name: string): { values: number[] };
}

interface DanfoData {
  readonly frame: DanfoFrame;
  readonly states: DanfoFrame;
  merge(options: { left: DanfoFrame; right: DanfoFrame; on: string[]; how: string }): DanfoFrame;
}

const QUESTIONS: readonly Question[] = [
  { name: 'into a query and back', sql: 'SELECT * FROM frame' },
  {
    name: 'group by',
    sql: 'SELECT region, item, avg(value) AS mean FROM frame GROUP BY ALL',
    arquero: ({ frame }) =>
      frame
        .groupby('region', 'item')
        .rollup({ mean: aq.op.mean('value') })
        .array('mean') as number[],
    danfo: ({ frame }) => frame.groupby(['region', 'item']).col(['value']).mean().column('value_mean').values,
  },
  {
    name: 'join',
    sql: 'SELECT state, sum(value) AS total FROM frame JOIN states USING (region) GROUP BY ALL',
    arquero: ({ frame, states }) =>
      frame
        .join(states, 'region')
        .groupby('state')
        .rollup({ total: aq.op.sum('value') })
        .array('total') as number[],
    danfo: ({ frame, states, merge }) =>
      merge({ left: frame, right: states, on: ['region'], how: 'inner' })
        .groupby(['state'])
        .col(['value'])
        .sum()
        .column('value_sum').values,
  },
  {
    name: 'pivot',
    sql: "SELECT \"Wheat\" FROM (PIVOT frame ON item IN ('Barley', 'Corn', 'Oats', 'Wheat') USING avg(value) GROUP BY region)",
    arquero: ({ frame }) =>
      frame
        .groupby('region')
        .pivot('item', { value: aq.op.mean('value') })
        .array('Wheat') as number[],
  },
  {
    name: 'window',
    sql: `SELECT avg(value) OVER (PARTITION BY region, item ORDER BY day ROWS 6 PRECEDING) AS week FROM frame`,
    arquero: ({ frame }) =>
      frame
        .groupby('region', 'item')
        .orderby('day')
        .derive({ week: aq.rolling(aq.op.mean('value') as never, [-6, 0]) })
        .array('week') as number[],
  },
  {
    name: 'percentile',
    sql: 'SELECT item, quantile_cont(value, 0.9) AS p90 FROM frame GROUP BY ALL',
    arquero: ({ frame }) =>
      frame
        .groupby('item')
        .rollup({ p90: aq.op.quantile('value', 0.9) })
        .array('p90') as number[],
  },
];

/** DuckDB on a Parquet file that it has written itself. */
async function openFile(table: Frame, folder: string): Promise<DuckDBConnection> {
  const written = join(folder, 'ours.parquet');
  await table.write(written);
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const file = join(folder, 'own.parquet');
  await connection.run(`COPY (FROM '${written}') TO '${file}'`);
  await connection.run(`CREATE VIEW frame AS FROM '${file}'`);
  await connection.run(
    `CREATE VIEW states AS SELECT 'Region ' || range AS region, range % 50 AS state FROM range(${REGIONS})`,
  );
  return connection;
}

function lastColumn(result: DuckDBMaterializedResult): Numbers {
  const all: number[] = [];
  for (let at = 0; at < result.chunkCount; at++)
    for (const value of result.getChunk(at).getColumnValues(result.columnCount - 1)) all.push(Number(value));
  return all;
}

async function makeDanfo(): Promise<DanfoData | null> {
  try {
    const danfo = (await loadDanfo([
      fileURLToPath(new URL('../test/danfo', import.meta.url)),
    ])) as unknown as DanfoData & { DataFrame: new (columns: object) => DanfoFrame };
    const frame = new danfo.DataFrame({
      region: Array.from({ length: ROWS }, (_, row) => regions[regionAt(row)]),
      item: Array.from({ length: ROWS }, (_, row) => ITEMS[itemAt(row)]),
      value: [...values],
    });
    const states = new danfo.DataFrame({ region: regions, state: regions.map((_, at) => at % 50) });
    return { frame, states, merge: danfo.merge };
  } catch (error) {
    console.log(`  Danfo is left out (npm ci --prefix test/danfo): ${String(error).slice(0, 120)}`);
    return null;
  }
}

function makerOf(question: Question): WorkloadMaker {
  const name = `${question.name}, ${ROWS.toLocaleString('en-US')} rows`;
  return {
    name,
    async make() {
      const folder = mkdtempSync(join(tmpdir(), 'cropframe-sql-'));
      const frame = makeFrame();
      const file = await openFile(frame, folder);
      const loaded = sql({ frame, states });
      // A round trip loads the frame anew; questions are asked of one that is loaded, as those of the rivals.
      const ask: SqlQuery =
        question.danfo === undefined && question.arquero === undefined
          ? (query) => sql({ frame, states })(query)
          : loaded;
      const text = Object.assign([question.sql], { raw: [question.sql] });
      const rivals: Rival<Table>[] = [
        rival({
          name: 'DuckDB on its Parquet file',
          run: () => file.run(question.sql),
          assertEqual: (ours: Table, theirs) => assertClose(numbersOf(ours), lastColumn(theirs)),
        }),
      ];
      const { arquero, danfo } = question;
      if (arquero !== undefined) {
        const data = {
          frame: aq.table({
            region: Array.from({ length: ROWS }, (_, row) => regions[regionAt(row)]),
            item: Array.from({ length: ROWS }, (_, row) => ITEMS[itemAt(row)]),
            day: Float64Array.from({ length: ROWS }, (_, row) => (row % DAYS) * DAY_MS),
            value: values,
          }),
          states: aq.table({ region: regions, state: regions.map((_, at) => at % 50) }),
        };
        rivals.push(
          rival({
            name: 'arquero',
            run: () => arquero(data),
            assertEqual: (ours: Table, theirs: Numbers) => assertClose(numbersOf(ours), theirs),
          }),
        );
      }
      const danfoData = danfo === undefined ? null : await makeDanfo();
      if (danfo !== undefined && danfoData !== null)
        rivals.push(
          rival({
            name: 'Danfo',
            run: () => danfo(danfoData),
            assertEqual: (ours: Table, theirs: Numbers) => assertClose(numbersOf(ours), theirs),
          }),
        );
      return workload<Table>({
        name,
        rows: ROWS,
        ours: () => ask(text as unknown as TemplateStringsArray),
        rivals,
        close: () => {
          file.disconnectSync();
          rmSync(folder, { recursive: true });
        },
      });
    },
  };
}

export const workloads: readonly WorkloadMaker[] = QUESTIONS.map(makerOf);
