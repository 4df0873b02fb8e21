import type { Chart } from './chart-spec.js';
import { GRID, INK, type Layout, MUTED_INK, textWidth } from './layout.js';
import { tickText } from './scales.js';
import { element, textElement } from './svg.js';

/** Title, subtitle and source; scaled down to fit the width of the chart. */
export function renderHeadings(chart: Chart, { left, width, height }: Layout): string {
  const heading = (text: string, y: number, [size, weight, fill]: readonly [number, number, string]) => {
    const fitting = Math.min(size, (size * (width - left - 12)) / textWidth(text, size));
    return textElement('text', { x: left, y, 'font-size': fitting, 'font-weight': weight, fill }, text);
  };
  const { title, subtitle, source } = chart;
  return [
    heading(title, 32, [18, 600, INK]),
    subtitle === undefined ? '' : heading(subtitle, 54, [13, 400, MUTED_INK]),
    source === undefined ? '' : heading(source, height - 14, [11, 400, MUTED_INK]),
  ].join('');
}

export function renderYAxis(chart: Chart, { left, right, top, bottom, y, yTicks }: Layout): string {
  const step = yTicks[1]! - yTicks[0]!;
  const gridLines = yTicks.map((value) => {
    const stroke = value === 0 || value === yTicks[0] ? MUTED_INK : GRID;
    return (
      element('line', { x1: left, x2: right, y1: y(value), y2: y(value), stroke, 'stroke-width': 1 }) +
      textElement(
        'text',
        { x: left - 8, y: y(value) + 4, 'text-anchor': 'end', fill: MUTED_INK },
        tickText(value, step),
      )
    );
  });
  const middle = (top + bottom) / 2;
  const title = textElement(
    'text',
    { x: 18, y: middle, transform: `rotate(-90 18 ${middle})`, 'text-anchor': 'middle' },
    chart.yTitle,
  );
  return gridLines.join('') + title;
}

export function renderXAxis(chart: Chart, { left, right, bottom, x }: Layout): string {
  const ticks = chart.xTicks.map(
    ({ at, text }) =>
      element('line', {
        x1: x(at),
        x2: x(at),
        y1: bottom,
        y2: bottom + 5,
        stroke: MUTED_INK,
        'stroke-width': 1,
      }) + textElement('text', { x: x(at), y: bottom + 19, 'text-anchor': 'middle', fill: MUTED_INK }, text),
  );
  const title = textElement(
    'text',
    { x: (left + right) / 2, y: bottom + 40, 'text-anchor': 'middle' },
    chart.xTitle,
  );
  return ticks.join('') + title;
}
