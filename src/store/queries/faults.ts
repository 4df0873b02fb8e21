import { NO_UNIT_ID } from '../../columns/point-columns.js';
import { CONTAINING_TYPES } from '../../model/entity.js';
import { StoreError } from '../../model/errors.js';
import { plural } from '../../model/names/plural.js';
import { SERIES_KEY_FIELDS, SERIES_KEY_TYPES } from '../../model/series.js';
import { ENTITY_TABLES } from '../schema/tables.js';
import type { EngineTables, QueryParts, Row } from './engine-tables.js';

interface Referring {
  /** The first handle of the series to check; null to check no series. */
  readonly from?: number | null;
  readonly points?: boolean;
  readonly contained?: boolean;
}

/**
 * Returns the SQL that finds references to missing entities, for `describeMissing`. It checks the ids in series, the
 * units of points, and the parents of entities. Partner region 0 (the world) and unit 0 (none) need no entity.
 */
export function missingEntitiesSql(
  parts: QueryParts,
  { from = 0, points = true, contained = true, limit }: Referring & { limit: number },
): string {
  const missing = (
    text: string,
    [id, table]: readonly [id: string, table: string],
    [rows, where]: readonly [rows: string, where: string],
  ) => `SELECT DISTINCT ${text} AS what, '${table}' AS kind, ${id} AS missing
    FROM ${parts.from(rows, `${where} AND ${id} NOT IN (SELECT id FROM ${parts.from(table)})`)}`;
  const series = SERIES_KEY_FIELDS.map((field) => {
    const isPartner = field === 'partner_region_id' ? ' AND partner_region_id <> 0' : '';
    const text = `concat('a series has ${field} ', CAST(${field} AS VARCHAR))`;
    const id = [field, ENTITY_TABLES[SERIES_KEY_TYPES[field]].table] as const;
    return missing(text, id, ['series', `handle >= ${from}${isPartner}`]);
  });
  const units = missing(
    `concat('a point has unit_id ', CAST(unit_id AS VARCHAR))`,
    ['unit_id', 'unit'],
    ['series_unit', `unit_id <> ${NO_UNIT_ID}`],
  );
  const parents = CONTAINING_TYPES.map((type) => {
    const { table } = ENTITY_TABLES[type];
    const text = `concat('${table} ', CAST(child AS VARCHAR), ' belongs to ', CAST(parent AS VARCHAR))`;
    return missing(text, ['parent', table], ['containment', `entity_type = '${type}'`]);
  });
  const found = [from === null ? [] : series, points ? units : [], contained ? parents : []].flat();
  return `SELECT what, kind, missing FROM (${found.join(' UNION ALL ')}) AS found
    ORDER BY what, kind, missing LIMIT ${limit}`;
}

/** Throws a StoreError if added rows refer to a missing entity. Older rows cannot, as entities are never removed. */
export async function refuseMissing(
  tables: QueryParts & Pick<EngineTables, 'rows'>,
  added: Required<Referring>,
): Promise<void> {
  if (!added.points && !added.contained) return;
  const [missing] = await tables.rows(missingEntitiesSql(tables, { ...added, limit: 1 }));
  if (missing === undefined) return;
  throw new StoreError(`${describeMissing(missing)}; add that ${missing.kind} to the import`);
}

/**
 * Describes a series whose stored columns do not match its points.
 * @param row `said`: the number of points recorded for the series, or null if there is no such series; `found`: the
 *   actual number; `untrue`: the names of other columns that do not match the points
 */
export function describeSeriesFaults({ handle, said, found, untrue }: Row): string[] {
  if (said === null) return [`series ${handle} does not exist, but has ${pointCount(found)}`];
  return [
    ...(said === found ? [] : [`series ${handle} should have ${pointCount(said)}, but has ${found}`]),
    ...(untrue === '' ? [] : [`series ${handle} does not match its points in these columns: ${untrue}`]),
  ];
}

const pointCount = (count: unknown): string => `${count} ${plural('point', Number(count))}`;

export function describeMissing({ what, kind, missing }: Row): string {
  return `${what}, but there is no ${kind} ${missing}`;
}
