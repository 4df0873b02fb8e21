import { existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { fileFailure } from '../../model/arguments/file-failure.js';
import { StoreError } from '../../model/errors.js';
import { checkBackup } from '../../store/restore.js';
import type { StoreBackup } from '../../store/store.js';
import type { ConnectionOptions } from '../options/connection.js';
import type { CommandContext } from '../terminal/io.js';
import { progressOptions } from '../terminal/progress.js';
import { withClient } from './with-client.js';

const OWNER_ONLY = 0o600;

/**
 * Writes the backup that a service makes of its store into a new file, and reads it back before it gets its name.
 * @throws StoreError when the file exists, or the backup is damaged; nothing is left behind then
 */
export async function fetchBackup(
  context: CommandContext,
  { host, token }: ConnectionOptions,
  to: string,
): Promise<StoreBackup> {
  requireNoFile(to);
  // Nobody can know the name before, nor put a link there that leads elsewhere.
  const draft = `${to}.${crypto.randomUUID()}.backup`;
  try {
    await fetchInto(draft, { context, connection: { host, token } });
    const backup = await checkBackup(draft, { name: to, ...progressOptions(context) });
    requireNoFile(to);
    await rename(draft, to);
    return backup;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw fileFailure(error, { path: to, argument: 'to', to: 'write' });
  }
}

async function fetchInto(
  draft: string,
  { context, connection }: { context: CommandContext; connection: ConnectionOptions },
): Promise<void> {
  const file = await open(draft, 'wx', OWNER_ONLY);
  try {
    await withClient(context, connection, (client) =>
      client.backUp({ write: (bytes) => file.writeFile(bytes), ...progressOptions(context) }),
    );
    await file.sync();
  } finally {
    await file.close();
  }
}

function requireNoFile(to: string): void {
  for (const path of [to, `${to}.wal`])
    if (existsSync(path)) throw new StoreError(`${path} exists already; name another file for the backup`);
}
