import { CropframeError, StoreError } from '../../../model/errors.js';

/** Matches errors caused by a full disk. `max_temp_directory_size` is DuckDB's limit for temporary files. */
const DISK_FULL =
  /No space left on device|Disk quota exceeded|File too large|failed to offload data block|max_temp_directory_size/;

/** Messages keyed by a pattern that matches DuckDB's error. `{action}` is replaced with the action that failed. */
const MESSAGES: Readonly<Record<string, string>> = {
  'Corrupt|does not match stored checksum|Serialization Error|Failed to deserialize':
    '{store} is damaged: a block does not match its checksum; restore a backup with "cropframe store restore"',
  'Could not read enough bytes from file':
    '{store} is damaged: it is truncated; restore a backup with "cropframe store restore"',
  'not a valid DuckDB database file':
    '{store} is not a cropframe store, or is damaged; specify a different file, or restore a backup',
  'Trying to read a database file with version number':
    '{store} was written by a newer version; update cropframe to open it',
  'database does not exist': 'there is no store at {store}; import a data set first, which creates it',
  'No such file or directory':
    '{store} cannot be created because its folder does not exist; create the folder first',
  'Is a directory': '{store} is a folder; specify a file in it',
  'Permission denied':
    'this user is not allowed to open {store} or write to its folder; change the permissions, or specify a different file',
  'has been invalidated because checkpointing failed':
    '{store} can no longer be read, because the disk is full; no import was lost: free some space and open the store again',
  [DISK_FULL.source]:
    '{store}: the disk is full, so {action} failed and nothing was changed; free some space and try again',
  '': '{store}: {action} failed: {text}',
};

/** Converts a DuckDB error to a StoreError whose message names a remedy. A CropframeError is returned unchanged. */
export function toStoreError(error: unknown, location: string, action: string): CropframeError {
  if (error instanceof CropframeError) return error;
  const text = errorText(error);
  if (text.includes('Could not set lock on file')) return new StoreInUseError(location, error);
  const found = Object.entries(MESSAGES).find(([pattern]) => new RegExp(pattern, 'i').test(text));
  const words: Readonly<Record<string, string>> = { store: location, action, text };
  return new StoreError(fillIn(found![1], words), { cause: error });
}

export function fillIn(template: string, words: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name]!);
}

const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && DISK_FULL.test(error.message);

export class StoreInUseError extends StoreError {
  constructor(
    location: string,
    cause: unknown,
    remedy = 'stop it, or open the store with read_only in every process',
  ) {
    const [, holder] = /PID (\d+)/.exec(String(cause)) ?? [];
    const who = holder === undefined ? 'another process' : `another process (PID ${holder})`;
    super(`${location} is in use by ${who}; ${remedy}`, { cause });
  }
}

export const closedError = (): StoreError => new StoreError('the store is closed; open it again');

/** Thrown if a store was closed but its log could not be merged into the file. No import is lost. */
export class LogKeptError extends StoreError {
  constructor(location: string, { log, cause }: { log: string; cause: unknown }) {
    const reason = isDiskFull(cause) ? 'the disk is full' : errorText(cause);
    super(
      `${location} is complete, but its log could not be merged into it (${reason}), so part of the store remains in ${log}; ` +
        `free some space and run "cropframe store check --store ${location}"`,
      { cause },
    );
  }
}
