import type { DuckDBType } from '@duckdb/node-api';
import { DuckDBTypeId } from '../../../store/duckdb/engine/library.js';

/** The SQL of a column's cells as text, from the column's quoted name. */
type CellText = (column: string) => string;

const asWritten: CellText = (column) => `CAST(${column} AS VARCHAR)`;

/** Whole numbers without a decimal point, such as "1988" for a year; NaN is null. */
const asNumber: CellText = (column) =>
  `CASE WHEN isnan(${column}) THEN NULL ELSE regexp_replace(${asWritten(column)}, '\\.0$', '') END`;

/** In UTC, independent of the machine's time zone. */
const asInstant: CellText = (column) => asWritten(`make_timestamp(epoch_us(${column}))`);

const CELL_TEXTS: Readonly<Partial<Record<DuckDBTypeId, CellText>>> = {
  [DuckDBTypeId.SQLNULL]: asWritten,
  [DuckDBTypeId.BOOLEAN]: asWritten,
  [DuckDBTypeId.TINYINT]: asWritten,
  [DuckDBTypeId.SMALLINT]: asWritten,
  [DuckDBTypeId.INTEGER]: asWritten,
  [DuckDBTypeId.BIGINT]: asWritten,
  [DuckDBTypeId.UTINYINT]: asWritten,
  [DuckDBTypeId.USMALLINT]: asWritten,
  [DuckDBTypeId.UINTEGER]: asWritten,
  [DuckDBTypeId.UBIGINT]: asWritten,
  [DuckDBTypeId.DECIMAL]: asWritten,
  [DuckDBTypeId.FLOAT]: asNumber,
  [DuckDBTypeId.DOUBLE]: asNumber,
  [DuckDBTypeId.VARCHAR]: asWritten,
  [DuckDBTypeId.ENUM]: asWritten,
  [DuckDBTypeId.UUID]: asWritten,
  [DuckDBTypeId.DATE]: asWritten,
  [DuckDBTypeId.TIMESTAMP]: asWritten,
  [DuckDBTypeId.TIMESTAMP_S]: asWritten,
  [DuckDBTypeId.TIMESTAMP_MS]: asWritten,
  [DuckDBTypeId.TIMESTAMP_NS]: asWritten,
  [DuckDBTypeId.TIMESTAMP_TZ]: asInstant,
};

const FRACTIONAL: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
]);

/**
 * The SQL of a column's cells as the text of a delimited table: numbers with all digits, booleans as `true` and `false`,
 * dates as `YYYY-MM-DD`, timestamps with the time of day in UTC; NaN is null.
 * @param decimal the mark before the fractions of numbers
 * @returns null for other types, such as lists
 */
export function cellTextSql(name: string, type: DuckDBType, decimal: '.' | ','): string | null {
  const text = CELL_TEXTS[type.typeId]?.(`"${name.replaceAll('"', '""')}"`) ?? null;
  return text !== null && decimal === ',' && FRACTIONAL.has(type.typeId)
    ? `replace(${text}, '.', ',')`
    : text;
}
