import type { Table } from 'apache-arrow';
import { isValid } from '../../src/columns/bitmap.js';
import { readColumn, readColumns } from '../../src/frame/table/columns.js';
import type { Wanted } from './engine.js';
import { type Fingerprint, Fingerprinter } from './fingerprint.js';
import { numberOf } from './synthetic-weather.js';

/** The fingerprint of the figures of a frame, long or wide, of these series. */
export function fingerprintOfFrame(table: Table, wanted: Wanted): Fingerprint {
  const print = new Fingerprinter();
  const ends = readColumn(table, 'end_date', 'timestamp').values;
  if (table.schema.fields.some(({ name }) => name === 'value')) addLong(print, { table, ends, wanted });
  else addWide(print, { table, ends });
  return print.fingerprint;
}

function addLong(
  print: Fingerprinter,
  { table, ends, wanted }: { table: Table; ends: BigInt64Array; wanted: Wanted },
): void {
  const positions = new Map(wanted.map((series, position) => [series, position]));
  const items = readColumn(table, 'item_id', 'int32').values;
  const regions = readColumn(table, 'region_id', 'int32').values;
  const { values, valid } = readColumn(table, 'value', 'float64');
  for (let row = 0; row < values.length; row++) {
    if (!isValid(valid, row)) continue;
    const position = positions.get(numberOf(items[row]!, regions[row]!))!;
    print.add(position, Number(ends[row]), values[row]!);
  }
}

function addWide(print: Fingerprinter, { table, ends }: { table: Table; ends: BigInt64Array }): void {
  let position = 0;
  for (const { column } of readColumns(table)) {
    if (column.type !== 'float64') continue;
    const { values, valid } = column;
    for (let row = 0; row < values.length; row++) {
      if (isValid(valid, row)) print.add(position, Number(ends[row]), values[row]!);
    }
    position++;
  }
}
