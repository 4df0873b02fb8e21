import { zipEntries } from '../../reading/zip-entries.js';

/** The reader holds a whole workbook, and fills each row up to the last column. */
const MAX_XML_BYTES = 256_000_000;
const MAX_CELLS = 20_000_000;
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;

const PART = /\.xml(\.rels)?$/;
const SHEET = /^xl\/worksheets\//;
/** The address of a row or a cell. */
const ADDRESS = /\br\s*=\s*["']([A-Za-z]*)(\d+)["']/g;
const MAX_ADDRESS_LENGTH = 64;

/** Whether a zip archive is a workbook of Office Open XML; false for all other files. */
export async function isWorkbook(file: string): Promise<boolean> {
  let found = false;
  const wantsEntry = (name: string): boolean => {
    found ||= name === 'xl/workbook.xml';
    return false;
  };
  try {
    for await (const _ of zipEntries(file, { wantsEntry, onBytes: () => {} }));
  } catch {
    return false;
  }
  return found;
}

/**
 * Checks every part of a workbook against its checksum, and that the whole is not too large to be held.
 * @throws Error when it is damaged or too large
 */
export async function checkWorkbook(file: string): Promise<void> {
  let bytes = 0;
  const options = { wantsEntry: (name: string) => PART.test(name), onBytes: () => {} };
  for await (const { name, chunks } of zipEntries(file, options)) {
    const extent = SHEET.test(name) ? new SheetExtent() : null;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > MAX_XML_BYTES) throw tooLarge();
      extent?.add(chunk);
    }
  }
}

/** The last row and column that the addresses of a sheet name. */
class SheetExtent {
  #rows = 0;
  #columns = 0;
  #rest = '';

  /** @throws Error as soon as the sheet is too large */
  add(chunk: Uint8Array): void {
    const text = this.#rest + Buffer.from(chunk).toString('latin1');
    for (const [, letters, digits] of text.matchAll(ADDRESS)) {
      this.#rows = Math.max(this.#rows, Number(digits));
      this.#columns = Math.max(this.#columns, columnNumber(letters!));
    }
    this.#rest = text.slice(-MAX_ADDRESS_LENGTH);
    const isBeyond = this.#rows > MAX_ROWS || this.#columns > MAX_COLUMNS;
    if (isBeyond || this.#rows * this.#columns > MAX_CELLS) throw tooLarge();
  }
}

/** 1 for A, 27 for AA; 0 for the address of a row. */
function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters.toUpperCase()) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

const tooLarge = () => new Error('it is too large for a workbook; save the sheet as CSV');
