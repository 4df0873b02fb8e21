import type { Field, Table } from 'apache-arrow';
import { ArgumentError } from '../../model/errors.js';
import { DATE_COLUMNS, DICTIONARY_COLUMNS, ID_COLUMNS } from '../table/build-table.js';
import { frameShape } from '../table/series-view.js';

/** The columns that frames of ours have beside those of their series, long or of one series. */
const FRAME_COLUMNS: ReadonlySet<string> = new Set([
  ...DATE_COLUMNS,
  ...ID_COLUMNS,
  ...DICTIONARY_COLUMNS,
  'value',
  'metadata',
  'weight_present',
]);

/** The columns that belong to no series, such as those of `withColumn`. */
export function plainColumns(table: Table): Field[] {
  const isLong = frameShape(table) === 'long';
  return table.schema.fields.filter(
    ({ name, metadata }) => !FRAME_COLUMNS.has(name) && (isLong || !metadata.has('metric_id')),
  );
}

/**
 * Refuses a frame with columns that a verb would lose, because it computes whole series.
 * @throws ArgumentError that names the columns
 */
export function refusePlainColumns(table: Table, verb: string): void {
  const names = plainColumns(table).map(({ name }) => JSON.stringify(name));
  if (names.length === 0) return;
  throw new ArgumentError(
    'table',
    `table: ${verb} would lose ${names.join(', ')}, which belongs to no series; use ${verb} before withColumn`,
  );
}
