import type { Browser, BrowserContextOptions } from 'playwright-core';
import { buildPackage } from '../../../build.js';
import { launchChromium } from '../launch.js';
import { openPage, type WatchedPage } from './open-page.js';
import { type ServePageOptions, servePage } from './serve-page.js';

/** The built page over a service of its own, and a browser that shows it. */
export interface OpenSite {
  /** With a slash at its end. */
  readonly url: string;
  readonly browser: Browser;
  /** Shows the page in a new profile. */
  open(options?: BrowserContextOptions): Promise<WatchedPage>;
  close(): Promise<void>;
}

/** Builds the package, serves its page and starts a browser. */
export async function openSite(options: ServePageOptions = {}): Promise<OpenSite> {
  await buildPackage();
  const served = await servePage(options);
  const browser = await launchChromium();
  return {
    url: served.url,
    browser,
    open: (profile) => openPage(browser, served.url, profile),
    close: () => browser.close().finally(served.close),
  };
}
