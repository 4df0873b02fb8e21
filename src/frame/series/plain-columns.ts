import type { Field, Table } from 'apache-arrow';
import { ArgumentError } from '../../model/errors.js';
import { DATE_COLUMNS, DICTIONARY_COLUMNS, ID_COLUMNS } from '../table/build-table.js';
import { frameShape } from '../table/series-view.js';

/** The columns of a long frame. */
const LONG_COLUMNS: ReadonlySet<string> = new Set([
  ...DATE_COLUMNS,
  ...ID_COLUMNS,
  ...DICTIONARY_COLUMNS,
  'value',
  'metadata',
]);

/**
 * The columns of a wide frame of ours that are no series: the end date, and those of a sum or an average of regions.
 */
const WIDE_COLUMNS: ReadonlySet<string> = new Set(['end_date', 'start_date', 'unit_id', 'weight_present']);

/** The columns that belong to no series, such as those of `withColumn`. */
export function plainColumns(table: Table): Field[] {
  const known = frameShape(table) === 'long' ? LONG_COLUMNS : WIDE_COLUMNS;
  return table.schema.fields.filter(({ name, metadata }) => !known.has(name) && !metadata.has('metric_id'));
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
