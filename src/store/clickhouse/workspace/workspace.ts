import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../duckdb/engine/database.js';
import { openDatabase } from '../../duckdb/engine/open-database.js';
import { isMarkAlive, mark, unmark } from '../../process-lock.js';

/** The id of the process, that of the folder, and the machine. */
const NAME = /^cropframe-import-(\d+)-([0-9a-f-]{36})-(.+)$/;

/** A DuckDB store in a temporary folder, in which one import runs. */
export interface Workspace {
  readonly database: Database;
  /** Closes the database and removes the folder. */
  remove(): Promise<void>;
}

/** Creates a workspace with the tables of an empty store. Those that killed processes have left are removed first. */
export async function createWorkspace(): Promise<Workspace> {
  await removeLeft();
  const folder = await createFolder();
  try {
    const database = await openDatabase(join(folder.path, 'workspace.duckdb'), false);
    return {
      database,
      async remove() {
        await database.discard().catch(() => {});
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** A temporary folder of this process. */
interface Folder {
  readonly path: string;
  remove(): Promise<void>;
}

/** Creates a folder that the next workspace removes when this process is killed. */
export async function createFolder(): Promise<Folder> {
  const id = randomUUID();
  const path = join(tmpdir(), `cropframe-import-${process.pid}-${id}-${hostname()}`);
  mark(id);
  await mkdir(path, { mode: 0o700 });
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      unmark(id);
    },
  };
}

/** Removes the folders of this machine whose process is gone. */
async function removeLeft(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, id, host] = NAME.exec(name) ?? [];
    const isLeft = pid !== undefined && !isMarkAlive(`${pid} ${host} ${id}`);
    if (isLeft) await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
}
