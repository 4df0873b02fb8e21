import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { jsonPieces } from '../../src/frame/formats/frame-pieces.js';
import { fromParquet } from '../../src/frame/formats/parquet/read-parquet.js';
import { fromArrow } from '../../src/frame/formats/read-arrow.js';
import { frame } from '../../src/frame/frame.js';
import type { Cell } from '../../src/frame/table/cells.js';
import { ArgumentError } from '../../src/model/errors.js';
import { exactRows } from '../frame/exact-rows.js';

/** Clones of apache/parquet-testing and apache/arrow-testing, which `golden-files.ts` makes. */
const { PARQUET_TEST_DATA, ARROW_TEST_DATA } = process.env;

function filesIn(folder: string | undefined, ending: RegExp): string[] {
  if (folder === undefined) return [];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
}

/** JSON whose whole numbers of 16 digits or more are texts with all of them. */
function readExactly(json: string): unknown {
  const wholeNumber = /"(?:[^"\\]|\\.)*"|(?<![\d.])-?\d{16,}(?![\d.eE])/g;
  return JSON.parse(json.replace(wholeNumber, (token) => (token[0] === '"' ? token : `"${token}"`)));
}

/** A cell as `readExactly` reads it: bytes are base64, and what is not finite is null. */
function inJson(cell: Cell): unknown {
  if (typeof cell === 'bigint' || typeof cell === 'number') {
    const text = String(cell);
    if (/^-?\d{16,}$/.test(text)) return text;
    return Number.isFinite(Number(cell)) ? Number(cell) : null;
  }
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('base64');
  if (Array.isArray(cell)) return cell.map(inJson);
  if (typeof cell !== 'object' || cell === null) return cell;
  return Object.fromEntries(Object.entries(cell).map(([name, value]) => [name, inJson(value)]));
}

/** Shown, and the same again from Arrow, JSON and Parquet, which may refuse a type by its name. */
async function expectToPass(table: Table): Promise<void> {
  expect(frame(table).toText()).toContain(`${table.numRows.toLocaleString('en-US')} row`);
  if (new Set(table.schema.names).size < table.numCols) {
    expect(() => frame(table).toRows()).toThrow(/two columns are called/);
    return;
  }
  const rows = exactRows(table);
  expect(exactRows(fromArrow(frame(table).toArrow()))).toEqual(rows);
  let json = '';
  for await (const piece of jsonPieces(table)) json += piece;
  expect(readExactly(json)).toEqual(rows.map(inJson));
  const written = await frame(table)
    .toParquet()
    .catch((error: unknown) => error);
  if (written instanceof Uint8Array) expect(exactRows(await fromParquet(written))).toEqual(rows);
  else expect(written).toBeInstanceOf(ArgumentError);
}

describe.skipIf(PARQUET_TEST_DATA === undefined)('golden files of Parquet', () => {
  test.each(filesIn(PARQUET_TEST_DATA, /(?<!\.encrypted)\.parquet$/))('%s', async (file) => {
    const table = await fromParquet(readFileSync(file)).catch((error: unknown) => error as Error);
    if (table instanceof Error) expect(table).toBeInstanceOf(ArgumentError);
    else await expectToPass(table);
  });
});

describe.skipIf(ARROW_TEST_DATA === undefined)('golden files of Arrow', () => {
  test.each(filesIn(ARROW_TEST_DATA, /integration.*\.(arrow_file|stream)$/))('%s', async (file) => {
    let table: Table;
    try {
      table = fromArrow(readFileSync(file));
    } catch (error) {
      expect(error).toBeInstanceOf(ArgumentError);
      return;
    }
    await expectToPass(table);
  });
});
