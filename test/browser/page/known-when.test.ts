import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { classColours, classOf } from '../../../src/charts/map-colours.js';
import { createClient } from '../../../src/index.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { countryRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import { frequencyId } from '../../../src/model/frequency.js';
import { parseSeriesKey, seriesKeyText } from '../../../src/model/series.js';
import { exactRows } from '../../frame/exact-rows.js';
import { madeUpPoints } from '../../ingest/made-up-points.js';
import { cornYield } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { pointAtMap } from './pointer.js';
import { download, textOf } from './saved-file.js';
import { settled, VIEWS } from './views.js';

const site = siteForTests();

/** The figures of a series as they were known at the end of a day, by the service. */
async function knownOn(series: string, day: string): Promise<Record<string, unknown>[]> {
  const client = createClient({ api_host: site.url, access_token: 'none' });
  client.addSingleDataSeries(parseSeriesKey(series)!);
  return exactRows(await client.getDf({ at_time: `${day}T23:59:59.999Z` }));
}

const asOfOf = (page: Page) => new URL(page.url()).searchParams.get('asof');

/** Waits until the chart shows what the service answers for the day of the address. */
async function expectKnown(page: Page, series: string): Promise<void> {
  const day = asOfOf(page)!;
  const rows = (await knownOn(series, day)).sort((a, b) =>
    String(a.start_date).localeCompare(String(b.start_date)),
  );
  const last = rows.at(-1)!;
  await expect
    .poll(() => page.getByRole('application').getAttribute('aria-label'), { message: day })
    .toMatch(
      RegExp(`to ${String(last.end_date).slice(0, 10)}\\. Last values: Corn · Iowa ${last.value}[.0]* `),
    );
  expect(await page.locator('.figure-source').textContent()).toContain('As known at the end of');
}

describe('a date as known on', () => {
  it('shows only what was known then, as the service answers', async () => {
    const iowa = cornYield(19);
    const { page } = await site.open({ query: `s=${iowa}` });
    await drawn(page);
    for (const day of ['2013-09-20', '2013-11-20', '2020-06-30']) {
      await page.getByLabel('As known at the end of').first().fill(day);
      await expect.poll(() => asOfOf(page)).toBe(day);
      await expectKnown(page, iowa);
    }
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.locator('table.values tbody td').first().waitFor();
    const cells = await page.locator('table.values tbody td').allTextContents();
    expect(cells.reverse().map(Number)).toEqual(
      (await knownOn(iowa, asOfOf(page)!)).map(({ value }) => value),
    );
  });
});

describe('a figure without values', () => {
  it('says whether the date as known on or the range of dates is the cause, and removes it', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}&asof=2013-11-20&from=2015-01-01` });
    const notice = page.getByRole('main').locator('.notice');
    await notice.waitFor();
    expect(await notice.textContent()).toMatch(
      /^No values on these dates were known yet at the end of 2013-11-20\./,
    );
    // Values of 1950 are not known today either.
    for (const view of ['chart', 'table']) {
      await page.goto(
        `${site.url}?v=1&view=${view}&s=${cornYield(19)}&asof=2013-11-20&from=1950-01-01&to=1960-12-31`,
      );
      await notice.waitFor();
      expect(await notice.textContent()).toMatch(
        /^The chosen series have no values on these dates, not even after 2013-11-20\./,
      );
    }
    await notice.getByRole('button', { name: 'Show all dates' }).click();
    await page.locator('table.values tbody td').first().waitFor();
    expect(asOfOf(page)).toBe('2013-11-20');
    await page.goto(`${site.url}?v=1&view=revisions&s=${cornYield(19)}&asof=2000-01-01&from=1950-01-01`);
    await notice.getByRole('button', { name: 'Show the latest values' }).click();
    await page.locator('.triangle').waitFor();
  });
});

describe('Revisions', () => {
  it('gives every vintage as a file, and the program that asks for them', async () => {
    const { page } = await site.open({ query: VIEWS.revisions.query });
    await settled(page, VIEWS.revisions);
    const { name, bytes } = await download(page, 'Long CSV');
    expect(name).toBe('reports-yield-corn-iowa.long.csv');
    const lines = bytes.toString('utf8').trim().split('\n');
    expect(lines).toHaveLength(1 + 57);
    expect(lines[0]).toMatch(/available_date/);
    expect(await textOf(page, 'Code')).toContain('complete_history: true');
    // Of the season of 2013, the last of three reports was still to come.
    await page.getByLabel('As known at the end of').first().fill('2013-11-20');
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('20 November 2013');
    await settled(page, VIEWS.revisions);
    expect(await page.locator('.figure-title').textContent()).toMatch(
      /^Iowa corn yield 2013: .* in 2\sreports$/,
    );
    expect(await page.locator('.triangle caption').textContent()).toMatch(/^5 periods in .* of 23 reports/);
    // The report of January had the season of 2012 alone.
    const cells = page.locator('.triangle tbody tr', { hasText: /^2012/ }).locator('td');
    expect((await cells.allTextContents()).filter((text) => text !== '')).toHaveLength(3);
    const known = (await download(page, 'Long CSV')).bytes.toString('utf8').trim().split('\n');
    expect(known).toHaveLength(1 + 7 * 3 + 2);
  });
});

describe('reports that became available after their dates', () => {
  const [source] = [SOURCES.psd];
  const key = {
    ...{ metric_id: metricId('Ending stocks'), item_id: itemId('Corn'), region_id: countryRegionId(840) },
    ...{ partner_region_id: 0, source_id: source.id, frequency_id: frequencyId('annual') },
  };
  const own = siteForTests({
    fill: (store) =>
      importDataset(
        store,
        madeUpPoints([source], (points) => {
          // The last is a correction of the report of May, which that of June has already superseded.
          for (const [value, reported, available] of [
            [50, '2020-05-01', '2020-05-12'],
            [47, '2020-06-01', '2020-06-11'],
            [49, '2020-05-01', '2020-06-20'],
          ] as const) {
            const dates = { reportingMs: Date.parse(reported), availableMs: Date.parse(available) };
            points.add(key, { ...yearsPeriod(2020), ...dates, value, unitId: unitId('Mt') });
          }
        }),
      ),
  });

  it('are cut by when they became available, as the table is, and the fan says which dates it has', async () => {
    for (const [asof, sentence, value] of [
      ['', 'from 50 to 47 Mt in 2 reports', '47'],
      ['&asof=2020-06-05', '50 Mt', '50'],
      ['&asof=2020-06-11', 'from 50 to 47 Mt in 2 reports', '47'],
    ] as const) {
      const { page } = await own.open({ query: `view=revisions&s=${seriesKeyText(key)}${asof}` });
      await settled(page, VIEWS.revisions);
      expect(await page.locator('.figure-title').textContent(), asof).toMatch(
        new RegExp(`: ${sentence.replaceAll(' ', '\\s')}$`),
      );
      expect(await page.locator('.figure-subtitle').textContent()).toContain(
        'by date of report (available later',
      );
      expect(await page.locator('.triangle td').first().textContent()).toBe(value);
      expect(await page.locator('.triangle caption').textContent()).toContain(
        '“As known at the end of” goes by',
      );
      await page.getByRole('tab', { name: 'Table' }).click();
      const cell = page.getByRole('tabpanel').locator('table.values:not(.triangle) td').first();
      await expect.poll(() => cell.textContent(), { message: asof }).toBe(value);
    }
  });
});

describe('a map', () => {
  it('shows the values of its date in their colours, and says the date and how many have none', async () => {
    const { page } = await site.open({ query: VIEWS.map.query });
    await settled(page, VIEWS.map);
    expect(await page.getByLabel('Level').inputValue()).toBe('4');
    expect(await page.locator('.figure-subtitle').textContent()).toBe('2024 · 12 regions with a value');
    // Both ends of the legend are labelled too.
    const breaks = (await page.locator('.limit').allTextContents()).map(Number);
    expect(breaks.length).toBeGreaterThan(2);
    const ends = ((await page.locator('.colour-range').textContent()) ?? '').match(/[\d.]+/g)!.map(Number);
    expect([ends[0]!, ...breaks, ends[1]!]).toEqual([ends[0]!, ...breaks, ends[1]!].sort((a, b) => a - b));
    // Each limit stands below the boundary of its two classes.
    for (const item of (await page.locator('.classes li').all()).slice(0, -1)) {
      const [colour, limit] = [
        await item.locator('.class-colour').boundingBox(),
        await item.locator('.limit').boundingBox(),
      ];
      expect(Math.abs(limit!.x + limit!.width / 2 - (colour!.x + colour!.width))).toBeLessThan(2);
    }
    const found = new Map<string, { value: number; colour: string | null }>();
    const steps = [...Array(9).keys()].map((i) => 0.5 / 9 + i / 9);
    for (const [across, down] of steps.flatMap((one) => steps.map((other) => [one, other] as const))) {
      const { text, colour } = await pointAtMap(page, [across, down]);
      const [, name, value] = /^(\D+)([\d.]+) bu/.exec(text) ?? [];
      if (name === undefined || found.has(name)) continue;
      found.set(name, { value: Number(value), colour });
      if (found.size === 5) break;
    }
    expect(found.size).toBeGreaterThanOrEqual(2);
    for (const [name, { value, colour }] of found)
      expect(colour, name).toBe(classColours(breaks, 'light')[classOf(value, breaks)]);
  });
});
