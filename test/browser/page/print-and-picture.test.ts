import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parseSvg } from '../../charts/well-formed.js';
import { cornYield } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { download } from './saved-file.js';
import { settled, VIEWS } from './views.js';

const site = siteForTests();

const CONTROLS =
  'button, select, input, nav, [role=tablist], [role=combobox], button.skip, dialog, .take-bar';

/** The controls that are to be seen. */
const shownControls = (page: Page) =>
  page
    .locator(CONTROLS)
    .evaluateAll((all) =>
      all.filter((one) => (one as HTMLElement).checkVisibility()).map((one) => one.outerHTML.slice(0, 80)),
    );

/** Red, green, blue and opacity of a pixel of a PNG, and the size of the picture. */
async function pixelOf(
  page: Page,
  png: Buffer,
  [x, y]: readonly [number, number],
): Promise<{ width: number; height: number; colour: number[] }> {
  return page.evaluate(
    async ({ source, x, y }) => {
      const picture = new Image();
      picture.src = source;
      await picture.decode();
      const canvas = new OffscreenCanvas(picture.naturalWidth, picture.naturalHeight);
      const context = canvas.getContext('2d')!;
      context.drawImage(picture, 0, 0);
      const { naturalWidth: width, naturalHeight: height } = picture;
      return { width, height, colour: [...context.getImageData(x, y, 1, 1).data] };
    },
    { source: `data:image/png;base64,${png.toString('base64')}`, x, y },
  );
}

describe('a printed page', () => {
  it('has no controls, and dark ink on white paper, in every view', async () => {
    const { page } = await site.open({ colorScheme: 'dark' });
    for (const name of ['chart', 'table', 'map', 'revisions', 'degree-days', 'weights'] as const) {
      await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
      await page.goto(`${site.url}?v=1&${VIEWS[name].query}`);
      await settled(page, VIEWS[name]);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect(await shownControls(page), name).toEqual([]);
      const ink = await page.evaluate(() => {
        const { color, backgroundColor } = getComputedStyle(document.documentElement);
        return { color, backgroundColor };
      });
      expect(ink, name).toEqual({ color: 'rgb(31, 41, 51)', backgroundColor: 'rgb(255, 255, 255)' });
    }
  });

  it('has the chart, its title, its source with the licence, and where it is from', async () => {
    const { page } = await site.open({
      query: `s=${cornYield(19)},${cornYield(17)}`,
      colorScheme: 'dark',
    });
    await drawn(page);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const part of ['.figure-title', '.figure-source', '.plot', '.printed-address'])
      expect(await page.locator(part).isVisible(), part).toBe(true);
    expect(await page.locator('.figure-source').textContent()).toBe(
      'Source: Made-up survey, CC0 1.0 (public domain)',
    );
    expect(await page.locator('.printed-address').textContent()).toContain(page.url());
    // The chart keeps the colours of the screen, and therefore its paper. It is drawn again in the width of the print.
    const paper = () => page.locator('.plot > div').evaluate((it) => getComputedStyle(it).backgroundColor);
    await expect.poll(paper).toBe('rgb(20, 24, 29)');
    const pages = (await page.pdf({ format: 'A4', landscape: true }))
      .toString('latin1')
      .match(/\/Type \/Page\b/g);
    expect(pages).toHaveLength(1);
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await drawn(page);
    await expect.poll(() => page.locator('.plot canvas').count()).toBe(1);
  });
});

describe('a picture that is taken away', () => {
  it('has twice the pixels of the chart, and an opaque background of its theme', async () => {
    for (const [colorScheme, paper] of [
      ['dark', [20, 24, 29, 255]],
      ['light', [255, 255, 255, 255]],
    ] as const) {
      const { page } = await site.open({ query: `s=${cornYield(19)}`, colorScheme });
      await drawn(page);
      const { bytes } = await download(page, 'PNG');
      expect(await pixelOf(page, bytes, [2, 2])).toEqual({ width: 2000, height: 1120, colour: paper });
    }
  });

  it('as SVG is well formed, runs nothing, and names source and licence, of a chart and of a map', async () => {
    for (const [view, paths] of [
      [{ query: `s=${cornYield(19)}`, ready: VIEWS.chart.ready }, 1],
      [VIEWS.map, 12],
    ] as const) {
      const { page } = await site.open({ query: view.query });
      await settled(page, view);
      const { bytes } = await download(page, 'SVG');
      const svg = bytes.toString('utf8');
      expect(() => parseSvg(svg)).not.toThrow();
      expect(svg).not.toMatch(/<script|javascript:|\son\w+=/);
      expect(svg).toMatch(/<desc>Figures made up for cropframe\. Licence: CC0 1\.0 \(public domain\)/);
      expect(svg).toContain('Made-up survey, CC0 1.0 (public domain)');
      expect(svg.match(/<path /g)?.length).toBeGreaterThanOrEqual(paths);
    }
  });
});
