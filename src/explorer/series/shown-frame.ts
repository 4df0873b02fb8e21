import { mapSeries } from '../../frame/series/map-series.js';
import { withoutUnits } from '../../frame/series/without-units.js';
import { readColumn } from '../../frame/table/columns.js';
import type { LongFrame } from '../../frame/table/frame-types.js';
import { filter } from '../../frame/verbs/filter.js';
import { resample } from '../../frame/verbs/resample.js';
import { yearOverYear } from '../../frame/verbs/year-over-year.js';
import { endOfDay, RESAMPLED } from '../state/request.js';
import type { ViewState } from '../state/view-state.js';
import { type Line, readLines } from './lines.js';

/** The choices that change a frame before it is drawn. */
export type FrameChoices = Pick<ViewState, 'from' | 'to' | 'every' | 'how' | 'scale'>;

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
