import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { countryRegionId, usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import { frequencyId } from '../../../src/model/frequency.js';
import { seriesKeyText } from '../../../src/model/series.js';
import { madeUpPoints } from '../../ingest/made-up-points.js';
import { cornArea, cornYield, FARM_STATES } from './farm.js';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { ownSeries, withRegions } from './own-regions.js';
import { SEATTLE, settled, temperature, VIEWS } from './views.js';

const site = siteForTests();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

const search = (page: Page) => page.getByRole('combobox', { name: /^Search/ });
const meaning = (page: Page) => page.getByRole('option', { name: /all of these/ });
const shownSeries = (page: Page) => page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem');
const colours = (page: Page) =>
  page
    .getByRole('region', { name: 'Chosen series' })
    .locator('.swatch')
    .evaluateAll((all) => all.map((one) => (one as HTMLElement).style.background));
const figureText = async (page: Page) => (await page.locator('.figure-title').textContent()) ?? '';

describe('the list of series', () => {
  it('has the latest values with the digits of the title', async () => {
    const { page } = await site.open({ query: VIEWS.chart.query });
    await settled(page, VIEWS.chart);
    const values = await shownSeries(page).locator('.count').allTextContents();
    expect(values).toEqual(['8.38', '3.83', '13.58', '6.77']);
  });
});

describe('the figure of every view', () => {
  it('starts within the first 300 pixels of a phone, below one row of controls', async () => {
    const { page } = await site.open({ query: VIEWS.chart.query, ...PHONE });
    for (const name of ['chart', 'map', 'revisions'] as const) {
      await page.goto(`${site.url}?v=1&${VIEWS[name].query}`);
      await settled(page, VIEWS[name]);
      expect((await page.locator('figure.figure').first().boundingBox())?.y, name).toBeLessThan(300);
    }
    for (const name of ['chart', 'map'] as const) {
      await page.goto(`${site.url}?v=1&${VIEWS[name].query}`);
      await settled(page, VIEWS[name]);
      expect((await page.locator('.view-controls').boundingBox())?.height, name).toBeLessThan(60);
    }
  });
});

describe('a chart on a low screen', () => {
  it.each(['degree-days', 'revisions'] as const)('ends above the bar at the bottom: %s', async (view) => {
    const { page } = await site.open({ query: VIEWS[view].query, viewport: { width: 1280, height: 800 } });
    await settled(page, VIEWS[view]);
    const plot = (await page.locator('.plot canvas').boundingBox())!;
    const bar = (await page.locator('.take-bar').boundingBox())!;
    expect(plot.y + plot.height).toBeLessThanOrEqual(bar.y);
    expect((await page.locator('.figure-source').boundingBox())!.y).toBeLessThan(bar.y - 20);
  });
});

describe('adding', () => {
  it('draws a series of each region of a text, also of misspelt words, and says how it read them', async () => {
    const { page } = await site.open();
    await drawn(page);
    await search(page).fill('corn yeild iowa illinois nebraska');
    await meaning(page).click();
    await expect.poll(() => shownSeries(page).count()).toBe(3);
    expect((await shownSeries(page).allTextContents()).join()).toMatch(/Iowa.*Illinois.*Nebraska/);
    await drawn(page);
    expect(await figureText(page)).toMatch(/^Corn yield 2024: Iowa/);
    const said = page.getByRole('main').getByRole('status').first();
    expect(await said.textContent()).toContain('“Yield” was used for “yeild”');
  });

  it('keeps the metric and the item of a chosen region, and the colours of the series before an added one', async () => {
    const { page } = await site.open({ query: `s=${cornArea(19)}` });
    await drawn(page);
    await search(page).fill('Illinois');
    await page.getByRole('option', { name: /^Illinois\W+region/ }).click();
    await expect
      .poll(() => shownSeries(page).allTextContents())
      .toEqual([expect.stringContaining('Illinois')]);
    await expect.poll(() => figureText(page)).toMatch(/^Illinois corn area harvested 2024/);
    const [first] = await colours(page);
    await search(page).fill('Nebraska');
    await page.getByRole('option', { name: 'Add Nebraska', exact: true }).waitFor();
    // “+ Add” is beside a hit, for keys too.
    for (const key of ['ArrowDown', 'ArrowRight', 'ArrowLeft', 'Tab']) await page.keyboard.press(key);
    await expect
      .poll(() => page.locator('[role=option][aria-selected=true]').getAttribute('aria-label'))
      .toBe('Add Nebraska');
    await page.keyboard.press('Enter');
    await expect.poll(() => shownSeries(page).count()).toBe(2);
    expect((await colours(page))[0]).toBe(first);
    await drawn(page);
    expect(await figureText(page)).toMatch(/^Corn area harvested 2024: Illinois .*Nebraska/i);
    await page.getByRole('tab', { name: 'Table' }).click();
    expect((await colours(page))[0]).toBe(first);
  });

  it('draws nothing in place of names that no series has together', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    await drawn(page);
    await search(page).fill('temperature max iowa');
    await page.locator('.combobox-note').waitFor();
    await search(page).press('Enter');
    await page
      .getByRole('main')
      .getByText(/^No series has all of these: .*Iowa/)
      .waitFor();
    expect(await figureText(page)).toMatch(/^Iowa corn yield 2024/);
    expect(await shownSeries(page).count()).toBe(1);
  });

  it('opens degree days for “gdd” and the place', async () => {
    const { page } = await site.open({ query: VIEWS.table.query });
    await search(page).fill('gdd seattle');
    await meaning(page).click();
    await expect.poll(() => page.url()).toContain('view=degree-days');
    await expect.poll(() => figureText(page)).toContain('Seattle');
    await search(page).fill('gdd');
    await page.getByRole('option', { name: /^Growing degree days/ }).click();
    await page.getByText(/weather station was chosen; choose another place above the chart/).waitFor();
    // Iowa has corn, but no temperatures.
    await search(page).fill('gdd corn iowa');
    await page.locator('.combobox-note').waitFor();
    await search(page).fill('gdd corn wheat new york');
    await meaning(page).click();
    await page.getByText('“Wheat” was ignored.').waitFor();
    await expect.poll(() => figureText(page)).toContain('New York');
  });
});

describe('the dialog of a phone', () => {
  it('closes when a hit is drawn, not when one is added', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}`, ...PHONE });
    await drawn(page);
    const dialog = page.getByRole('dialog', { name: 'Find' });
    await page.getByRole('button', { name: 'Find' }).click();
    await search(page).fill('Nebraska');
    await page.getByRole('option', { name: 'Add Nebraska', exact: true }).click();
    await expect.poll(() => shownSeries(page).count()).toBe(2);
    await search(page).fill('corn yeild illinois');
    await meaning(page).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('“Yield” was used for “yeild”').waitFor();
    await expect.poll(() => figureText(page)).toContain('Illinois');
  });
});

describe('a date field', () => {
  it('can be emptied and typed again', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}&from=2010-01-01` });
    await drawn(page);
    const from = page.getByLabel('From', { exact: true });
    for (const text of ['2008', '2012-01-01']) {
      await from.press('End');
      for (let i = 0; i < 10; i++) await page.keyboard.press('Backspace');
      expect(await from.inputValue()).toBe('');
      await page.keyboard.type(text);
      expect(await from.inputValue()).toBe(text);
      await page.keyboard.press('Tab');
      await expect.poll(() => page.url()).toContain(`from=${text.slice(0, 4)}-01-01`);
    }
    // The slider moves the date that was typed, by whole periods.
    await page.getByRole('slider', { name: 'First date' }).press('ArrowRight');
    await expect.poll(() => from.inputValue()).toBe('2013-01-01');
  });
});

describe('a map', () => {
  it('shows the value and the course of a region under the pointer, and under a finger', async () => {
    for (const isPhone of [false, true]) {
      const profile = isPhone ? PHONE : {};
      const { page } = await site.open({ query: VIEWS.map.query, ...profile });
      await settled(page, VIEWS.map);
      const { x, y, width, height } = (await page.locator('svg.map').boundingBox())!;
      const tip = page.locator('.map-tip');
      for (const across of [0.3, 0.4, 0.5, 0.6, 0.7]) {
        const place = [x + across * width, y + height / 2] as const;
        await (isPhone ? page.touchscreen.tap(...place) : page.mouse.move(...place));
        if ((await tip.count()) > 0) break;
      }
      const [, name, value] =
        /^(\D+)([\d.]+) bu\/ac \(corn\) · 2024/.exec((await tip.textContent()) ?? '') ?? [];
      expect(await tip.locator('svg.spark').count()).toBe(1);
      await page.getByText(/^The values as a table/).click();
      const row = page.getByRole('row', { name: new RegExp(`^${name} `) });
      expect(await row.textContent()).toContain(value);
    }
  });

  it('draws the course of a region of daily values up to its last day', async () => {
    const { page } = await site.open({ query: `view=map&s=${temperature(SEATTLE)}` });
    await settled(page, VIEWS.map);
    await page.locator('svg.map').press('ArrowRight');
    const spark = page.locator('.map-tip svg.spark');
    const { x, y, width, height } = (await spark.boundingBox())!;
    const clip = { x: x + width - 24, y, width: 24, height };
    const ended = await page.screenshot({ clip });
    await spark.evaluate((it) => {
      (it as SVGElement).style.visibility = 'hidden';
    });
    expect(ended.equals(await page.screenshot({ clip }))).toBe(false);
  });

  it('has a slider with a label and the date', async () => {
    const { page } = await site.open({ query: VIEWS.map.query });
    await settled(page, VIEWS.map);
    expect(await page.locator('.date-slider').innerText()).toMatch(/^Date\s+2024$/);
  });

  it('shows the change between two dates in units and in percent', async () => {
    const { page } = await site.open({
      query: `${VIEWS.map.query}&date=2012-12-31&date2=2011-12-31`,
    });
    await settled(page, VIEWS.map);
    expect(await figureText(page)).toMatch(/^Change of corn yield from 2011 to 2012: .* bu\/ac/);
    await page.locator('svg.map').press('ArrowRight');
    const tip = /^\D+([+−][\d.]+) bu\/ac \(corn\) · ([\d.]+) in 2011 · ([\d.]+) in 2012/;
    const [, change, before, after] = tip.exec((await page.locator('.map-tip').textContent())!)!;
    expect(Number(change!.replace('−', '-'))).toBeCloseTo(Number(after) - Number(before), 6);
    expect(await page.getByLabel('Change from').locator('option').allTextContents()).toEqual([
      'no other date',
      ...[2011, 2010, 2009, 2008, 2007, 2006].map(String),
    ]);
    await page.getByText(/^The values as a table/).click();
    const iowa = page
      .getByRole('row', { name: /^Iowa / })
      .locator('td')
      .last();
    const units = Number((await iowa.textContent())!.replace('−', '-'));
    await page.getByText('More', { exact: true }).click();
    await page.getByLabel('Change in').selectOption('percent');
    await expect.poll(() => figureText(page)).toContain('%');
    const percent = Number((await iowa.textContent())!.replace('−', '-'));
    // The farm has 28% less corn in 2012 than usual.
    expect(units).toBeLessThan(-30);
    expect(percent).toBeLessThan(-20);
    expect((100 * units) / percent).toBeGreaterThan(150);
  });
});

describe('a pointer on a chart', () => {
  it('reads values beside the panels too, and the usual range, below the legend', async () => {
    const { page } = await site.open({ query: `s=${temperature(SEATTLE)}&y=usual` });
    await drawn(page);
    const { x, y, width, height } = (await page.locator('.plot canvas').boundingBox())!;
    await page.mouse.move(x + 0.99 * width, y + height / 2);
    const tip = page.locator('.tooltip');
    expect(await tip.textContent()).toMatch(
      /^31 December2015.*median of 2012 to 2014.*10th percentile.*90th percentile/,
    );
    expect((await tip.boundingBox())!.y).toBeGreaterThan(y + 40);
  });
});

describe('a finger on a chart', () => {
  it('reads values by a tap, which stay', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}`, ...PHONE });
    await drawn(page);
    const { x, y, width, height } = (await page.locator('.plot canvas').boundingBox())!;
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await page.locator('.tooltip').waitFor();
    const first = await page.locator('.tooltip-date').textContent();
    await page.touchscreen.tap(x + 0.8 * width, y + height / 2);
    await expect.poll(() => page.locator('.tooltip-date').textContent()).not.toBe(first);
    // The values are on the screen wherever the finger is.
    await page.touchscreen.tap(x + 0.6 * width, y + height / 2);
    await expect.poll(() => page.locator('.tooltip-date').textContent()).not.toBe(first);
    const tip = (await page.locator('.tooltip').boundingBox())!;
    expect(tip.x).toBeGreaterThanOrEqual(0);
    expect(tip.x + tip.width).toBeLessThanOrEqual(PHONE.viewport.width);
    // They cover no line, also where the chart is at the top of the screen.
    expect(tip.y + tip.height).toBeLessThanOrEqual(y + 1);
    expect(tip.y).toBeGreaterThanOrEqual(0);
    await page.setViewportSize({ width: 390, height: 500 });
    await page.getByRole('application').evaluate((it) => it.scrollIntoView());
    const moved = (await page.locator('.plot canvas').boundingBox())!;
    await page.touchscreen.tap(moved.x + width / 2, moved.y + height / 2);
    await expect
      .poll(async () => (await page.locator('.tooltip').boundingBox())!.y)
      .toBeGreaterThanOrEqual(moved.y + moved.height - 1);
    // A tap elsewhere ends the reading.
    await page.touchscreen.tap(200, moved.y + moved.height + 100);
    await page.locator('.tooltip').waitFor({ state: 'detached' });
  });
});

describe('the first minute', () => {
  const empty = siteForTests({ storeName: 'my data/corn.duckdb' });

  it('shows the command that imports data into an empty store', async () => {
    const { page } = await empty.open();
    await page.getByText('This store has no data yet').waitFor();
    const commands = page.getByLabel('Commands');
    await expect.poll(() => commands.inputValue()).toContain('import demo --store "my data/corn.duckdb"');
  });

  it('offers a story of each kind that the data have, and opens them', async () => {
    const { page } = await site.open();
    const stories = page.getByRole('navigation', { name: /^Suggested views/ }).getByRole('button');
    await expect
      .poll(() => stories.allTextContents())
      .toEqual([
        expect.stringMatching(/^How a figure was revised: Corn/),
        expect.stringMatching(/^A map: Corn/),
        expect.stringMatching(/^The latest year against earlier years: Temperature/),
      ]);
    await stories.nth(1).click();
    await page.locator('svg.map').waitFor();
  });

  it('never shows the figure of another series while the next one loads', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    await drawn(page);
    await page.route(/[/]v2[/]data(?!_)/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await route.continue();
    });
    await search(page).fill('Illinois');
    await page.getByRole('option', { name: /^Illinois\W+region/ }).click();
    await expect
      .poll(() => shownSeries(page).allTextContents())
      .toEqual([expect.stringContaining('Illinois')]);
    expect(await page.locator('.plot canvas').count()).toBe(0);
    await expect.poll(() => figureText(page)).toContain('Illinois');
  });

  it('says that it is offline, and goes on by itself', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    await drawn(page);
    await page.context().setOffline(true);
    await page.getByText('This device is offline.').first().waitFor();
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.context().setOffline(false);
    await page.locator('svg.map').waitFor();
  });
});

describe('a formula', () => {
  it('combines the values of two series, also after their indexes were shown', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)},${cornYield(17)}&y=index` });
    await drawn(page);
    await page
      .getByRole('combobox', { name: 'Show', exact: true })
      .selectOption({ label: 'Iowa as share of Illinois' });
    await expect.poll(() => page.url()).toContain('f=a-share-of-b');
    expect(page.url()).not.toContain('y=index');
  });
});

describe('“stocks to use”', () => {
  const [source] = [SOURCES.wasde];
  const figures = madeUpPoints([source], (points, availableMs) => {
    const add = (metric: string, partner_region_id: number, value: number) => {
      const key = { metric_id: metricId(metric), item_id: itemId('Corn'), region_id: 0, partner_region_id };
      const others = { source_id: source.id, frequency_id: frequencyId('annual') };
      const point = { value, unitId: unitId('Mt'), reportingMs: null, availableMs };
      for (const year of [2020, 2021]) points.add({ ...key, ...others }, { ...yearsPeriod(year), ...point });
    };
    // The stocks of a partner region have no use to be divided by.
    add('Ending stocks', countryRegionId(76), 7);
    add('Ending stocks', 0, 30);
    add('Total use', 0, 120);
  });

  const own = siteForTests({ fill: (store) => importDataset(store, figures) });

  it('divides the ending stocks by the total use that has the same ids', async () => {
    const { page } = await own.open();
    await page.locator('.figure-title').waitFor();
    await search(page).fill('corn stocks to use');
    await page.getByRole('option', { name: /^Stocks to use · Corn/ }).click();
    await expect.poll(() => figureText(page)).toMatch(/25(\.0)? ?%/);
    expect(page.url()).toContain('f=a-share-of-b');
  });
});

describe('weights', () => {
  it('start with the crop and the metric of the chart, and keep their regions at another level', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)}` });
    await drawn(page);
    await page.getByRole('tab', { name: 'Weights' }).click();
    const crop = page.getByRole('combobox', { name: 'Crop', exact: true });
    await expect.poll(() => crop.locator('option:checked').allTextContents()).toEqual(['Corn']);
    // The demo data have temperatures and rain too, which are no crops.
    const crops = await crop.locator('option').allTextContents();
    expect(crops.join()).not.toMatch(/temperature|precipitation/i);
    // The parts of the chart's region are chosen, if they have data. Those of Iowa have yields alone.
    await page.goto(
      `${site.url}?v=1&view=weights&s=${cornYield(19).replace(String(usStateRegionId(19)), '840')}`,
    );
    await expect
      .poll(() => new URL(page.url()).searchParams.get('w_regions')?.split(','))
      .toEqual(expect.arrayContaining(FARM_STATES.map((fips) => String(usStateRegionId(fips)))));
    const areas = `w_metric=${metricId('Area harvested')}`;
    await page.goto(`${site.url}?v=1&${VIEWS.weights.query.replace(areas, `w_metric=${metricId('Yield')}`)}`);
    await settled(page, VIEWS.weights);
    const title = await page.locator('.figure-title').first().textContent();
    const average = page.getByRole('region', { name: 'The weighted series' }).locator('.figure-title');
    expect(await average.textContent()).toMatch(/^Corn yield, weighted by yield 2024: /);
    await page.goto(`${site.url}?v=1&${VIEWS.weights.query}&w_from=1990&w_to=1995`);
    const notice = page.getByText(
      /have no Area harvested values for Corn from 1990 to 1995; they have some from/,
    );
    await notice.waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.goBack();
    await settled(page, VIEWS.weights);
    const regions = page.locator('details.known', { hasText: /^Regions/ });
    await regions.locator('summary').click();
    await page.getByLabel('Level').selectOption({ label: 'district: 99 regions' });
    await expect.poll(() => regions.locator('summary').textContent()).toContain('12 chosen at another level');
    expect(await page.locator('.figure-title').first().textContent()).toBe(title);
    await regions.getByRole('checkbox').first().check();
    await expect.poll(() => new URL(page.url()).searchParams.get('w_regions')).toMatch(/^\d+$/);
  });
});

describe('regions without a name', () => {
  const own = siteForTests({ fill: withRegions({ names: ['72259', 'Ames', 'Station USC00130200'] }) });

  it('are listed after those with a name', async () => {
    const { page } = await own.open({ query: `s=${ownSeries(1)}&item=${itemId('Corn')}` });
    await drawn(page);
    await page.locator('.filters > summary').click();
    const names = page.getByRole('list', { name: 'Region' }).locator('.facet-name');
    expect((await names.allTextContents()).slice(-3)).toEqual(['Ames', '72259', 'Station USC00130200']);
    // The series that match are listed apart from those that are shown, by what tells them apart.
    const matching = page.getByRole('region', { name: 'Matching series' });
    expect(await matching.getByRole('heading').textContent()).toBe('More that match the filters');
    expect((await matching.locator('.facet-name').allTextContents()).slice(-2)).toEqual([
      'Yield · 72259',
      'Yield · Station USC00130200',
    ]);
  });
});

describe('a store of a few series', () => {
  const [source] = [SOURCES.nassSurvey];
  const figures = madeUpPoints([source], (points, availableMs) => {
    const add = (region_id: number, value: number, unit: string, metric = 'Yield') => {
      const key = { metric_id: metricId(metric), item_id: itemId('Corn'), region_id, partner_region_id: 0 };
      const others = { source_id: source.id, frequency_id: frequencyId('annual') };
      const point = { value, unitId: unitId(unit), reportingMs: null, availableMs };
      for (const year of [2020, 2021]) points.add({ ...key, ...others }, { ...yearsPeriod(year), ...point });
    };
    add(countryRegionId(76), 5, 't/ha');
    // A bushel of no named crop has no factor.
    add(countryRegionId(32), 90, 'bu/ac');
    add(countryRegionId(76), 11, 'Mt', 'Ending stocks');
    add(countryRegionId(76), 20, 'Mha', 'Area harvested');
  });

  const own = siteForTests({ fill: (store) => importDataset(store, figures) });

  it('says which figure stocks to use lacks, and draws nothing else in its place', async () => {
    const { page } = await own.open({ query: 'metric=30' });
    await search(page).fill('corn stocks to use brazil');
    const note = page.getByText('Brazil has ending stocks, but no total use of corn.');
    await note.waitFor();
    expect(await meaning(page).count()).toBe(0);
    await search(page).press('Enter');
    await page.getByRole('main').getByText('but no total use of corn').waitFor();
    expect(new URL(page.url()).searchParams.get('f')).toBe(null);
    expect(await shownSeries(page).count()).toBe(0);
  });

  it('says which words it guessed', async () => {
    const { page } = await own.open({ query: 'metric=30' });
    await search(page).fill('corn stocks to use brazl');
    await page
      .getByText('Brazil (a guess for “brazl”) has ending stocks, but no total use of corn.')
      .waitFor();
  });

  it('offers acres but not thousand acres, which are written out as acres', async () => {
    const area = seriesKeyText({
      ...{ metric_id: metricId('Area harvested'), item_id: itemId('Corn'), region_id: countryRegionId(76) },
      ...{ partner_region_id: 0, source_id: source.id, frequency_id: frequencyId('annual') },
    });
    const { page } = await own.open({ query: `s=${area}` });
    await drawn(page);
    const units = page.getByLabel('Unit').locator('option');
    await expect
      .poll(() => units.allTextContents())
      .toEqual(expect.arrayContaining(['acre', 'million acres']));
    expect(await units.allTextContents()).not.toContain('thousand acres');
  });

  it('has only units to which the values convert', async () => {
    const keys = [76, 32].map((code) =>
      seriesKeyText({
        ...{ metric_id: metricId('Yield'), item_id: itemId('Corn'), region_id: countryRegionId(code) },
        ...{ partner_region_id: 0, source_id: source.id, frequency_id: frequencyId('annual') },
      }),
    );
    const { page } = await own.open({ query: `s=${keys[0]}` });
    await drawn(page);
    const units = page.getByLabel('Unit').locator('option');
    await expect.poll(() => units.allTextContents()).toContain('kilogram per hectare');
    const offered = await units.allTextContents();
    expect(offered).not.toContain('bushel per acre');
    await page.getByLabel('Unit').selectOption({ index: offered.length - 1 });
    await expect.poll(() => page.url()).toContain('unit=');
    await drawn(page);
    expect(await units.allTextContents()).toEqual(offered);
    // Nothing converts from bushels of no crop, alone or beside tonnes.
    for (const query of [keys[1], keys.join()]) {
      await page.goto(`${own.url}?v=1&s=${query}`);
      await drawn(page);
      await page.waitForLoadState('networkidle');
      expect(await page.getByLabel('Unit').count()).toBe(0);
    }
  });
});
