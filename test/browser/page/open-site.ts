import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Service } from '../../../src/service/handler.js';
import { serve } from '../../../src/service/http/serve.js';
import { createService, type ServiceOptions } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { launchChromium } from '../launch.js';
import { openPage, type WatchedPage } from './open-page.js';

/** The environment variable that names the service of a run, which has the made-up farm. */
export const SITE = 'CROPFRAME_TEST_SITE';

/** What a page is opened with: the query of a link to a view, or an address, and the profile of its reader. */
interface OpenOptions extends BrowserContextOptions {
  readonly query?: string | undefined;
  readonly address?: string | undefined;
  /** A script that is run in the page before its own. */
  readonly script?: () => void;
}

/** The built page over a service. */
export interface OpenSite {
  /** With a slash at its end. */
  readonly url: string;
  /** The store of a service of its own. */
  readonly store: Store;
  readonly browser: Browser;
  /** Shows the page in a new profile. */
  open(options?: OpenOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

/** A service that shows its page. */
interface ServedPage {
  /** With a slash at its end. */
  readonly url: string;
  readonly store: Store;
  close(): Promise<void>;
}

/** What a served page differs in. */
interface ServePageOptions extends ServiceOptions {
  /** Fills the store. */
  readonly fill?: ((store: Store) => Promise<unknown>) | undefined;
  /** A store that is filled already. */
  readonly path?: string | undefined;
  /** Stands between the page and the service, as a fault does. */
  readonly wrap?: ((service: Service) => Service) | undefined;
}

/** Serves the built page over a store of its own, without tokens unless `authorize` is given. */
export async function servePage({ fill, path, wrap, ...options }: ServePageOptions): Promise<ServedPage> {
  const store = await openStore(path ?? ':memory:');
  await fill?.(store);
  const service = createService(store, { authorize: 'anyone', page: true, ...options });
  const serving = await serve(wrap?.(service) ?? service, { port: 0, stopWithinMs: 100 });
  return { url: `${serving.url}/`, store, close: () => serving.close().finally(() => store.close()) };
}

/** Serves the page over a store of its own or, without options, over the store that all files share and nobody changes. */
export async function openSite(options?: ServePageOptions): Promise<OpenSite> {
  const served = options && (await servePage(options));
  const url = served?.url ?? process.env[SITE]!;
  const browser = await launchChromium();
  return {
    url,
    store: served?.store as Store,
    browser,
    open: ({ query = '', address = query === '' ? url : `${url}?v=1&${query}`, ...profile } = {}) =>
      openPage(browser, address, profile),
    async close() {
      await browser.close();
      await served?.close();
    },
  };
}

/**
 * Opens a site for the tests of a file or a block. After each test, the pages that it opened are closed, and the test
 * fails if one of them had problems.
 */
export function siteForTests(
  options?: ServePageOptions | (() => Promise<ServePageOptions>),
): Omit<OpenSite, 'close'> {
  let site: OpenSite;
  const opened: WatchedPage[] = [];
  beforeAll(async () => {
    site = await openSite(typeof options === 'function' ? await options() : options);
  });
  afterEach(async () => {
    const pages = opened.splice(0);
    for (const { close } of pages) await close();
    expect(pages.flatMap(({ problems }) => problems)).toEqual([]);
  });
  afterAll(() => site?.close());
  return {
    get url() {
      return site.url;
    },
    get store() {
      return site.store;
    },
    get browser() {
      return site.browser;
    },
    async open(of) {
      opened.push(await site.open(of));
      return opened.at(-1)!;
    },
  };
}
