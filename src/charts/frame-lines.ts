import { mapSeries } from '../frame/series/map-series.js';
import { readSeries } from '../frame/series/series-points.js';
import { withoutUnits } from '../frame/series/without-units.js';
import { readColumn } from '../frame/table/columns.js';
import type { LongFrame } from '../frame/table/frame-types.js';
import { readProvenance } from '../frame/table/provenance.js';
import type { SeriesView } from '../frame/table/series-view.js';
import { filter } from '../frame/verbs/filter.js';
import { resample } from '../frame/verbs/resample.js';
import { yearOverYear } from '../frame/verbs/year-over-year.js';
import { type Every, type How, RESAMPLED, type Scale } from '../model/chart-choices.js';
import { fewestNames } from '../model/names/short-labels.js';
import { endOfDay } from '../model/time.js';
import { namesOf, unitOf } from './frame-texts.js';

/** A series of a frame in one unit, by ascending period. */
export interface Line extends Pick<SeriesView, 'key' | 'names'> {
  /** First day of each period, UTC milliseconds. */
  readonly start: Float64Array;
  /** Last day of each period, included. */
  readonly end: Float64Array;
  /** NaN where there is no value. */
  readonly value: Float64Array;
  /** Abbreviation of the unit; empty without one. */
  readonly unit: string;
}

/** The series of a long frame with names, in the order in which they first appear. A series in two units is two lines. */
export function readLines(table: LongFrame): Line[] {
  const provenance = readProvenance(table);
  return readSeries(table).map(({ view, start, end, value }) => ({
    key: view.key,
    names: view.names,
    start,
    end,
    value,
    unit: view.unit_id === null ? '' : unitOf(view, provenance),
  }));
}

/** The points of a line that have a value. */
export function withValues(line: Line): Line {
  if (!line.value.some(Number.isNaN)) return line;
  const hasValue = (_: number, row: number) => !Number.isNaN(line.value[row]);
  const { start, end, value } = line;
  return { ...line, start: start.filter(hasValue), end: end.filter(hasValue), value: value.filter(hasValue) };
}

/** A short label that tells each line from the others; it has the unit if a series is in several units. */
export function labelsOf(lines: readonly Line[]): readonly string[] {
  const labels = fewestNames(lines.map(namesOf));
  const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
  return labels.map((label, at) => (isRepeated(label) ? `${label} (${lines[at]!.unit || at + 1})` : label));
}

/** The choices that change a frame before it is drawn. */
export interface FrameChoices {
  readonly from: string | null;
  readonly to: string | null;
  readonly every: Every | null;
  readonly how: How;
  readonly scale: Scale;
}

/** The frame as it is drawn and downloaded: resampled, compared, of the chosen dates, as a share of the first value. */
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

/** The lines of a frame that have a value. */
export function linesWithValues(frame: LongFrame): Line[] {
  return readLines(frame).filter(({ value }) => value.some((one) => !Number.isNaN(one)));
}

/** The first and the last day of the points of a frame, UTC milliseconds; null without points. */
export function extentOf(table: LongFrame): { fromMs: number; toMs: number } | null {
  if (table.numRows === 0) return null;
  const datesOf = (name: string) => readColumn(table, name, 'timestamp').values;
  const [starts, ends] = [datesOf('start_date'), datesOf('end_date')];
  let [from, to] = [starts[0]!, ends[0]!];
  for (const start of starts) if (start < from) from = start;
  for (const end of ends) if (end > to) to = end;
  return { fromMs: Number(from), toMs: Number(to) };
}

/** Every value as a share of the first one of its series in the frame, times 100; it has no unit. */
function indexed(table: LongFrame): LongFrame {
  const shares = mapSeries(table, 'index', ({ value }) =>
    value.map((one) => (value[0] === 0 ? Number.NaN : (one / value[0]!) * 100)),
  );
  return withoutUnits(shares);
}
