import type { ChartBand, ChartLine } from './chart-spec.js';
import { type Layout, QUIET_INK, textWidth } from './layout.js';
import { spreadHeights } from './scales.js';
import { type Attributes, element, linePath, textElement } from './svg.js';

const LABEL_GAP = 15;

export function bandArea({ x, low, high, label, colour }: ChartBand, layout: Layout): string {
  const there = linePath(Array.from(x, layout.x), Array.from(high, layout.y));
  const back = linePath(Array.from(x, layout.x).reverse(), Array.from(low, layout.y).reverse());
  const d = `${there}${back.replace('M', 'L')}Z`;
  return element('path', { d, fill: colour }, textElement('title', {}, label));
}

/** A swatch and a name for each band, in a row above the axes. */
export function bandLegend(bands: readonly ChartBand[], { left, top }: Layout): string {
  const y = top - 22;
  let x = left;
  return bands
    .map(({ label, colour }) => {
      const swatch = element('rect', { x, y, width: 16, height: 12, fill: colour });
      const name = textElement('text', { x: x + 22, y: y + 10, fill: QUIET_INK }, label);
      x += 22 + textWidth(label) + 24;
      return swatch + name;
    })
    .join('');
}

export function lineStroke({ x, y, colour, width, dash, label }: ChartLine, layout: Layout): string {
  const attributes = {
    d: linePath(Array.from(x, layout.x), Array.from(y, layout.y)),
    fill: 'none',
    stroke: colour,
    'stroke-width': width,
    'stroke-dasharray': dash,
    'stroke-linejoin': 'round',
    'stroke-linecap': 'round',
  };
  return label === undefined
    ? element('path', attributes)
    : element('path', attributes, textElement('title', {}, label));
}

interface EndLabel {
  readonly line: ChartLine;
  readonly label: string;
  readonly x: number;
  readonly y: number;
}

/** A label beside each line's last point; those at the right edge are moved apart where they would touch. */
export function endLabels(lines: readonly ChartLine[], layout: Layout): string {
  const labels = lines.flatMap((line): EndLabel[] => {
    const last = lastPoint(line);
    if (line.label === undefined || last === null) return [];
    return [{ line, label: line.label, x: layout.x(last.x), y: layout.y(last.y) }];
  });
  const atEdge = labels.filter(({ x, label }) => x + textWidth(label) > layout.right);
  const inside = labels.filter((label) => !atEdge.includes(label));
  const heights = spreadHeights(
    atEdge.map(({ y }) => y),
    LABEL_GAP,
    [layout.top, layout.bottom],
  );
  return [
    ...atEdge.map((label, i) => edgeLabel(label, heights[i]!, layout)),
    ...inside.map(({ line, label, x, y }) =>
      labelText(line, label, { x: x - 4, y: y - 10, 'text-anchor': 'end' }),
    ),
  ].join('');
}

/** Beside the plot, with a thread back to the line. */
function edgeLabel({ line, label, x, y }: EndLabel, height: number, { right }: Layout): string {
  const thread = { d: linePath([x + 2, right + 14], [y, height]), fill: 'none', stroke: line.colour };
  return element('path', thread) + labelText(line, label, { x: right + 18, y: height + 4 });
}

/** A white rim keeps the text readable where it lies over other lines. */
function labelText(line: ChartLine, label: string, at: Attributes): string {
  const weight = line.width > 2.5 ? 700 : 400;
  const rim = { stroke: '#ffffff', 'stroke-width': 3, 'paint-order': 'stroke', 'stroke-linejoin': 'round' };
  return textElement('text', { ...at, 'font-weight': weight, ...rim }, label);
}

function lastPoint({ x, y }: ChartLine): { x: number; y: number } | null {
  for (let i = y.length - 1; i >= 0; i--) if (!Number.isNaN(y[i]!)) return { x: x[i]!, y: y[i]! };
  return null;
}
