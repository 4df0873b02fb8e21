import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { defineDataset } from '../../../../src/ingest/document/define-dataset.js';
import { suggestDocument } from '../../../../src/ingest/document/suggest/suggest-document.js';
import { countRuns } from '../../../endurance.js';
import { temporaryFiles } from '../../../temporary-files.js';
import { type Collected, collect, rejects } from '../../collect.js';
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
function parts(
  sheets: Readonly<Record<string, string>>,
  properties = '',
  calculation = '',
): Record<string, string> {
  const names = Object.keys(sheets);
  const numbered = names.map((name, i) => [name, i + 1] as const);
  return {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}">${properties}<sheets>${numbered
      .map(([name, id]) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`)
      .join('')}</sheets>${calculation}</workbook>`,
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

const DOCUMENT = {
  source: { name: 'Gauge' },
  region: { name: 'Iowa', level: 'province' },
  metric: { name: 'Precipitation' },
  item: { name: 'Precipitation' },
  unit: { name: 'mm' },
  start_date: 'day',
  values: 'rain',
};

const ROWS: readonly (readonly Cell[])[] = [
  ['day', 'rain'],
  [{ serial: 45_000 }, 12.345],
  [{ serial: 45_001.25 }, 0.1],
  [],
  ['2023-03-17', { error: '#N/A' }],
  ['2023-03-18', '1,5'],
];

const read = (path: string, document: object = DOCUMENT): Promise<Collected> =>
  collect(defineDataset(document), { files: [path] });
const figures = ({ points }: Collected) => points.map(({ start, value }) => [start, value]);

describe('a workbook', () => {
  it('has dates, numbers with all digits and texts; empty rows and errors are no points', async () => {
    const all = await read(workbook('gauge.xlsx', parts({ Rain: rowsXml(ROWS) })));
    expect(figures(all)).toEqual([
      ['2023-03-15', 12.345],
      ['2023-03-16', 0.1],
    ]);
    expect(all.rejected).toMatchObject([
      { file: 'gauge.xlsx', line: 6, reason: expect.stringContaining('set "decimal": ","') },
    ]);
  });

  it('has the same numbers with a decimal comma, which its texts then have', async () => {
    const all = await read(workbook('comma.xlsx', parts({ Rain: rowsXml(ROWS) })), {
      ...DOCUMENT,
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
    expect(figures(await read(path, { ...DOCUMENT, header_line: 3 }))).toEqual([['2023-03-15', 12.345]]);
    await expect(read(path, { ...DOCUMENT, header_line: 9 })).rejects.toThrow(
      'titled.xlsx is not a table of the document: its first line is "Rain of Ames"',
    );
    await expect(read(path)).rejects.toThrow('titled.xlsx has no column "day"');
  });

  it('says its sheets when the document does not name one of several', async () => {
    const notes = rowsXml([['read me']]);
    const path = workbook('sheets.xlsx', parts({ Notes: notes, Rain: rowsXml(ROWS.slice(0, 3)), Empty: '' }));
    expect(figures(await read(path, { ...DOCUMENT, sheet: 'Rain' }))).toHaveLength(2);
    await expect(read(path)).rejects.toThrow(
      'sheets.xlsx has several sheets: "Notes", "Rain", "Empty"; specify the one to read in',
    );
    await expect(read(path, { ...DOCUMENT, sheet: 'Snow' })).rejects.toThrow('has no sheet "Snow"');
  });

  it.each([
    ['far', '<row r="999999999999"><c r="A1"><v>1</v></c></row>', 'row 999999999999 follows row 0'],
    ['long', '<row r="1048576"/><row r="1048577"/>', 'row 1048577 follows row 1048576'],
    ['mixed', '<row r="2"/><row r="1"/>', 'row 1 follows row 2'],
    ['wide', '<row r="1"><c r="ZZZZZZ1"><v>1</v></c></row>', 'the cell ZZZZZZ1 is outside the sheet'],
    [
      'unlisted',
      '<row r="1"><c r="A1" t="s"><v>7</v></c></row>',
      'a cell refers to shared string 7, but the workbook has only 0',
    ],
    ['deep', '<a>'.repeat(201) + '</a>'.repeat(201), 'elements are nested more than 200 deep'],
    [
      'broad',
      `<a ${Array.from({ length: 1001 }, (_, i) => `a${i}=""`).join(' ')}/>`,
      'more than 1000 attributes',
    ],
  ])('is refused when it is damaged, or made to fill memory: %s', async (name, data, message) => {
    const path = workbook(`${name}.xlsx`, parts({ Rain: data }));
    await expect(read(path)).rejects.toThrow(`${name}.xlsx cannot be read as a workbook: `);
    await expect(read(path)).rejects.toThrow(message);
  });

  it('reads a sheet that is sparse, whatever the clock says, in turns with other work', async () => {
    const far = `<row r="1"><c r="A1" t="str"><v>day</v></c><c r="B1" t="str"><v>rain</v></c></row>${Array.from(
      { length: 3_000 },
      (_, i) =>
        `<row r="${2 * i + 2}"><c r="A${2 * i + 2}" s="1"><v>${i + 1000}</v></c><c r="B${2 * i + 2}"><v>${i / 8}</v></c></row>`,
    ).join('')}<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>`;
    const path = workbook('sparse.xlsx', parts({ Rain: far }));
    let later = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => (later += 8));
    let turns = 0;
    const other = setInterval(() => turns++, 0);
    const all = await read(path);
    clearInterval(other);
    vi.restoreAllMocks();
    expect([all.points.length, figures(all).at(-1)]).toEqual([3_000, ['1910-12-12', 374.875]]);
    expect(turns).toBeGreaterThan(3);
    expect(all.notes).toContain(
      'sparse.xlsx: cells to the right of the header, such as XFD1048576, are not read',
    );
  });

  it('has lines before the header and a header as texts with commas between the cells', async () => {
    const rows: readonly (readonly Cell[])[] = [
      ['Rain, of Ames'],
      ['day', 'rain, total'],
      ...ROWS.slice(1, 2),
    ];
    const path = workbook('commas.xlsx', parts({ Rain: rowsXml(rows) }));
    const all = await read(path, {
      ...DOCUMENT,
      header_line: '^day,rain, total$',
      preamble: '^Rain, of (?<town>.+)$',
      item: { column: '{town}', names: { Ames: 'Precipitation' } },
      values: 'rain, total',
    });
    expect(figures(all)).toEqual([['2023-03-15', 12.345]]);
  });

  it('may have the names of its columns in the document', async () => {
    const merged: readonly (readonly Cell[])[] = [['gauge of Ames', null], ...ROWS.slice(1, 3)];
    const path = workbook('named.xlsx', parts({ Rain: rowsXml(merged) }));
    const all = await read(path, { ...DOCUMENT, header: ['day', 'rain'], header_line: 1 });
    expect(figures(all)).toEqual([
      ['2023-03-15', 12.345],
      ['2023-03-16', 0.1],
    ]);
  });

  const formula = (
    result: string,
    type = '',
  ) => `<row r="1"><c r="A1" t="str"><v>day</v></c><c r="B1" t="str"><v>rain</v></c></row>
    <row r="2"><c r="A2" s="1"><v>45000</v></c><c r="B2"${type}><f>1+1</f>${result}</c><c r="C2"><f>B2</f></c></row>`;
  const TO_COMPUTE = '<calcPr calcId="124519" fullCalcOnLoad="1"/>';

  it.each([
    ['nothing', formula(''), ''],
    ['an empty element', formula('<v/>'), ''],
    ['an empty value', formula('<v></v>'), TO_COMPUTE],
    ['0 for all', formula('<v>0</v>'), TO_COMPUTE],
    ['nothing for a text', formula('', ' t="str"'), ''],
  ])('is refused when the result of a formula is not stored: %s', async (_, rows, calculation) => {
    const path = workbook('formulas.xlsx', parts({ 'My sheet': rows }, '', calculation));
    const message =
      'formulas.xlsx has formulas without stored results, such as in the cell B2 of the sheet "My sheet"; open it in a spreadsheet program and save it';
    await expect(read(path)).rejects.toThrow(message);
    await expect(suggestDocument(path)).rejects.toThrow(message);
  });

  it.each([
    ['a number', formula('<v>2</v>'), TO_COMPUTE, [['2023-03-15', 2]]],
    ['0', formula('<v>0</v>'), '', [['2023-03-15', 0]]],
    ['an empty text', formula('<v></v>', ' t="str"'), '', []],
    ['an error', formula('<v>#N/A</v>', ' t="e"'), '', []],
  ])('has the stored results of formulas: %s', async (_, rows, calculation, points) => {
    expect(figures(await read(workbook('results.xlsx', parts({ Rain: rows }, '', calculation))))).toEqual(
      points,
    );
  });

  it('has dates as spreadsheets show them, before March 1900 too', async () => {
    const days = [0, 1, 59, 60, 61, 2_958_465].map((serial, i): readonly Cell[] => [{ serial }, i]);
    const early = await read(workbook('early.xlsx', parts({ Rain: rowsXml([ROWS[0]!, ...days]) })));
    expect(figures(early)).toEqual([
      ['1900-01-01', 1],
      ['1900-02-28', 2],
      ['1900-03-01', 4],
      ['9999-12-31', 5],
    ]);
    expect(rejects(early)).toEqual([
      '2: the date "1900-01-00" is not in the calendar',
      '5: the date "1900-02-29" is not in the calendar',
    ]);
  });

  it('has errors as texts, which are rejected unless the document names them', async () => {
    const path = workbook(
      'errors.xlsx',
      parts({ Rain: rowsXml([ROWS[0]!, [{ serial: 45_000 }, { error: '#DIV/0!' }]]) }),
    );
    expect((await read(path)).rejected).toMatchObject([
      { line: 2, reason: expect.stringContaining('"#DIV/0!" is not a number') },
    ]);
    expect(figures(await read(path, { ...DOCUMENT, missing: ['#DIV/0!'] }))).toEqual([['2023-03-15', null]]);
  });

  it('is read with prefixes, without addresses, and in the strict variant', async () => {
    const strict = 'http://purl.oclc.org/ooxml/officeDocument/relationships';
    const sheet = `<x:worksheet xmlns:x="http://purl.oclc.org/ooxml/spreadsheetml/main"><x:sheetData>
      <x:row><x:c t="inlineStr"><x:is><x:r><x:t>da</x:t></x:r><x:r><x:t>y</x:t></x:r></x:is></x:c><x:c t="str"><x:v>rain</x:v></x:c></x:row>
      <x:row><x:c t="d"><x:v>2023-03-15T00:00:00</x:v></x:c><x:c><x:v>1E-2</x:v></x:c></x:row></x:sheetData>
      <x:controls><x:row>0</x:row></x:controls></x:worksheet>`;
    const path = workbook('strict.xlsx', {
      'xl/workbook.xml': `<x:workbook xmlns:x="main" xmlns:q="${strict}"><x:sheets><x:sheet name="Rain" q:id="a"/></x:sheets></x:workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="a" Type="${strict}/worksheet" Target="/xl/Worksheets/One.xml"/></Relationships>`,
      'xl/worksheets/one.xml': sheet,
    });
    expect(figures(await read(path))).toEqual([['2023-03-15', 0.01]]);
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
    await expect(read(old)).rejects.toThrow('save it as .xlsx without a password, or as CSV');
    for (const part of ['xl/workbook.bin', 'mimetype'])
      await expect(read(workbook('other.zip', { [part]: '' }))).rejects.toThrow('save it as .xlsx or CSV');
  });
});
