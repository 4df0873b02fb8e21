import { expect, it } from 'vitest';
import { withFarm } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';

/** Answers to searches that are held back, by what was searched. */
const held = new Map<string, () => void>();

const site = siteForTests({
  fill: withFarm,
  wrap: (service) => async (request, connection) => {
    // An answer is there before it is held back: it is not cut off with its request.
    const answer = await service(request, connection);
    const text = new URL(request.url).searchParams.get('q');
    if (/search/.test(request.url) && text !== null)
      await new Promise<void>((resolve) => held.set(text, resolve));
    return answer;
  },
});

it('never shows the hits of an earlier text, in whatever order answers come', async () => {
  const { page } = await site.open();
  await drawn(page);
  const field = page.getByRole('combobox', { name: /^Search/ });
  const texts = ['wheat', 'corn', 'Iowa'];
  for (const text of texts) {
    await field.fill(text);
    await expect.poll(() => held.has(text), { timeout: 10_000 }).toBe(true);
  }
  const names = page.locator('.combobox-list .hit-name');
  expect(await names.count()).toBe(0);
  held.get('Iowa')!();
  await expect.poll(() => names.first().textContent()).toMatch(/^Iowa/);
  const hits = await names.allTextContents();
  for (const text of ['corn', 'wheat']) {
    held.get(text)!();
    await page.waitForTimeout(300);
    expect(await names.allTextContents()).toEqual(hits);
  }
});
