import { StoreError } from '../../../model/errors.js';
import type { Database } from '../engine/database.js';
import { freeBytes } from '../engine/files.js';

/** What the first import of a store writes whatever its files hold: names, regions and their shapes. It takes 10 MB. */
const FIRST_IMPORT_BYTES = 8_000_000;
/** What any import writes. */
const IMPORT_BYTES = 1_000_000;
/** The smallest share of the text of bulk files that their points take in a store: wide rows with one figure each. */
const MIN_SHARE_OF_TEXT = 0.02;

/**
 * Refuses an import for which the disk of a store is clearly too full. The estimate is a low one: what passes may still not
 * fit, and is then rolled back.
 * @param textBytes length of the texts to import
 * @param isTemporary whether the database is only where an import for another store works
 * @throws StoreError that says how much is needed, and how much is free
 */
export async function requireRoom(
  database: Database,
  { textBytes, isTemporary }: { textBytes: number; isTemporary: boolean },
): Promise<void> {
  const { location } = database;
  const free = location === ':memory:' ? null : freeBytes(location);
  if (free === null) return;
  const needed = (await baseBytes(database)) + textBytes * MIN_SHARE_OF_TEXT;
  if (free >= needed) return;
  throw new StoreError(
    `${location}: this import needs about ${megabytes(Math.ceil(needed / 1e5))} or more, and its disk has ${megabytes(Math.floor(free / 1e5))} free; ` +
      `free some space, or ${isTemporary ? 'set TMPDIR to a folder on another disk' : 'name a store on another disk'}`,
  );
}

async function baseBytes(database: Database): Promise<number> {
  const [row] = await database.rows('SELECT imports FROM meta');
  return row?.imports === 0 ? FIRST_IMPORT_BYTES : IMPORT_BYTES;
}

function megabytes(tenths: number): string {
  return `${(tenths / 10).toFixed(1)} MB`;
}
