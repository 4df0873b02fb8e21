import type { Table } from 'apache-arrow';
import writeXlsxFile from 'write-excel-file/universal';
import type { Chart } from '../../charts/chart.js';
import { drawSpec, renderSvg } from '../../charts/draw.js';
import { shortUnit } from '../../charts/headline.js';
import { decimalsOf, writerIn } from '../../charts/language.js';
import type { Theme } from '../../charts/theme.js';
import { toArrowFile } from '../../frame/formats/arrow.js';
import { toCsv } from '../../frame/formats/csv.js';
import { fromRows } from '../../frame/formats/from-rows.js';
import { dateParts } from '../../model/calendar.js';
import { DAY_MS, formatDay, utcDay } from '../../model/time.js';
import type { Size } from '../chart/drawing.js';
import { type Cell, type Column, isPeriod, type ViewTable } from '../table/series-table.js';

/** The pixel ratio of PNG images, which makes them sharp on screens and in print. */
const PNG_SCALE = 2;

/** Returns a frame as CSV with a byte order mark, for Excel, and with formulas escaped, so that none are executed. */
export function csvFile(table: Table): Blob {
  const csv = toCsv(table, { safe: true, date_only: true });
  return new Blob(['\ufeff', csv], { type: 'text/csv;charset=utf-8' });
}

export function arrowFile(table: Table): Blob {
  const bytes = toArrowFile(table) as Uint8Array<ArrayBuffer>;
  return new Blob([bytes], { type: 'application/vnd.apache.arrow.file' });
}

const PICTURE_SIZE = { width: 1000, height: 560 };

/** Returns a chart as an image with an opaque background. An SVG image has the citation as its description. */
export async function pictureFile(
  make: (size: Size) => Chart | Promise<Chart>,
  format: 'png' | 'svg',
  { theme, citation }: { theme: Theme; citation: string },
): Promise<Blob> {
  const chart = await make(PICTURE_SIZE);
  if (format === 'svg') {
    const texts = { title: chart.figure.description, description: citation };
    return new Blob([await renderSvg(chart.themed(theme), texts)], { type: 'image/svg+xml' });
  }
  const view = await drawSpec(structuredClone(chart.themed(theme)));
  try {
    const canvas = await view.toCanvas(PNG_SCALE);
    return await new Promise<Blob>((resolve, reject) =>
      canvas.toBlob((blob) =>
        blob === null ? reject(new Error('The picture is too large for this browser.')) : resolve(blob),
      ),
    );
  } finally {
    view.finalize();
  }
}

const MAX_LENGTH = 80;

/** Returns a file name made of a title, which is cut if it is long, and a detail, which is not. */
export function fileName(title: string, detail: string, ending: string): string {
  const wordsOf = (text: string, length: number) =>
    text
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .slice(0, length)
      .replace(/^-+|-+$/g, '');
  const own = wordsOf(detail, MAX_LENGTH / 2);
  const words = [wordsOf(title, MAX_LENGTH - own.length - 1), own].filter(Boolean);
  return `${words.join('-') || 'cropframe'}.${ending}`;
}

/** How long a download's object URL is kept, because browsers may read from it some time after the click. */
const KEPT_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement('a');
  anchor.href = url;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** A cell as text and, if it is a number or a date, also as a number with its workbook format. */
interface FileCell {
  readonly text: string;
  readonly number?: number;
  readonly format?: string | undefined;
}

type FileTable = readonly (readonly FileCell[])[];

/** The kinds of period columns: the heading, the pattern that every period matches, and the workbook number format. */
const KINDS = [
  { head: 'Year', form: /^\d{4}$/, format: '0' },
  { head: 'Year', form: /^\d{4}(\/\d\d)?$/ },
  { head: 'Month', form: /^\d{4}-\d\d$/, format: 'yyyy-mm' },
  { head: 'Date', form: /^\d{4}-\d\d-\d\d$/, format: 'yyyy-mm-dd' },
  { head: 'Period', form: /(?:)/ },
] as const;

const ENGLISH = writerIn(['en-GB']);

/** Returns a table's cells for files and the clipboard, with headings such as `Iowa: yield, corn (bu/ac)`. */
export function fileTable({ columns, rows }: ViewTable): FileTable {
  const cellsOf = (at: number) => rows.map((row) => row[at]);
  const filed = columns.map((column, at) => fileColumn(column, cellsOf(at)));
  return [
    filed.map(({ head }) => ({ text: head })),
    ...rows.map((_, row) => filed.map(({ cells }) => cells[row]!)),
  ];
}

function fileColumn({ name, fullName = name, unit = '', figures = [] }: Column, cells: readonly Cell[]) {
  if (cells.some(isPeriod)) return periodColumn(cells.filter(isPeriod));
  const decimals = decimalsOf(figures);
  const format = decimals === 0 ? '0' : `0.${'0'.repeat(decimals)}`;
  return {
    head: unit === '' ? fullName : `${fullName} (${shortUnit(unit)})`,
    cells: cells.map((cell): FileCell => {
      if (typeof cell !== 'number') return { text: String(cell ?? '') };
      // Workbooks store 15 significant digits. Further digits result only from the binary representation of decimals.
      const number = Number(cell.toPrecision(15));
      return Number.isNaN(number) ? { text: '' } : { text: String(number), number, format };
    }),
  };
}

/** The first day with the same number in all spreadsheets. Excel also counts 29 February 1900, which did not exist. */
const FIRST_DATE = utcDay(1900, 3, 1);
/** The serial number of 1 January 1970 in workbooks. */
const EPOCH_DAY = 25_569;

function periodColumn(periods: readonly { readonly start: number; readonly end: number }[]) {
  const texts = periods.map(({ start, end }) => periodText(start, end));
  const kind = KINDS.find(({ form }) => texts.every((text) => form.test(text)))!;
  const format = 'format' in kind ? kind.format : undefined;
  const cells = texts.map((text, at): FileCell => {
    const { start } = periods[at]!;
    if (format === '0') return { text, number: Number(text), format };
    return format === undefined || start < FIRST_DATE
      ? { text }
      : { text, number: start / DAY_MS + EPOCH_DAY, format };
  });
  return { head: kind.head, cells };
}

/** Formats a period as `2012`, `2012/13`, `2012-07` or `2012-07-01`, or else as its first and last days. */
function periodText(start: number, end: number): string {
  const year = ENGLISH.period(start, end);
  if (/^\d{4}(\/\d\d)?$/.test(year)) return year;
  const [first, last] = [formatDay(start), formatDay(end)];
  const isMonth = dateParts(start).day === 1 && first.slice(0, 7) === last.slice(0, 7) && first !== last;
  if (isMonth && dateParts(end + DAY_MS).day === 1) return first.slice(0, 7);
  return first === last ? first : `${first}/${last}`;
}

export function toTabSeparated(rows: FileTable): string {
  return rows.map((row) => row.map(({ text }) => text.replace(/[\t\r\n]+/g, ' ')).join('\t')).join('\r\n');
}

export function tableCsvFile([heads = [], ...rows]: FileTable): Blob {
  const csvValue = ({ text, number }: FileCell) => (String(number) === text ? number : text || null);
  const records = rows.map((row) =>
    Object.fromEntries(heads.map(({ text }, at) => [text, csvValue(row[at]!)])),
  );
  return csvFile(fromRows(records));
}

export function workbookFile(rows: FileTable, about: string): Promise<Blob> {
  const sheetOf = (table: FileTable) =>
    table.map((row) =>
      row.map(({ text, number, format = '0' }) => {
        if (number !== undefined) return { value: number, type: Number, format };
        return text === '' ? null : { value: text, type: String };
      }),
    );
  const notes = about.split('\n').map((text) => [{ text }]);
  return writeXlsxFile([
    { sheet: 'Data', data: sheetOf(rows), stickyRowsCount: 1 },
    { sheet: 'About', data: sheetOf(notes) },
  ]).toBlob();
}
