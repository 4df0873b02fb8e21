import { type NamedTables, namedViews, namedVintages } from '../queries/named-views.js';
import { LAYOUT } from './point-tables.js';

/** The schema of the views and macros that call everything by its name. The tables of the store are in `main`. */
export const NAMED_SCHEMA = 'by_name';

const POINT = ['series', 'value', 'unit_id', 'start_date', 'end_date'];
const VINTAGE = [...POINT, 'metadata', 'reporting_date', 'available_date'];
const SERIES = ['handle', ...LAYOUT, 'unit_id', 'point_count', 'start_date', 'end_date'];

/** Columns of rows, with dates in microseconds, which all functions of the engine take. */
function dated(rows: string, columns: readonly string[]): string {
  const read = columns.map((name) => (name.endsWith('_date') ? `${name}::TIMESTAMP AS ${name}` : name));
  return `(SELECT ${read.join(', ')} FROM ${rows})`;
}

const TABLES: NamedTables = {
  table: (name) => `main.${name}`,
  series: dated('main.series', SERIES),
  latest: dated('main.point', POINT),
  vintages: dated('(FROM main.point UNION ALL FROM main.point_history)', VINTAGE),
  imports: `(SELECT source_id, dataset, make_timestamp_ms(imported::BIGINT) AS imported FROM main.source_import)`,
  list: (column) => `list(${column} ORDER BY ${column})`,
};

/**
 * The vintages that were the latest ones at a date: those of today that are old enough, and else the latest of the history,
 * which holds no other vintage of such a period that is later.
 */
const AS_OF = dated(
  `(FROM main.point WHERE available_date <= date::TIMESTAMP_MS
  UNION ALL
  FROM main.point_history AS h
  SEMI JOIN (FROM main.point WHERE available_date > date::TIMESTAMP_MS) AS later USING (series, start_date, end_date)
  WHERE h.available_date <= date::TIMESTAMP_MS
  QUALIFY row_number() OVER (PARTITION BY series, start_date, end_date
    ORDER BY reporting_date DESC NULLS LAST, available_date DESC) = 1)`,
  VINTAGE,
);

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

/** The statements that add the views and macros to a store. */
export const NAMED_VIEWS: readonly string[] = [
  `CREATE SCHEMA ${NAMED_SCHEMA}`,
  ...Object.entries(namedViews(TABLES)).map(([name, sql]) => `CREATE VIEW ${NAMED_SCHEMA}.${name} AS ${sql}`),
  `CREATE MACRO ${NAMED_SCHEMA}.as_of(date) AS TABLE ${namedVintages(TABLES, AS_OF)}`,
  `CREATE MACRO ${NAMED_SCHEMA}.convert(value, from_unit, to_unit) AS (${CONVERT})`,
];
