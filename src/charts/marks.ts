import type { ChartBand, ChartLine } from './chart-spec.js';
import { type Layout, MUTED_INK, textWidth } from './layout.js';
import { spreadHeights } from './scales.js';
import { type Attributes, element, linePath, textElement } from './svg.js';

const LABEL_GAP = 15;

export function renderBand({ x, low, high, label, colour }: ChartBand, layout: Layout): string {
  const upper = linePath(Array.from(x, layout.x), Array.from(high, layout.y));
  const lower = linePath(Array.from(x, layout.x).reverse(), Array.from(low, layout.y).reverse());
  const d = `${upper}${lower.replace('M', 'L')}Z`;
  return element('path', { d, fill: colour }, textElement('title', {}, label));
}

/** A swatch and a label for each band, in a row above the plot. */
export function renderBandLegend(bands: readonly ChartBand[], { left, top }: Layout): string {
  const y = top - 22;
  let x = left;
  return bands
    .map(({ label, colour }) => {
      const swatch = element('rect', { x, y, width: 16, height: 12, fill: colour });
      const name = textElement('text', { x: x + 22, y: y + 10, fill: MUTED_INK }, label);
      x += 22 + textWidth(label) + 24;
      return swatch + name;
    })
    .join('');
}

export function renderLine({ x, y, colour, width, dash, label }: ChartLine, layout: Layout): string {
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

/** A label beside the last point of each line; labels at the right edge are spread so that they do not overlap. */
export function renderEndLabels(lines: readonly ChartLine[], layout: Layout): string {
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
    ...atEdge.map((label, i) => renderEdgeLabel(label, heights[i]!, layout)),
    ...inside.map(({ line, label, x, y }) =>
      renderLabel(line, label, { x: x - 4, y: y - 10, 'text-anchor': 'end' }),
    ),
  ].join('');
}

/** A label to the right of the plot, with a leader line. */
function renderEdgeLabel({ line, label, x, y }: EndLabel, height: number, { right }: Layout): string {
  const leader = { d: linePath([x + 2, right + 14], [y, height]), fill: 'none', stroke: line.colour };
  return element('path', leader) + renderLabel(line, label, { x: right + 18, y: height + 4 });
}

/** Text with a white outline, so that it is readable over lines. */
function renderLabel(line: ChartLine, label: string, at: Attributes): string {
  const weight = line.width > 2.5 ? 700 : 400;
  const outline = {
    stroke: '#ffffff',
    'stroke-width': 3,
    'paint-order': 'stroke',
    'stroke-linejoin': 'round',
  };
  return textElement('text', { ...at, 'font-weight': weight, ...outline }, label);
}

function lastPoint({ x, y }: ChartLine): { x: number; y: number } | null {
  for (let i = y.length - 1; i >= 0; i--) if (!Number.isNaN(y[i]!)) return { x: x[i]!, y: y[i]! };
  return null;
}
