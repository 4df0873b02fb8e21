import { realpath } from 'node:fs/promises';
import { StoreError } from '../../model/errors.js';
import { takeLock } from '../../store/process-lock.js';

/**
 * Runs a step while no other process updates the store.
 * @throws StoreError when another process does
 */
export async function withUpdateLock<Result>(file: string, step: () => Promise<Result>): Promise<Result> {
  const path = await realpath(file).catch(() => null);
  // The step names what is missing.
  if (path === null) return step();
  const lock = `${path}.update-lock`;
  const release = await takeLock(lock);
  if (release === null)
    throw new StoreError(
      `${file}: another update is running; wait until it has ended (or remove ${lock} if none is)`,
    );
  try {
    return await step();
  } finally {
    await release();
  }
}
