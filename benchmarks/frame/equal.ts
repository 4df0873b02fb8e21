import { deepStrictEqual } from 'node:assert/strict';
import type { Table } from 'apache-arrow';
import { isValid } from '../../src/columns/bitmap.js';
import { readColumn } from '../../src/frame/table/columns.js';
import { SERIES_KEY_FIELDS } from '../../src/model/series.js';
import type { PlainLong, PlainWide } from './plain-loops.js';

/** Fails unless the long frame holds exactly these columns. */
export function assertLongEqual(table: Table, plain: PlainLong): void {
  const values = (name: string) => readColumn(table, name).values;
  deepStrictEqual(values('start_date'), plain.start);
  deepStrictEqual(values('end_date'), plain.end);
  deepStrictEqual(values('unit_id'), plain.unit);
  SERIES_KEY_FIELDS.forEach((field, at) => {
    deepStrictEqual(values(field), plain.ids[at]);
  });
  const { values: value, valid } = readColumn(table, 'value');
  for (let row = 0; row < plain.value.length; row++) {
    if (isValid(valid, row) !== (plain.hasValue[row] === 1))
      throw new RangeError(`row ${row}: null on one side alone`);
    if (plain.hasValue[row] === 1 && value[row] !== plain.value[row]) {
      throw new RangeError(`row ${row}: ${value[row]} is not ${plain.value[row]}`);
    }
  }
}

/** Fails unless the wide frame holds exactly these dates and columns. */
export function assertWideEqual(table: Table, { dates, columns }: PlainWide): void {
  deepStrictEqual(Float64Array.from(readColumn(table, 'end_date').values as BigInt64Array, Number), dates);
  deepStrictEqual(table.numCols, columns.length + 1);
  columns.forEach((column, at) => {
    deepStrictEqual(readColumn(table, table.schema.fields[at + 1]!.name).values, column);
  });
}

/** Fails unless both wide frames have the same columns on as many dates. */
export function assertSameValues(table: Table, other: Table): void {
  deepStrictEqual(table.numRows, other.numRows);
  deepStrictEqual(table.numCols, other.numCols);
  for (const { name } of table.schema.fields.slice(1)) {
    deepStrictEqual(readColumn(table, name).values, readColumn(other, name).values);
  }
}
