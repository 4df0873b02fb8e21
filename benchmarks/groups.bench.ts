import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBMaterializedResult } from '@duckdb/node-api';
import type { Float64, Table } from 'apache-arrow';
import type { ColumnTable } from 'arquero';
import * as aq from 'arquero';
import { fromColumns } from '../src/frame/formats/from-rows.js';
import { writeFrame } from '../src/frame/formats/write-frame.js';
import { type Frame, frame } from '../src/frame/frame.js';
import { agg } from '../src/frame/groups/agg.js';
import { windows } from '../src/frame/groups/windows.js';
import type { NameDictionary } from '../src/frame/table/frame-types.js';
import { encodeDictionary } from '../src/frame/table/parse-column.js';
import { type Rival, rival, type WorkloadMaker, workload } from './measure.js';

const ITEMS = 50;
const REGIONS = 1_000;
const ROWS = 2_000_000;

/** A generator of numbers from 0 to 1 that gives the same ones in every run (Park and Miller 1988). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

const next = numbers(1);
const items = Array.from({ length: ROWS }, () => `Item ${Math.floor(next() * ITEMS)}`);
const regions = Array.from({ length: ROWS }, () => `Region ${Math.floor(next() * REGIONS)}`);
const day = Float64Array.from({ length: ROWS }, (_, row) => row);
const value = Float64Array.from({ length: ROWS }, () => Math.floor(next() * 100_000) / 100);

/** A factor for each item and region. */
const factors = {
  item: Array.from({ length: ITEMS * REGIONS }, (_, at) => `Item ${at % ITEMS}`),
  region: Array.from({ length: ITEMS * REGIONS }, (_, at) => `Region ${Math.floor(at / ITEMS)}`),
  factor: Float64Array.from({ length: ITEMS * REGIONS }, (_, at) => at % 11),
};

const doubles = (values: Float64Array) => ({ type: 'float64', values, valid: null }) as const;

type Columns = { item: NameDictionary; region: NameDictionary; day: Float64; value: Float64 };

/** The tables of a task in one program's form. */
interface Data<Rows, Factors = Rows> {
  readonly rows: Rows;
  readonly factors: Factors;
}

/** One question, put to each program; the answers are compared by the sorted numbers of their last column. */
interface Task {
  readonly name: string;
  readonly ours: (data: Data<Frame<Columns>, Frame>) => Table;
  readonly arquero: (data: Data<ColumnTable>) => ColumnTable;
  readonly sql: string;
  readonly polars: (data: Data<PolarsFrame>, polars: Polars) => PolarsFrame;
}

/** The part of Polars that is used. */
interface PolarsFrame {
  readonly columns: readonly string[];
  getColumn(name: string): { toArray(): ArrayLike<number | null> };
  groupBy(keys: readonly string[]): { agg(...values: PolarsColumn[]): PolarsFrame };
  pivot(values: string, options: object): PolarsFrame;
  unique(options: object): PolarsFrame;
  sort(options: object): PolarsFrame;
  join(other: PolarsFrame, options: object): PolarsFrame;
  withColumns(...columns: PolarsColumn[]): PolarsFrame;
  select(...columns: (string | PolarsColumn)[]): PolarsFrame;
}
interface PolarsColumn {
  count(): PolarsColumn;
  sum(): PolarsColumn;
  mean(): PolarsColumn;
  min(): PolarsColumn;
  max(): PolarsColumn;
  alias(name: string): PolarsColumn;
  rollingMean(options: object): PolarsColumn;
  over(...keys: string[]): PolarsColumn;
}
interface Polars {
  DataFrame(columns: object): PolarsFrame;
  col(name: string): PolarsColumn;
}

const KEYS = ['item', 'region'] as const;

const TASKS: readonly Task[] = [
  {
    name: 'group by two text keys, five aggregates',
    ours: ({ rows }) =>
      rows.groupBy('item', 'region').rollup({
        n: agg.count(),
        sum: agg.sum('value'),
        min: agg.min('value'),
        max: agg.max('value'),
        mean: agg.mean('value'),
      }),
    arquero: ({ rows }) =>
      rows.groupby('item', 'region').rollup({
        n: aq.op.count(),
        sum: aq.op.sum('value'),
        min: aq.op.min('value'),
        max: aq.op.max('value'),
        mean: aq.op.mean('value'),
      }),
    sql: 'SELECT item, region, count(*) n, sum(value) s, min(value) a, max(value) z, avg(value) m FROM rows GROUP BY ALL',
    polars: ({ rows }, { col }) =>
      rows
        .groupBy(KEYS)
        .agg(
          col('value').count().alias('n'),
          col('value').sum().alias('sum'),
          col('value').min().alias('min'),
          col('value').max().alias('max'),
          col('value').mean().alias('mean'),
        ),
  },
  {
    name: 'pivot to 50 columns',
    ours: ({ rows }) =>
      rows.pivot({ rows: 'region', columns: 'item', values: 'value', how: 'mean' }).select(['Item 7']),
    arquero: ({ rows }) =>
      rows
        .groupby('region')
        .pivot('item', { value: aq.op.mean('value') })
        .select('Item 7'),
    sql: 'SELECT "Item 7" FROM (PIVOT rows ON item USING avg(value) GROUP BY region)',
    polars: ({ rows }) =>
      rows.pivot('value', { index: 'region', on: 'item', aggregateFunc: 'mean' }).select('Item 7'),
  },
  {
    name: 'unique rows of two keys',
    ours: ({ rows }) => rows.unique('item', 'region'),
    arquero: ({ rows }) => rows.dedupe('item', 'region').reify(),
    sql: 'SELECT DISTINCT ON (item, region) * FROM rows ORDER BY day',
    polars: ({ rows }) => rows.unique({ subset: KEYS, keep: 'first' }),
  },
  {
    name: 'sort by two keys',
    ours: ({ rows }) => rows.sortBy(['region', 'value']),
    arquero: ({ rows }) => rows.orderby('region', 'value').reify(),
    sql: 'SELECT * FROM rows ORDER BY region, value',
    polars: ({ rows }) => rows.sort({ by: ['region', 'value'] }),
  },
  {
    name: 'rolling mean of seven rows within groups',
    ours: ({ rows }) =>
      rows
        .groupBy('item', 'region')
        .withColumn('mean', windows.rolling(agg.mean('value'), { window: { rows: 7 }, by: 'day' })),
    arquero: ({ rows }) =>
      rows
        .groupby('item', 'region')
        .orderby('day')
        .derive({ mean: aq.rolling(aq.op.mean('value') as never, [-6, 0]) }),
    sql: 'SELECT *, avg(value) OVER (PARTITION BY item, region ORDER BY day ROWS 6 PRECEDING) m FROM rows',
    polars: ({ rows }, { col }) =>
      rows.withColumns(
        col('value').rollingMean({ windowSize: 7, minPeriods: 1 }).over('item', 'region').alias('mean'),
      ),
  },
  {
    name: 'join with 50,000 rows on two keys',
    ours: ({ rows, factors }) => rows.join(factors, { on: ['item', 'region'] }),
    arquero: ({ rows, factors }) => rows.join(factors, [[...KEYS], [...KEYS]]),
    sql: 'SELECT rows.*, factor FROM rows JOIN factors USING (item, region)',
    polars: ({ rows, factors }) => rows.join(factors, { on: KEYS }),
  },
];

/** Fails unless both have the same numbers, but for the rounding of sums in another order. */
function assertClose(ours: ArrayLike<number>, theirs: ArrayLike<number | null>): void {
  const sorted = (values: ArrayLike<number | null>) =>
    Float64Array.from(values, (value) => value ?? Number.NaN).sort();
  const [one, other] = [sorted(ours), sorted(theirs)];
  if (one.length !== other.length) throw new RangeError(`${one.length} values are not ${other.length}`);
  const wrong = one.findIndex(
    (value, at) => Math.abs(value - other[at]!) > 1e-9 * Math.max(1, Math.abs(value)),
  );
  if (wrong >= 0) throw new RangeError(`value ${wrong}: ${one[wrong]} is not ${other[wrong]}`);
}

const lastOf = (table: Table): ArrayLike<number> => table.getChildAt(table.numCols - 1)!.toArray();

function lastOfSql(result: DuckDBMaterializedResult): number[] {
  const all: number[] = [];
  for (let at = 0; at < result.chunkCount; at++)
    for (const value of result.getChunk(at).getColumnValues(result.columnCount - 1)) all.push(Number(value));
  return all;
}

/** DuckDB with tables of its own. */
async function openDuckDb({ rows, factors }: Data<Table>): Promise<DuckDBConnection> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-groups-'));
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  for (const [name, table] of Object.entries({ rows, factors })) {
    const file = join(folder, `${name}.parquet`);
    await writeFrame(table, file);
    await connection.run(`CREATE TABLE "${name}" AS FROM '${file}'`);
  }
  rmSync(folder, { recursive: true });
  return connection;
}

/** Polars where it is installed: `CROPFRAME_POLARS` names a folder with nodejs-polars in its `node_modules`. */
function loadPolars(): Polars | null {
  try {
    return createRequire(join(process.env.CROPFRAME_POLARS ?? process.cwd(), 'polars'))(
      'nodejs-polars',
    ) as Polars;
  } catch (error) {
    console.log(`  Polars is left out (set CROPFRAME_POLARS): ${String(error).split('\n')[0]}`);
    return null;
  }
}

function polarsRivals({ polars }: Task): Rival<Table>[] {
  const module = loadPolars();
  if (module === null) return [];
  const rows = module.DataFrame({ item: items, region: regions, day, value });
  const data = { rows, factors: module.DataFrame(factors) };
  return [
    rival({
      name: 'Polars',
      run: () => polars(data, module),
      assertEqual: (ours: Table, theirs: PolarsFrame) =>
        assertClose(lastOf(ours), theirs.getColumn(theirs.columns.at(-1)!).toArray()),
    }),
  ];
}

function makerOf(task: Task): WorkloadMaker {
  const name = `${task.name}, ${ROWS.toLocaleString('en-US')} rows`;
  return {
    name,
    async make() {
      const data: Data<Frame<Columns>, Frame> = {
        rows: frame(
          fromColumns({
            item: encodeDictionary(items),
            region: encodeDictionary(regions),
            day: doubles(day),
            value: doubles(value),
          }),
        ) as unknown as Frame<Columns>,
        factors: frame(
          fromColumns({
            item: encodeDictionary(factors.item),
            region: encodeDictionary(factors.region),
            factor: doubles(factors.factor),
          }),
        ),
      };
      const duckDb = await openDuckDb(data as Data<Table>);
      const arquero = {
        rows: aq.table({ item: items, region: regions, day, value }),
        factors: aq.table(factors),
      };
      return workload<Table>({
        name,
        rows: ROWS,
        ours: () => task.ours(data),
        rivals: [
          rival({
            name: 'arquero',
            run: () => task.arquero(arquero),
            assertEqual: (ours: Table, theirs: ColumnTable) =>
              assertClose(lastOf(ours), theirs.array(theirs.columnNames().at(-1)!) as number[]),
          }),
          rival({
            name: 'DuckDB on its own table',
            run: () => duckDb.run(task.sql),
            assertEqual: (ours: Table, theirs: DuckDBMaterializedResult) =>
              assertClose(lastOf(ours), lastOfSql(theirs)),
          }),
          ...polarsRivals(task),
        ],
        close: () => duckDb.disconnectSync(),
      });
    },
  };
}

export const workloads: readonly WorkloadMaker[] = TASKS.map(makerOf);
