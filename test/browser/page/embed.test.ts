import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cornYield, withFarm } from './farm.js';
import { openPage } from './open-page.js';
import { type OpenSite, openSharedSite, openSite } from './open-site.js';

const SITE = 'https://blog.example.org';
let site: OpenSite;

beforeAll(async () => {
  site = await openSite({ fill: withFarm, embed: [SITE] });
}, 300_000);
afterAll(() => site?.close());

describe('a figure for a frame', () => {
  it('is shown without what chooses it, and may be framed by the named sites alone', async () => {
    const address = `${site.url}embed#v=1&s=${cornYield(19)}&notes=2012-01-01~~~Drought`;
    const { page, problems, close } = await openPage(site.browser, address);
    await page.locator('.plot canvas').waitFor({ timeout: 30_000 });
    expect(await page.locator('.figure-title').textContent()).toMatch(/^Iowa corn yield 2024: /);
    expect(await page.locator('header, nav, .controls:visible, .range:visible').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Open in cropframe' }).getAttribute('href')).toContain(
      's=30-',
    );
    expect(problems).toEqual([]);
    await close();
    const { headers } = await fetch(`${site.url}embed`);
    expect(headers.get('content-security-policy')).toContain(`frame-ancestors ${SITE}`);
    const root = await fetch(site.url, { headers: { accept: 'text/html' } });
    expect(root.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('is refused, and how to allow it said, where no site is named', async () => {
    const shared = await openSharedSite();
    const answer = await fetch(`${shared.url}embed`);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('--embed ORIGIN');
    await shared.close();
  });
});
