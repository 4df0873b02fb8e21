import { strict as assert } from 'node:assert';
import type { Browser, Page, Request } from 'playwright-core';
import { launchChromium } from '../test/browser/launch.js';
import { ServedStore, weatherFiles } from './weather.js';

/** What a page showed, after how long by its own clock, and what its scripts held then. */
export interface Seen {
  readonly texts: readonly string[];
  readonly ms: number;
  readonly heapBytes: number;
}

/** What is waited for: these texts, and a chart that is not being fetched anew where `figure` says so. */
interface Awaited {
  readonly texts: readonly string[];
  readonly selector: string;
  readonly figure: boolean;
}

/** A request of the page that can be sent again. */
type Sent = Pick<RequestInit, 'method' | 'body'> & { readonly url: string; readonly accept: string };

/** The built `cropframe serve` over 20 million points, and a browser that opens its page. */
export class OpenedPages {
  readonly #served: ServedStore;
  readonly #browser: Browser;

  private constructor(served: ServedStore, browser: Browser) {
    this.#served = served;
    this.#browser = browser;
  }

  static async start(): Promise<OpenedPages> {
    const served = await ServedStore.start((await weatherFiles()).store);
    return new OpenedPages(served, await launchChromium());
  }

  get url(): string {
    return this.#served.url;
  }

  /** A page of a new profile, with nothing in its cache. */
  async newPage(): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: 1280, height: 900 },
      locale: 'en-GB',
    });
    // tsx names functions by this one, which a page does not have.
    await context.addInitScript('globalThis.__name = (named) => named;');
    return context.newPage();
  }

  /** Opens the page, and waits for the chart that it draws by itself. The clock starts with the navigation. */
  async open(page: Page): Promise<Seen> {
    await page.goto(`${this.#served.url}/`, { waitUntil: 'commit' });
    return shown(page, { selector: '.figure-title', texts: [], figure: true });
  }

  /** A page that has drawn its first chart. */
  async openedPage(): Promise<Page> {
    const page = await this.newPage();
    await this.open(page);
    return page;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await this.#served.close();
  }
}

/** Waits frame by frame for texts that the page shows; without any, for one that is not empty. */
export async function shown(page: Page, awaited: Awaited): Promise<Seen> {
  const seen = await page.evaluate(async ({ selector, texts, figure }) => {
    const deadline = performance.now() + 60_000;
    let now: string[] = [];
    const isDrawn = () => document.querySelector('figure.figure:not(.stale) .plot canvas') !== null;
    const isThere = () => {
      now = [...document.querySelectorAll(selector)].map(
        (one) => one.getAttribute('aria-label') ?? one.textContent ?? '',
      );
      if (texts.length === 0) return now.some((text) => text !== '');
      return texts.every((text, i) => now[i]?.startsWith(text));
    };
    while (!(isThere() && (!figure || isDrawn())) && performance.now() < deadline)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const [start] = performance.getEntriesByName('asked').slice(-1);
    const { memory } = performance as unknown as { memory?: { usedJSHeapSize: number } };
    return {
      texts: now,
      ms: performance.now() - (start?.startTime ?? 0),
      heapBytes: memory?.usedJSHeapSize ?? 0,
      isLate: performance.now() >= deadline,
    };
  }, awaited);
  assert(!seen.isLate, `the page shows ${JSON.stringify(seen.texts)} instead of ${awaited.texts.join(', ')}`);
  return seen;
}

/** The requests for data that the page sends during some work. */
export async function sentDuring(page: Page, work: () => Promise<unknown>): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  const note = (request: Request) => {
    if (!request.url().includes('/v2/')) return;
    const { accept = '*/*' } = request.headers();
    const body = request.postData();
    sent.push({ url: request.url(), method: request.method(), accept, ...(body === null ? {} : { body }) });
  };
  page.on('request', note);
  await work();
  page.off('request', note);
  return sent;
}

/** Sends requests from the page one after another, each with its address and body changed, and reads the answers without decoding them. */
export async function fetched(
  page: Page,
  requests: readonly Sent[],
  change: (text: string) => string,
): Promise<Seen> {
  const changed = requests.map(({ url, body, ...rest }) => ({
    ...rest,
    url: change(url),
    ...(typeof body === 'string' ? { body: change(body) } : {}),
  }));
  return page.evaluate(async (all) => {
    const began = performance.now();
    const texts: string[] = [];
    for (const { url, accept, ...init } of all) {
      const headers = { accept, ...('body' in init ? { 'content-type': 'application/json' } : {}) };
      const answer = await fetch(url, { ...init, headers, cache: 'no-store' } as RequestInit);
      texts.push(`${answer.status} ${(await answer.arrayBuffer()).byteLength > 0 ? 'bytes' : 'nothing'}`);
    }
    return { texts, ms: performance.now() - began, heapBytes: 0 };
  }, changed);
}
