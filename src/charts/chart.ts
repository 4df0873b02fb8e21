import { headings, xAxis, yAxis } from './axes.js';
import type { Chart } from './chart-spec.js';
import { INK, LABEL_SIZE, layOut } from './layout.js';
import { bandArea, bandLegend, endLabels, lineStroke } from './marks.js';
import { element, textElement } from './svg.js';

const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

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
