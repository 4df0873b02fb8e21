import { describe, expect, it } from 'vitest';
import { siteForTests } from './open-site.js';
import { SEATTLE, temperature, VIEWS } from './views.js';

const site = siteForTests();

describe('a station on the map, which has no shape', () => {
  it('stays a dot of the same size where the map is zoomed', async () => {
    const { page } = await site.open({ query: VIEWS.table.query });
    // Without the regions around, whose shapes are not there either, only the dots are painted.
    await page.route(/[/]regions[/]contains/, (route) => route.abort());
    await page.goto(`${site.url}?v=1&view=map&s=${temperature(SEATTLE)}`);
    const map = page.locator('svg.map');
    await map.waitFor();
    const dots = map.locator('.map-regions circle');
    await expect.poll(() => dots.count()).toBe(2);
    const first = (await dots.first().boundingBox())!;
    await page.mouse.move(first.x + first.width / 2, first.y + first.height / 2);
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -100);
    await expect.poll(async () => Number(await dots.first().getAttribute('r'))).toBeLessThan(1);
    const zoomed = (await dots.first().boundingBox())!;
    for (const side of ['width', 'height'] as const)
      expect(Math.abs(zoomed[side] - first[side])).toBeLessThan(3);
  });
});
