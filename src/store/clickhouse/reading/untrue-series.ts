import type { LongOperation } from '../../../model/progress.js';
import { DAY_MS } from '../../../model/time.js';
import { SUMMARY_COLUMNS } from '../../duckdb/series-summary.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import type { Shard } from '../engine/shard.js';
import { type Snapshot, visible } from '../engine/snapshot.js';
import { type ColumnKind, readArrow } from './arrow-columns.js';
import { NO_REPORTING_DATE } from './point-sql.js';

/** Series that are compared at a time. */
const HANDLES_A_RANGE = 50_000;

/** What the store says of the points of a series, and is not so. */
export async function findUntrueSeries(
  cluster: Cluster,
  snapshot: Snapshot,
  { signal, onProgress }: LongOperation,
): Promise<string[]> {
  const faults: string[] = [];
  const end = await lastHandle(cluster, snapshot, { signal });
  for (let from = 0; from <= end; from += HANDLES_A_RANGE) {
    onProgress?.({ label: 'comparing the series', done: from, total: end + 1, unit: 'series' });
    const range = { from, to: from + HANDLES_A_RANGE };
    const read = (shard: Shard, sql: string) =>
      readSummaries(shard, { sql, parameters: { ...visible(snapshot).parameters, ...range } }, { signal });
    const [said, ...found] = await Promise.all([
      read(cluster.first, saidSql(snapshot)),
      ...cluster.shards.map((shard) => read(shard, foundSql(snapshot))),
    ]);
    faults.push(...(await compare(said!, new Map(found.flatMap((summaries) => [...summaries])))));
  }
  return faults;
}

async function lastHandle(
  { first, shards }: Cluster,
  snapshot: Snapshot,
  options: LongOperation,
): Promise<number> {
  const { where, parameters } = visible(snapshot);
  const last = (shard: Shard, column: string, table: string) =>
    shard.rows(`SELECT max(${column}) AS last FROM ${table} WHERE ${where}`, parameters, options);
  const rows = await Promise.all([
    last(first, 'handle', 'series'),
    ...shards.map((shard) => last(shard, 'series', 'point')),
  ]);
  return Math.max(...rows.map(([row]) => Number(row!.last)));
}

/** The values of `SUMMARY_COLUMNS` of each series, NaN in place of null. */
type Summaries = ReadonlyMap<number, readonly number[]>;

const KINDS: readonly ColumnKind[] = ['int32', ...SUMMARY_COLUMNS.map(() => 'float64' as const)];

async function readSummaries(
  shard: Shard,
  { sql, parameters }: { sql: string; parameters: ReturnType<typeof visible>['parameters'] },
  options: LongOperation,
): Promise<Summaries> {
  const summaries = new Map<number, number[]>();
  for await (const { length, columns } of readArrow(shard.arrow(sql, parameters, options), KINDS)) {
    await turns.next();
    const [handles, ...values] = columns as unknown as [Int32Array, ...Float64Array[]];
    for (let row = 0; row < length; row++)
      summaries.set(
        handles[row]!,
        values.map((column) => column[row]!),
      );
  }
  return summaries;
}

const asNumber = (expression: string) => `ifNull(CAST(${expression}, 'Nullable(Float64)'), nan)`;

function saidSql(snapshot: Snapshot): string {
  return `SELECT handle, ${SUMMARY_COLUMNS.map(asNumber).join(', ')} FROM series
    WHERE ${visible(snapshot).where} AND handle >= {from:Int32} AND handle < {to:Int32}`;
}

const time = (date: string) => `positiveModulo(${date}, ${DAY_MS})`;
const day = (date: string) => `intDiv(${date} - ${time(date)}, ${DAY_MS})`;

/** As `SUMMARIZE` of DuckDB's store summarizes points. */
const FOUND: Readonly<Record<string, string>> = {
  unit_id: 'argMax(unit_id, (last_start, last_end, -unit_id))',
  start_date: 'min(first_start)',
  end_date: 'max(last_end)',
  point_count: 'sum(points)',
  has_one_unit: 'count() = 1',
  period_days: 'if(min(min_days) = max(max_days), min(min_days), NULL)',
  has_times: 'max(timed) > 0',
  has_reporting_dates: 'sum(reported) > 0',
  has_metadata: 'sum(remarked) > 0',
  available_date: 'if(min(first_available) = max(last_available), min(first_available), NULL)',
};

function foundSql(snapshot: Snapshot): string {
  return `SELECT series, ${SUMMARY_COLUMNS.map((name) => asNumber(FOUND[name]!)).join(', ')} FROM (
      SELECT series, unit_id, min(start_date) AS first_start, max(start_date) AS last_start, max(end_date) AS last_end,
        count() AS points, min(${day('end_date')} - ${day('start_date')}) AS min_days,
        max(${day('end_date')} - ${day('start_date')}) AS max_days,
        max(${time('start_date')} + ${time('end_date')}) AS timed,
        countIf(reporting_date <> ${NO_REPORTING_DATE}) AS reported, countIf(metadata <> '') AS remarked,
        min(available_date) AS first_available, max(available_date) AS last_available
      FROM point WHERE ${visible(snapshot).where} AND series >= {from:Int32} AND series < {to:Int32}
      GROUP BY series, unit_id)
    GROUP BY series`;
}

const COUNT = SUMMARY_COLUMNS.indexOf('point_count');

async function compare(said: Summaries, found: Summaries): Promise<string[]> {
  const faults: string[] = [];
  for (const handle of [...new Set([...said.keys(), ...found.keys()])].sort((a, b) => a - b)) {
    const [before, now] = [said.get(handle), found.get(handle)];
    const points = now?.[COUNT] ?? 0;
    if (before === undefined)
      faults.push(`${pointCount(points)} of series ${handle}, but there is no series ${handle}`);
    else if (before[COUNT] !== points)
      faults.push(`series ${handle} should have ${pointCount(before[COUNT]!)}, but has ${points}`);
    const untrue = SUMMARY_COLUMNS.filter(
      (_, at) => at !== COUNT && before && now && !Object.is(before[at], now[at]),
    );
    if (untrue.length > 0)
      faults.push(`series ${handle}: ${untrue.join(', ')} of the series is not that of its points`);
  }
  return faults;
}

export function pointCount(count: number): string {
  return count === 1 ? '1 point' : `${count} points`;
}
