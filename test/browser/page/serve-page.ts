import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import type { Service } from '../../../src/service/handler.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService, type ServiceOptions } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';

/** A service that shows its page. */
export interface ServedPage {
  /** With a slash at its end. */
  readonly url: string;
  readonly store: Store;
  close(): Promise<void>;
}

/** What a served page differs in. */
export interface ServePageOptions extends ServiceOptions {
  /** Fills the store; with the demo data by default. */
  readonly fill?: ((store: Store) => Promise<unknown>) | undefined;
  /** A store that is filled already. */
  readonly path?: string | undefined;
  /** Stands between the page and the service, as a fault does. */
  readonly wrap?: ((service: Service) => Service) | undefined;
}

/** Serves the built page over a store of its own, without tokens unless `authorize` is given. */
export async function servePage({
  fill = fillWithDemo,
  path,
  wrap,
  ...options
}: ServePageOptions = {}): Promise<ServedPage> {
  const store = await openStore(path ?? ':memory:');
  if (path === undefined) await fill(store);
  const service = createService(store, { authorize: 'anyone', page: true, ...options });
  const serving = await serve(wrap?.(service) ?? service, { port: 0, stopWithinMs: 100 });
  return { url: `${serving.url}/`, store, close: () => serving.close().finally(() => store.close()) };
}

function fillWithDemo(store: Store): Promise<unknown> {
  return importDataset(store, documentImporter('demo'));
}
