import { escapeMarkup } from '../../frame/display/escape-text.js';
import type { WideCell } from './wide-table.js';

/**
 * Returns a workbook of Excel with a sheet of values and one of texts. The page's policy allows no code from elsewhere
 * to compress it, so its parts are stored as they are.
 */
export function workbookOf(rows: readonly (readonly WideCell[])[], about: readonly string[]): Blob {
  const sheets = { Data: rows, About: about.map((line) => [line]) };
  const names = Object.keys(sheets);
  const parts: [name: string, xml: string][] = [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/></Types>`,
    ],
    ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at}"/>`).join('')}</sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', relationships(names.map((name) => ['worksheet', `${name}.xml`]))],
    ...Object.entries(sheets).map(([name, cells]): [string, string] => [`xl/${name}.xml`, sheetOf(cells)]),
  ];
  return new Blob(zipOf(parts), { type: `${TYPE}.sheet` });
}

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

function sheetOf(rows: readonly (readonly WideCell[])[]): string {
  const cell = (value: WideCell) => {
    if (value === null) return '<c/>';
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    return `<c t="inlineStr"><is><t xml:space="preserve">${escapeMarkup(value)}</t></is></c>`;
  };
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`;
}

/** Returns a ZIP archive of stored files, by PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
function zipOf(files: readonly (readonly [name: string, text: string])[]): Uint8Array<ArrayBuffer>[] {
  const encoder = new TextEncoder();
  const [local, central]: [Uint8Array<ArrayBuffer>[], Uint8Array<ArrayBuffer>[]] = [[], []];
  let offset = 0;
  const sizeOf = (pieces: readonly Uint8Array[]) => pieces.reduce((sum, { length }) => sum + length, 0);
  for (const [path, text] of files) {
    const [name, data] = [
      encoder.encode(path),
      encoder.encode(`<?xml version="1.0" encoding="UTF-8"?>${text}`),
    ];
    // Version 2.0, names in UTF-8, stored, and the first day of the format: 1 January 1980.
    const common = [
      [2, 20],
      [2, 0x800],
      [2, 0],
      [2, 0],
      [2, 0x21],
      [4, crc32(data)],
      [4, data.length],
      [4, data.length],
      [2, name.length],
      [2, 0],
    ] as const;
    local.push(fields([[4, 0x04034b50], ...common]), name, data);
    central.push(
      fields([[4, 0x02014b50], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
      name,
    );
    offset = sizeOf(local);
  }
  const count = files.length;
  const end = fields([
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, sizeOf(central)],
    [4, offset],
    [2, 0],
  ]);
  return [...local, ...central, end];
}

/** Unsigned integers of some bytes each, the lowest byte first. */
function fields(values: readonly (readonly [bytes: 2 | 4, value: number])[]): Uint8Array<ArrayBuffer> {
  const all = values.flatMap(([bytes, value]) =>
    Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 255),
  );
  return Uint8Array.from(all);
}

/** Returns the checksum of ZIP: CRC-32 of ISO 3309. */
function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
