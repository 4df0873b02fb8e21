import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn } from './open-page.js';
import { type OpenSite, openSharedSite } from './open-site.js';
import { SEATTLE, temperature, VIEWS } from './views.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

describe('a first visit', () => {
  it('draws at once a figure as it moved from report to report, as the store has one, and asks each question once', async () => {
    const { page, problems, requests, close } = await site.open();
    expect(await drawn(page)).toContain('by date of report');
    expect(await page.locator('.figure-title').textContent()).toMatch(/corn yield 2024: .* in 3 reports/);
    expect(
      await page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').count(),
    ).toBeGreaterThan(0);
    expect(await page.title()).toContain('cropframe');
    const facets = requests.filter((address) => address.includes('/v2/facets'));
    expect(facets.length).toBeGreaterThan(0);
    expect(new Set(facets).size).toBe(facets.length);
    expect(problems).toEqual([]);
    await close();
  });
});

describe('a date as known on', () => {
  it('says that nothing was known before the first vintage, and draws what was known after it', async () => {
    const { page, problems, close } = await site.open({ query: VIEWS.seasons.query });
    await drawn(page);
    const asof = page.getByLabel('As known on').first();
    await asof.fill('2010-01-01');
    await asof.blur();
    await page.getByText('Nothing was known yet on 2010-01-01').waitFor();
    await asof.fill('2021-01-01');
    await asof.blur();
    await drawn(page);
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('As known on');
    expect(page.url()).toContain('asof=2021-01-01');
    expect(problems).toEqual([]);
    await close();
  });
});

describe('a search of several names', () => {
  it('offers all of them together, and draws what has them', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    await page.getByRole('combobox', { name: /Search metrics/ }).fill('temperature max seattle');
    const first = page.getByRole('option').first();
    await expect.poll(() => first.textContent()).toContain('all of these');
    expect(await first.textContent()).toContain('Temperature max');
    await first.click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').allTextContents())
      .toEqual([expect.stringContaining('Temperature max')]);
    expect(problems).toEqual([]);
    await close();
  });
});

describe('a station on the map, which has no shape', () => {
  it('stays a dot of the same size where the map is zoomed', async () => {
    const { page, problems, close } = await site.open({ query: `view=map&s=${temperature(SEATTLE)}` });
    const map = page.locator('canvas.map');
    await map.waitFor();
    const dots = () => map.evaluate(paintedBoxes);
    await expect.poll(async () => (await dots()).length).toBe(2);
    const [first] = await dots();
    const { x, y } = (await map.boundingBox())!;
    await page.mouse.move(x + first!.left + 1, y + first!.top + 1);
    for (let i = 0; i < 5; i++) await page.mouse.wheel(0, -100);
    await expect.poll(async () => (await dots()).length).toBe(1);
    const [zoomed] = await dots();
    for (const side of ['width', 'height'] as const)
      expect(Math.abs(zoomed![side] - first![side])).toBeLessThan(3);
    expect(problems).toEqual([]);
    await close();
  });
});

/** The boxes around what is painted on a canvas, as far apart as two columns of pixels without paint. */
function paintedBoxes(element: Element): { left: number; top: number; width: number; height: number }[] {
  const canvas = element as HTMLCanvasElement;
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d')!.getImageData(0, 0, width, height);
  const boxes: { left: number; top: number; right: number; bottom: number }[] = [];
  for (let x = 0; x < width; x++)
    for (let y = 0; y < height; y++) {
      if (data[4 * (y * width + x) + 3] === 0) continue;
      const last = boxes.at(-1);
      if (last === undefined || x > last.right + 2) boxes.push({ left: x, right: x, top: y, bottom: y });
      else {
        last.right = x;
        last.top = Math.min(last.top, y);
        last.bottom = Math.max(last.bottom, y);
      }
    }
  return boxes.map(({ left, right, top, bottom }) => ({
    left,
    top,
    width: right - left + 1,
    height: bottom - top + 1,
  }));
}
