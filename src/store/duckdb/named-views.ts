import { REGION_LEVELS, WORLD_REGION_ID } from '../../model/entity.js';

/** The schema of the views and macros that call everything by its name. The tables of the store are in `main`. */
export const NAMED_SCHEMA = 'by_name';

/** The FIPS codes in the ids of regions: of US states, and of their counties. */
const FIPS = `CASE WHEN r.id BETWEEN 10001 AND 10099 THEN lpad((r.id - 10000)::VARCHAR, 2, '0')
  WHEN r.id BETWEEN 101000 AND 199999 THEN lpad((r.id - 100000)::VARCHAR, 5, '0') END`;

/**
 * ISO 3166-1 codes of three letters, and ISO 3166-2 codes, which are the first of their form among the other names. Former
 * countries have none: some codes of theirs have been used again.
 */
const ISO = `CASE WHEN r.historical THEN NULL
  WHEN r.level = ${REGION_LEVELS.country} THEN nullif(regexp_extract(r.aliases, '"([A-Z]{3})"', 1), '')
  WHEN r.level = ${REGION_LEVELS.province} THEN nullif(regexp_extract(r.aliases, '"([A-Z]{2}-[A-Z0-9]{1,3})"', 1), '') END`;

const LEVEL = `CASE r.level ${Object.entries(REGION_LEVELS)
  .map(([name, level]) => `WHEN ${level} THEN '${name}'`)
  .join(' ')} END`;

const NAMES = `m.name AS metric, i.name AS item, r.name AS region, ${ISO} AS region_iso, ${FIPS} AS region_fips,
  ${LEVEL} AS region_level, p.name AS partner, o.name AS source, f.name AS frequency, u.abbreviation AS unit`;

const IDS = `s.handle AS series, s.metric_id, s.item_id, s.region_id, s.partner_region_id, s.source_id, s.frequency_id`;

/** The entities of the series `s`. The whole world is no partner. */
const ENTITIES = `LEFT JOIN main.metric AS m ON m.id = s.metric_id LEFT JOIN main.item AS i ON i.id = s.item_id
  LEFT JOIN main.region AS r ON r.id = s.region_id
  LEFT JOIN main.region AS p ON p.id = s.partner_region_id AND p.id <> ${WORLD_REGION_ID}
  LEFT JOIN main.source AS o ON o.id = s.source_id LEFT JOIN main.frequency AS f ON f.id = s.frequency_id`;

const VINTAGE =
  'd.reporting_date::TIMESTAMP AS reporting_date, d.available_date::TIMESTAMP AS available_date';

/** Points with the names of their series. */
const named = (points: string, more: readonly string[] = []): string => `SELECT ${[
  NAMES,
  'd.start_date::TIMESTAMP AS start_date',
  'd.end_date::TIMESTAMP AS end_date',
  'd.value',
  ...more,
  IDS,
  'd.unit_id',
].join(', ')} FROM ${points} AS d JOIN main.series AS s ON s.handle = d.series ${ENTITIES}
  LEFT JOIN main.unit AS u ON u.id = d.unit_id`;

const VINTAGES = '(FROM main.point UNION ALL FROM main.point_history)';

/**
 * The vintages that were the latest ones at a date: those of today that are old enough, and else the latest of the history,
 * which holds no other vintage of such a period that is later.
 */
const AS_OF = `(FROM main.point WHERE available_date <= date::TIMESTAMP_MS
  UNION ALL
  FROM main.point_history AS h
  SEMI JOIN (FROM main.point WHERE available_date > date::TIMESTAMP_MS) AS later USING (series, start_date, end_date)
  WHERE h.available_date <= date::TIMESTAMP_MS
  QUALIFY row_number() OVER (PARTITION BY series, start_date, end_date
    ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1)`;

/** Whether a text names a unit. */
const isUnit = (unit: string, text: string) =>
  `(${unit}.abbreviation = ${text} OR ${unit}.name = ${text} OR ${unit}.name_plural = ${text})`;

/** The conversion between two units of one dimension, as `compute/units.ts` does it; an error where there is none. */
const CONVERSION = `SELECT CASE WHEN count(*) = 1 THEN any_value({
    factor: a.factor, zero: coalesce(a.base_offset, 0), to_factor: b.factor, to_zero: coalesce(b.base_offset, 0)})
  ELSE error(concat('no conversion from "', from_unit, '" to "', to_unit, '"; see the view units')) END
  FROM main.unit AS a, main.unit AS b
  WHERE a.factor <> 0 AND b.factor <> 0 AND a.dimension = b.dimension
    AND ${isUnit('a', 'from_unit')} AND ${isUnit('b', 'to_unit')}`;

const CONVERT = `CASE WHEN value IS NULL OR from_unit IS NULL OR to_unit IS NULL THEN NULL
  WHEN from_unit = to_unit THEN value::DOUBLE
  ELSE list_transform([(${CONVERSION})],
    lambda c: (value * c.factor + c.zero - c.to_zero) / c.to_factor)[1] END`;

const VIEWS = {
  data: named('main.point'),
  history: named(VINTAGES, [VINTAGE, 'd.metadata']),
  series: `SELECT ${NAMES}, s.start_date::TIMESTAMP AS start_date, s.end_date::TIMESTAMP AS end_date,
    s.point_count AS points, ${IDS}, s.unit_id FROM main.series AS s ${ENTITIES}
    LEFT JOIN main.unit AS u ON u.id = s.unit_id`,
  regions: `SELECT r.id AS region_id, r.name AS region, ${ISO} AS region_iso, ${FIPS} AS region_fips,
    ${LEVEL} AS region_level, r.latitude, r.longitude, r.historical, r.definition, parents.belongs_to
    FROM main.region AS r LEFT JOIN (
      SELECT child AS id, list(parent ORDER BY parent) AS belongs_to FROM main.containment
      WHERE entity_type = 'regions' GROUP BY child) AS parents ON parents.id = r.id`,
  units: `SELECT id AS unit_id, abbreviation AS unit, name, name_plural, dimension, factor, base_offset FROM main.unit`,
  sources: `SELECT o.id AS source_id, o.name AS source, o.long_name, o.licence, o.citation, o.url, imports.dataset,
    make_timestamp_ms(imports.imported::BIGINT) AS imported
    FROM main.source AS o LEFT JOIN main.source_import AS imports ON imports.source_id = o.id`,
} as const;

/** The statements that add the views and macros to a store. */
export const NAMED_VIEWS: readonly string[] = [
  `CREATE SCHEMA ${NAMED_SCHEMA}`,
  ...Object.entries(VIEWS).map(([name, sql]) => `CREATE VIEW ${NAMED_SCHEMA}.${name} AS ${sql}`),
  `CREATE MACRO ${NAMED_SCHEMA}.as_of(date) AS TABLE ${named(AS_OF, [VINTAGE, 'd.metadata'])}`,
  `CREATE MACRO ${NAMED_SCHEMA}.convert(value, from_unit, to_unit) AS (${CONVERT})`,
];
