import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tellFigures } from '../../endurance.js';
import { GAP, LONG_SERIES, MONTHLY_SERIES, SPIKE, withLongSeries } from './long-series.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { addressFollows, dragAlong } from './pointer.js';

const site = siteForTests({ fill: withLongSeries });

/** Colours of the first two series on the screen. */
const BLUE = [31, 120, 180];
const ORANGE = [230, 100, 26];

/** The columns of the canvas, by how many pixels of each are of a colour, and the highest of them; -1 for none. */
function columnsOf(page: Page, colour: readonly number[]): Promise<{ count: number; top: number }[]> {
  return page.locator('.plot canvas').evaluate((it, [red, green, blue]) => {
    const { width, height } = it as HTMLCanvasElement;
    const { data } = (it as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, width, height);
    const near = (at: number, wanted: number) => Math.abs(data[at]! - wanted) < 40;
    return Array.from({ length: width }, (_, x) => {
      let [count, top] = [0, -1];
      for (let y = 0; y < height; y++) {
        const at = 4 * (y * width + x);
        if (!near(at, red!) || !near(at + 1, green!) || !near(at + 2, blue!)) continue;
        count++;
        if (top < 0) top = y;
      }
      return { count, top };
    });
  }, colour);
}

/** Tells after how long the chart of the page was there, once its data were. */
async function tellDrawing(page: Page, what: string): Promise<void> {
  const ms = await page.evaluate(() => {
    const ends = performance
      .getEntriesByType('resource')
      .filter(({ name }) => name.includes('/v2/data'))
      .map((one) => (one as PerformanceResourceTiming).responseEnd);
    return performance.now() - Math.max(...ends);
  });
  tellFigures(`${what} are drawn at most ${Math.round(ms)} ms after their data`);
}

/** The day `day` of the series, `YYYY-MM-DD`. */
const dayOf = (day: number) => new Date(Date.UTC(2010, 0, 1 + day)).toISOString().slice(0, 10);

describe('daily series of ten years', () => {
  it('are thinned without losing a single day, say so, and are exact in a shorter range', async () => {
    const { page } = await site.open({ query: `s=${LONG_SERIES.slice(0, 6).join()}` });
    expect(await drawn(page)).toMatch(/thinned: [\d,]+ of 21,860 points, extremes kept/);
    await tellDrawing(page, '6 series of 3,650 days');
    const tops = (await columnsOf(page, BLUE)).map(({ top }) => top).filter((top) => top >= 0);
    const highest = Math.min(...tops);
    // Far above all others, and in one or two columns of pixels alone.
    const others = [...tops].sort((a, b) => a - b)[4]!;
    expect(others - highest).toBeGreaterThan(80);
    const [from, to] = [dayOf(SPIKE.day - 40), dayOf(SPIKE.day + 40)];
    await page.goto(`${site.url}?v=1&s=${LONG_SERIES.slice(0, 6).join()}&from=${from}&to=${to}`);
    expect(await drawn(page)).not.toContain('thinned');
    await page.getByRole('tab', { name: 'Table' }).click();
    const column = page.locator('table.values tbody td:nth-child(2)');
    await column.first().waitFor();
    expect((await column.allTextContents()).map(Number)).toContain(SPIKE.value);
  });

  it('leave a gap blank, and show monthly values beside them', async () => {
    const [from, to] = [dayOf(GAP.from - 200), dayOf(GAP.from + 300)];
    const { page } = await site.open({
      query: `s=${LONG_SERIES[1]},${MONTHLY_SERIES}&from=${from}&to=${to}`,
    });
    await drawn(page);
    const daily = await columnsOf(page, BLUE);
    const monthly = await columnsOf(page, ORANGE);
    const first = daily.findIndex(({ count }) => count > 0);
    const last = daily.findLastIndex(({ count }) => count > 0);
    const perDay = (last - first) / 500;
    // The label at the end of the line has narrower gaps.
    const runs = daily.map(({ count }) => (count === 0 ? ' ' : 'x')).join('');
    const blank = Math.max(
      ...runs
        .slice(first, last)
        .match(/ +/g)!
        .map(({ length }) => length),
    );
    expect(blank).toBeGreaterThan(0.8 * GAP.days * perDay);
    expect(blank).toBeLessThan(1.2 * GAP.days * perDay);
    const covered = monthly.slice(first, last).filter(({ count }) => count > 0).length;
    expect(covered).toBeGreaterThan(0.9 * (last - first));
  });

  it('are drawn sixty at once, each panel with its values under the pointer', async () => {
    const { page } = await site.open({ query: `s=${LONG_SERIES.join()}` });
    expect(await drawn(page)).toMatch(/thinned: [\d,]+ of 218,960 points, extremes kept/);
    await tellDrawing(page, '60 series of 3,650 days');
    const plot = page.locator('.plot');
    const tooltip = page.locator('.tooltip');
    const named = new Set<string | null>([null]);
    for (const share of [0.1, 0.5, 0.8]) {
      await expect
        .poll(
          async () => {
            const { x, y, width } = (await plot.boundingBox())!;
            for (const dx of [0, 2]) await page.mouse.move(x + share * width + dx, y + 60);
            return named.has(
              await tooltip
                .locator('.tooltip-name')
                .textContent({ timeout: 1000 })
                .catch(() => null),
            );
          },
          { timeout: 20_000 },
        )
        .toBe(false);
      expect(await tooltip.locator('tr').count()).toBe(1);
      expect(await tooltip.textContent()).toMatch(/\d{4}.*°C$/);
      named.add(await tooltip.locator('.tooltip-name').textContent());
    }
    expect(named.size).toBe(4);
  });
});

describe('a range that is dragged', () => {
  /** What a chart shows, in few characters. */
  const pictureOf = (page: Page) =>
    page.locator('.plot canvas').evaluate(async (it) => {
      const bytes = new TextEncoder().encode((it as HTMLCanvasElement).toDataURL());
      return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)).slice(0, 8).join();
    });

  /** That a page shows what its link shows. */
  const isAsItsLink = async (page: Page) => {
    const fresh = await site.open({ query: new URL(page.url()).search.slice('?v=1&'.length) });
    await drawn(fresh.page);
    // A page behind another one is not drawn again.
    await page.bringToFront();
    await expect.poll(async () => (await pictureOf(fresh.page)) === (await pictureOf(page))).toBe(true);
  };

  it('is drawn with fewer points while it moves, and exactly once it rests', async () => {
    const { page } = await site.open({ query: `s=${LONG_SERIES.slice(0, 6).join()}` });
    expect(await drawn(page)).toContain('of 21,860 points');
    const before = await pictureOf(page);
    const slider = page.getByRole('slider', { name: 'Last date' });
    await dragAlong(page, slider, { from: 1, to: 0.5 });
    await expect.poll(() => pictureOf(page)).not.toBe(before);
    // A slow drag also writes dates on its way.
    await addressFollows(page, slider, 'to');
    await isAsItsLink(page);
  });

  it('by keys is drawn exactly once it rests, also from some dates to all', async () => {
    const { page } = await site.open({
      query: `s=${LONG_SERIES.slice(0, 2).join()}&to=2012-01-01`,
    });
    await drawn(page);
    const before = await pictureOf(page);
    await page.getByRole('slider', { name: 'Last date' }).press('End');
    await expect.poll(() => page.url()).not.toContain('to=');
    await expect.poll(() => pictureOf(page)).not.toBe(before);
    await isAsItsLink(page);
  });
});
