import type { Table } from 'apache-arrow';
import type { PointSeries } from '../../src/columns/point-columns.js';
import { longFrame } from '../../src/frame/build/long.js';
import { wideFrame } from '../../src/frame/build/wide.js';
import type { LongFrame, WideFrame } from '../../src/frame/frame.js';
import { exactRows } from './exact-rows.js';
import { NAMES, runsOf, seriesOf } from './points.js';

/** A series of a test: the last day of each period, and its value. */
export type Written = readonly (readonly [start: string, end: string, value: number | null])[];

/** A long frame of test series, with names. */
export function longOf(...series: (readonly [Partial<PointSeries>, Written])[]): LongFrame {
  return longFrame(setOf(series), { names: NAMES });
}

/** A wide frame of test series. */
export function wideOf(...series: (readonly [Partial<PointSeries>, Written])[]): WideFrame {
  return wideFrame(setOf(series), { names: NAMES });
}

function setOf(series: (readonly [Partial<PointSeries>, Written])[]) {
  const points = series.flatMap(([ids, written], at) =>
    written.map(([start, end, value]) => ({ series: at, start, end, value, unit_id: ids.unit_id ?? 7 })),
  );
  return { series: series.map(([ids]) => seriesOf(ids)), runs: runsOf(points) };
}

/** Daily values from a start day. */
export function daily(from: string, values: readonly (number | null)[]): Written {
  return values.map((value, i) => {
    const day = new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10);
    return [day, day, value];
  });
}

/** The 36 dekads of a year, with a value for each from its number. */
export function dekads(year: number, valueIn: (dekad: number) => number | null): Written {
  return Array.from({ length: 36 }, (_, dekad) => {
    const month = Math.floor(dekad / 3);
    const day = 10 * (dekad % 3);
    const last = dekad % 3 === 2 ? Date.UTC(year, month + 1, 0) : Date.UTC(year, month, day + 10);
    const start = new Date(Date.UTC(year, month, day + 1)).toISOString().slice(0, 10);
    return [start, new Date(last).toISOString().slice(0, 10), valueIn(dekad)];
  });
}

/** Monthly values from a start month. */
export function monthly(from: string, values: readonly (number | null)[]): Written {
  const [year, month] = from.split('-').map(Number) as [number, number];
  return values.map((value, i) => {
    const start = new Date(Date.UTC(year, month - 1 + i, 1)).toISOString().slice(0, 10);
    return [start, new Date(Date.UTC(year, month + i, 0)).toISOString().slice(0, 10), value];
  });
}

/** Annual values from a start year. */
export function annual(from: number, values: readonly (number | null)[]): Written {
  return values.map((value, i) => [`${from + i}-01-01`, `${from + i}-12-31`, value]);
}

/** End days and values of a long frame, series by series. */
export function endsAndValues(table: Table): [string, number | null][] {
  return exactRows(table).map((row) => [String(row.end_date).slice(0, 10), row.value as number | null]);
}

/** Values of the columns of a wide frame. */
export function wideValues(table: Table): (number | null)[][] {
  return table.schema.fields.slice(1).map((_, at) => [...table.getChildAt(at + 1)!]);
}
