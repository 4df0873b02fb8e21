import { renderHeadings, renderXAxis, renderYAxis } from './axes.js';
import type { Chart } from './chart-spec.js';
import { computeLayout, INK, LABEL_SIZE } from './layout.js';
import { renderBand, renderBandLegend, renderEndLabels, renderLine } from './marks.js';
import { element, textElement } from './svg.js';

const FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** A standalone SVG document with a white background, axis titles, and a label at the end of every line. */
export function renderChart(chart: Chart): string {
  const layout = computeLayout(chart);
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
    renderHeadings(chart, layout),
    renderYAxis(chart, layout),
    renderXAxis(chart, layout),
    renderBandLegend(chart.bands ?? [], layout),
    ...(chart.bands ?? []).map((band) => renderBand(band, layout)),
    ...chart.lines.map((line) => renderLine(line, layout)),
    renderEndLabels(chart.lines, layout),
  );
}
