import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { drawChart } from '../../../src/draw-chart.js';
import { cornYield, withFarm } from './farm.js';
import { SITE, siteForTests } from './open-site.js';

/** Another site, whose page shows a figure in a frame and as a picture. */
interface Blog {
  readonly origin: string;
  readonly server: Server;
}

let blogs: readonly [allowed: Blog, refused: Blog];

async function openBlog(): Promise<Blog> {
  const server = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(bodyOf()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

function bodyOf(): string {
  const query = `v=1&s=${cornYield(19)}`;
  const frame = `<iframe src="${site.url}embed#${query}" width="700" height="560"></iframe>`;
  return `<!doctype html><title>A blog</title>${frame}<img src="${site.url}v2/chart.svg?${query}" alt="Corn">`;
}

const site = siteForTests(async () => {
  blogs = [await openBlog(), await openBlog()];
  return { fill: withFarm, embed: [blogs[0].origin], drawChart };
});
afterAll(() => {
  for (const { server } of blogs) server.close();
});

describe('a figure for a frame', () => {
  it('is shown without what chooses it', async () => {
    const address = `${site.url}embed#v=1&s=${cornYield(19)}&notes=2012-01-01~~~Drought`;
    const { page } = await site.open({ address });
    await page.locator('.plot canvas').waitFor({ timeout: 30_000 });
    expect(await page.locator('.figure-title').textContent()).toMatch(/^Iowa corn yield 2024: /);
    expect(await page.locator('header, nav, .controls:visible, .range:visible').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Open in cropframe' }).getAttribute('href')).toContain(
      's=30-',
    );
  });

  it('is refused, and how to allow it said, where no site is named', async () => {
    const answer = await fetch(`${process.env[SITE]}embed`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('--embed ORIGIN');
  });
});

describe('a page of another site', () => {
  it('that is allowed shows the figure in a frame, and as a picture', async () => {
    const page = await site.browser.newPage();
    await page.goto(blogs[0].origin);
    const title = page.frameLocator('iframe').locator('.figure-title');
    await title.waitFor({ timeout: 30_000 });
    expect(await title.textContent()).toMatch(/^Iowa corn yield 2024: /);
    await page.frameLocator('iframe').locator('.plot canvas').waitFor();
    expect(await widthOf(page)).toBe(1000);
    await page.close();
  });

  it('that is not allowed shows neither, and the page itself is shown nowhere', async () => {
    const page = await site.browser.newPage();
    await page.goto(blogs[1].origin);
    await expect.poll(() => page.frames()[1]?.url()).toBe('chrome-error://chromewebdata/');
    expect(await page.frameLocator('iframe').locator('.figure-title').count()).toBe(0);
    expect(await widthOf(page)).toBe(0);
    await page.close();
    const root = await fetch(site.url, { headers: { accept: 'text/html' } });
    expect(root.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });
});

/** Pixels of the picture as it arrived; 0 where it did not. */
async function widthOf(page: Page): Promise<number> {
  const picture = page.locator('img');
  await expect.poll(() => picture.evaluate((one) => (one as HTMLImageElement).complete)).toBe(true);
  return picture.evaluate((one) => (one as HTMLImageElement).naturalWidth);
}
