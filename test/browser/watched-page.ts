import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page, and what it must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Requests to other places than those below the given one; they are not sent. */
  readonly foreign: string[];
  /** Errors of the console, and those that nothing caught. */
  readonly errors: string[];
  /** What the policy of the page has refused. */
  violations(): Promise<string[]>;
}

/** A new page that may only ask for what is below an address. */
export async function watchedPage(
  browser: Browser,
  below: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const foreign: string[] = [];
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await context.route(
    (url) => url.protocol !== 'data:' && url.protocol !== 'blob:' && !url.href.startsWith(below),
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(globalThis, { refused });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      refused.push(`${violatedDirective} ${blockedURI}`),
    );
  });
  const violations = () => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);
  return { page, foreign, errors, violations };
}
