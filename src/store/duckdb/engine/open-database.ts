import { existsSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { removeAbandonedFiles, temporaryName } from '../../temporary-files.js';
import { prepareSchema } from '../schema.js';
import { Database } from './database.js';
import { holdPlace } from './drafts.js';
import { isDiskFull, toStoreError } from './errors.js';
import { canonicalPath, claimFile, FileWatch, removeStoreFiles, requireFile } from './files.js';
import { DuckDBInstance } from './library.js';
import { quoteLiteral } from './sql-values.js';

/** Checks whether a file is empty. A crash during creation can leave an empty file, which is not a valid database. */
function isEmptyFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
}

export interface OpenDatabaseOptions {
  readonly readOnly: boolean;
  /** The file's name to show in messages; by default, its path. */
  readonly name?: string | undefined;
  /** Whether users may run SQL queries. If so, the engine can read only its own files, and files passed to `lend`. */
  readonly isConfined?: boolean | undefined;
}

/** Opens a store's file. @throws StoreError if it is not a store, has a different schema version, or is in use */
export async function openDatabase(
  location: string,
  { readOnly, name: shown, isConfined = false }: OpenDatabaseOptions,
): Promise<Database> {
  const inMemory = location === ':memory:';
  const emptyError =
    'a store in memory starts empty and cannot be opened for reading only; open it without read_only';
  if (inMemory && readOnly) throw new StoreError(emptyError);
  const path = inMemory ? location : canonicalPath(location);
  const name = shown ?? path;
  const release = inMemory ? () => {} : claimFile(path, readOnly);
  try {
    if (readOnly) requireFile(path, 'Import a data set first, which creates it');
    const lending = isConfined ? join(canonicalPath(tmpdir()), temporaryName()) : null;
    const open = async () => {
      const instance = await openInstance(path, { readOnly, name, lending });
      const file = inMemory ? null : new FileWatch(path);
      return new Database(path, readOnly, { instance, name, file, lending, releaseFile: release });
    };
    if (inMemory) return await open();
    if (!readOnly && (!existsSync(path) || isEmptyFile(path))) {
      // Only one process at a time creates a store, so that none removes a file that another has just created.
      return await holdPlace({ path, name }, () => {
        if (isEmptyFile(path)) unlinkSync(path);
        return open();
      });
    }
    await removeAbandonedFiles(dirname(path));
    return await open();
  } catch (error) {
    release();
    throw toStoreError(error, name, 'opening');
  }
}

/** A log size that is never reached, so that COMMIT does not merge the log. On a full disk, merging could fail. */
const NO_CHECKPOINTS = '1TB';

/**
 * Small row groups let DuckDB skip nearly all rows when few series are read. Reading 100 scattered series from a store
 * with 10 million points takes 70% of the processor time needed with the default size, 122,880 rows. With half this
 * size it takes 55%, but a single series is slower and inserts take 50% longer. The size can be set only when a file is
 * attached.
 */
const ROW_GROUPS = 'ROW_GROUP_SIZE 40960';

/** Settings that can be changed even after `confine`, because imports, connections and query progress need them. */
const OPEN_SETTINGS = ['memory_limit', 'enable_progress_bar', 'enable_progress_bar_print', 'search_path'];

/**
 * Confines an engine to its databases' files, its temporary files and one folder, without network or extensions. The
 * settings are locked, so that no statement can undo this.
 */
export async function confine(connection: DuckDBConnection, folder: string | null = null): Promise<void> {
  for (const setting of [
    `allowed_directories = [${folder === null ? '' : quoteLiteral(folder)}]`,
    'enable_external_access = false',
    `allowed_configs = [${OPEN_SETTINGS.map(quoteLiteral).join(', ')}]`,
    'lock_configuration = true',
  ])
    await connection.run(`SET GLOBAL ${setting}`);
}

/** Opens a DuckDB instance. @param lending the folder that a confined engine may read; null if it may read any file */
async function openInstance(
  path: string,
  { readOnly, name, lending }: { readOnly: boolean; name: string; lending: string | null },
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder(path),
    memory_limit: memoryLimit({ isImporting: false }),
    checkpoint_threshold: NO_CHECKPOINTS,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const isNew = path !== ':memory:' && !existsSync(path);
  const connection = await instance.connect();
  let isAttached = false;
  try {
    const options = readOnly ? 'READ_ONLY' : ROW_GROUPS;
    await connection.run(`ATTACH ${quoteLiteral(path)} AS store (TYPE duckdb, ${options})`);
    isAttached = true;
    await prepareSchema(connection, { location: name, readOnly });
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    if (lending !== null) await confine(connection, lending);
    connection.disconnectSync();
    return instance;
  } catch (error) {
    // Only a file that this call created is removed, because another process may be creating any other file.
    if (isNew && (isAttached || isDiskFull(error))) removeStoreFiles(path);
    connection.disconnectSync();
    instance.closeSync();
    throw error;
  }
}

/**
 * Returns a new folder to which an open database spills data. Two databases in one folder would overwrite each other's
 * rows, because the engine uses the same file names.
 */
export const spillFolder = (path: string): string =>
  path === ':memory:' ? join(tmpdir(), temporaryName()) : `${path}.${temporaryName()}`;

/** DuckDB's maximum memory during an import. Without a limit, DuckDB would use nearly all of the machine's memory. */
const MAX_IMPORT_BYTES = 1e9;

/** Returns DuckDB's memory limit. In a container, DuckDB's default of 80% would leave too little memory for Node. */
export function memoryLimit({ isImporting }: { isImporting: boolean }): string {
  const ofContainer = process.constrainedMemory();
  const isContained = ofContainer > 0 && ofContainer < totalmem();
  const reading = isContained ? ofContainer / 2 : totalmem() * 0.8;
  const importing = Math.min(MAX_IMPORT_BYTES, isContained ? ofContainer / 4 : totalmem() / 2);
  return `${Math.floor((isImporting ? importing : reading) / 1e6)}MB`;
}
