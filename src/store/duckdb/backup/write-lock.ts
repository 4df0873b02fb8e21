import { existsSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { claimFile } from '../engine/files.js';
import { DuckDBInstance } from '../engine/library.js';
import { quoted } from '../engine/sql-values.js';

/**
 * Runs a step while no process writes a store's file: opening the file for reading keeps the others from writing it. A file
 * that cannot be opened, because it is damaged, has no writer either.
 * @throws StoreError when a process has it open for writing
 */
export async function whileNobodyWrites(path: string, location: string, step: () => void): Promise<void> {
  if (!existsSync(path)) return step();
  const release = claimFile(path, true);
  const instance = await DuckDBInstance.create(':memory:');
  let connection: DuckDBConnection | null = null;
  try {
    connection = await instance.connect();
    await connection.run(`ATTACH ${quoted(path)} AS store (READ_ONLY)`).catch((error: unknown) => {
      if (!String(error).includes('Could not set lock')) return;
      throw new StoreError(`${location} is in use by another process; stop it, then restore`, {
        cause: error,
      });
    });
    step();
  } finally {
    await connection?.run('DETACH store').catch(() => {});
    connection?.disconnectSync();
    instance.closeSync();
    release();
  }
}
