import { ArgumentError } from '../../model/errors.js';
import { Chart } from '../chart.js';
import { type ChartTexts, sizeOf, titleOf } from '../chart-texts.js';
import { withDetail } from '../frame-texts.js';
import { COLOURS } from '../theme.js';
import { dataOf, TIME_AXIS, type TimePlan } from './line-layers.js';

/** More panels cannot be read. */
const MAX_PANELS = 60;

/** Narrower panels cut the names of their series off. */
const MIN_PANEL_WIDTH = 120;

/**
 * A panel for each line, with the same axes, so that lines are compared by their shape and height.
 * @throws ArgumentError above 60 lines, or for lines in several units
 */
export function panels(plan: TimePlan, texts: ChartTexts & { title: string; description: string }): Chart {
  const { lines, labels } = plan;
  const units = new Set(lines.map(({ unit }) => unit));
  if (lines.length > MAX_PANELS || units.size > 1) throw tooMany(lines.length, units);
  const { width, height } = sizeOf(texts);
  const columns = Math.max(2, Math.min(lines.length <= 12 ? 4 : 6, Math.floor(width / MIN_PANEL_WIDTH)));
  const rows = Math.ceil(lines.length / columns);
  const panelWidth = Math.max(40, Math.floor((width - 70) / columns) - 16);
  const panelHeight = Math.max(36, Math.floor((height - 110) / rows) - 34);
  const { measure, unit } = lines[0]!;
  const y = { field: 'v', type: 'quantitative', scale: { zero: false }, axis: { title: null, tickCount: 3 } };
  const x = { ...TIME_AXIS, axis: { title: null, tickCount: 2, labelOverlap: true } };
  const facet = {
    field: 'label',
    type: 'nominal',
    sort: labels,
    title: null,
    header: { labelPadding: 2, labelLimit: panelWidth },
  };
  const panel = {
    width: panelWidth,
    height: panelHeight,
    layer: [
      { mark: { type: 'line', strokeWidth: 1.2, color: COLOURS[0] }, encoding: { x, y } },
      {
        transform: [{ filter: 'datum.p === 1' }],
        mark: { type: 'point', filled: true, size: 14, color: COLOURS[0] },
        encoding: { x, y },
      },
    ],
  };
  const caption = {
    width: 10,
    height: 1,
    data: { values: [{}] },
    mark: { type: 'text', style: 'caption', x: 0, y: 0, text: texts.source ?? '' },
  };
  const subtitle = [texts.subtitle, withDetail(measure, unit)].filter(Boolean).join(' · ');
  return new Chart({
    description: texts.description,
    padding: 12,
    title: titleOf(texts.title, subtitle),
    vconcat: [
      { ...dataOf(plan), facet, columns, spacing: 14, spec: panel },
      ...(texts.source === undefined ? [] : [caption]),
    ],
  });
}

function tooMany(count: number, units: ReadonlySet<string>): ArgumentError {
  const what = count > MAX_PANELS ? `${count} series` : `${count} series in ${units.size} units`;
  return new ArgumentError(
    'series',
    `${what} cannot be told apart in one chart; draw at most ${MAX_PANELS} of one unit, or highlight one of them`,
  );
}
