import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../../duckdb/engine/database.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { makeTemporaryFolder } from '../../temporary-files.js';

/** A temporary DuckDB store for the data of one import. */
export interface TemporaryDatabase {
  readonly database: Database;
  remove(): Promise<void>;
}

export async function createTemporaryDatabase(): Promise<TemporaryDatabase> {
  const folder = await makeTemporaryFolder();
  const removeFolder = () => rm(folder, { recursive: true, force: true, maxRetries: 3 });
  try {
    const database = await openDatabase(join(folder, 'import.duckdb'), { readOnly: false });
    return {
      database,
      async remove() {
        await database.close({ isDiscarded: true }).catch(() => {});
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}
