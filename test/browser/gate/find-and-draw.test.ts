import { describe, expect, it } from 'vitest';
import { someOf } from '../../endurance.js';
import { sorghum } from '../page/farm.js';
import { drawn } from '../page/open-page.js';
import { siteForTests } from '../page/open-site.js';
import { SEATTLE, settled, temperature, VIEWS } from '../page/views.js';

const site = siteForTests();

describe('a first visit', () => {
  it('draws at once a figure as it moved from report to report, as the store has one, and asks each question once', async () => {
    const { page, requests } = await site.open();
    expect(await drawn(page)).toContain('by date of report');
    expect(await page.locator('.figure-title').textContent()).toMatch(/corn yield 2024: .* in 3\sreports/);
    expect(
      await page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').count(),
    ).toBeGreaterThan(0);
    expect(await page.title()).toMatch(/^Revisions · .*Corn.* · cropframe$/);
    const facets = requests.filter((address) => address.includes('/v2/facets'));
    expect(facets.length).toBeGreaterThan(0);
    expect(new Set(facets).size).toBe(facets.length);
  });
});

describe('a date as known on', () => {
  it('says that nothing was known before the first vintage, and draws what was known after it', async () => {
    const { page } = await site.open({ query: VIEWS.seasons.query });
    await drawn(page);
    const asof = page.getByLabel('As known at the end of').first();
    await asof.fill('2010-01-01');
    await asof.blur();
    const none = 'No values were known yet at the end of 2010-01-01';
    await page.getByRole('main').getByText(none).waitFor();
    expect(await page.getByRole('main').locator('.notice').count()).toBe(1);
    // Readers of screens hear so in place of the title of the earlier figure.
    await expect.poll(() => page.locator('[role=status].visually-hidden').textContent()).toContain(none);
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.getByRole('button', { name: 'Show the latest values' }).click();
    await page.locator('.map').waitFor();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await asof.fill('2021-01-01');
    await asof.blur();
    await drawn(page);
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('As known at the end of');
    expect(page.url()).toContain('asof=2021-01-01');
  });
});

describe('a date beyond the data', () => {
  it('is replaced by the nearest, and the page says so', async () => {
    const { page } = await site.open({ query: VIEWS.seasons.query });
    await drawn(page);
    const from = page.getByRole('region', { name: 'Dates shown' }).getByLabel('From');
    await from.fill('1776');
    await from.press('Tab');
    const said = page
      .getByRole('status')
      .filter({ hasText: /^1776-01-01 is out of range; \d{4}-\d\d-\d\d is used/ });
    await expect.poll(() => said.count()).toBe(1);
  });
});

describe('a cap of degree days below the base', () => {
  it('is said to be the reason why there are none', async () => {
    const { page } = await site.open({ query: `${VIEWS['degree-days'].query}&gdd_base=30&gdd_cap=20` });
    await drawn(page);
    expect(await page.locator('.notice').allTextContents()).toEqual([
      'The cap of 20 °C is not above the base of 30 °C, so no day has degree days.',
    ]);
  });
});

describe('a map', () => {
  it('of one region says so', async () => {
    const { page } = await site.open({ query: `view=map&s=${sorghum}` });
    await page.locator('svg.map').waitFor();
    expect(await page.locator('.notice').textContent()).toContain('This source has values for Kansas only.');
  });

  it('of changes shows the limit of zero on a phone too', async () => {
    const viewport = { width: 390, height: 844 };
    for (const year of [2008, 2016]) {
      const query = `${VIEWS.map.query}&date=${year}-12-31&date2=${year - 1}-12-31`;
      const { page } = await site.open({ query, viewport });
      await settled(page, VIEWS.map);
      expect(await page.locator('.limit').getByText('0', { exact: true }).isVisible()).toBe(true);
    }
  });
});

describe('the years of weights', () => {
  it('stay as they stand in their fields while one is typed, and after', async () => {
    const { page } = await site.open({ query: VIEWS.weights.query });
    await settled(page, VIEWS.weights);
    await page.getByText('More', { exact: true }).click();
    const year = (name: string) => page.getByRole('spinbutton', { name, exact: true });
    const shown = await year('Mean of').inputValue();
    const title = page.locator('.figure-title').first();
    await year('to').fill('2018');
    await year('to').press('Enter');
    await expect.poll(() => title.textContent()).toContain(`mean of ${shown}\u00a0to 2018`);
    await year('Mean of').fill('2016');
    await year('Mean of').press('Tab');
    await page.keyboard.type('20');
    await expect.poll(() => title.textContent()).toContain('mean of 2016\u00a0to 2018');
    await page.keyboard.type('20');
    await page.keyboard.press('Enter');
    await expect.poll(() => title.textContent()).toContain('mean of 2016\u00a0to 2020');
  });
});

describe('a form that the chosen series do not have', () => {
  it('is refused in words of the page, and the next choice draws them again', async () => {
    const { page } = await site.open({
      query: `s=${temperature(SEATTLE)},${temperature(SEATTLE, 'min')}&y=usual`,
    });
    await expect
      .poll(() => page.locator('.figure .notice').textContent())
      .toBe(
        'The latest year can be drawn against earlier years for only one series, but there are 2. Choose another option under “Show”, choose other series, or open the Table tab.',
      );
    expect(await page.locator('.figure-title').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('normal');
    await page.locator('.figure .notice').waitFor({ state: 'detached' });
    await drawn(page);
    expect(await page.locator('.figure-title').textContent()).toContain('temperature');
  });
});

describe('every choice under Show', () => {
  it.each([
    ['of a year', VIEWS.known.query],
    ['of days', VIEWS.seasons.query],
  ])('is drawn for series %s', async (_what, query) => {
    const { page } = await site.open({ query });
    await drawn(page);
    const show = page.getByRole('combobox', { name: 'Show' });
    const choices = await show.locator('option').allTextContents();
    expect(choices.length).toBeGreaterThan(4);
    for (const label of choices) {
      await show.selectOption({ label });
      await drawn(page);
    }
  });
});

describe('the table of revisions', () => {
  it.each(someOf([390, 820, 1280], 1))('shows the newest figure in a window of %i pixels', async (width) => {
    const { query } = VIEWS.revisions;
    const { page } = await site.open({ query, viewport: { width, height: 900 } });
    const newest = page.locator('.triangle tbody tr').first().locator('td').first();
    const { x, width: wide } = (await newest.boundingBox())!;
    expect(x).toBeGreaterThan(0);
    expect(x + wide).toBeLessThanOrEqual(width);
    const period = (await page.locator('.triangle tbody th').first().boundingBox())!;
    expect(period.x).toBeGreaterThanOrEqual(0);
  });
});

describe('a search of several names', () => {
  it.each([
    ['temperature max seattle', 'Temperature max', /Temperature max/],
    // Iowa County has as many values; only the name that was typed is drawn.
    ['corn yield iowa', 'Corn', /Iowa(?! County)/],
  ])('offers all names of “%s” together, and draws only what has them', async (text, what, where) => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('combobox', { name: /Search metrics/ }).fill(text);
    const first = page.getByRole('option').first();
    await expect.poll(() => first.textContent()).toContain('all of these');
    expect(await first.textContent()).toContain(what);
    await first.click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(where)]);
  });

  it('is not offered where nothing has all names, and says so; a guess is named as one', async () => {
    const { page } = await site.open();
    await drawn(page);
    const field = page.getByRole('combobox', { name: /Search metrics/ });
    await field.fill('corn temperature seattle');
    await page.locator('.combobox-note', { hasText: /^No series has all of these: .*Corn/ }).waitFor();
    expect(await page.getByRole('option', { name: /all of these/ }).count()).toBe(0);
    await field.fill('temprature');
    await page.getByRole('status').filter({ hasText: '“temprature” is a guess' }).waitFor();
  });

  it('for degree days of a crop uses its rule, and says so if it has none', async () => {
    const { page } = await site.open();
    await drawn(page);
    const search = async (text: string) => {
      await page.getByRole('combobox', { name: /Search metrics/ }).fill(text);
      await page.getByRole('option', { name: /^Growing degree days/ }).click();
    };
    await search('growing degree days corn seattle');
    const crop = page.getByRole('combobox', { name: 'Crop' });
    // Places in the United States have rules in °F.
    await expect.poll(() => crop.inputValue()).toBe('Corn, 50 and 86 °F');
    await expect.poll(() => page.title()).toBe('Degree days · Seattle weather station · cropframe');
    await search('growing degree days sorghum seattle');
    await page.getByText('“Sorghum” was ignored.').waitFor();
    await page.goto(`${site.url}?v=1&view=degree-days`);
    await page.getByRole('combobox', { name: 'Place' }).selectOption({ label: 'Seattle weather station' });
    await expect.poll(() => page.url()).toContain('gdd_base=50&gdd_cap=86');
  });

  it('for degree days draws those of the place, whose temperatures are then the chosen series', async () => {
    const { page } = await site.open();
    await drawn(page);
    await page.getByRole('combobox', { name: /Search metrics/ }).fill('gdd seattle');
    await page
      .getByRole('option', { name: /Growing degree days/ })
      .first()
      .click();
    await expect.poll(() => page.url()).toContain('view=degree-days');
    await page.getByRole('tab', { name: 'Chart' }).click();
    await expect
      .poll(() => page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').allTextContents())
      .toEqual([expect.stringMatching(/^Temperature max/), expect.stringMatching(/^Temperature min/)]);
    // The list of other series is one Tab stop.
    const others = page.getByRole('list', { name: 'Matching series' }).getByRole('checkbox');
    expect(
      await others.evaluateAll((all) => all.filter((one) => (one as HTMLElement).tabIndex === 0).length),
    ).toBe(Math.min(1, await others.count()));
  });
});
