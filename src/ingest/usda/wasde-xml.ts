import type { Reader } from '../document/hook.js';
import { DamagedTextError, type TextRecord } from '../reading/delimited.js';
import { monthByPrefix } from '../reading/row-values.js';
import { readXml, type XmlVisitor } from '../reading/xml.js';

type Labels = Partial<
  Record<'title' | 'subtitle' | 'footer' | 'report' | 'attribute' | 'year' | 'month' | 'region', string>
>;

/** XML attributes that contain labels. The numbers in their names differ between tables. */
const LABELS: readonly (readonly [RegExp, keyof Labels])[] = [
  [/^sub_report_title$/, 'title'],
  [/^sub_report_subtitle$/, 'subtitle'],
  [/^sub_report_footer\d*$/, 'footer'],
  [/^Report_Month$/, 'report'],
  [/^attribute\d+$/, 'attribute'],
  [/^(?:market_year|region_header)\d+$/, 'year'],
  [/^forecast_month\d+$/, 'month'],
  [/^region\d+$/, 'region'],
];
const MATRIX = /^matrix(\d+)$/;
const UNIT = /^m\d+_unit_descr\d+$/;
/** Matches the heading with the unit of all three blocks in the table for sorghum, barley and oats. */
const TABLE_UNIT = /^Textbox\d+$/;
/** Matches names of cells that contain values. In tables that are not imported, such as meat, names have a prefix. */
const VALUE = /^(?:m\d+_)?cell_value\d*$/;

/** The maximum size of a report. It keeps an unclosed element from filling memory. Reports are about 3 MB. */
const MAX_BYTES = 20_000_000;

/**
 * Reads the monthly WASDE report in XML as a table with one row per figure. The columns are named as in the CSV version
 * of the report data. `Block` is a figure's position in its table: "block 1", counted from the top, or "figures outside
 * the blocks". `NotRead` is the reason why a figure is not imported. A value is `NA` if it is missing or a range.
 */
export const wasdeXml: Reader = {
  columns: [
    ...['Block', 'ReportTitle', 'ReportMonth', 'Region', 'Attribute', 'MarketYear', 'Unit'],
    ...['Value', 'Code', 'Low', 'High', 'NotRead'],
  ],
  async *records(chunks) {
    const rows: TextRecord[] = [];
    let hasFigures = false;
    for await (const _ of readXml(chunks, figureVisitor(rows), MAX_BYTES)) {
      hasFigures ||= rows.length > 0;
      yield* rows.splice(0);
    }
    if (!hasFigures) throw new DamagedTextError(1, 'it has no tables, so it is not a WASDE report');
  },
};

interface Figure extends Labels {
  readonly value: string;
  readonly line: number;
}

function figureVisitor(rows: TextRecord[]): XmlVisitor {
  const levels: Labels[] = [{}];
  /** The number of the current block; 0 outside blocks. */
  let number = 0;
  let figures: Figure[] = [];
  let units = new Map<string, string>();
  let tableUnit = '';

  function open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    if (attributes.sub_report_title !== undefined) tableUnit = '';
    const matrix = MATRIX.exec(name);
    if (matrix !== null) {
      pass();
      number = Number(matrix[1]);
      units = new Map();
    }
    const labels = { ...levels.at(-1)! };
    for (const [attribute, text] of Object.entries(attributes)) {
      const label = LABELS.find(([pattern]) => pattern.test(attribute));
      if (label !== undefined) labels[label[1]] = printedLabel(text);
      else if (UNIT.test(attribute)) units.set(attribute, joinUnit(attribute, text));
      else if (TABLE_UNIT.test(attribute)) tableUnit ||= text.trim();
      else if (VALUE.test(attribute)) figures.push({ ...labels, value: text.trim(), line });
    }
    levels.push(labels);
  }

  function close(name: string): void {
    levels.pop();
    const isMatrix = MATRIX.test(name);
    if (isMatrix || number === 0) pass();
    if (isMatrix) number = 0;
  }

  /** Joins the parts of a unit that is split across columns ("Thousand Short", " Tons"). Skips repeated parts. */
  function joinUnit(attribute: string, text: string): string {
    const known = units.get(attribute) ?? '';
    const part = text.trim();
    return part === '' || known.endsWith(part) || known.startsWith(part) ? known : `${known} ${part}`.trim();
  }

  /** Appends the collected figures, which are all from the same block, or all from outside the blocks. */
  function pass(): void {
    const block = number === 0 ? 'figures outside the blocks' : `block ${number}`;
    const printed = [...units.values(), tableUnit];
    rows.push(...figures.map((figure) => rowOf(figure, block, printed)));
    figures = [];
  }

  return { open, close };
}

/** Returns a label on one line, with its footnote marks (such as "2/" or "/2") removed. */
function printedLabel(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/\s(?:\d+\/|\/\d+)(?=\s|$)/g, '')
    .trim();
}

function rowOf(figure: Figure, block: string, printed: readonly string[]): TextRecord {
  const { title = '', report = '', attribute = '', year = '', month = '', value, line } = figure;
  const region = title.startsWith('World') ? (figure.region ?? '') : 'United States';
  const isOfReport = month === '' || monthByPrefix(month) === monthByPrefix(report);
  const notRead = value === '' ? 'empty cells' : isOfReport ? '' : 'projections of the month before';
  const fields = [block, title, report, region, attribute, year, findUnit(figure, printed)];
  const text = `${title}, ${figure.region ?? ''} ${attribute}, ${year}: ${value}`;
  return { fields: [...fields, ...readFigure(value), notRead], line, text };
}

/** Label patterns, each with a pattern for the units that are printed above rows with matching labels. */
const UNITS_BY_LABEL = [
  [/^(area|planted|harvested)\b/i, /acres|hectares/i],
  [/^yield/i, /^(bushels|pounds|metric tons)$/i],
  [/(?:)/, /^(million|thousand) (?!acres|hectares)/i],
] as const;
/** A remark that is printed in parentheses like a unit but is not a unit. */
const REMARK = 'rough equiv.';

/** Finds a figure's unit in the label, a note on cotton prices or the printed units. Joins all units if none fits. */
function findUnit({ attribute = '', subtitle = '', footer = '' }: Labels, units: readonly string[]): string {
  const [, named] = /\(([^()]+)\)$/.exec(attribute) ?? [];
  if (named !== undefined && named !== REMARK) return named;
  if (/price/i.test(attribute) && /\bcents per pound\b/i.test(footer)) return 'cents per pound';
  const printed = [...units, subtitle]
    .map((unit) => unit.replace(/[()]/g, '').trim())
    .filter((unit) => unit !== '');
  const [, pattern] = UNITS_BY_LABEL.find(([label]) => label.test(attribute))!;
  return printed.find((unit) => pattern.test(unit)) ?? printed.join('; ');
}

const NUMBER = '-?(?:(?:\\d+|\\d{1,3}(?:,\\d{3})+)(?:\\.\\d+)?|\\.\\d+)';
const MARK = '(?:\\*{1,3}|\\d{1,2}/)';
const FIGURE = new RegExp(`^(${NUMBER})(?:\\s*-\\s*(${NUMBER}))?\\s*${MARK}?$`);
const ABSENT = new RegExp(`^(NA|N/A|--|-|filler|${MARK})$`, 'i');

/**
 * Returns the value, code, low and high of a printed figure. The code is a string that is printed instead of a figure,
 * such as a footnote mark for a figure too small to print ("3/ Less than 5,000 bales"). Until 2019, projected prices
 * were ranges.
 */
function readFigure(text: string): readonly string[] {
  if (ABSENT.test(text)) return ['NA', text, '', ''];
  const [, figure = text, end] = FIGURE.exec(text) ?? [];
  return end === undefined
    ? [figure, '', '', '']
    : ['NA', '', ...[figure, end].map((one) => one.replaceAll(',', ''))];
}
