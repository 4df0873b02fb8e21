import type { Field, Table } from 'apache-arrow';
import { badArgument } from '../../model/errors.js';
import { LONG_COLUMN_TYPES } from '../table/names.js';
import { frameShape } from '../table/series-view.js';

/** The columns of a wide frame of ours that are no series: the end date, and those of a sum or an average of regions. */
const WIDE_COLUMNS: ReadonlySet<string> = new Set(['end_date', 'start_date', 'unit_id', 'weight_present']);

/** The columns that belong to no series, such as those of `withColumn`. */
function plainColumns(table: Table): Field[] {
  const isKnown =
    frameShape(table) === 'long'
      ? (name: string) => name === 'value' || LONG_COLUMN_TYPES.has(name)
      : (name: string) => WIDE_COLUMNS.has(name);
  return table.schema.fields.filter(({ name, metadata }) => !isKnown(name) && !metadata.has('metric_id'));
}

/**
 * Refuses a frame with columns that a verb would lose, because it computes whole series.
 * @throws ArgumentError that names the columns
 */
export function refusePlainColumns(table: Table, verb: string): void {
  const names = plainColumns(table).map(({ name }) => JSON.stringify(name));
  if (names.length === 0) return;
  throw badArgument(
    'table',
    `${verb} would lose ${names.join(', ')}, which belongs to no series; use ${verb} before withColumn`,
  );
}
