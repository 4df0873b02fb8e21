import { withDetail } from '../../frame/display/credit.js';
import { ArgumentError } from '../../model/errors.js';
import { Chart } from '../chart.js';
import { type ChartTexts, sizeOf, titleOf } from '../chart-texts.js';
import { COLOURS } from '../theme.js';
import { dataOf, distinctLabels, rowKinds, TIME_AXIS, type TimePlan } from './line-layers.js';
import { timesOf } from './line-rows.js';

/** More panels cannot be read. */
const MAX_PANELS = 60;

/** Narrower panels show no shape. */
const MIN_PANEL_WIDTH = 120;
/** Wider ones, for names of two lines, leave too few beside each other. */
const MAX_NAME_WIDTH = 260;

const SPACING = 14;
/** Splits a heading into its lines. */
const HEADING = "split(datum.label, '\\n')";

/** Pixels of a letter of a heading, and of a line of it. */
const LETTER = 6.8;
const LINE_HEIGHT = 13;
const MAX_HEADING_LINES = 3;

/**
 * A panel for each line, with the same axes, so that lines are compared by their shape and height.
 * @throws ArgumentError above 60 lines, or for lines in several units
 */
export function panels(plan: TimePlan, texts: ChartTexts & { title: string; description: string }): Chart {
  const { lines, labels } = plan;
  const units = new Set(lines.map(({ unit }) => unit));
  if (lines.length > MAX_PANELS || units.size > 1) throw tooMany(lines.length, units);
  const { width, height } = sizeOf(texts);
  const nameWidth = Math.min(MAX_NAME_WIDTH, (LETTER / 2) * Math.max(...labels.map(({ length }) => length)));
  const wanted = Math.floor(width / (Math.max(MIN_PANEL_WIDTH, nameWidth) + 16));
  const columns = Math.max(2, Math.min(lines.length <= 12 ? 4 : 6, wanted));
  const rows = Math.ceil(lines.length / columns);
  const panelWidth = Math.max(40, Math.floor((width - 56) / columns) - SPACING);
  const headings = distinctLabels(labels.map((label) => linesOf(label, panelWidth)));
  const headingLines = Math.max(...headings.map((one) => one.split('\n').length));
  const panelHeight = Math.max(36, Math.floor((height - 110) / rows) - 21 - LINE_HEIGHT * headingLines);
  const { measure, unit } = lines[0]!;
  const y = { field: 'v', type: 'quantitative', scale: { zero: false }, axis: { title: null, tickCount: 3 } };
  const x = { ...TIME_AXIS, axis: { ...TIME_AXIS.axis, tickCount: 2, labelOverlap: true } };
  const facet = {
    field: 'label',
    type: 'nominal',
    sort: headings,
    title: null,
    header: {
      labelPadding: 2,
      labelLimit: 0,
      labelExpr: HEADING,
      labelLineHeight: LINE_HEIGHT,
    },
  };
  const { hasLone, hasBreaks } = rowKinds(plan.rows);
  const lone = {
    transform: [{ filter: 'datum.p === 1' }],
    mark: { type: 'point', filled: true, size: 14, color: COLOURS[0] },
    encoding: { x, y },
  };
  const panel = {
    width: panelWidth,
    height: panelHeight,
    layer: [
      {
        mark: { type: 'line', strokeWidth: 1.2, color: COLOURS[0], ...(!hasBreaks && { invalid: null }) },
        encoding: { x, y },
      },
      ...(hasLone ? [lone] : []),
    ],
  };
  const caption = {
    width: 10,
    height: 1,
    data: { values: [{}] },
    mark: { type: 'text', style: 'caption', x: 0, y: 0, text: texts.source ?? '' },
  };
  const subtitle = [texts.subtitle, withDetail(measure, unit)].filter(Boolean).join(' · ');
  const { title, description, source = '' } = texts;
  const named = { labels, panels: headings, bands: [], times: timesOf(plan.rows) };
  return new Chart({ title, subtitle, source, description, ...named }, (form) => ({
    description,
    padding: 12,
    ...(form.texts && { title: titleOf(title, subtitle) }),
    vconcat: [
      {
        ...dataOf({ rows: plan.rows, labels: headings, names: labels }),
        facet,
        columns,
        spacing: SPACING,
        spec: panel,
      },
      ...(form.texts && source !== '' ? [caption] : []),
    ],
  }));
}

/** A name on as many lines as it needs in a panel; what three lines do not hold is cut. Vega would cut by a guess where no browser measures. */
function linesOf(name: string, width: number): string {
  const letters = Math.max(2, Math.floor(width / LETTER));
  const lines: string[] = [];
  for (const word of name.split(' ')) {
    const last = lines.at(-1);
    const isFull = last === undefined || last.length + 1 + word.length > letters;
    if (isFull && lines.length < MAX_HEADING_LINES) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => (line.length > letters ? `${line.slice(0, letters - 1)}…` : line)).join('\n');
}

function tooMany(count: number, units: ReadonlySet<string>): ArgumentError {
  const what = count > MAX_PANELS ? `${count} series` : `${count} series in ${units.size} units`;
  return new ArgumentError(
    'series',
    `${what} cannot be told apart in one chart; draw at most ${MAX_PANELS} of one unit, or highlight one of them`,
  );
}
