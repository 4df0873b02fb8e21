import type { Table } from 'apache-arrow';
import { checkOptions } from '../../model/schema/check.js';
import { integer } from '../../model/schema/schemas.js';
import { summariseFrame } from './describe.js';
import type { DisplayOptions } from './display-frame.js';
import { escapeMarkup } from './escape-text.js';
import { displayGrid, formatCount, formatNumber, headLines } from './grid.js';
import { type ShownSeries, shownSeries, sparkline } from './shown-series.js';

/** Options that limit how much of a frame is shown as HTML. */
export type HtmlOptions = Pick<DisplayOptions, 'rows' | 'series'>;

export function frameHtml(table: Table, options: HtmlOptions = {}): string {
  checkOptions(options, { rows: integer(), series: integer() }, 'frameHtml');
  const head = headLines(summariseFrame(table)).map(escapeMarkup);
  const series = shownSeries(table, options.series ?? 6);
  const charts = series.series.filter(({ values }) => sparkline(values) !== '').map(chartRow);
  const more = series.more > 0 ? `<div>… ${formatCount(series.more)} more series</div>` : '';
  return [
    `<div><div><strong>${head[0]}</strong></div>`,
    ...head.slice(1).map((line) => `<div><small>${line}</small></div>`),
    tableHtml(table, options.rows),
    charts.length === 0 ? '' : `<table><tbody>${charts.join('')}</tbody></table>${more}`,
    '</div>',
  ].join('\n');
}

function tableHtml(table: Table, rows: number | undefined): string {
  const { columns, head, tail, omittedRows, omittedColumns, shared } = displayGrid(table, rows);
  const align = (at: number, more = '') =>
    `style="text-align:${columns[at]!.number ? 'right' : 'left'}${more}"`;
  const row = (cells: readonly (string | null)[]) => {
    const html = cells.map(
      (cell, at) => `<td ${align(at)}>${cell === null ? '<i>null</i>' : escapeMarkup(cell)}</td>`,
    );
    return `<tr>${html.join('')}</tr>`;
  };
  const titles = columns.map(({ name, type }, at) => {
    const lines = name.split(' | ').map(escapeMarkup).join('<br>');
    return `<th ${align(at, ';vertical-align:bottom')}>${lines}<br><small>${escapeMarkup(type)}</small></th>`;
  });
  const gap = `<tr><td colspan="${columns.length}" style="text-align:left">… ${formatCount(omittedRows)} more rows</td></tr>`;
  const caption = [shared, omittedColumns > 0 ? `… ${formatCount(omittedColumns)} more columns` : '']
    .filter((text) => text !== '')
    .map((text) => `<div><small>${escapeMarkup(text)}</small></div>`);
  return [
    `<table><thead><tr>${titles.join('')}</tr></thead>`,
    `<tbody>${head.map(row).join('')}${omittedRows > 0 ? gap : ''}${tail.map(row).join('')}</tbody></table>`,
    ...caption,
  ].join('\n');
}

const CHART = { width: 160, height: 24 };

function chartRow({ label, values, min, max }: ShownSeries): string {
  const bounds = `${formatNumber(min)} … ${formatNumber(max)}`;
  const chart = `<svg width="${CHART.width}" height="${CHART.height}"><path d="${chartPath(values, min, max)}" fill="none" stroke="currentColor"/></svg>`;
  return `<tr><td style="text-align:left">${escapeMarkup(label)}</td><td>${chart}</td><td>${bounds}</td></tr>`;
}

/** Returns an SVG path that draws the values, with at most two points per pixel and a gap at each missing value. */
function chartPath(values: Float64Array, min: number, max: number): string {
  const step = Math.max(1, Math.floor(values.length / (CHART.width * 2)));
  let path = '';
  let isDrawing = false;
  for (let i = 0; i < values.length; i += step) {
    if (Number.isNaN(values[i])) {
      isDrawing = false;
      continue;
    }
    const x = ((i / Math.max(values.length - 1, 1)) * CHART.width).toFixed(1);
    const y = (CHART.height - 1 - ((values[i]! - min) / (max - min)) * (CHART.height - 2)).toFixed(1);
    path += `${isDrawing ? 'L' : 'M'}${x} ${y}`;
    isDrawing = true;
  }
  return path;
}
