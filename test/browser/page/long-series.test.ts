import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GAP, LONG_SERIES, MONTHLY_SERIES, SPIKE, withLongSeries } from './long-series.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSite } from './open-site.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSite({ fill: withLongSeries });
});
afterAll(() => site?.close());

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

/** The day `day` of the series, `YYYY-MM-DD`. */
const dayOf = (day: number) => new Date(Date.UTC(2010, 0, 1 + day)).toISOString().slice(0, 10);

describe('daily series of ten years', () => {
  it('are thinned without losing a single day, say so, and are exact in a shorter range', async () => {
    const { page, problems, close } = await site.open({ query: `s=${LONG_SERIES.slice(0, 6).join()}` });
    expect(await drawn(page)).toMatch(/thinned: [\d,]+ of 21,860 points, extremes kept/);
    const tops = (await columnsOf(page, BLUE)).map(({ top }) => top).filter((top) => top >= 0);
    const highest = Math.min(...tops);
    // Far above all others, and in one or two columns of pixels alone.
    const others = [...tops].sort((a, b) => a - b)[4]!;
    expect(others - highest).toBeGreaterThan(80);
    const [from, to] = [dayOf(SPIKE.day - 40), dayOf(SPIKE.day + 40)];
    await page.goto(`${site.url}?v=1&s=${LONG_SERIES.slice(0, 6).join()}&from=${from}&to=${to}`);
    expect(await drawn(page)).not.toContain('thinned');
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('button', { name: /^Alabama/ }).click();
    await expect
      .poll(() => page.locator('table.values tbody td').first().textContent())
      .toBe(String(SPIKE.value));
    expect(problems).toEqual([]);
    await close();
  });

  it('leave a gap blank, and show monthly values beside them', async () => {
    const [from, to] = [dayOf(GAP.from - 200), dayOf(GAP.from + 300)];
    const { page, problems, close } = await site.open({
      query: `s=${LONG_SERIES[1]},${MONTHLY_SERIES}&from=${from}&to=${to}`,
    });
    await drawn(page);
    const daily = await columnsOf(page, BLUE);
    const monthly = await columnsOf(page, ORANGE);
    const first = daily.findIndex(({ count }) => count > 0);
    const last = daily.findLastIndex(({ count }) => count > 0);
    const perDay = (last - first) / 500;
    const blank = daily.slice(first, last).filter(({ count }) => count === 0).length;
    expect(blank).toBeGreaterThan(0.8 * GAP.days * perDay);
    expect(blank).toBeLessThan(1.2 * GAP.days * perDay);
    const covered = monthly.slice(first, last).filter(({ count }) => count > 0).length;
    expect(covered).toBeGreaterThan(0.9 * (last - first));
    expect(problems).toEqual([]);
    await close();
  });

  it('are drawn sixty at once, each panel with its values under the pointer', async () => {
    const { page, problems, close } = await site.open({ query: `s=${LONG_SERIES.join()}` });
    expect(await drawn(page)).toMatch(/thinned: [\d,]+ of 218,960 points, extremes kept/);
    const plot = page.locator('.plot');
    const tooltip = page.locator('.tooltip');
    const named = new Set<string | null>([null]);
    for (const share of [0.1, 0.3, 0.6]) {
      await expect
        .poll(
          async () => {
            const { x, y, width } = (await plot.boundingBox())!;
            for (const dx of [0, 2]) await page.mouse.move(x + share * width + dx, y + 40);
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
    expect(problems).toEqual([]);
    await close();
  });
});

describe('a range that is dragged', () => {
  it('is drawn by few points while it moves, and exactly when it rests', async () => {
    const { page, problems, close } = await site.open({ query: `s=${LONG_SERIES.slice(0, 5).join()}` });
    const exact = await drawn(page);
    expect(exact).not.toContain('thinned');
    const thumb = page.getByRole('slider', { name: 'Last date' });
    const seen = page.evaluate(
      () =>
        new Promise<string[]>((resolve) => {
          const texts: string[] = [];
          const note = () => {
            texts.push(document.querySelector('.figure-subtitle')?.textContent ?? '');
            if (texts.length < 120) requestAnimationFrame(note);
            else resolve(texts);
          };
          note();
        }),
    );
    for (let i = 0; i < 10; i++) await thumb.press('ArrowLeft');
    const counts = (await seen).map((text) => /thinned: ([\d,]+) of/.exec(text)?.[1]?.replace(',', ''));
    const rough = counts.filter((count) => count !== undefined).map(Number);
    expect(rough.length).toBeGreaterThan(0);
    expect(Math.max(...rough)).toBeLessThanOrEqual(2_000);
    await expect.poll(() => page.locator('.figure-subtitle').textContent()).toBe(exact);
    expect(problems).toEqual([]);
    await close();
  });
});
