import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { type HostedImports, hostImports } from '../../src/ingest/import-host.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { openServedStore } from '../service/serving-store.js';
import { TRIALS_DOCUMENT } from '../trials-document.js';
import { putToken } from './demo-service.js';

/** A network between client and service: it passes on so many bytes of requests at a time, and counts pieces of answers. */
class SlowNetwork {
  bytesPerTick = Number.POSITIVE_INFINITY;
  pieces = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(port: number) {
    this.#server = createServer((client) => {
      const service = connect(port, '127.0.0.1');
      for (const socket of [client, service]) this.#sockets.add(socket.on('error', () => {}));
      client.on('close', () => service.destroy());
      service.on('close', () => client.destroy());
      service.on('data', (piece) => {
        this.pieces++;
        client.write(piece);
      });
      void this.#passOn(client, service);
    });
  }

  async #passOn(client: Socket, service: Socket): Promise<void> {
    try {
      for await (const piece of client as AsyncIterable<Buffer>)
        for (let at = 0; at < piece.length; at += this.bytesPerTick) {
          service.write(piece.subarray(at, Math.min(piece.length, at + this.bytesPerTick)));
          if (this.bytesPerTick < Number.POSITIVE_INFINITY) await new Promise((next) => setTimeout(next, 20));
        }
    } catch {
      // The client has left.
    }
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

let store: Store;
let imports: HostedImports;
let serving: Serving;
let network: SlowNetwork;
let api_host: string;

beforeAll(async () => {
  ({ store } = await openServedStore());
  await putToken(store, 'all', ['read', 'import', 'administer']);
  imports = await hostImports();
  serving = await serve(createService(store, { imports }), { port: 0 });
  network = new SlowNetwork(Number(new URL(serving.url).port));
  api_host = await network.listen();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await network.close();
  await serving.close();
  await imports.close();
  await store.close();
});

/** A client as on another machine, which accepts compression. */
const clientOf = (timeoutMs: number) =>
  createClient({
    api_host,
    access_token: 'all',
    timeout_ms: timeoutMs,
    retry: { firstWaitMs: 1 },
    fetch: (request) => {
      request.headers.set('accept-encoding', 'gzip, zstd, br');
      return fetch(request);
    },
  });
const trials = (rows: number) => ({
  dataset: TRIALS_DOCUMENT,
  files: [
    {
      name: 'trials.csv',
      content: new Blob(['state,year,value\n', ...Array(rows).fill('Iowa,2020,9\n')]),
    },
  ],
});

/** A long operation: it reports progress, and goes on when that and two signs of life have passed the network. */
async function longWork(told: Promise<void>, tell: () => void): Promise<void> {
  tell();
  await told;
  const { pieces } = network;
  await expect.poll(() => network.pieces - pieces).toBeGreaterThanOrEqual(2);
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('over a slow network, with compression', () => {
  it('an import tells its progress while it runs, and shows life while there is none', {
    timeout: 60_000,
  }, async () => {
    const { open, opened } = gate();
    const run = imports.run.bind(imports);
    vi.spyOn(imports, 'run').mockImplementationOnce(async (store, job, watch) => {
      await longWork(opened, () => watch.onProgress({ label: 'at work', done: 1, total: 2, unit: 'rows' }));
      return run(store, job, watch);
    });
    const outcome = await clientOf(10_000).importFiles({
      ...trials(1),
      onProgress: ({ label }) => label === 'at work' && open(),
    });
    expect(outcome).toMatchObject({ rows: 1 });
  });

  it('a backup does so too', { timeout: 60_000 }, async () => {
    const { open, opened } = gate();
    const backup = store.backup.bind(store);
    vi.spyOn(store, 'backup').mockImplementationOnce(async (path, operation) => {
      await longWork(opened, () =>
        operation?.onProgress?.({ label: 'at work', done: 1, total: 2, unit: 'rows' }),
      );
      return backup(path, operation);
    });
    let bytes = 0;
    const made = await clientOf(10_000).backUp({
      write: (piece) => {
        bytes += piece.byteLength;
      },
      onProgress: ({ label }) => label === 'at work' && open(),
    });
    expect(bytes).toBe(made.bytes);
  });

  it('a list of series arrives as far as it has been read', { timeout: 60_000 }, async () => {
    const { open, opened } = gate();
    const series = store.series.bind(store);
    vi.spyOn(store, 'series').mockImplementationOnce(async function* (...asked) {
      const batches = [];
      for await (const batch of series(...asked)) batches.push(batch);
      yield batches[0]!;
      await opened;
      yield* batches.slice(1);
    });
    const headers = { authorization: 'Bearer all', 'accept-encoding': 'gzip, zstd, br' };
    const { body } = await fetch(`${api_host}/v2/stream/data_series/list`, { headers });
    let text = '';
    for await (const piece of body!) {
      text += Buffer.from(piece).toString();
      open();
    }
    expect(JSON.parse(text).length).toBeGreaterThan(0);
  });

  it('an upload that takes longer than the timeout arrives', { timeout: 60_000 }, async () => {
    network.bytesPerTick = 16_384;
    try {
      expect(await clientOf(2000).importFiles(trials(200_000))).toMatchObject({ rows: 200_000 });
    } finally {
      network.bytesPerTick = Number.POSITIVE_INFINITY;
    }
  });
});
