import type { Browser, BrowserContextOptions } from 'playwright-core';
import type { Store } from '../../../src/store/store.js';
import { launchChromium } from '../launch.js';
import { openPage, type WatchedPage } from './open-page.js';
import { type ServePageOptions, servePage } from './serve-page.js';

/** The environment variable that names the service of a run, which has the made-up farm. */
export const SITE = 'CROPFRAME_TEST_SITE';

/** The built page over a service, and a browser that shows it. */
export interface OpenSite {
  /** With a slash at its end. */
  readonly url: string;
  readonly browser: Browser;
  /** Shows the page in a new profile, at the view of a query where there is one. */
  open(options?: BrowserContextOptions & { query?: string | undefined }): Promise<WatchedPage>;
  close(): Promise<void>;
}

/** The built page over a service of its own. */
export interface OwnSite extends OpenSite {
  readonly store: Store;
}

/** The page of the service that all files share, which nobody changes. */
export async function openSharedSite(): Promise<OpenSite> {
  return siteAt(process.env[SITE]!, async () => {});
}

/** Builds the package, serves its page over a store of its own and starts a browser. */
export async function openSite(options: ServePageOptions): Promise<OwnSite> {
  const served = await servePage(options);
  return { ...(await siteAt(served.url, served.close)), store: served.store };
}

async function siteAt(url: string, closeService: () => Promise<unknown>): Promise<OpenSite> {
  const browser = await launchChromium();
  return {
    url,
    browser,
    open: ({ query = '', ...profile } = {}) =>
      openPage(browser, query === '' ? url : `${url}?v=1&${query}`, profile),
    async close() {
      await browser.close();
      await closeService();
    },
  };
}
