import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';

export interface NamedTables {
  table(name: string): string;
  readonly series: string;
  readonly latest: string;
  readonly vintages: string;
  /** SQL for the last import of each source, with the columns `source_id`, `dataset` and `imported`. */
  readonly imports: string;
  /** Returns the SQL expression for an ascending list of a column's values within a group. */
  list(column: string): string;
}

/** SQL for the FIPS codes of US states and counties, which are part of their region ids. */
const FIPS = `CASE WHEN r.id BETWEEN 10001 AND 10099 THEN lpad((r.id - 10000)::VARCHAR, 2, '0')
  WHEN r.id BETWEEN 101000 AND 199999 THEN lpad((r.id - 100000)::VARCHAR, 5, '0') END`;

/**
 * SQL for the ISO 3166-1 alpha-3 codes of countries, and the ISO 3166-2 codes of provinces. A region's code is its
 * first alias in that format. Former countries have no code, because some of their codes were reassigned.
 */
const ISO = `CASE WHEN r.historical THEN NULL
  WHEN r.level = ${REGION_LEVELS.country} THEN nullif(regexp_extract(r.aliases, '"([A-Z]{3})"', 1), '')
  WHEN r.level = ${REGION_LEVELS.province} THEN nullif(regexp_extract(r.aliases, '"([A-Z]{2}-[A-Z0-9]{1,3})"', 1), '') END`;

const LEVEL = `CASE r.level ${Object.entries(REGION_LEVELS)
  .map(([name, level]) => `WHEN ${level} THEN '${name}'`)
  .join(' ')} END`;

const SHOWN_NAMES = `m.name AS metric, i.name AS item, r.name AS region, ${ISO} AS region_iso, ${FIPS} AS region_fips,
  ${LEVEL} AS region_level, p.name AS partner, o.name AS source, f.name AS frequency, u.abbreviation AS unit`;

const IDS = `s.handle AS series, s.metric_id AS metric_id, s.item_id AS item_id, s.region_id AS region_id,
  s.partner_region_id AS partner_region_id, s.source_id AS source_id, s.frequency_id AS frequency_id`;

/** Returns the SQL joins that add the entities of the series `s`. The world is not shown as a partner. */
const entityJoins = ({ table }: NamedTables) => `LEFT JOIN ${table('metric')} AS m ON m.id = s.metric_id
  LEFT JOIN ${table('item')} AS i ON i.id = s.item_id LEFT JOIN ${table('region')} AS r ON r.id = s.region_id
  LEFT JOIN ${table('region')} AS p ON p.id = s.partner_region_id AND p.id <> ${WORLD_REGION_ID}
  LEFT JOIN ${table('source')} AS o ON o.id = s.source_id
  LEFT JOIN ${table('frequency')} AS f ON f.id = s.frequency_id`;

function namedPoints(tables: NamedTables, points: string, more = ''): string {
  return `SELECT ${SHOWN_NAMES}, d.start_date AS start_date, d.end_date AS end_date, d.value AS value, ${more}
  ${IDS}, d.unit_id AS unit_id FROM ${points} AS d JOIN ${tables.series} AS s ON s.handle = d.series ${entityJoins(tables)}
  LEFT JOIN ${tables.table('unit')} AS u ON u.id = d.unit_id`;
}

export const namedVintages = (tables: NamedTables, vintages: string): string =>
  namedPoints(
    tables,
    vintages,
    'd.reporting_date AS reporting_date, d.available_date AS available_date, d.metadata AS metadata,',
  );

export const namedViews = (tables: NamedTables): Readonly<Record<string, string>> => ({
  data: namedPoints(tables, tables.latest),
  history: namedVintages(tables, tables.vintages),
  series: `SELECT ${SHOWN_NAMES}, s.start_date AS start_date, s.end_date AS end_date, s.point_count AS points, ${IDS},
    s.unit_id AS unit_id FROM ${tables.series} AS s ${entityJoins(tables)}
    LEFT JOIN ${tables.table('unit')} AS u ON u.id = s.unit_id`,
  regions: `SELECT r.id AS region_id, r.name AS region, ${ISO} AS region_iso, ${FIPS} AS region_fips,
    ${LEVEL} AS region_level, r.latitude AS latitude, r.longitude AS longitude, r.historical AS historical,
    r.definition AS definition, coalesce(parents.belongs_to, []) AS belongs_to
    FROM ${tables.table('region')} AS r LEFT JOIN (
      SELECT child AS id, ${tables.list('parent')} AS belongs_to FROM ${tables.table('containment')} AS c
      WHERE entity_type = 'regions' GROUP BY child) AS parents ON parents.id = r.id`,
  units: `SELECT u.id AS unit_id, u.abbreviation AS unit, u.name AS name, u.name_plural AS name_plural,
    u.dimension AS dimension, u.factor AS factor, u.base_offset AS base_offset FROM ${tables.table('unit')} AS u`,
  sources: `SELECT o.id AS source_id, o.name AS source, o.long_name AS long_name, o.licence AS licence,
    o.citation AS citation, o.url AS url, d.dataset AS dataset, d.imported AS imported
    FROM ${tables.table('source')} AS o LEFT JOIN ${tables.imports} AS d ON d.source_id = o.id`,
});

/** SQL for all sources that have series. All are listed, because engines do not report which sources a query reads. */
export const NAMED_SOURCES = `SELECT source_id AS id, source AS name, long_name AS "longName", licence, citation, url
  FROM sources WHERE source_id IN (SELECT source_id FROM series) ORDER BY id`;
