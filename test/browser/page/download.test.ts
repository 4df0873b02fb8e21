import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromArrow, fromCsv, fromParquet } from '../../../src/index.js';
import { linkedPoints, pointsOf } from './linked-points.js';
import { drawn } from './open-page.js';
import { type OpenSite, openSharedSite } from './open-site.js';
import { savedBy } from './saved-file.js';
import { VIEWS } from './views.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

async function download(page: Page, format: string): Promise<{ name: string; bytes: Buffer }> {
  return savedBy(page, () => page.getByRole('button', { name: format, exact: true }).click());
}

describe('what is downloaded', () => {
  it('as stored has the figures of the client, in each format', async () => {
    const { page, problems, close } = await site.open({ query: VIEWS.seasons.query, acceptDownloads: true });
    await drawn(page);
    const expected = await linkedPoints(site.url, page.url());
    expect(expected.length).toBeGreaterThan(1000);
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('radio', { name: /^Whole, as stored/ }).check();

    const csv = await download(page, 'CSV');
    expect(csv.name).toMatch(/^[\w-]+\.csv$/);
    expect(pointsOf(fromCsv(csv.bytes.toString('utf8')))).toEqual(expected);
    const arrow = await download(page, 'Arrow');
    expect(pointsOf(fromArrow(new Uint8Array(arrow.bytes)))).toEqual(expected);
    const parquet = await download(page, 'Parquet');
    expect(pointsOf(await fromParquet(new Uint8Array(parquet.bytes)))).toEqual(expected);
    expect(problems).toEqual([]);
    await close();
  });
});
