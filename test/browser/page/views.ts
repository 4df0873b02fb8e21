import type { Page } from 'playwright-core';
import { cornWeights, cornYield, FARM_STATES } from './farm.js';

/** Regions of the demo data with daily weather. */
export const SEATTLE = 1_389_719_618;
export const NEW_YORK = 1_532_444_229;

/** Daily maxima or minima of a place, as a link names them. */
export const temperature = (region: number, item: 'max' | 'min' = 'max'): string =>
  `2-${item === 'max' ? 2 : 3}-${region}-0-1-20`;

const TEMPERATURES = [SEATTLE, NEW_YORK]
  .flatMap((region) => [temperature(region), temperature(region, 'min')])
  .join();

/** A view of the page over the farm: the query of its link, and what is there when it is drawn. */
export interface PageView {
  readonly query: string;
  readonly ready: string;
}

const CHART = 'figure.figure:not(.stale) .plot canvas';
const FIGURE = '.figure-title:not(:empty)';

/** The views of the page. */
export const VIEWS = {
  first: { query: '', ready: FIGURE },
  chart: { query: `s=${TEMPERATURES}&every=month`, ready: CHART },
  seasons: { query: `s=${temperature(SEATTLE)}&y=season&every=week`, ready: CHART },
  panels: { query: `s=${FARM_STATES.map(cornYield).join()}`, ready: CHART },
  mixed: { query: `s=${temperature(SEATTLE)},3-5-${SEATTLE}-0-1-20,${cornYield(19)}`, ready: CHART },
  known: { query: `s=${cornYield(19)},${cornYield(17)}&asof=2013-11-20`, ready: CHART },
  nothing: { query: 'metric=30&item=2', ready: '.notice' },
  table: { query: `view=table&s=${TEMPERATURES}`, ready: 'table.values' },
  map: { query: `view=map&s=${cornYield(19)}`, ready: 'svg.map' },
  counties: { query: `view=map&s=${cornYield(19_169)}`, ready: 'svg.map' },
  revisions: { query: `view=revisions&s=${cornYield(19)}`, ready: '.triangle' },
  'degree-days': { query: `view=degree-days&gdd=${SEATTLE}`, ready: FIGURE },
  weights: { query: `view=weights&${cornWeights}`, ready: FIGURE },
} as const satisfies Readonly<Record<string, PageView>>;

/** Waits until a view is drawn, and nothing loads any more. */
export async function settled(page: Page, { ready }: PageView): Promise<void> {
  await page.locator(ready).first().waitFor({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  await page.locator('.loading, .stale').first().waitFor({ state: 'detached', timeout: 30_000 });
}
