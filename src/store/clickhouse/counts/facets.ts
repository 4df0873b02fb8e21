import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES, type SeriesKey } from '../../../model/series.js';
import { ENTITY_TABLES } from '../../duckdb/entity-tables.js';
import type { CountedSeries, FacetPlan } from '../../plan.js';
import { ALL_SERIES, CountedFields } from '../../queries/field-counts.js';
import type { ReadOptions } from '../../store.js';
import { turns } from '../../turns.js';
import type { Cluster } from '../engine/cluster.js';
import { type Condition, type Snapshot, visible } from '../engine/snapshot.js';
import { readArrow } from '../reading/arrow-columns.js';
import { allOf, idCondition } from '../reading/conditions.js';

type Field = keyof SeriesKey;

const KINDS = ['int32', 'int32', 'int32', 'int32', 'int32'] as const;

/** Counts series by their fields, in one query: a field by the series that meet the restrictions of all others. */
export async function readFacets(
  cluster: Cluster,
  plan: FacetPlan,
  options: ReadOptions = {},
): Promise<CountedSeries> {
  const snapshot = await cluster.snapshot(options);
  const { where: sql, parameters } = facetQuery(plan, snapshot);
  const counted = new CountedFields();
  for await (const { length, columns } of readArrow(cluster.first.arrow(sql, parameters, options), KINDS)) {
    await turns.next();
    counted.add(columns, length);
  }
  return counted.take(plan);
}

function facetQuery(plan: FacetPlan, snapshot: Snapshot): Condition {
  const restrictions = new Map(
    SERIES_KEY_FIELDS.flatMap((field) => {
      const ids = plan.selection[field];
      return ids === undefined ? [] : [[field, idCondition(field, ids)] as const];
    }),
  );
  const seen = visible(snapshot);
  const whole = allOf(seen, ...restrictions.values());
  const counts = plan.fields.map((field, place) => {
    const others = [...restrictions].filter(([other]) => other !== field);
    const { where } = allOf(seen, ...others.map(([, condition]) => condition));
    const own = restrictions.get(field)?.where;
    return fieldSql(field, { place, where, own, limit: plan.limit, seen: seen.where });
  });
  const sql = `SELECT place, id, series, distinct_ids, total FROM (
      SELECT toInt32(${ALL_SERIES}) AS place, toInt32(0) AS id, toInt32(0) AS series, '' AS name,
        toInt32(0) AS distinct_ids, toInt32(count()) AS total
      FROM series WHERE ${whole.where}
      ${counts.map((count) => `UNION ALL ${count}`).join('\n')})
    ORDER BY place, series DESC, name, id`;
  return { where: sql, parameters: whole.parameters };
}

interface FieldQuery {
  readonly place: number;
  /** Selects the series that meet the restrictions of all other fields. */
  readonly where: string;
  /** The field's own restriction, of its values. */
  readonly own: string | undefined;
  readonly limit: number | null;
  /** Selects the entities. */
  readonly seen: string;
}

function fieldSql(field: Field, { place, where, own, limit, seen }: FieldQuery): string {
  const { table } = ENTITY_TABLES[SERIES_KEY_TYPES[field]];
  const kept =
    limit === null ? '' : `WHERE rank <= ${Math.trunc(limit)}${own === undefined ? '' : ` OR ${own}`}`;
  return `SELECT toInt32(${place}), ${field}, toInt32(counted), named, toInt32(distinct_ids), toInt32(total) FROM (
    SELECT ${field}, counted, named, row_number() OVER (ORDER BY counted DESC, named, ${field}) AS rank,
      count() OVER () AS distinct_ids, sum(counted) OVER () AS total
    FROM (
      SELECT ${field}, counted, if(names.id IS NULL, toString(${field}), names.name) AS named
      FROM (SELECT ${field}, count() AS counted FROM series WHERE ${where} GROUP BY ${field}) AS counts
      LEFT JOIN (SELECT toNullable(id) AS id, name FROM ${table} WHERE ${seen}) AS names ON names.id = counts.${field}))
    ${kept}`;
}
