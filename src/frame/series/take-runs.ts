import { copyBits, emptyBitmap } from '../../columns/bitmap.js';
import { type RowRun, rowsOf, runLength } from '../../columns/row-runs.js';
import { type AnyColumn, otherColumn, type Validity } from '../table/columns.js';
import { takeRows } from '../table/take-rows.js';

/** The rows of the runs, in order. The values of a single run share the memory of the column. */
export function takeRuns<Column extends AnyColumn>(column: Column, runs: readonly RowRun[]): Column {
  if (column.type === 'other') return otherColumn(takeRows(column.values, rowsOf(runs))) as Column;
  const valid = takeValidity(column.valid, runs);
  if (column.type === 'utf8') {
    return { ...column, values: runs.flatMap(({ from, to }) => column.values.slice(from, to)), valid };
  }
  return { ...column, values: takeValues(column.values, runs), valid } as Column;
}

type Values = Float64Array | Int32Array | BigInt64Array;

function takeValues(values: Values, runs: readonly RowRun[]): Values {
  if (runs.length === 1) return values.subarray(runs[0]!.from, runs[0]!.to);
  const Kind = values.constructor as new (length: number) => Values;
  const taken = new Kind(runLength(runs));
  let at = 0;
  for (const { from, to } of runs) {
    taken.set(values.subarray(from, to) as never, at);
    at += to - from;
  }
  return taken;
}

function takeValidity(valid: Validity, runs: readonly RowRun[]): Validity {
  if (valid === null) return null;
  const taken = emptyBitmap(runLength(runs));
  let at = 0;
  for (const { from, to } of runs) {
    copyBits(taken, at, { bitmap: valid, at: from, count: to - from });
    at += to - from;
  }
  return taken;
}
