import { strToU8, zipSync } from 'fflate';
import { lowerFirst, shortUnit } from '../../charts/headline.js';
import { writerIn } from '../../charts/language.js';
import type { Line } from '../../charts/lines.js';
import { escapeMarkup } from '../../frame/display/escape-text.js';
import { fromRows } from '../../frame/formats/from-rows.js';
import { dateParts } from '../../model/calendar.js';
import { DAY_MS, formatDay } from '../../model/time.js';
import { periodsOf } from '../table/periods.js';
import { csvFile } from './files.js';

type Cell = string | number | null;

/** Spreadsheet rows: a header row, and a row for each period with a cell for each series. */
type WideTable = readonly (readonly Cell[])[];

const KINDS = [
  ['Year', /^\d{4}(\/\d\d)?$/],
  ['Month', /^\d{4}-\d\d$/],
  ['Date', /^\d{4}-\d\d-\d\d$/],
] as const;

const ENGLISH = writerIn(['en-GB']);

export function wideTable(lines: readonly Line[]): WideTable {
  const periods = periodsOf(lines);
  const texts = periods.map(({ start, end }) => periodText(start, end));
  const [kind = 'Period'] = KINDS.find(([, form]) => texts.every((text) => form.test(text))) ?? [];
  const rows = periods.map(({ rows }, at): Cell[] => [
    /^\d{4}$/.test(texts[at]!) ? Number(texts[at]) : texts[at]!,
    ...lines.map(({ value }, series) => {
      const one = value[rows[series]!];
      return one === undefined || Number.isNaN(one) ? null : one;
    }),
  ]);
  return [[kind, ...headings(lines)], ...rows];
}

/** Returns headings that are understandable outside the page, such as `Iowa: yield, corn (bu/ac)`. */
function headings(lines: readonly Line[]): readonly string[] {
  const shared = (['metric', 'item', 'region'] as const).filter((name) =>
    lines.every((line) => line[name] === lines[0]![name]),
  );
  return lines.map(({ label, unit, ...names }) => {
    const missing = shared.filter((name) => !['', ...label.split(' · ')].includes(names[name]));
    const texts = missing.map((name) => (name === 'region' ? names.region : lowerFirst(names[name])));
    const subject = texts.length === 0 ? label : `${label}: ${texts.join(', ')}`;
    return unit === '' ? subject : `${subject} (${shortUnit(unit)})`;
  });
}

/** Formats a period as `2012`, `2012/13`, `2012-07` or `2012-07-01`, or else as its first and last day. */
function periodText(start: number, end: number): string {
  const year = ENGLISH.period(start, end);
  if (/^\d{4}(\/\d\d)?$/.test(year)) return year;
  const [first, last] = [formatDay(start), formatDay(end)];
  const isMonth = dateParts(start).day === 1 && first.slice(0, 7) === last.slice(0, 7) && first !== last;
  if (isMonth && dateParts(end + DAY_MS).day === 1) return first.slice(0, 7);
  return first === last ? first : `${first}/${last}`;
}

export function toTabSeparated(rows: WideTable): string {
  const text = (cell: Cell) => String(cell ?? '').replace(/[\t\r\n]+/g, ' ');
  return rows.map((row) => row.map(text).join('\t')).join('\r\n');
}

export function wideCsvFile([heads = [], ...rows]: WideTable): Blob {
  const records = rows.map((row) =>
    Object.fromEntries(heads.map((name, at) => [String(name), row[at] ?? null])),
  );
  return csvFile(fromRows(records));
}

/**
 * Returns an Excel workbook with a sheet of values and a sheet of notes. The page builds the file itself, because
 * write-excel-file compresses in workers that the page's content security policy forbids.
 */
export function workbookFile(rows: WideTable, about: string): Blob {
  const sheets = { Data: rows, About: about.split('\n').map((line) => [line]) };
  const names = Object.keys(sheets);
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/></Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(names.map((name) => ['worksheet', `${name}.xml`])),
    ...Object.fromEntries(Object.entries(sheets).map(([name, cells]) => [`xl/${name}.xml`, sheetOf(cells)])),
  };
  const files = Object.entries(parts).map(([name, xml]) => [name, strToU8(`${DECLARATION}${xml}`)]);
  return new Blob([zipSync(Object.fromEntries(files))], { type: `${TYPE}.sheet` });
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
const SCHEMAS = 'http://schemas.openxmlformats.org';
const MAIN = `${SCHEMAS}/spreadsheetml/2006/main`;
const OFFICE = `${SCHEMAS}/officeDocument/2006/relationships`;
const PACKAGE = `${SCHEMAS}/package/2006`;
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], at) => `<Relationship Id="r${at}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function sheetOf(rows: WideTable): string {
  const cell = (value: Cell) => {
    if (value === null) return '<c/>';
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    return `<c t="inlineStr"><is><t xml:space="preserve">${escapeMarkup(value)}</t></is></c>`;
  };
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`;
}
