import { randomUUID } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { copyFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { StoreError } from '../../model/errors.js';
import { LogKeptError } from '../../store/duckdb/engine/errors.js';
import { foldLog, withStore } from './store-file.js';

const WHEN_BUSY = 'wait until the import into this store has finished';

/**
 * Changes a store by changing a copy of it, which then replaces it: all of the step becomes visible, or nothing. No
 * other process can write to the store meanwhile; readers keep the file that they opened.
 * @param step receives the path of the copy, and closes what it opens
 * @throws StoreError when another process writes to the store
 */
export async function withStoreCopy<Result>(
  file: string,
  step: (copy: string) => Promise<Result>,
): Promise<Result> {
  const path = await realpath(file);
  await foldLog(path);
  const copy = `${path}.${randomUUID()}.update`;
  try {
    const before = await stat(path);
    await copyFile(path, copy, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    // Opening a file for reading keeps other processes from writing it; reading it otherwise from here on would end that.
    return await withStore(path, { to: 'read', whenBusy: WHEN_BUSY }, async () => {
      const { mtimeMs, size } = await stat(path);
      if (mtimeMs !== before.mtimeMs || size !== before.size) {
        throw new StoreError(`${file} was written while it was copied; ${WHEN_BUSY}, then try again`);
      }
      const result = await step(copy);
      if (existsSync(`${copy}.wal`))
        throw new StoreError(`${file}: the updated copy was not closed; try again`);
      await rename(copy, path);
      return result;
    });
  } catch (error) {
    throw aboutStore(error, { file, copy });
  } finally {
    for (const left of [copy, `${copy}.wal`, `${copy}.tmp`]) await rm(left, { recursive: true, force: true });
  }
}

/** The error as that of the store: the copy, which it names, is gone when it is read. */
function aboutStore(error: unknown, { file, copy }: { file: string; copy: string }): unknown {
  if (error instanceof LogKeptError) {
    return new StoreError(
      `${file}: the updated copy could not be written whole, so nothing was changed; free some space`,
      {
        cause: error,
      },
    );
  }
  if (!(error instanceof StoreError)) return error;
  return new StoreError(error.message.replaceAll(copy, file), { cause: error });
}
