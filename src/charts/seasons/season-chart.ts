import type { Climatology } from '../../agronomy/degree-days/climatology.js';
import { ArgumentError } from '../../model/errors.js';
import type { Chart } from '../chart.js';
import { type ChartTexts, singlePanel, sizeOf } from '../chart-texts.js';
import { byLine, MONTHS } from '../lines/line-styles.js';
import { COLOURS, QUIET_COLOUR } from '../theme.js';
import { climatologyLayers, MEDIAN_COLOUR } from './climatology-layers.js';
import { type EndLabel, shownLabels, spreadLabels } from './end-labels.js';
import { seasonDates } from './season-axis.js';

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
