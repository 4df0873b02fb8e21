import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { StoreError } from '../../model/errors.js';
import { openAccess } from '../../store/access.js';
import { openStore } from '../../store/open.js';
import type { AccessStore, Store } from '../../store/store.js';

/** `--store FILE` of the commands that cannot do without. */
export function storeOption(description = 'file of the store'): Option {
  return new Option('--store <file>', description).makeOptionMandatory();
}

export interface StoreUse {
  /** `create` makes the file when there is none, and removes it again when the step fails; `change` and `read` need it. */
  readonly to: 'create' | 'change' | 'read';
  /** What to do when another process holds the store. */
  readonly whenBusy: string;
}

/**
 * Opens a store for the time of one step and closes it afterwards.
 * @throws StoreError when there is none, or another process holds it, with what to do about it
 */
export async function withStore<Result>(
  file: string,
  { to, whenBusy }: StoreUse,
  step: (store: Store) => Promise<Result>,
): Promise<Result> {
  const isNew = !existsSync(file);
  if (to === 'create') await mkdir(dirname(file), { recursive: true });
  else requireStore(file);
  const store = await openStore(file, { readOnly: to === 'read' }).catch((error: unknown) => {
    throw isBusy(error) ? new StoreError(`${heldBy(error)}; ${whenBusy}`, { cause: error }) : error;
  });
  let done = false;
  try {
    const result = await step(store);
    done = true;
    return result;
  } finally {
    await store.close();
    if (isNew && !done) await removeStore(file);
  }
}

/**
 * The users and tokens of a store, also while a service runs on it.
 * @throws StoreError when there is no such store
 */
export function accessOf(file: string): AccessStore {
  requireStore(file);
  return openAccess(file);
}

function requireStore(file: string): void {
  if (existsSync(file)) return;
  throw new StoreError(`there is no store at ${file}; "cropframe import demo --store ${file}" makes one`);
}

/** Removes a store that was made for a step that failed, so that nothing is left behind. */
async function removeStore(file: string): Promise<void> {
  for (const path of [file, `${file}.wal`, `${file}.tmp`]) await rm(path, { recursive: true, force: true });
}

function isBusy(error: unknown): error is StoreError {
  return error instanceof StoreError && error.message.includes('is in use by');
}

/** The store's own message without its remedy: who holds the file. */
function heldBy(error: StoreError): string {
  return error.message.split('; ')[0]!;
}
