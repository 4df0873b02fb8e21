import { describe, expect, it } from 'vitest';
import { kindOfCode, NO_RESULT, readSheetRows } from '../../../../src/ingest/document/typed/sheet-rows.js';

const CONTEXT = {
  strings: ['Iowa', 'Story'],
  styles: ['number', 'date', 'time'] as const,
  is1904: false,
  awaitsResults: false,
  decimal: '.' as const,
};

/** The rows of a sheet whose XML comes in pieces of a few bytes. */
async function rowsOf(data: string, context = {}) {
  const bytes = Buffer.from(`<worksheet><sheetData>${data}</sheetData></worksheet>`);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  const part = {
    name: 'sheet',
    path: 'sheet',
    bytes: bytes.length,
    chunks: { [Symbol.asyncIterator]: chunks },
  };
  const rows = [];
  for await (const row of readSheetRows(part, { ...CONTEXT, ...context })) rows.push(row);
  return rows;
}

describe('readSheetRows', () => {
  it.each([
    ['<c t="s"><v>1</v></c>', 'Story'],
    ['<c t="inlineStr"><is><t xml:space="preserve"> süß </t></is></c>', 'süß'],
    ['<c t="inlineStr"><is><r><t>Io</t></r><r><t>wa</t></r><rPh><t>アイ</t></rPh></is></c>', 'Iowa'],
    ['<c t="str"><f>A1</f><v>a &amp; b_x000A_c</v></c>', 'a & b c'],
    ['<c t="str"><v><![CDATA[<b>]]></v></c>', '<b>'],
    ['<c t="b"><v>1</v></c>', 'true'],
    ['<c t="b"><v>0</v></c>', 'false'],
    ['<c t="e"><v>#REF!</v></c>', '#REF!'],
    ['<c t="d"><v>2020-02-29</v></c>', '2020-02-29'],
    ['<c t="d"><v>2020-02-29T06:00:00</v></c>', '2020-02-29T06:00:00'],
    ['<c><v>12.345</v></c>', '12.345'],
    ['<c><v>2020.0</v></c>', '2020'],
    ['<c><v>1.2E3</v></c>', '1200'],
    ['<c><v>123456789012345678</v></c>', '123456789012345678'],
    ['<c s="9"><v>7</v></c>', '7'],
    ['<c s="1"><v>43890</v></c>', '2020-02-29'],
    ['<c s="1"><v>43890.0</v></c>', '2020-02-29'],
    ['<c s="1"><v>43889.99999999999</v></c>', '2020-02-29'],
    ['<c s="1"><v>43890.25</v></c>', '2020-02-29T06:00:00.000Z'],
    ['<c s="2"><v>43890.25</v></c>', '2020-02-29T06:00:00.000Z'],
    ['<c s="2"><v>0.75</v></c>', '18:00:00'],
    ['<c s="2"><v>0</v></c>', '00:00:00'],
    ['<c s="1"><v>-1</v></c>', '-1'],
    ['<c s="1"><v>2958466</v></c>', '2958466'],
  ])('reads %s as %j', async (cell, text) => {
    expect(await rowsOf(`<row>${cell}</row>`)).toEqual([{ line: 1, fields: [text] }]);
  });

  it.each([
    [0, '1904-01-01'],
    [59, '1904-02-29'],
    [60, '1904-03-01'],
    [42428, '2020-02-29'],
  ])('reads day %i from 1904 as %s', async (serial, text) => {
    const [row] = await rowsOf(`<row><c s="1"><v>${serial}</v></c></row>`, { is1904: true });
    expect(row!.fields).toEqual([text]);
  });

  it('leaves out empty rows, and fills the cells between others', async () => {
    const data = `<row r="2"/><row r="3"><c r="B3" t="s"><v>0</v></c><c r="D3" t="e"><v>#N/A</v></c></row>
      <row><c r="A4"/><c r="B4"><v/></c></row><row><c/><c><f>1</f></c></row>`;
    expect(await rowsOf(data)).toEqual([
      { line: 3, fields: ['', 'Iowa'] },
      { line: 5, fields: ['', NO_RESULT] },
    ]);
  });
});

it.each([
  ['General', 'number'],
  ['#,##0.00 "days"', 'number'],
  ['0.00E+00', 'number'],
  ['[Red]0.0', 'number'],
  ['0\\d', 'number'],
  ['_d0_y', 'number'],
  ['[$€-407] 0', 'number'],
  ['[h]:mm:ss', 'number'],
  ['@', 'number'],
  ['dd/mm/yyyy', 'date'],
  ['[$-409]d-mmm-yy;@', 'date'],
  ['mmm', 'date'],
  ['yyyy"年"m"月"', 'date'],
  ['yyyy\\-mm\\-dd\\ hh:mm', 'date'],
  ['h:mm AM/PM', 'time'],
  ['mm:ss.0', 'time'],
])('kindOfCode takes the numbers of %j as of the kind %s', (code, kind) => {
  expect(kindOfCode(code)).toBe(kind);
});
