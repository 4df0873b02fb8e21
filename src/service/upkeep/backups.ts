import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_PART_BYTES } from '../../contract/requests/upkeep.js';
import { badArgument, NotFoundError, RateLimitError } from '../../model/errors.js';
import type { LongOperation } from '../../model/progress.js';
import type { Store } from '../../store/store.js';
import { makeTemporaryFolder } from '../../store/temporary-files.js';

/** How long a backup is kept if no further part of it is fetched. */
const IDLE_MS = 15 * 60_000;

interface KeptBackup {
  readonly id: string;
  readonly holder: string;
  readonly folder: string;
  readonly file: FileHandle;
  readonly bytes: number;
  readonly timer: NodeJS.Timeout;
}

const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true }).catch(() => {});

/** Makes one backup at a time for clients to fetch. Only the token holder who requested a backup can fetch it. */
export class Backups {
  #kept: KeptBackup | null = null;
  #isMaking = false;

  readonly #folder: string;

  constructor(folder: string = tmpdir()) {
    this.#folder = folder;
  }

  get count(): number {
    return Number(this.#isMaking) + Number(this.#kept !== null);
  }

  requireTurn(holder: string): void {
    if (!this.#isMaking && (this.#kept === null || this.#kept.holder === holder)) return;
    const message = 'another backup is being made or fetched; try again when that has finished';
    throw new RateLimitError(429, '/v2/backups', message, 60_000);
  }

  /** Makes a backup, which replaces the holder's previous one. @throws StoreError, RateLimitError */
  async make(store: Store, holder: string, operation: LongOperation) {
    this.requireTurn(holder);
    this.#isMaking = true;
    let folder: string | undefined;
    try {
      await this.#discard();
      folder = await makeTemporaryFolder(this.#folder);
      const path = join(folder, 'backup');
      const backup = await store.backup(path, operation);
      const file = await open(path, 'r');
      const { size: bytes } = await file.stat();
      const timer = setTimeout(() => void this.#discard(), IDLE_MS).unref();
      const id = randomBytes(16).toString('base64url');
      this.#kept = { id, holder, folder, file, bytes, timer };
      return { ...backup, backupId: id, bytes };
    } finally {
      // The folder is removed while the file is open, so that the system deletes the file when this process ends.
      // On systems that cannot delete an open file, `#discard` deletes it later.
      if (folder !== undefined) await removeFolder(folder);
      this.#isMaking = false;
    }
  }

  /** Reads a part of a backup. @throws NotFoundError if the backup is gone; ArgumentError if the offset is too large */
  async part(id: string, holder: string, offset: number): Promise<Uint8Array<ArrayBuffer>> {
    const { file, bytes, timer } = this.#find(id, holder);
    if (offset >= bytes) throw badArgument('offset', `the backup has only ${bytes} bytes`);
    timer.refresh();
    const part = new Uint8Array(Math.min(MAX_PART_BYTES, bytes - offset));
    for (let read = 0; read < part.byteLength; ) {
      const { bytesRead } = await file.read(part, read, part.byteLength - read, offset + read);
      if (bytesRead === 0) throw new Error(`the backup was cut at ${offset + read} of ${bytes} bytes`);
      read += bytesRead;
    }
    return part;
  }

  async discard(id: string, holder: string): Promise<void> {
    this.#find(id, holder);
    await this.#discard();
  }

  #find(id: string, holder: string): KeptBackup {
    if (this.#kept?.id === id && this.#kept.holder === holder) return this.#kept;
    const message =
      'backupId: there is no such backup; make one, and fetch each part within 15 minutes after the previous one';
    throw new NotFoundError(404, 'backupId', message);
  }

  async #discard(): Promise<void> {
    const kept = this.#kept;
    if (kept === null) return;
    this.#kept = null;
    clearTimeout(kept.timer);
    await kept.file.close().catch(() => {});
    await removeFolder(kept.folder);
  }
}
