import { table as aqTable, op } from 'arquero';
import { isValid } from '../../src/columns/bitmap.js';
import { SERIES_KEY_FIELDS } from '../../src/model/series.js';
import { type PlainLong, type PlainWide, readEnds } from './plain-loops.js';
import type { PointBatches } from './points.js';

type AqTable = ReturnType<typeof aqTable>;

/** The batches as Arquero tables with the ids of their series; a null value is NaN, dates are milliseconds. */
export function loadArquero({ series, batches }: PointBatches): AqTable[] {
  const tables = SERIES_KEY_FIELDS.map((field) => Int32Array.from(series, (key) => key[field]));
  return batches.map((batch) =>
    aqTable({
      series: batch.series,
      start_date: readEnds(batch.start_date),
      end_date: readEnds(batch.end_date),
      value: batch.value.map((value, i) => (isValid(batch.value_valid, i) ? value : Number.NaN)),
      unit_id: batch.unit_id,
      ...Object.fromEntries(
        SERIES_KEY_FIELDS.map((field, at) => [
          field,
          Int32Array.from(batch.series, (position) => tables[at]![position]!),
        ]),
      ),
    }),
  );
}

export function concatenateInArquero(tables: readonly AqTable[]): AqTable {
  return tables[0]!.concat(...tables.slice(1));
}

export function pivotInArquero(points: AqTable): AqTable {
  return points.groupby('end_date').pivot('series', { value: (d: { value: number }) => op.any(d.value) });
}

/** The long table's columns; it is in frame order already. */
export function plainLongOf(table: AqTable): PlainLong {
  const numbers = (name: string) => Float64Array.from(table.array(name) as ArrayLike<number>);
  const value = numbers('value');
  return {
    start: BigInt64Array.from(numbers('start_date'), BigInt),
    end: BigInt64Array.from(numbers('end_date'), BigInt),
    value,
    hasValue: Uint8Array.from(value, (each) => (Number.isNaN(each) ? 0 : 1)),
    unit: Int32Array.from(numbers('unit_id')),
    reporting: new BigInt64Array(value.length),
    ids: SERIES_KEY_FIELDS.map((field) => Int32Array.from(numbers(field))),
  };
}

/** The wide table's columns, by date and in the order of the series. */
export function plainWideOf(table: AqTable, series: number): PlainWide {
  const sorted = table.orderby('end_date').reify();
  const column = (name: string) =>
    Float64Array.from(sorted.array(name) as ArrayLike<number | undefined>, (value) => value ?? Number.NaN);
  return {
    dates: column('end_date'),
    columns: Array.from({ length: series }, (_, at) => column(String(at))),
  };
}
