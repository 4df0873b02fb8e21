import type { LongFrame } from '../../frame/table/frame-types.js';
import { parseTime } from '../../model/time.js';
import { readLines } from '../series/lines.js';
import { endOfDay } from '../state/request.js';
import { asKnown } from './as-known.js';

/** How the values of periods moved from vintage to vintage. */
export interface Triangle {
  /** Days of vintages, ascending, `YYYY-MM-DD`. */
  readonly days: readonly string[];
  readonly unit: string;
  readonly rows: readonly TriangleRow[];
}

/** A period, and its value in each vintage; undefined where it was not known yet. */
export interface TriangleRow {
  readonly start: number;
  readonly end: number;
  readonly values: readonly (number | undefined)[];
}

/** The vintages of one series on some days: a row for each period of which the value changed among them, latest first. */
export function triangleOf(history: LongFrame, days: readonly string[]): Triangle {
  const rows = new Map<string, { start: number; end: number; values: (number | undefined)[] }>();
  let unit = '';
  for (const [at, day] of days.entries()) {
    const [line] = readLines(asKnown(history, parseTime(endOfDay(day), 'day')));
    if (line === undefined) continue;
    unit = line.unit;
    line.start.forEach((start, row) => {
      const key = `${start} ${line.end[row]}`;
      const known = rows.get(key) ?? {
        start,
        end: line.end[row]!,
        values: new Array<number | undefined>(days.length).fill(undefined),
      };
      known.values[at] = line.value[row]!;
      rows.set(key, known);
    });
  }
  return { days, unit, rows: [...rows.values()].sort((a, b) => b.start - a.start) };
}
