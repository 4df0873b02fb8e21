import { constants, copyFileSync, rmSync } from 'node:fs';

/** A copy of a store's file for one workload, since a store that is open for writing is not shared. */
export function copyStore(file: string): { path: string; remove: () => void } {
  const path = `${file}.copy-${process.pid}`;
  copyFileSync(file, path, constants.COPYFILE_FICLONE);
  const remove = (): void => {
    for (const left of [path, `${path}.wal`]) rmSync(left, { force: true });
  };
  return { path, remove };
}
