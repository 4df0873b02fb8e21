import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { HttpError } from '../../src/model/errors.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import type { LogEntry } from '../../src/service/log/access-log.js';
import { createService } from '../../src/service/service.js';
import { restoreStore } from '../../src/store/duckdb/backup/backup.js';
import { openStore } from '../../src/store/open.js';
import type { Store } from '../../src/store/store.js';
import { copyFilledStore } from '../store-templates.js';
import { temporaryFolder } from '../temporary-files.js';
import { fillWithDemo, putToken } from './demo-service.js';

const [folder, kept] = [temporaryFolder(), temporaryFolder()];
const fetched = join(folder, 'fetched.duckdb');
const entries: LogEntry[] = [];
let store: Store;
let serving: Serving;

beforeAll(async () => {
  const path = join(folder, 'served.duckdb');
  await copyFilledStore('demo', path, fillWithDemo);
  store = await openStore(path);
  await putToken(store, 'administrator', ['read', 'administer']);
  await putToken(store, 'other', ['administer']);
  await putToken(store, 'loader', ['read', 'import']);
  const log = (entry: LogEntry) => void entries.push(entry);
  serving = await serve(createService(store, { backupFolder: kept, authorize: 'anyone', log }), { port: 0 });
});
afterAll(async () => {
  await serving.close();
  await store.close();
});

const clientOf = (access_token: string, fetch?: typeof globalThis.fetch) =>
  createClient({ api_host: serving.url, access_token, fetch, retry: { retries: 2, firstWaitMs: 1 } });
const ask = (path: string, token: string) =>
  fetch(`${serving.url}${path}`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });

async function begin(token: string): Promise<{ backupId: string; bytes: number }> {
  const lines = (await (await ask('/v2/backups', token)).text()).trim().split('\n');
  return (JSON.parse(lines.at(-1)!) as { backup: { backupId: string; bytes: number } }).backup;
}

/** Fetches a backup into memory. @param damage what becomes of the answers on their way */
async function backUp(damage?: (response: Response, count: number) => Promise<Response>) {
  const pieces: Uint8Array[] = [];
  let parts = 0;
  const through = async (request: Parameters<typeof fetch>[0]) => {
    const response = await fetch(request);
    const isPart = (request as Request).url.includes('/part?');
    return isPart && damage !== undefined ? damage(response, parts++) : response;
  };
  const backup = await clientOf('administrator', through as typeof fetch).backUp({
    write: (bytes) => void pieces.push(bytes),
  });
  return { backup, bytes: Buffer.concat(pieces) };
}

describe('backing up the store of a service', () => {
  it('fetches a whole backup, which can be checked and restored, and leaves nothing behind', async () => {
    const { backup, bytes } = await backUp();
    expect(bytes.byteLength).toBe(backup.bytes);
    writeFileSync(fetched, bytes);
    const restored = join(folder, 'restored.duckdb');
    expect(await restoreStore(fetched, restored)).toBe(backup.points);
    const again = await openStore(restored, { read_only: true });
    expect(await again.searchDocuments('items')).toEqual(await store.searchDocuments('items'));
    await again.close();
    expect(readdirSync(kept)).toEqual([]);
  });

  it('fetches a part again that is empty or breaks off, and ends with an error when it stays so', async () => {
    const empty = async ({ headers }: Response) => new Response('', { headers });
    const { backup, bytes } = await backUp(async (response, part) =>
      part === 0 ? empty(response) : response,
    );
    expect(bytes.byteLength).toBe(backup.bytes);
    await expect(backUp(empty)).rejects.toThrow(
      /responded with 0 bytes, but only \d+ bytes of the backup are left/,
    );
    await expect(backUp(empty)).rejects.toHaveProperty('requestId', expect.stringMatching(/^[\w-]{36}$/));
    expect(readdirSync(kept)).toEqual([]);
  });

  it('needs a token with the right to administer, also where reading needs none', async () => {
    for (const [token, status] of [
      ['loader', 403],
      ['nobody', 401],
    ] as const)
      expect((await ask('/v2/backups', token)).status).toBe(status);
    expect((await fetch(`${serving.url}/v2/backups`, { method: 'POST' })).status).toBe(401);
    await expect(clientOf('loader').backUp({ write: () => {} })).rejects.toThrow(
      /does not have the right "administer"/,
    );
  });

  it('keeps a backup for its holder alone, one at a time', async () => {
    const { backupId, bytes } = await begin('administrator');
    expect((await ask(`/v2/backups/${backupId}/part?offset=0`, 'other')).status).toBe(404);
    expect((await ask('/v2/backups', 'other')).status).toBe(429);
    expect((await ask(`/v2/backups/${backupId}/part?offset=${bytes}`, 'administrator')).status).toBe(400);
    const part = await ask(`/v2/backups/${backupId}/part?offset=${bytes - 10}`, 'administrator');
    expect((await part.arrayBuffer()).byteLength).toBe(10);
    expect((await ask(`/v2/backups/${backupId}/discard`, 'administrator')).status).toBe(200);
    expect((await ask(`/v2/backups/${backupId}/part?offset=0`, 'administrator')).status).toBe(404);
  });

  it('tells why it fails, with the id of its request, and logs what only the service can explain', async () => {
    const failing = { ...store, backup: () => Promise.reject(new TypeError('of our own')) };
    const log = (entry: LogEntry) => void entries.push(entry);
    const odd = await serve(createService(failing, { authorize: 'anyone', log }), { port: 0 });
    const client = createClient({ api_host: odd.url, access_token: 'administrator' });
    const error = (await client.backUp({ write: () => {} }).catch((thrown: unknown) => thrown)) as HttpError;
    expect(error).toBeInstanceOf(HttpError);
    expect(error.message).toContain('which is in the log of the service');
    const logged = entries.filter(({ request_id }) => request_id === error.requestId);
    expect(logged.map(({ failure }) => failure?.split('\n')[0])).toEqual([
      undefined,
      'TypeError: of our own',
    ]);
    await odd.close();
  });
});
