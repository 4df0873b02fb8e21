import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';

/** The SQL that gives a column's cells as texts, by the column's quoted name. */
type TextOf = (column: string) => string;

const asWritten: TextOf = (column) => `CAST(${column} AS VARCHAR)`;

/** A whole number among floats is written without a point, as "1988" for a year; what is not a number is no figure. */
const asNumber: TextOf = (column) =>
  `CASE WHEN isnan(${column}) THEN NULL ELSE regexp_replace(${asWritten(column)}, '\\.0$', '') END`;

/** UTC, whatever zone the machine is in. */
const asInstant: TextOf = (column) => asWritten(`make_timestamp(epoch_us(${column}))`);

const CELL_TEXTS: Readonly<Partial<Record<DuckDBTypeId, TextOf>>> = {
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

/**
 * The SQL of a column whose cells are texts as a delimited table would have them: whole numbers and decimals with all
 * digits, truth as `true` and `false`, dates as `YYYY-MM-DD`, times of day behind them in UTC; NaN becomes null.
 * @returns null when the type is none of these, such as a list
 */
export function cellTextSql(name: string, type: DuckDBType): string | null {
  return CELL_TEXTS[type.typeId]?.(`"${name.replaceAll('"', '""')}"`) ?? null;
}
