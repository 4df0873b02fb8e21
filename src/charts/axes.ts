import type { Chart } from './chart-spec.js';
import { GRID, INK, type Layout, QUIET_INK, textWidth } from './layout.js';
import { tickText } from './scales.js';
import { element, textElement } from './svg.js';

/** Title, subtitle and source line, smaller where the picture is too narrow for them. */
export function headings(chart: Chart, { left, width, height }: Layout): string {
  const heading = (text: string, y: number, [size, weight, fill]: readonly [number, number, string]) => {
    const fitting = Math.min(size, (size * (width - left - 12)) / textWidth(text, size));
    return textElement('text', { x: left, y, 'font-size': fitting, 'font-weight': weight, fill }, text);
  };
  const { title, subtitle, source } = chart;
  return [
    heading(title, 32, [18, 600, INK]),
    subtitle === undefined ? '' : heading(subtitle, 54, [13, 400, QUIET_INK]),
    source === undefined ? '' : heading(source, height - 14, [11, 400, QUIET_INK]),
  ].join('');
}

export function yAxis(chart: Chart, { left, right, top, bottom, y, yTicks }: Layout): string {
  const step = yTicks[1]! - yTicks[0]!;
  const rungs = yTicks.map((value) => {
    const stroke = value === 0 || value === yTicks[0] ? QUIET_INK : GRID;
    return (
      element('line', { x1: left, x2: right, y1: y(value), y2: y(value), stroke, 'stroke-width': 1 }) +
      textElement(
        'text',
        { x: left - 8, y: y(value) + 4, 'text-anchor': 'end', fill: QUIET_INK },
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
  return rungs.join('') + title;
}

export function xAxis(chart: Chart, { left, right, bottom, x }: Layout): string {
  const ticks = chart.xTicks.map(
    ({ at, text }) =>
      element('line', {
        x1: x(at),
        x2: x(at),
        y1: bottom,
        y2: bottom + 5,
        stroke: QUIET_INK,
        'stroke-width': 1,
      }) + textElement('text', { x: x(at), y: bottom + 19, 'text-anchor': 'middle', fill: QUIET_INK }, text),
  );
  const title = textElement(
    'text',
    { x: (left + right) / 2, y: bottom + 40, 'text-anchor': 'middle' },
    chart.xTitle,
  );
  return ticks.join('') + title;
}
