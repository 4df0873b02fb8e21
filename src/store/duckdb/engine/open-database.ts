import { existsSync, readdirSync, rmdirSync, rmSync, statSync, unlinkSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { StoreError } from '../../../model/errors.js';
import { removeAbandonedFiles, temporaryName } from '../../temporary-files.js';
import { prepareSchema } from '../schema.js';
import { Database } from './database.js';
import { holdPlace, sweepDrafts } from './drafts.js';
import { isDiskFull, toStoreError } from './errors.js';
import { canonicalPath, claimFile, FileWatch, removeStoreFiles, requireFile } from './files.js';
import { DuckDBInstance } from './library.js';
import { quoteLiteral } from './sql-values.js';

/** Removes the files that the engine spilled into a folder, and then the folder if it is empty. */
function removeSpilled(folder: string): void {
  if (!existsSync(folder)) return;
  const spilled = readdirSync(folder).filter((name) => name.startsWith('duckdb_temp_'));
  for (const name of spilled) rmSync(join(folder, name), { force: true });
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

/** Checks whether a file is empty. A crash during creation can leave an empty file, which is not a valid database. */
function isEmptyFile(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found?.isFile() === true && found.size === 0;
}

/** Returns the inode of a file, which differs after the file was replaced; undefined if it does not exist. */
const fileNumber = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

/** How long opening waits for another process that creates the same store. */
const MAX_CREATION_MS = 10_000;

export interface OpenDatabaseOptions {
  readonly readOnly: boolean;
  /** The name of the file in messages; default its path. */
  readonly name?: string | undefined;
  /** Whether users may run SQL queries. The engine can then read only its own files and those that `lend` provides. */
  readonly isConfined?: boolean | undefined;
}

/**
 * Opens a store file or `:memory:`, and creates or checks its tables.
 * @throws StoreError if it is not a store, has another version, or is in use
 */
export async function openDatabase(
  location: string,
  { readOnly, name, isConfined = false }: OpenDatabaseOptions,
): Promise<Database> {
  const inMemory = location === ':memory:';
  if (inMemory && readOnly) {
    throw new StoreError(
      'a store in memory starts empty and cannot be opened for reading only; open it without read_only',
    );
  }
  const path = inMemory ? location : canonicalPath(location);
  const release = inMemory ? () => {} : claimFile(path, readOnly);
  try {
    if (readOnly) requireFile(path, 'Import a data set first, which creates it');
    const lending = isConfined ? join(canonicalPath(tmpdir()), temporaryName()) : null;
    const open = async () => {
      const before = fileNumber(path);
      const instance = await openInstance(path, { readOnly, name, lending });
      const file = inMemory ? null : new FileWatch(path);
      const database = new Database(path, readOnly, { instance, file, lending, releaseFile: release });
      if (readOnly || before === undefined || before === fileNumber(path)) return database;
      // Everything written to a file without a name would be lost.
      await database.discard();
      throw new StoreError(`${name ?? path} was replaced while it was opened; try again`);
    };
    if (inMemory) return await open();
    const place = { path, name: name ?? path };
    if (!readOnly && (!existsSync(path) || isEmptyFile(path))) {
      // Processes create a store one at a time, so that none removes the file that another has just created.
      return await holdPlace({ ...place, maxWaitMs: MAX_CREATION_MS }, () => {
        if (isEmptyFile(path)) unlinkSync(path);
        return open();
      });
    }
    await removeAbandonedFiles(dirname(path));
    if (readOnly) return await open();
    await sweepDrafts(path);
    const database = await open();
    removeSpilled(spillFolder(path));
    return database;
  } catch (error) {
    release();
    throw toStoreError(error, name ?? path, 'opening');
  }
}

/** Keeps COMMIT from merging the log into the file, which would fail after the commit on a full disk. */
const NO_CHECKPOINTS = '1TB';

/**
 * Attaches a file under a name. The size of row groups can be set only here. With small row groups, DuckDB skips
 * nearly all of them when few series are read. Measured on 20 M points, reading 100 scattered series takes 60% of the
 * time that it takes with the default of 122,880.
 */
export async function attach(
  connection: DuckDBConnection,
  path: string,
  { as, readOnly = false }: { as: string; readOnly?: boolean },
): Promise<void> {
  const options = readOnly ? 'READ_ONLY' : 'ROW_GROUP_SIZE 20480';
  await connection.run(`ATTACH ${quoteLiteral(path)} AS ${as} (TYPE duckdb, ${options})`);
}

/** Settings that stay changeable in a confined engine, because imports, connections and query progress need them. */
const OPEN_SETTINGS = ['memory_limit', 'enable_progress_bar', 'enable_progress_bar_print', 'search_path'];

/**
 * Confines an engine to the files of its databases, its temporary files and one folder. It blocks network addresses
 * and extensions, and locks the settings. No statement can undo this.
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

/**
 * Opens an in-memory engine, and attaches the store's file to it.
 * @param lending the folder that a confined engine may read; null if the engine may read any file
 */
async function openInstance(
  path: string,
  { readOnly, name = path, lending }: { readOnly: boolean; name: string | undefined; lending: string | null },
): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(':memory:', {
    temp_directory: spillFolder(path, readOnly),
    memory_limit: readingMemory(),
    checkpoint_threshold: NO_CHECKPOINTS,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const isNew = path !== ':memory:' && !existsSync(path);
  const connection = await instance.connect();
  let isAttached = false;
  try {
    await attach(connection, path, { as: 'store', readOnly });
    isAttached = true;
    await prepareSchema(connection, { location: name, readOnly });
    await connection.run(`SET GLOBAL TimeZone = 'UTC'`);
    if (lending !== null) await confine(connection, lending);
    connection.disconnectSync();
    return instance;
  } catch (error) {
    // Removes only a file that this call created. Otherwise another process may be creating it.
    if (isNew && (isAttached || isDiskFull(error))) removeStoreFiles(path);
    connection.disconnectSync();
    instance.closeSync();
    throw error;
  }
}

/**
 * Returns the folder into which an open database spills memory. Each database needs its own, because the engine uses
 * the same file names in every database, so two would overwrite each other's rows. For a file opened for writing, the
 * folder is always the same.
 */
export function spillFolder(path: string, readOnly = false): string {
  if (path === ':memory:') return join(tmpdir(), temporaryName());
  return readOnly ? `${path}.${temporaryName()}` : `${path}.tmp`;
}

/** Without a limit, DuckDB's memory would grow during an import to nearly all memory of the machine. */
const MAX_IMPORT_BYTES = 1e9;

/** Returns DuckDB's memory limit during an import. Staged rows beyond it are spilled to disk. */
export function importMemory(): string {
  const ofContainer = containerBytes();
  return megabytes(Math.min(MAX_IMPORT_BYTES, ofContainer === null ? totalmem() / 2 : ofContainer / 4));
}

/**
 * Returns DuckDB's memory limit when no import is running. DuckDB's default is 80% of a container's memory. Node
 * needs more than the rest, so the system would kill the process.
 */
export function readingMemory(): string {
  const ofContainer = containerBytes();
  return megabytes(ofContainer === null ? totalmem() * 0.8 : ofContainer / 2);
}

/** Returns the memory limit of this process's container in bytes, or null outside of a container. */
function containerBytes(): number | null {
  const bytes = process.constrainedMemory();
  return bytes > 0 && bytes < totalmem() ? bytes : null;
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6)}MB`;
}
