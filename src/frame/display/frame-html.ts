import type { Table } from 'apache-arrow';
import { checkOptions } from '../../model/schema/check.js';
import { integer } from '../../model/schema/schemas.js';
import { summariseFrame } from './describe.js';
import type { DisplayOptions } from './display-frame.js';
import { escapeMarkup } from './escape-text.js';
import { displayGrid, formatCount, headLines, seriesLines } from './grid.js';

/** Options that limit how many rows and sparklines `toHtml` shows. */
export type HtmlOptions = Pick<DisplayOptions, 'rows' | 'series'>;

export function frameHtml(table: Table, options: HtmlOptions = {}): string {
  checkOptions(options, { rows: integer(), series: integer() }, 'frameHtml');
  const head = headLines(summariseFrame(table)).map(escapeMarkup);
  const { lines, more } = seriesLines(table, options.series ?? 6);
  const series = lines.map((cells) => `<tr>${cells.map(seriesCell).join('')}</tr>`);
  return [
    `<div><div><strong>${head[0]}</strong></div>`,
    ...head.slice(1).map((line) => `<div><small>${line}</small></div>`),
    tableHtml(table, options.rows),
    series.length === 0 ? '' : `<table><tbody>${series.join('')}</tbody></table>`,
    series.length > 0 && more > 0 ? `<div>… ${formatCount(more)} more series</div>` : '',
    '</div>',
  ].join('\n');
}

function seriesCell(text: string): string {
  return `<td style="text-align:left">${escapeMarkup(text)}</td>`;
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
