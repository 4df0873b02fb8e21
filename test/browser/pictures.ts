import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { cornWeights, cornYield, FARM_STATES, withFarm } from './page/farm.js';
import { openPage } from './page/open-page.js';
import { openSite } from './page/open-site.js';

/** Pictures of the page over the demo data and a made-up farm, for README and docs; with `--all FOLDER` each view in every size and theme, to look at. */
const { values } = parseArgs({ options: { all: { type: 'string' } } });

const DOCS = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** Series of the demo data: metric, item, region, partner region, source, frequency. */
const SEATTLE = 1_389_719_618;
const NEW_YORK = 1_532_444_229;
const temperatures = [SEATTLE, NEW_YORK].flatMap((region) => [
  `2.2.${region}.0.20.1`,
  `2.3.${region}.0.20.1`,
]);

/** Links of the views, by the names of their pictures. */
const VIEWS: Readonly<Record<string, string>> = {
  chart: `s=${temperatures.join(',')}&every=month`,
  seasons: `s=2.2.${SEATTLE}.0.20.1&y=season&every=week`,
  'degree-days': `view=degree-days&gdd=${SEATTLE}`,
  table: `view=table&s=${temperatures.join(',')}`,
  map: `view=map&s=${cornYield(19)}`,
  counties: `view=map&s=${cornYield(19_169)}`,
  revisions: `view=revisions&s=${cornYield(19)}`,
  weights: `view=weights&${cornWeights}`,
  panels: `s=${FARM_STATES.map(cornYield).join()}`,
  mixed: `s=2.2.${SEATTLE}.0.20.1,3.5.${SEATTLE}.0.20.1,${cornYield(19)}`,
  known: `s=${cornYield(19)},${cornYield(17)}&asof=2013-11-20`,
  first: '',
  nothing: 'metric=30&item=2',
};

/** The pictures of the documentation. */
const SHOWN = [
  { view: 'chart', width: 1280, height: 800, theme: 'light' },
  { view: 'degree-days', width: 1280, height: 800, theme: 'dark' },
  { view: 'seasons', width: 390, height: 844, theme: 'light' },
] as const;

const ALL = Object.keys(VIEWS).flatMap((view) =>
  [
    [390, 844],
    [1280, 900],
    [2560, 1440],
  ].flatMap(([width, height]) =>
    (['light', 'dark'] as const).map((theme) => ({ view, width: width!, height: height!, theme })),
  ),
);

interface Picture {
  readonly view: string;
  readonly width: number;
  readonly height: number;
  readonly theme: 'light' | 'dark';
}

/** A picture as WebP, encoded by the browser: a quarter of the size. */
async function webpOf(browser: Browser, png: Buffer): Promise<Buffer> {
  const page = await browser.newPage();
  const bytes = await page.evaluate(
    async (source) => {
      const picture = await createImageBitmap(await (await fetch(source)).blob());
      const canvas = new OffscreenCanvas(picture.width, picture.height);
      canvas.getContext('2d')!.drawImage(picture, 0, 0);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 });
      return [...new Uint8Array(await blob.arrayBuffer())];
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.close();
  return Buffer.from(bytes);
}

/** Waits until the view is drawn, and stores what the window shows. */
async function take(browser: Browser, url: string, picture: Picture & { readonly file: string }) {
  const { view, width, height, theme, file } = picture;
  const { page, problems, close } = await openPage(browser, `${url}?v=1&${VIEWS[view]}`, {
    viewport: { width, height },
    colorScheme: theme,
  });
  await page.waitForLoadState('networkidle');
  await page.locator('.loading, .stale').first().waitFor({ state: 'detached', timeout: 30_000 });
  await page.evaluate(() => document.fonts.ready);
  const png = await page.screenshot({ animations: 'disabled' });
  writeFileSync(file, file.endsWith('.webp') ? await webpOf(browser, png) : png);
  await close();
  if (problems.length > 0) throw new Error(`${view}, ${width} pixels, ${theme}: ${problems.join('; ')}`);
}

const folder = values.all ?? DOCS;
mkdirSync(folder, { recursive: true });
const site = await openSite({ fill: withFarm });
try {
  for (const one of values.all === undefined ? SHOWN : ALL) {
    const { view, width, theme } = one;
    const name = values.all === undefined ? `${view}.webp` : `${view}-${width}-${theme}.png`;
    await take(site.browser, site.url, { ...one, file: join(folder, name) });
    console.log(name);
  }
} finally {
  await site.close();
}
