import type { SelectionLists } from '../../../model/selection.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES, type SeriesKey } from '../../../model/series.js';
import type { CountedSeries, FacetPlan } from '../../plan.js';
import { ALL_SERIES, CountedFields } from '../../queries/field-counts.js';
import type { ReadOptions } from '../../store.js';
import type { Database } from '../engine/database.js';
import { idCondition, type Parameter } from '../engine/sql-values.js';
import { rawVector } from '../engine/vectors.js';
import { ENTITY_TABLES } from '../entity-tables.js';

type Field = keyof SeriesKey;

/**
 * Counts series by their fields, in one query and one scan of the series: each series says by a bit for each field which
 * restrictions it does not meet. It counts for a field when it meets all others.
 */
export async function readFacets(
  database: Database,
  plan: FacetPlan,
  { signal }: ReadOptions = {},
): Promise<CountedSeries> {
  const { sql, parameters } = facetSql(plan);
  const counted = new CountedFields();
  for await (const chunk of database.chunks(sql, { parameters, signal })) {
    const column = (at: number) => rawVector<Int32Array>(chunk, at).items;
    counted.add([column(0), column(1), column(2), column(3), column(4)], chunk.rowCount);
  }
  return counted.take(plan);
}

function facetSql(plan: FacetPlan): { sql: string; parameters: Parameter[] } {
  const { bits, parameters } = unmetBits(plan.selection);
  const facets = plan.fields.map((field, place) => fieldSql(field, place, plan));
  const sql = `
    WITH marked AS (SELECT ${SERIES_KEY_FIELDS.join(', ')}, ${bits} AS unmet FROM series),
    matched AS MATERIALIZED (FROM marked WHERE unmet IN (0, ${SERIES_KEY_FIELDS.map(bitOf).join(', ')}))
    SELECT place, id, series, distinct_ids, total FROM (
      SELECT ${ALL_SERIES} AS place, 0 AS id, 0 AS series, '' AS name, 0 AS distinct_ids, count(*)::INTEGER AS total
      FROM matched WHERE unmet = 0
      ${facets.map((facet) => `UNION ALL (${facet})`).join('\n')})
    ORDER BY place, series DESC, name, id`;
  return { sql, parameters };
}

/** For each series the sum of the bits of the fields whose restrictions it does not meet. */
function unmetBits(selection: SelectionLists): { bits: string; parameters: Parameter[] } {
  const parameters: Parameter[] = [];
  const bits = SERIES_KEY_FIELDS.flatMap((field) => {
    const ids = selection[field];
    if (ids === undefined) return [];
    const condition = idCondition(field, ids);
    parameters.push(...condition.parameters);
    return [`CASE WHEN ${condition.where} THEN 0 ELSE ${bitOf(field)} END`];
  });
  return { bits: ['0', ...bits].join(' + '), parameters };
}

function bitOf(field: Field): number {
  return 1 << SERIES_KEY_FIELDS.indexOf(field);
}

function fieldSql(field: Field, place: number, { selection, limit }: FacetPlan): string {
  const { table } = ENTITY_TABLES[SERIES_KEY_TYPES[field]];
  const order = 'series DESC, name, id';
  const first = limit === null ? 'true' : `row_number() OVER (ORDER BY ${order}) <= ${limit}`;
  const selected = selection[field] === undefined ? '' : ' OR selected';
  return `
    WITH counted AS (
      SELECT ${field} AS id, count(*)::INTEGER AS series, bool_or(unmet = 0) AS selected FROM matched
      WHERE unmet IN (0, ${bitOf(field)}) GROUP BY ${field}
    )
    SELECT ${place} AS place, id, series, coalesce(name, id::VARCHAR) AS name,
      count(*) OVER ()::INTEGER AS distinct_ids, sum(series) OVER ()::INTEGER AS total
    FROM counted LEFT JOIN (SELECT id, name FROM ${table}) USING (id)
    QUALIFY ${first}${selected}`;
}
