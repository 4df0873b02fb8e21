import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** A page that is watched for what must never happen. */
export interface WatchedPage {
  readonly page: Page;
  /** Breaches of the policy, errors, dialogs, and requests to other hosts. */
  readonly problems: readonly string[];
  /** Addresses of all requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** What a failed request leaves on the console, which tests of failures expect. */
const FAILED_LOAD = /Failed to load resource|net::ERR/;

/** Opens an address in a new profile, after a script, where one is given, in the page. */
export async function openPage(
  browser: Browser,
  url: string,
  { script, ...options }: BrowserContextOptions & { readonly script?: (() => void) | undefined } = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    ...options,
  });
  const problems: string[] = [];
  const requests: string[] = [];
  const { origin } = new URL(url);
  // A route would do the same, but takes the cache from the page. The browser itself reaches no other host.
  context.on('request', (request) => {
    const address = request.url();
    requests.push(address);
    if (new URL(address).origin !== origin && !/^(data|blob):/.test(address))
      problems.push(`a request to ${address}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI} ${sourceFile}`),
    );
  });
  if (script !== undefined) await context.addInitScript(script);
  const page = await context.newPage();
  page.on('pageerror', (error) => problems.push(`an error: ${error.stack ?? error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && !FAILED_LOAD.test(message.text())) problems.push(message.text());
  });
  await page.goto(url);
  return { page, problems, requests, close: () => context.close() };
}

/** Waits for the view that the page proposes: a chart or a map. */
export async function proposed(page: Page): Promise<void> {
  const shown = page.locator('figure.figure:not(.stale) :is(.plot canvas, svg.map)');
  await shown.first().waitFor({ timeout: 30_000 });
}

/** Waits until the figure shows a chart that is not being fetched anew. @returns its subtitle */
export async function drawn(page: Page): Promise<string> {
  await page.locator('figure.figure:not(.stale) .plot canvas').waitFor({ timeout: 30_000 });
  return (await page.locator('.figure-subtitle').textContent()) ?? '';
}
