import type { Climatology } from '../agronomy/degree-days/climatology.js';
import { dateParts } from '../model/calendar.js';
import { ArgumentError } from '../model/errors.js';
import { DAY_MS, parseTime, utcDay } from '../model/time.js';
import { type Chart, type ChartTexts, singlePanel, sizeOf } from './chart.js';
import { byLine, MONTHS } from './lines.js';
import { COLOURS, QUIET_COLOUR } from './theme.js';

/** A season to draw. */
export interface SeasonLine {
  readonly label: string;
  /** Seasons of one group have one colour. */
  readonly group: string;
  /** The first day; null for a season without dates. */
  readonly start_date: string | null;
  /** A value for each day. */
  readonly accumulated: Float64Array;
}

/** Texts and emphasis of a chart of seasons. */
export interface SeasonChartTexts extends ChartTexts {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly highlight?: string | undefined;
  readonly climatology?: Climatology | undefined;
}

const DASHES = [
  [1, 0],
  [7, 3],
  [2, 2],
  [9, 3, 2, 3],
  [12, 4],
  [4, 2, 1, 2],
] as const;

/** Pixels of a panel that titles and axes take, and between labels. */
const FRAME_HEIGHT = 130;
const LABEL_GAP = 15;

/** Seasons over a shared calendar. @throws ArgumentError when none has the highlighted label */
export function seasonChart(lines: readonly SeasonLine[], texts: SeasonChartTexts): Chart {
  const dated = lines[0]!.start_date !== null;
  const highlight = texts.highlight === undefined ? null : indexOfLabel(lines, texts.highlight);
  const x = {
    field: 't',
    ...(dated
      ? MONTHS
      : { type: 'quantitative', scale: { nice: false }, axis: { title: 'Days from the start' } }),
  };
  const max = Math.max(
    1,
    ...lines.flatMap(({ accumulated }) => accumulated.reduce((a, b) => (b > a ? b : a), 0)),
  );
  const bare = { field: 'v', type: 'quantitative' };
  const behind =
    texts.climatology &&
    climatologyLayers(texts.climatology, { start_date: lines[0]!.start_date, x, y: bare });
  const top = Math.max(max, behind?.max ?? 0);
  const y = {
    ...bare,
    scale: { domain: [0, top], nice: true },
    axis: { title: `Accumulated degree days (${texts.unit})` },
  };
  const labels = endLabels(lines, { highlight, top, height: sizeOf(texts).height, median: behind?.median });
  const layer = [...(behind?.layers ?? []), linesLayer(lines, { x, y, highlight }), labelLayer(labels, x)];
  return singlePanel(texts, () => ({ layer }), { bands: behind?.bands ?? [] });
}

function indexOfLabel(lines: readonly SeasonLine[], wanted: string): number {
  const at = lines.findIndex(({ label }) => label === wanted);
  if (at >= 0) return at;
  const choices = lines.slice(0, 10).map(({ label }) => label);
  throw new ArgumentError(
    'highlight',
    `highlight: nothing is labelled "${wanted}"; choose one of ${choices.join(', ')}`,
  );
}

/** Days on the shared calendar, or from 0. */
function datesOf({ start_date, accumulated }: SeasonLine): Float64Array {
  return start_date === null
    ? Float64Array.from(accumulated.keys())
    : seasonDates(start_date, accumulated.length);
}

interface Style {
  readonly colour: string;
  readonly dash: readonly number[];
  readonly width: number;
}

/** The colour is the group's where there are several, else the season's. */
function styleOf(lines: readonly SeasonLine[], at: number, highlight: number | null): Style {
  const groups = [...new Set(lines.map(({ group }) => group))];
  const { group } = lines[at]!;
  const inGroup = lines.slice(0, at).filter((line) => line.group === group).length;
  const isQuiet = highlight !== null && highlight !== at;
  const colour = COLOURS[(groups.length > 1 ? groups.indexOf(group) : at) % COLOURS.length]!;
  const dashAt = groups.length > 1 ? inGroup : Math.floor(at / COLOURS.length);
  return {
    colour: isQuiet ? QUIET_COLOUR : colour,
    dash: DASHES[dashAt % DASHES.length]!,
    width: highlight === at ? 2.8 : isQuiet ? 1 : 1.8,
  };
}

function linesLayer(
  lines: readonly SeasonLine[],
  { x, y, highlight }: { x: object; y: object; highlight: number | null },
): object {
  const styles = lines.map((_, at) => styleOf(lines, at, highlight));
  return {
    data: {
      values: lines.flatMap((line, s) => {
        const dates = datesOf(line);
        return Array.from(line.accumulated, (v, day) => ({
          s,
          t: dates[day]!,
          v: Number.isFinite(v) ? v : null,
        }));
      }),
    },
    mark: { type: 'line' },
    encoding: {
      x,
      y,
      stroke: byLine(styles.map(({ colour }) => colour)),
      strokeDash: byLine(styles.map(({ dash }) => dash)),
      strokeWidth: byLine(styles.map(({ width }) => width)),
    },
  };
}

interface PlacedLabel extends EndLabel {
  readonly t: number;
  readonly v: number;
  readonly colour: string;
}

function endLabels(
  lines: readonly SeasonLine[],
  {
    highlight,
    top,
    height,
    median,
  }: { highlight: number | null; top: number; height: number; median: number | undefined },
): PlacedLabel[] {
  const all = lines.map((line, at) => {
    const value = line.accumulated.at(-1) ?? 0;
    const text = `${line.label} · ${Math.round(value).toLocaleString('en-US')}`;
    return { text, value, t: datesOf(line).at(-1) ?? 0, colour: styleOf(lines, at, highlight).colour };
  });
  const shown = shownLabels(all, highlight);
  if (median !== undefined)
    shown.push({ text: 'Median', value: median, t: shown[0]!.t, colour: MEDIAN_COLOUR });
  const gap = (LABEL_GAP * top) / Math.max(60, height - FRAME_HEIGHT);
  const heights = spreadLabels(
    shown.map(({ value }) => value),
    gap,
    [0, top * 1.05],
  );
  const right = Math.max(...all.map(({ t }) => t));
  return shown.map((label, i) => ({ ...label, t: right, v: heights[i]! }));
}

function labelLayer(labels: readonly PlacedLabel[], x: object): object {
  return {
    data: { values: labels.map(({ t, v, text, colour }) => ({ t, v, text, colour })) },
    mark: { type: 'text', align: 'left', dx: 8, fontSize: 12, limit: 320 },
    encoding: {
      x,
      y: { field: 'v', type: 'quantitative' },
      text: { field: 'text' },
      fill: { field: 'colour', type: 'nominal', scale: null },
    },
  };
}

/** Colours of the bands, outermost first, which are seen on white and on black. */
const BAND_COLOURS = ['#8ab6d8', '#5c98c4', '#3d7fae'] as const;
const BAND_OPACITY = 0.35;

/** The colour of the median and of its label. */
export const MEDIAN_COLOUR = '#3d7fae';

/**
 * Layers of the bands between the percentiles of a climatology, widest first, and of its median.
 * @param start_date the first day of the seasons; null when they have no dates
 * @throws ArgumentError when the climatology begins on another day of the year
 */
export function climatologyLayers(
  { days, percentiles, curves }: Climatology,
  { start_date, x, y }: { start_date: string | null; x: object; y: object },
): { layers: object[]; bands: string[]; max: number; median: number | undefined } {
  if (start_date?.slice(5) !== days[0]) {
    throw new ArgumentError(
      'climatology',
      `the climatology begins on ${days[0]}, the seasons on ${start_date?.slice(5) ?? 'no date'}; compute both from the same first day of the year`,
    );
  }
  const dates = seasonDates(`2001-${days[0]}`, days.length);
  const bands = Array.from({ length: Math.floor(percentiles.length / 2) }, (_, i) => {
    const j = percentiles.length - 1 - i;
    const name = `${percentiles[i]}th to ${percentiles[j]}th percentile`;
    return { name, low: curves[i]!, high: curves[j]! };
  });
  const median = curves[percentiles.indexOf(50)];
  const names = bands.map(({ name }) => name);
  const fill = {
    field: 'band',
    type: 'nominal',
    scale: { domain: names, range: BAND_COLOURS.slice(0, bands.length) },
    legend: { orient: 'top', title: null, symbolType: 'square', symbolStrokeWidth: 0, labelLimit: 320 },
  };
  const area = {
    data: {
      values: bands.flatMap(({ name, low, high }) =>
        Array.from(dates, (t, day) => ({ t, v: finite(low[day]!), high: finite(high[day]!), band: name })),
      ),
    },
    mark: { type: 'area', opacity: BAND_OPACITY },
    encoding: { x, y, y2: { field: 'high' }, fill },
  };
  const line = median && {
    data: { values: Array.from(dates, (t, day) => ({ t, v: finite(median[day]!) })) },
    mark: { type: 'line', strokeDash: [6, 4], strokeWidth: 1.5, color: MEDIAN_COLOUR },
    encoding: { x, y },
  };
  const curvesDrawn = [...bands.map(({ high }) => high), ...(median ? [median] : [])];
  return {
    layers: line === undefined ? [area] : [area, line],
    bands: names,
    max: Math.max(0, ...curvesDrawn.map(maxOf)),
    median: median?.at(-1),
  };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function maxOf(values: Float64Array): number {
  return values.reduce((max, value) => (value > max ? value : max), 0);
}

/** A label at the end of a line, and the value beside which it belongs. */
export interface EndLabel {
  readonly text: string;
  readonly value: number;
}

/** More labels than this do not fit; only the highest, the lowest and the highlighted are shown. */
const MAX_LABELS = 14;

/** The labels to show beside the lines. */
export function shownLabels<Label extends EndLabel>(
  labels: readonly Label[],
  highlight: number | null,
): Label[] {
  if (labels.length <= MAX_LABELS) return [...labels];
  const ascending = [...labels].sort((a, b) => a.value - b.value);
  const kept = new Set([ascending[0]!, ascending.at(-1)!]);
  if (highlight !== null) kept.add(labels[highlight]!);
  return labels.filter((label) => kept.has(label));
}

/**
 * Heights for labels, at least `gap` apart and as near to their values as that allows, in the order of the values.
 * @param limits the lowest and the highest height
 */
export function spreadLabels(
  values: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): number[] {
  const order = [...values.keys()].sort((a, b) => values[a]! - values[b]!);
  const heights = new Array<number>(values.length);
  let floor = low;
  for (const at of order) {
    heights[at] = Math.max(values[at]!, floor);
    floor = heights[at]! + gap;
  }
  let ceiling = high;
  for (const at of order.reverse()) {
    heights[at] = Math.min(heights[at]!, ceiling);
    ceiling = heights[at]! - gap;
  }
  return heights;
}

/** The leap year whose calendar all seasons share. */
const REFERENCE_YEAR = 2000;
const REFERENCE_DAYS = 366;

/**
 * The days of a season on a calendar that all years share, UTC milliseconds in the year 2000 and after it: 1 June has the
 * same position in every year, and that of 29 February is skipped in other years.
 * @param start the first day
 */
export function seasonDates(start: string, days: number): Float64Array {
  const startMs = parseTime(start, 'start');
  const dates = new Float64Array(days);
  let years = 0;
  for (let i = 0; i < days; i++) {
    const { month, day } = dateParts(startMs + i * DAY_MS);
    const position = utcDay(REFERENCE_YEAR, month, day) + years * REFERENCE_DAYS * DAY_MS;
    const isNextYear = i > 0 && position < dates[i - 1]!;
    if (isNextYear) years++;
    dates[i] = isNextYear ? position + REFERENCE_DAYS * DAY_MS : position;
  }
  return dates;
}
