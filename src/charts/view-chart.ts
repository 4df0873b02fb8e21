import { creditOfSeries } from '../frame/display/credit.js';
import type { LongFrame } from '../frame/table/frame-types.js';
import { readProvenance } from '../frame/table/provenance.js';
import { frameSeries } from '../frame/table/series-view.js';
import type { Axes, Scale } from '../model/chart-choices.js';
import type { Note } from '../model/chart-notes.js';
import { FREQUENCIES, periodDays } from '../model/frequency.js';
import { DAY_MS, parseTime } from '../model/time.js';
import type { Chart } from './chart.js';
import { plotFrame } from './frame.js';
import { type Line, labelsOf, withValues } from './frame-lines.js';
import { namesOf, nameViews } from './frame-texts.js';
import { headline, type Writer } from './headline.js';
import { joinTexts } from './lines.js';
import type { Annotation } from './panels.js';
import { plotUsualYear, plotYears } from './years.js';

/** Lines that are smooth by themselves, and days of fine values that are not. */
const MAX_SMOOTHED = 4;
const FINE_DAYS = 8;
const MIN_SMOOTHED_DAYS = 400;
const SMOOTH_DAYS = 31;

/** How values are drawn where nothing is chosen: daily ones of more than a year as smooth lines over faint days. */
export function drawnScale(scale: Scale, lines: readonly Line[]): Exclude<Scale, 'auto'> {
  if (scale !== 'auto') return scale;
  const isLong = ({ start }: Line) => start.at(-1)! - start[0]! > MIN_SMOOTHED_DAYS * DAY_MS;
  const isFine = lines.every((line) => daysOf(line) < FINE_DAYS && isLong(line));
  return isFine && lines.length <= MAX_SMOOTHED ? 'smooth' : 'normal';
}

function daysOf({ key }: Pick<Line, 'key'>): number {
  const frequency = FREQUENCIES.find(({ id }) => id === key.frequency_id);
  return frequency === undefined ? 365 : periodDays(frequency);
}

/** How the frame of a view is drawn. */
interface ViewLook {
  readonly scale: Exclude<Scale, 'auto'>;
  readonly axes: Axes;
  readonly notes: readonly Note[];
  readonly highlight: string | null;
  readonly width: number;
  readonly height: number;
  /** Points above which the chart is thinned; undefined for the usual number. */
  readonly maxPoints?: number | undefined;
  /** Regions in the order of their colours. */
  readonly places: readonly number[];
  /** How the sentence of the title is written. */
  readonly write: Writer;
  /** The day as of which the values were known; null for the newest state. */
  readonly asof: string | null;
  /** Further remarks below the chart. */
  readonly remarks?: readonly string[] | undefined;
}

/** The chart of a frame as a link says, with a title made of the figures. */
export function viewChart(frame: LongFrame, lines: readonly Line[], look: ViewLook): Chart {
  const { scale, highlight, width, height, maxPoints, axes, notes, places, write, asof, remarks = [] } = look;
  const annotations = notes.map(
    ({ from, to, value, text }): Annotation => ({
      from: from ?? undefined,
      to: to ?? undefined,
      value: value ?? undefined,
      text,
    }),
  );
  const said = [...(asof === null ? [] : [`As known on ${write.day(parseTime(asof, 'day'))}`]), ...remarks];
  const credit = creditOfSeries(frameSeries(frame), readProvenance(frame));
  const whole = {
    width,
    height,
    source: said.length === 0 ? credit : joinTexts([credit ?? 'unknown', ...said]),
  };
  const size = {
    ...whole,
    highlight: highlight ?? undefined,
    maxPoints,
    axes,
    annotations,
    places,
  };
  if (scale === 'index')
    return plotFrame(frame, { ...size, measure: 'Index, first value = 100', unit: 'index' });
  if (scale === 'yoy') return plotFrame(frame, { ...size, measure: 'Change on a year before', unit: '%' });
  if (scale === 'season') return plotYears(frame, { ...whole, maxPoints });
  const named = sentenceOf(frame, lines, write);
  if (scale === 'usual') return plotUsualYear(frame, { ...whole, ...named });
  return plotFrame(frame, { ...size, ...named, smooth: scale === 'smooth' ? SMOOTH_DAYS : undefined });
}

/** The title as a sentence made of the figures, above the names of the series. */
function sentenceOf(
  frame: LongFrame,
  lines: readonly Line[],
  write: Writer,
): { title?: string; subtitle?: string } {
  const said = linesHeadline(lines, write);
  if (said === null) return {};
  const { title, subtitle } = nameViews(frameSeries(frame));
  return { title: said, subtitle: joinTexts([title, subtitle]) };
}

/** The series of a frame in one sentence. */
export function linesHeadline(
  lines: readonly Line[],
  write: Writer,
  names: { readonly item?: string; readonly region?: string } = {},
): string | null {
  const labels = labelsOf(lines);
  const named = lines.map(withValues).map((line, at) => {
    const [metric, item, region] = namesOf(line);
    const end = line.end.map((ms) => ms + DAY_MS);
    return { ...line, end, label: labels[at]!, periodDays: daysOf(line), metric, item, region, ...names };
  });
  return headline(named, write);
}
