import { idCondition, type QueryParts } from '../../queries/engine-tables.js';

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const MIN_MS = Date.parse('0001-01-01T00:00:00.000Z');
const MAX_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** Returns a timestamp literal. Unlike a parameter, a literal lets the engine skip row groups. */
export function timeLiteral(ms: number): string {
  const clamped = Math.min(Math.max(Math.trunc(ms), MIN_MS), MAX_MS);
  return `TIMESTAMP_MS '${new Date(clamped).toISOString().slice(0, 23).replace('T', ' ')}'`;
}

/** Quotes a string as an SQL literal. NUL becomes `chr(0)`, because the engine stops reading at a NUL. */
export function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes('\0') ? `(${quoted.replaceAll('\0', "' || chr(0) || '")})` : quoted;
}

/** Quotes a file path for SQL. Wildcards are escaped, because the engine treats paths as patterns. */
export const quotePath = (path: string): string => quoteLiteral(path.replace(/[*?[]/g, '[$&]'));

/** Up to this many ids are written as literals, so that row groups are skipped. More ids parse faster as a string. */
const MAX_LITERALS = 256;

export const PARTS: QueryParts = {
  from: (table, where) => (where === undefined ? table : `${table} WHERE ${where}`),
  ids(column, ids) {
    const condition = idCondition(column, ids);
    if (ids.length <= MAX_LITERALS) return condition;
    return condition.replace(/\((.*)\)$/, `(SELECT unnest('[$1]'::INTEGER[]))`);
  },
  number: (column) => `coalesce(${column.endsWith('_date') ? `epoch_ms(${column})` : column}::DOUBLE, 'nan')`,
  isRevised: '1::DOUBLE',
  hash: (columns) => `coalesce(sum(hash(${columns})::HUGEINT), 0)::VARCHAR`,
};
