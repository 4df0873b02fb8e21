import { SERIES_KEY_TYPES, type SeriesKey } from '../../model/series.js';
import type { CountedSeries, CountedVintages, FacetPlan, VintageDates } from '../plan.js';
import { ENTITY_TABLES } from '../schema/tables.js';
import type { ReadOptions } from '../store.js';
import type { EngineTables, QueryParts, Row } from './engine-tables.js';
import { seriesCondition } from './series.js';

/** Counts series by each field in one query. Each field is counted among the series that match all other fields. */
export async function readFacets(
  tables: EngineTables,
  plan: FacetPlan,
  options?: ReadOptions,
): Promise<CountedSeries> {
  const counts = plan.fields.map(() => ({ series: new Map<number, number>(), values: 0, total: 0 }));
  let selected = 0;
  for await (const { length, columns } of tables.numbers(facetSql(tables, plan), options)) {
    const [place, ids, series, values, total] = columns;
    for (let row = 0; row < length; row++) {
      const of = counts[place![row]!];
      if (of === undefined) selected = total![row]!;
      else {
        of.series.set(ids![row]!, series![row]!);
        of.values = values![row]!;
        of.total = total![row]!;
      }
    }
  }
  return { series: selected, fields: new Map(plan.fields.map((field, at) => [field, counts[at]!])) };
}

/** Identifies the result row that counts all selected series. Other rows have a field's position instead. */
const ALL_SERIES = -1;

const integer = (expression: string | number) => `CAST(${expression} AS INTEGER)`;

/**
 * Returns the SQL query for facet counts, with these columns: the field's position in the plan, an id, the number of
 * series with that id, the number of distinct ids in the field, and the number of series with any of these ids.
 */
function facetSql(parts: QueryParts, plan: FacetPlan): string {
  const whole = parts.from('series', seriesCondition(parts, plan));
  return `SELECT place, id, series, distinct_ids, total FROM (
      SELECT ${integer(ALL_SERIES)} AS place, ${integer(0)} AS id, ${integer(0)} AS series, '' AS name,
        ${integer(0)} AS distinct_ids, ${integer('count(*)')} AS total
      FROM ${whole}
      ${plan.fields.map((field, place) => `UNION ALL ${fieldSql(parts, { field, place, ...plan })}`).join('\n')}) AS counts
    ORDER BY place, series DESC, name, id`;
}

function fieldSql(
  parts: QueryParts,
  { field, place, selection, limit }: FacetPlan & { field: keyof SeriesKey; place: number },
): string {
  const { table } = ENTITY_TABLES[SERIES_KEY_TYPES[field]];
  const others = { selection: { ...selection, [field]: undefined } };
  const counted = `SELECT ${field}, count(*) AS counted FROM ${parts.from('series', seriesCondition(parts, others))} GROUP BY ${field}`;
  const names = `SELECT id, name FROM ${parts.from(table)}`;
  const own = limit === null ? undefined : selection[field];
  const isSelected = own === undefined ? '' : ` OR ${parts.ids(field, own)}`;
  const isListed = limit === null ? '' : `WHERE place_in_order <= ${Math.trunc(limit)}${isSelected}`;
  return `SELECT ${integer(place)}, ${field}, ${integer('counted')}, named, ${integer('distinct_ids')}, ${integer('total')}
    FROM (
      SELECT ${field}, counted, named, row_number() OVER (ORDER BY counted DESC, named, ${field}) AS place_in_order,
        count(*) OVER () AS distinct_ids, sum(counted) OVER () AS total
      FROM (
        SELECT ${field}, counted, coalesce(nullIf(names.name, ''), CAST(${field} AS VARCHAR)) AS named
        FROM (${counted}) AS counts LEFT JOIN (${names}) AS names ON names.id = counts.${field}) AS named_counts)
      AS ordered
    ${isListed}`;
}

/** Adds up vintages by date. @param rows with `kind` (0: available date, 1: reporting date), `ms` and `points` */
export function addVintages(rows: readonly Row[], limit: number): CountedVintages {
  const dates = [new Map<number, number>(), new Map<number, number>()] as const;
  let total = 0;
  for (const { kind, ms, points } of rows as { kind: 0 | 1; ms: number; points: number }[]) {
    dates[kind].set(ms, (dates[kind].get(ms) ?? 0) + points);
    if (kind === 0) total += points;
  }
  const [available, reporting] = dates.map((counts) => latestDates(counts, limit));
  return { points: total, available: available!, reporting: reporting! };
}

function latestDates(dates: ReadonlyMap<number, number>, limit: number): VintageDates {
  const all = [...dates].sort(([a], [b]) => a - b).map(([ms, points]) => ({ ms, points }));
  return { dates: all.slice(Math.max(0, all.length - limit)), total: all.length };
}
