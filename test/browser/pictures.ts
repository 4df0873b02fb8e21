import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { withFarm } from './page/farm.js';
import { openPage } from './page/open-page.js';
import { openSite } from './page/open-site.js';
import { settled, VIEWS } from './page/views.js';

/** Pictures of the page over the demo data and a made-up farm, for README and docs; with `--all FOLDER` each view in every size and theme, to look at,
 * and `--only PATTERN` those of them whose names match. */
const { values } = parseArgs({ options: { all: { type: 'string' }, only: { type: 'string' } } });

const DOCS = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

/** The pictures of the documentation. */
const SHOWN = [
  { view: 'chart', width: 1280, height: 800, theme: 'light' },
  { view: 'degree-days', width: 1280, height: 800, theme: 'dark' },
  { view: 'seasons', width: 390, height: 844, theme: 'light' },
  { view: 'map', width: 1280, height: 960, theme: 'light' },
] as const;

const ALL = (Object.keys(VIEWS) as (keyof typeof VIEWS)[]).flatMap((view) =>
  [
    [390, 844],
    [1280, 900],
    [820, 1180],
    [2560, 1440],
  ].flatMap(([width, height]) =>
    (['light', 'dark'] as const).map((theme) => ({ view, width: width!, height: height!, theme })),
  ),
);

interface Picture {
  readonly view: keyof typeof VIEWS;
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
  const { page, problems, close } = await openPage(browser, `${url}?v=1&${VIEWS[view].query}`, {
    viewport: { width, height },
    colorScheme: theme,
  });
  await settled(page, VIEWS[view]);
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
    if (!new RegExp(values.only ?? '').test(name)) continue;
    await take(site.browser, site.url, { ...one, file: join(folder, name) });
    console.log(name);
  }
} finally {
  await site.close();
}
