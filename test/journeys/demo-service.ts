import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type ClientOptions, createServiceClient, type ServiceClient } from '../../src/client/client.js';
import type { Fetch } from '../../src/client/http/request.js';
import { type Client, createClient } from '../../src/create-client.js';
import { type Embedded, openEmbedded } from '../../src/embedded.js';
import { documentImporter } from '../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../src/ingest/import-dataset.js';
import type { Right } from '../../src/model/access.js';
import { hashToken, singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { copyFilledStore, openFilledStore, openRegionStore } from '../store-templates.js';

/** The whole service over a real store, with the demo data. */
export interface DemoService {
  readonly store: Store;
  readonly service: Fetch;
  /** A client of it, or of the `fetch` of the options. */
  client(options?: ClientOptions): Client;
  /** The client with the internals that other modules need. */
  serviceClient(options?: ClientOptions): ServiceClient;
  close(): Promise<void>;
}

export const TOKEN = 'token-of-the-tests';
/** Creates a token that is its own name. */
export function putToken(store: Store, name: string, rights: Right[]): Promise<void> {
  const times = { createdMs: 0, expiresMs: null, revokedMs: null };
  return store.access.putToken({ hash: hashToken(name), name, email: null, ...times, rights });
}

/** Retries without waiting. */
export const AT_ONCE = { firstWaitMs: 0, maxWaitMs: 0 };

/** When the demo data are imported: a fixed day, so that as-of queries have fixed results. */
export const IMPORTED = '2020-01-01T00:00:00.000Z';

/** Fills an empty store. Stores of one template have the same content, and are copies. */
export type Filling = ((store: Store) => Promise<unknown>) & { readonly template?: string };

export async function openDemoService(fill: Filling = fillWithDemo): Promise<DemoService> {
  const store = await openFilled(fill);
  const service = createService(store, { authorize: singleTokenAuthorizer(TOKEN) });
  const defaults: ClientOptions = {
    api_host: 'http://service.invalid',
    access_token: TOKEN,
    fetch: service,
    retry: AT_ONCE,
  };
  return {
    store,
    service,
    client: (options) => createClient({ ...defaults, ...options }),
    serviceClient: (options) => createServiceClient({ ...defaults, ...options }),
    close: () => store.close(),
  };
}

/** Such a service for all tests of a file or a group: it opens before the first, and closes after the last. */
export function useDemoService(fill?: Filling): DemoService {
  const demo = {} as DemoService;
  beforeAll(async () => void Object.assign(demo, await openDemoService(fill)));
  afterAll(() => demo.close?.());
  return demo;
}

async function openFilled(fill: Filling): Promise<Store> {
  if (fill.template !== undefined) return openFilledStore(fill.template, fill);
  const store = await openRegionStore();
  await fill(store);
  return store;
}

export const fillWithDemo: Filling = Object.assign(
  (store: Store) => importDataset(store, documentImporter('demo'), { importedMs: Date.parse(IMPORTED) }),
  { template: 'demo' },
);

/** What `openEmbedded({ demo: true })` opens, from a copy of the store. */
export async function openDemoEmbedded(): Promise<Embedded> {
  const folder = mkdtempSync(join(tmpdir(), 'cropframe-embedded-'));
  const path = join(folder, 'demo.duckdb');
  await copyFilledStore('demo', path, fillWithDemo);
  const embedded = await openEmbedded({ path });
  return {
    ...embedded,
    close: () => embedded.close().finally(() => rmSync(folder, { recursive: true, force: true })),
  };
}

/** A service that counts its requests by method and path. */
export function counting(service: Fetch): { fetch: Fetch; asked: Map<string, number>; total(): number } {
  const asked = new Map<string, number>();
  return {
    asked,
    total: () => [...asked.values()].reduce((sum, count) => sum + count, 0),
    fetch(request) {
      const text = `${request.method} ${new URL(request.url).pathname}`;
      asked.set(text, (asked.get(text) ?? 0) + 1);
      return service(request);
    },
  };
}
