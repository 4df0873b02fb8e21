import type { Table } from 'apache-arrow';
import { isValid } from '../../src/columns/bitmap.js';
import type { PointColumns } from '../../src/columns/point-columns.js';
import { readColumns } from '../../src/frame/table/columns.js';

/** Values and their sum: enough to tell wrong answers. */
export interface Total {
  values: number;
  sum: number;
}

/** Of every figure of a frame, long or wide. */
export function totalOfFrame(table: Table): Total {
  const total = { values: 0, sum: 0 };
  for (const { column } of readColumns(table)) {
    if (column.type === 'float64') addTo(total, column.values, column.valid);
  }
  return total;
}

/** Of every figure of some batches. */
export function totalOfPoints(batches: readonly PointColumns[]): Total {
  const total = { values: 0, sum: 0 };
  for (const { value, value_valid, length } of batches) addTo(total, value.subarray(0, length), value_valid);
  return total;
}

function addTo(total: Total, values: Float64Array, valid: Uint8Array | null): void {
  for (let row = 0; row < values.length; row++) {
    if (!isValid(valid, row)) continue;
    total.values++;
    total.sum += values[row]!;
  }
}
