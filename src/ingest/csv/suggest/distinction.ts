import type { TableHead } from './table-head.js';

/**
 * The column, among those that are not read, that tells the most rows apart which have the same texts in all key columns;
 * undefined when no rows do, or no column tells them apart.
 */
export function findDistinction(
  { header, rows }: TableHead,
  { keys, unread }: { keys: readonly string[]; unread: readonly string[] },
): string | undefined {
  const count = (columns: readonly string[]): number => {
    const at = columns.map((column) => header.indexOf(column));
    return new Set(rows.map((row) => JSON.stringify(at.map((i) => row[i])))).size;
  };
  const known = count(keys);
  if (known === rows.length) return undefined;
  const counts = unread.map((column) => ({ column, rows: count([...keys, column]) }));
  const [best] = counts.filter((each) => each.rows > known).sort((a, b) => b.rows - a.rows);
  return best?.column;
}
