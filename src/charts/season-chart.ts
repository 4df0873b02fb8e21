import type { Climatology } from '../agronomy/degree-days/climatology.js';
import { dateParts } from '../model/calendar.js';
import { ArgumentError } from '../model/errors.js';
import { DAY_MS, parseTime, utcDay } from '../model/time.js';
import type { Chart, ChartTexts } from './chart.js';
import { timesOf, valueSpan } from './lines.js';
import { type LineMark, type Mark, panelChart } from './panels.js';
import { COLOURS, colourAt, QUIET_COLOUR } from './theme.js';

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

/** Seasons over a shared calendar. @throws ArgumentError when none has the highlighted label */
export function seasonChart(lines: readonly SeasonLine[], texts: SeasonChartTexts): Chart {
  const isDated = lines[0]!.start_date !== null;
  const highlight = texts.highlight === undefined ? null : indexOfLabel(lines, texts.highlight);
  const behind = texts.climatology && climatologyMarks(texts.climatology, lines[0]!.start_date);
  const styles = lines.map((_, at) => styleOf(lines, at, highlight));
  const ends = lines.map(({ label, accumulated }) => {
    const total = accumulated.at(-1) ?? 0;
    return { value: total, text: `${label} · ${Math.round(total).toLocaleString('en-US')}` };
  });
  const shown = new Set(shownLabels(ends, highlight));
  const marks: Mark[] = [
    ...(behind ?? []),
    ...lines.map(
      (line, s): LineMark => ({
        mark: 'line',
        series: s,
        label: shown.has(ends[s]!) ? ends[s]!.text : '',
        x: datesOf(line),
        y: line.accumulated.map((value) => (Number.isFinite(value) ? value : Number.NaN)),
        ...styles[s]!,
      }),
    ),
  ];
  const drawn = marks.map((mark) => (mark.mark === 'area' ? mark.high : (mark as LineMark).y));
  const domain: [number, number] = [0, Math.max(1, valueSpan(drawn)[1])];
  const times = timesOf(lines.map((line) => ({ x: datesOf(line), y: line.accumulated })));
  const panel = {
    x: isDated
      ? { kind: 'months' as const, domain: times }
      : { kind: 'number' as const, domain: times, title: 'Days from the start' },
    y: [{ domain, title: `Accumulated degree days (${texts.unit})` }],
    marks,
  };
  const labels = lines.map(({ label }) => label);
  return panelChart([panel], texts, { labels, colours: styles.map(({ colour }) => colour) });
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
  const colour = colourAt(groups.length > 1 ? groups.indexOf(group) : at);
  const dashAt = groups.length > 1 ? inGroup : Math.floor(at / COLOURS.length);
  return {
    colour: isQuiet ? QUIET_COLOUR : colour,
    dash: DASHES[dashAt % DASHES.length]!,
    width: highlight === at ? 2.8 : isQuiet ? 1 : 1.8,
  };
}

/** Colours of the bands, outermost first, which are seen on white and on black. */
const BAND_COLOURS = ['#8ab6d8', '#5c98c4', '#3d7fae'] as const;
const BAND_OPACITY = 0.35;

/** The colour of the median and of its label. */
const MEDIAN_COLOUR = '#3d7fae';

/**
 * Bands between the percentiles of a climatology, widest first, and its median.
 * @param start the first day of the seasons; null when they have no dates
 * @throws ArgumentError when the climatology begins on another day of the year
 */
function climatologyMarks({ days, percentiles, curves }: Climatology, start: string | null): Mark[] {
  if (start?.slice(5) !== days[0]) {
    throw new ArgumentError(
      'climatology',
      `the climatology begins on ${days[0]}, the seasons on ${start?.slice(5) ?? 'no date'}; compute both from the same first day of the year`,
    );
  }
  const x = seasonDates(`2001-${days[0]}`, days.length);
  const bands = Array.from({ length: Math.floor(percentiles.length / 2) }, (_, i): Mark => {
    const j = percentiles.length - 1 - i;
    const label = `${percentiles[i]}th to ${percentiles[j]}th percentile`;
    const colour = BAND_COLOURS[i % BAND_COLOURS.length]!;
    return { mark: 'area', label, x, low: curves[i]!, high: curves[j]!, colour, opacity: BAND_OPACITY };
  });
  const median = curves[percentiles.indexOf(50)];
  if (median === undefined) return bands;
  const line = { colour: MEDIAN_COLOUR, width: 1.5, dash: [6, 4] };
  return [...bands, { mark: 'line', series: -1, label: 'Median', x, y: median, ...line }];
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
