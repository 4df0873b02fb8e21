import { linearScale, niceTicks, type Scale, spreadHeights, tickText } from './scales.js';
import { type Attributes, element, linePath, textElement } from './svg.js';

/** One line of a chart; `x` and `y` are in data units, NaN in `y` breaks the line. */
export interface ChartLine {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Written at the line's end; no label when absent. */
  readonly label?: string | undefined;
  readonly colour: string;
  readonly width: number;
  readonly dash?: string | undefined;
}

/** A filled band between two curves over the same `x`. */
export interface ChartBand {
  readonly x: ArrayLike<number>;
  readonly low: ArrayLike<number>;
  readonly high: ArrayLike<number>;
  readonly label: string;
  readonly colour: string;
}

export interface ChartTick {
  readonly at: number;
  readonly text: string;
}

/** Everything that a chart shows; lines and bands are drawn in their order, bands first. */
export interface Chart {
  readonly title: string;
  readonly subtitle?: string | undefined;
  /** What a reader who cannot see the picture is told. */
  readonly description: string;
  /** Where the figures come from, under the picture. */
  readonly source?: string | undefined;
  readonly xTitle: string;
  readonly yTitle: string;
  readonly xDomain: readonly [number, number];
  readonly xTicks: readonly ChartTick[];
  readonly lines: readonly ChartLine[];
  readonly bands?: readonly ChartBand[] | undefined;
  /** Whole picture in pixels; 860 × 520 by default. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  readonly x: Scale;
  readonly y: Scale;
  readonly yTicks: readonly number[];
}

const INK = '#1f2933';
const QUIET_INK = '#52606d';
const GRID = '#e4e7eb';
const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";
const LABEL_SIZE = 12;
const LABEL_GAP = 15;

/** A standalone SVG document: white background, axes with titles, and every line labelled at its end. */
export function renderChart(chart: Chart): string {
  const layout = layOut(chart);
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${layout.width} ${layout.height}`,
      width: layout.width,
      height: layout.height,
      role: 'img',
      'font-family': FONTS,
      'font-size': LABEL_SIZE,
      fill: INK,
    },
    textElement('title', {}, chart.title),
    textElement('desc', {}, chart.description),
    element('rect', { width: layout.width, height: layout.height, fill: '#ffffff' }),
    headings(chart, layout),
    yAxis(chart, layout),
    xAxis(chart, layout),
    bandLegend(chart.bands ?? [], layout),
    ...(chart.bands ?? []).map((band) => bandArea(band, layout)),
    ...chart.lines.map((line) => lineStroke(line, layout)),
    endLabels(chart.lines, layout),
  );
}

function layOut(chart: Chart): Layout {
  const width = chart.width ?? 860;
  const height = chart.height ?? 520;
  const longest = Math.max(0, ...chart.lines.map((line) => textWidth(line.label ?? '')));
  const top = 58 + (chart.subtitle === undefined ? 0 : 20) + (chart.bands?.length ? 24 : 0);
  const [left, right] = [72, width - 30 - longest];
  const bottom = height - (chart.source === undefined ? 54 : 76);
  const yTicks = niceTicks(...valueRange(chart), Math.max(2, Math.round((bottom - top) / 60)));
  return {
    width,
    height,
    left,
    right,
    top,
    bottom,
    yTicks,
    x: linearScale(chart.xDomain, [left, right]),
    y: linearScale([yTicks[0]!, yTicks.at(-1)!], [bottom, top]),
  };
}

function valueRange({ lines, bands = [] }: Chart): [number, number] {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const values of [...lines.map((line) => line.y), ...bands.flatMap((band) => [band.low, band.high])]) {
    for (let i = 0; i < values.length; i++) {
      if (values[i]! < low) low = values[i]!;
      if (values[i]! > high) high = values[i]!;
    }
  }
  return low <= high ? [low, high] : [0, 1];
}

function headings(chart: Chart, { left, width, height }: Layout): string {
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

function yAxis(chart: Chart, { left, right, top, bottom, y, yTicks }: Layout): string {
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

function xAxis(chart: Chart, { left, right, bottom, x }: Layout): string {
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

function bandArea({ x, low, high, label, colour }: ChartBand, layout: Layout): string {
  const there = linePath(Array.from(x, layout.x), Array.from(high, layout.y));
  const back = linePath(Array.from(x, layout.x).reverse(), Array.from(low, layout.y).reverse());
  const d = `${there}${back.replace('M', 'L')}Z`;
  return element('path', { d, fill: colour }, textElement('title', {}, label));
}

/** A swatch and a name for each band, in a row above the axes. */
function bandLegend(bands: readonly ChartBand[], { left, top }: Layout): string {
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

/** Near enough for spacing: no font is measured here. */
function textWidth(text: string, size = LABEL_SIZE): number {
  return text.length * size * 0.6;
}

function lineStroke({ x, y, colour, width, dash, label }: ChartLine, layout: Layout): string {
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
function endLabels(lines: readonly ChartLine[], layout: Layout): string {
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
