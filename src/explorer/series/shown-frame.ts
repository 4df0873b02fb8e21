import type { FrameColumn, LongFrame } from '../../browser.js';
import { fromColumns, toColumns } from '../../browser.js';
import { filter, resample, yearOverYear } from '../../frame.js';
import { endOfDay, RESAMPLED } from '../state/request.js';
import { SERIES_FIELDS } from '../state/series-id.js';
import type { ViewState } from '../state/view-state.js';
import { isSet } from './is-set.js';

/** The choices that change a frame before it is drawn. */
export type FrameChoices = Pick<ViewState, 'from' | 'to' | 'every' | 'how' | 'scale'>;

/** The frame as it is drawn and taken away: resampled, compared, of the chosen dates, as a share of the first value. */
export function shownFrame(table: LongFrame, { from, to, every, how, scale }: FrameChoices): LongFrame {
  let frame = table;
  if (every !== null) frame = resample(frame, { to: RESAMPLED[every], how });
  if (scale === 'yoy') frame = yearOverYear(frame, { as: 'percent' });
  if (from !== null || to !== null)
    frame = filter(frame, {
      start_date: from ?? undefined,
      end_date: to === null ? undefined : endOfDay(to),
    });
  return scale === 'index' ? indexed(frame) : frame;
}

/** Some rows of a frame, in the given order. */
export function takeRows(table: LongFrame, rows: readonly number[]): LongFrame {
  const columns = Object.entries(toColumns(table)).map(([name, column]) => [name, takeColumn(column, rows)]);
  return fromColumns(Object.fromEntries(columns), {
    metadata: table.schema.metadata,
  }) as unknown as LongFrame;
}

function takeColumn(column: FrameColumn, rows: readonly number[]): FrameColumn {
  const valid = column.valid === null ? null : bitmapOf(rows, (row) => isSet(column.valid, row));
  const { values } = column;
  if (column.type === 'utf8') return { ...column, valid, values: rows.map((row) => column.values[row]!) };
  const Kind = values.constructor as new (length: number) => Float64Array;
  const taken = new Kind(rows.length);
  rows.forEach((row, at) => {
    taken[at] = values[row] as number;
  });
  return { ...column, valid, values: taken } as FrameColumn;
}

/** Every value as a share of the first one of its series in the frame, times 100; it has no unit. */
function indexed(table: LongFrame): LongFrame {
  const columns = toColumns(table);
  const ids = [...SERIES_FIELDS, 'unit_id'].map((name) => columns[name]!.values as Int32Array);
  const { values, valid } = columns.value as { values: Float64Array; valid: Uint8Array | null };
  const bases = new Map<string, number>();
  const shares = values.map((value, row) => {
    if (!isSet(valid, row) || Number.isNaN(value)) return Number.NaN;
    const key = ids.map((column) => column[row]).join();
    const base = bases.get(key) ?? value;
    bases.set(key, base);
    return base === 0 ? Number.NaN : (value / base) * 100;
  });
  const isKnown = bitmapOf([...shares.keys()], (row) => !Number.isNaN(shares[row]));
  const none = new Uint8Array((table.numRows + 7) >> 3);
  const withoutUnit = Object.fromEntries(
    ['unit_id', 'unit_name'].flatMap((name) =>
      columns[name] === undefined ? [] : [[name, { ...columns[name], valid: none }]],
    ),
  );
  const value = { type: 'float64', values: shares, valid: isKnown } as const;
  const metadata = table.schema.metadata;
  return fromColumns({ ...columns, ...withoutUnit, value }, { metadata }) as unknown as LongFrame;
}

function bitmapOf(rows: readonly number[], test: (row: number) => boolean): Uint8Array {
  const bitmap = new Uint8Array((rows.length + 7) >> 3);
  rows.forEach((row, at) => {
    if (test(row)) bitmap[at >> 3]! |= 1 << (at & 7);
  });
  return bitmap;
}
