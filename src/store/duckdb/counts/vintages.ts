import type { CountedVintages, StoredSeries, VintageDates, VintagePlan } from '../../plan.js';
import type { ReadOptions } from '../../store.js';
import type { Database } from '../engine/database.js';
import { rawVector } from '../engine/vectors.js';
import { handleConditions } from '../reading/point-sql.js';

/**
 * Counts the vintages of some series by their dates. Points of which the store keeps that all became available at one
 * date, and have no reporting date, are not read.
 */
export async function readVintages(
  database: Database,
  { series, limit }: VintagePlan,
  options?: ReadOptions,
): Promise<CountedVintages> {
  const empty = { dates: [], total: 0 };
  if (series.length === 0) return { points: 0, available: empty, reporting: empty };
  const { snapshot } = database;
  const split = splitKnown(series, snapshot);
  const counted = await countVintages(database, vintageSql({ ...split, all: series }, limit), options);
  if (snapshot === database.snapshot || split.known.size === 0) return counted;
  const unknown = { known: new Map<number, number>(), others: series, all: series };
  return countVintages(database, vintageSql(unknown, limit), options);
}

async function countVintages(
  database: Database,
  sql: string,
  { signal }: ReadOptions = {},
): Promise<CountedVintages> {
  const kinds = [emptyKind(), emptyKind()] as const;
  for await (const chunk of database.chunks(sql, { signal })) {
    const [kind, ms, points, total, all] = [0, 1, 2, 3, 4].map(
      (column) => rawVector<Float64Array>(chunk, column).items,
    );
    for (let row = 0; row < chunk.rowCount; row++) {
      const of = kinds[kind![row]! as 0 | 1];
      of.dates.push({ ms: ms![row]!, points: points![row]! });
      of.total = total![row]!;
      of.points = all![row]!;
    }
  }
  const [available, reporting] = kinds.map(({ dates, total }): VintageDates => ({ dates, total }));
  return { points: kinds[0].points, available: available!, reporting: reporting! };
}

function emptyKind() {
  return { dates: [] as { ms: number; points: number }[], total: 0, points: 0 };
}

/** The latest vintages of a series of which the dates are known, by date, and the series whose points must be read. */
function splitKnown(
  series: readonly StoredSeries[],
  snapshot: object | null,
): { known: ReadonlyMap<number, number>; others: StoredSeries[] } {
  const known = new Map<number, number>();
  const others: StoredSeries[] = [];
  for (const one of series) {
    const { common } = one;
    const isKnown =
      snapshot !== null &&
      common?.snapshot === snapshot &&
      common.availableMs !== null &&
      !common.hasReportingDates;
    if (isKnown) known.set(common.availableMs!, (known.get(common.availableMs!) ?? 0) + one.pointCount);
    else others.push(one);
  }
  return { known, others };
}

interface Parts {
  readonly known: ReadonlyMap<number, number>;
  readonly others: readonly StoredSeries[];
  readonly all: readonly StoredSeries[];
}

function vintageSql({ known, others, all }: Parts, limit: number): string {
  const read = [
    ...(others.length === 0 ? [] : countSql('point', others)),
    ...countSql('point_history', all),
    ...(known.size === 0 ? [] : [knownSql(known)]),
  ];
  return `
    WITH counted AS (${read.join(' UNION ALL ')}),
    summed AS (
      SELECT kind, ms, sum(points) AS points FROM counted WHERE ms IS NOT NULL GROUP BY kind, ms
    )
    SELECT kind::DOUBLE, ms::DOUBLE, points::DOUBLE, count(*) OVER (PARTITION BY kind)::DOUBLE,
      sum(points) OVER (PARTITION BY kind)::DOUBLE
    FROM summed QUALIFY row_number() OVER (PARTITION BY kind ORDER BY ms DESC) <= ${limit} ORDER BY kind, ms`;
}

/** The dates of vintages of a table: kind 0 is available, 1 reporting. */
function countSql(table: string, series: readonly StoredSeries[]): string[] {
  return handleConditions(series).map(
    (handles) => `
      SELECT grouping(available_date) AS kind, epoch_ms(coalesce(available_date, reporting_date)) AS ms,
        count(*) AS points
      FROM ${table} WHERE ${handles} GROUP BY GROUPING SETS ((available_date), (reporting_date))`,
  );
}

function knownSql(known: ReadonlyMap<number, number>): string {
  const rows = [...known].map(([ms, points]) => `(0, ${ms}, ${points})`);
  return `SELECT * FROM (VALUES ${rows.join(', ')})`;
}
