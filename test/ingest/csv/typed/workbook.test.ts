import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csv } from '../../../../src/ingest/csv/csv.js';
import { countRuns } from '../../../endurance.js';
import { temporaryFiles } from '../../../temporary-files.js';
import { type Collected, collect } from '../../collect.js';
import { zipped } from '../../zipped.js';

/** Bytes between two places that are damaged. */
const STEP = countRuns({ quick: 115, all: 23 });

const { folder, file } = temporaryFiles();

/** A cell: a text, a number, a number in the style of dates, an error or nothing. */
type Cell = string | number | { readonly serial: number } | { readonly error: string } | null;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

function cellXml(cell: Cell, address: string): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return `<c r="${address}" t="inlineStr"><is><t>${cell}</t></is></c>`;
  if (typeof cell === 'number') return `<c r="${address}"><v>${cell}</v></c>`;
  if ('error' in cell) return `<c r="${address}" t="e"><v>${cell.error}</v></c>`;
  return `<c r="${address}" s="1"><v>${cell.serial}</v></c>`;
}

const sheetXml = (data: string): string =>
  `<?xml version="1.0"?><worksheet xmlns="${MAIN}"><sheetData>${data}</sheetData></worksheet>`;

const rowsXml = (rows: readonly (readonly Cell[])[]): string =>
  rows
    .map((cells, i) => {
      const xml = cells.map((cell, at) => cellXml(cell, `${String.fromCharCode(65 + at)}${i + 1}`));
      return `<row r="${i + 1}">${xml.join('')}</row>`;
    })
    .join('');

/** The parts of a workbook (ECMA-376, part 1, chapter 12). */
function parts(sheets: Readonly<Record<string, string>>, properties = ''): Record<string, string> {
  const names = Object.keys(sheets);
  const numbered = names.map((name, i) => [name, i + 1] as const);
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${numbered
      .map(([name, id]) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`)
      .join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${numbered
      .map(
        ([, id]) =>
          `<Relationship Id="rId${id}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${id}.xml"/>`,
      )
      .join('')}<Relationship Id="rId99" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ...Object.fromEntries(
      numbered.map(([name, id]) => [`xl/worksheets/sheet${id}.xml`, sheetXml(sheets[name]!)]),
    ),
  };
}

const workbook = (name: string, entries: Readonly<Record<string, string>>): string =>
  file(name, zipped(entries));

const MAPPING = {
  source: { name: 'Gauge' },
  region: { name: 'Iowa', level: 'province' },
  metric: { name: 'Precipitation' },
  item: { name: 'Precipitation' },
  unit: { name: 'mm' },
  start_date: 'day',
  value: 'rain',
};

const ROWS: readonly (readonly Cell[])[] = [
  ['day', 'rain'],
  [{ serial: 45_000 }, 12.345],
  [{ serial: 45_001.25 }, 0.1],
  [],
  ['2023-03-17', { error: '#N/A' }],
  ['2023-03-18', '1,5'],
];

const read = (path: string, mapping: object = MAPPING): Promise<Collected> =>
  collect(csv, { files: [path], settings: { mapping } });
const figures = ({ points }: Collected) => points.map(({ start, value }) => [start, value]);

describe('a workbook', () => {
  it('has dates, numbers with all digits and texts; empty rows and errors are no points', async () => {
    const all = await read(workbook('gauge.xlsx', parts({ Rain: rowsXml(ROWS) })));
    expect(figures(all)).toEqual([
      ['2023-03-15', 12.345],
      ['2023-03-16', 0.1],
    ]);
    expect(all.rejected).toMatchObject([
      { file: 'gauge.xlsx', line: 6, reason: expect.stringContaining('say "decimal": ","') },
    ]);
  });

  it('has the same numbers with a decimal comma, which its texts then have', async () => {
    const all = await read(workbook('comma.xlsx', parts({ Rain: rowsXml(ROWS) })), {
      ...MAPPING,
      decimal: ',',
    });
    expect(figures(all)).toEqual([
      ['2023-03-15', 12.345],
      ['2023-03-16', 0.1],
      ['2023-03-18', 1.5],
    ]);
  });

  it('counts its days from 1904 where it says so', async () => {
    const entries = parts(
      { Rain: rowsXml([ROWS[0]!, [{ serial: 43_538 }, 1]]) },
      '<workbookPr date1904="1"/>',
    );
    expect(figures(await read(workbook('mac.xlsx', entries)))).toEqual([['2023-03-15', 1]]);
  });

  it('begins at the line of the header', async () => {
    const titled: readonly (readonly Cell[])[] = [['Rain of Ames'], [], ...ROWS.slice(0, 2)];
    const path = workbook('titled.xlsx', parts({ Rain: rowsXml(titled) }));
    expect(figures(await read(path, { ...MAPPING, header_line: 3 }))).toEqual([['2023-03-15', 12.345]]);
    await expect(read(path, { ...MAPPING, header_line: 9 })).rejects.toThrow('titled.xlsx has no row 9');
    await expect(read(path)).rejects.toThrow('titled.xlsx has no column "day"');
  });

  it('says its sheets when the mapping does not name one of several', async () => {
    const notes = rowsXml([['read me']]);
    const path = workbook('sheets.xlsx', parts({ Notes: notes, Rain: rowsXml(ROWS.slice(0, 3)), Empty: '' }));
    expect(figures(await read(path, { ...MAPPING, sheet: 'Rain' }))).toHaveLength(2);
    await expect(read(path)).rejects.toThrow(
      'sheets.xlsx has several sheets: "Notes", "Rain", "Empty"; say in',
    );
    await expect(read(path, { ...MAPPING, sheet: 'Snow' })).rejects.toThrow('has no sheet "Snow"');
  });

  it('is refused when it would fill memory', async () => {
    const isRefused = async (name: string, data: string): Promise<void> =>
      expect(read(workbook(name, parts({ Rain: data })))).rejects.toThrow(
        `${name} cannot be read as a workbook: it is too large for a workbook; save the sheet as CSV`,
      );
    await isRefused('far.xlsx', '<row r="999999999999"><c r="A1"><v>1</v></c></row>');
    await isRefused('wide.xlsx', '<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>');
    await isRefused('long.xlsx', '<row r="1"><c r="B1"><v>1</v></c></row><row r="1000001"></row>');
    await isRefused('sparse.xlsx', `<row r="1"><c r="XFD1"><v>1</v></c></row><row r='1048576'></row>`);
  });

  it('is refused by name when it is damaged', async () => {
    const whole = readFileSync(workbook('whole.xlsx', parts({ Rain: rowsXml(ROWS) })));
    const path = join(folder, 'broken.xlsx');
    const outcomes: unknown[] = [];
    for (let at = 4; at < whole.length; at += STEP) {
      writeFileSync(path, Buffer.from(whole).fill(255, at, at + 5));
      outcomes.push(await read(path).catch((error: unknown) => error));
    }
    for (const outcome of outcomes) {
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'ingest' });
      else expect(figures(outcome as Collected)[0]).toEqual(['2023-03-15', 12.345]);
    }
    expect(outcomes.filter((outcome) => outcome instanceof Error).length).toBeGreaterThan(
      outcomes.length / 10,
    );
  });

  it('of an older kind is refused with the remedy', async () => {
    const old = file('old.xls', Buffer.from('d0cf11e0a1b11ae1', 'hex'));
    await expect(read(old)).rejects.toThrow('save it as .xlsx without one, or as CSV');
  });
});
