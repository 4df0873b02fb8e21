import { strToU8, zipSync } from 'fflate';
import { escapeMarkup } from '../../frame/display/escape-text.js';
import type { WideCell } from './wide-table.js';

/**
 * Returns an Excel workbook with a sheet of values and a sheet of notes. The page builds the file itself, because
 * write-excel-file compresses in workers that the page's content security policy forbids.
 */
export function workbookOf(rows: readonly (readonly WideCell[])[], about: readonly string[]): Blob {
  const sheets = { Data: rows, About: about.map((line) => [line]) };
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

function sheetOf(rows: readonly (readonly WideCell[])[]): string {
  const cell = (value: WideCell) => {
    if (value === null) return '<c/>';
    if (typeof value === 'number') return `<c><v>${value}</v></c>`;
    return `<c t="inlineStr"><is><t xml:space="preserve">${escapeMarkup(value)}</t></is></c>`;
  };
  return `<worksheet xmlns="${MAIN}"><sheetData>${rows.map((row) => `<row>${row.map(cell).join('')}</row>`).join('')}</sheetData></worksheet>`;
}
