import { describe, expect, it } from 'vitest';
import { cornYield } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { addressFollows, dragAlong } from './pointer.js';

const site = siteForTests();

describe('back and forward', () => {
  it('pass through what was chosen, and through nothing that was dragged', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)},${cornYield(17)}&asof=2013-11-20` });
    await drawn(page);
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    const last = page.getByRole('slider', { name: 'Last date' });
    await dragAlong(page, last, { from: 1, to: 0.5 });
    await addressFollows(page, last, 'to');
    expect(await entries()).toBe(before);
    const chart = page.url();

    await page.getByRole('tab', { name: 'Map' }).click();
    const shapes = page.locator('svg.map');
    await shapes.waitFor();
    const moved = () => shapes.locator('[transform]').getAttribute('transform');
    const whole = await moved();
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(moved).not.toBe(whole);
    const zoomed = await moved();
    await dragAlong(page, shapes, { from: 0.5, to: 0.6 });
    await expect.poll(moved).not.toBe(zoomed);
    const date = page.getByRole('slider', { name: 'Date of the map' });
    await dragAlong(page, date, { from: 1, to: 0.3 });
    await addressFollows(page, date, 'date');
    expect(await entries()).toBe(before + 1);
    const map = page.url();

    await page.getByRole('tab', { name: 'Table' }).click();
    await page.locator('table.values').first().waitFor();
    expect(await entries()).toBe(before + 2);
    await page.goBack();
    expect(page.url()).toBe(map);
    await shapes.waitFor();
    await page.goBack();
    expect(page.url()).toBe(chart);
    await drawn(page);
    expect(await page.getByRole('tab', { name: 'Chart' }).getAttribute('aria-selected')).toBe('true');
    expect(await page.locator('.figure-source').textContent()).toContain('As known at the end of');
    await page.goForward();
    expect(page.url()).toBe(map);
    await page.goForward();
    await page.locator('table.values').first().waitFor();
  });
});
