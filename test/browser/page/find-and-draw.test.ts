import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drawn, openPage } from './open-page.js';
import { type OpenSite, openSharedSite } from './open-site.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

const search = { role: 'combobox', name: 'Search metrics, items, regions and sources' } as const;

describe('a first visit', () => {
  it('draws something at once, of what is best covered, and breaks no policy', async () => {
    const { page, problems, close } = await site.open();
    expect(await drawn(page)).not.toBe('');
    expect(
      await page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem').count(),
    ).toBeGreaterThan(0);
    expect(await page.title()).toContain('cropframe');
    expect(problems).toEqual([]);
    await close();
  });
});

describe('by mouse', () => {
  it('finds, picks and draws a series, whose link draws it again in a new profile', async () => {
    const first = await site.open();
    const { page } = first;
    await drawn(page);
    await page.getByRole(search.role, { name: search.name }).fill('precip');
    await page
      .getByRole('option', { name: /^Precipitation/ })
      .first()
      .click();
    await expect
      .poll(() => page.locator('.figure-title').textContent(), { timeout: 20_000 })
      .toMatch(/Precipitation/);
    await drawn(page);
    await expect.poll(() => page.url()).toContain('s=');
    const [title, legend] = [
      await page.locator('.figure-title').textContent(),
      await page.locator('.legend').allTextContents(),
    ];
    const second = await openPage(site.browser, page.url());
    await drawn(second.page);
    expect(await second.page.locator('.figure-title').textContent()).toBe(title);
    expect(await second.page.locator('.legend').allTextContents()).toEqual(legend);
    expect([...first.problems, ...second.problems]).toEqual([]);
    await first.close();
    await second.close();
  });

  it('goes back and forward through choices', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    await page.goBack();
    await drawn(page);
    expect(await page.getByRole('tab', { name: 'Chart' }).getAttribute('aria-selected')).toBe('true');
    await page.goForward();
    await page.getByRole('tabpanel').getByRole('table').waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  it('says that nothing was known before the first vintage, and draws what was known after it', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    const asof = page.getByLabel('As known on').first();
    await asof.fill('2010-01-01');
    await asof.blur();
    await page
      .getByText(/Nothing was known yet on|no points as known on/)
      .first()
      .waitFor();
    await asof.fill('2021-01-01');
    await asof.blur();
    await drawn(page);
    await expect.poll(() => page.locator('.figure-source').textContent()).toContain('As known on');
    expect(page.url()).toContain('asof=2021-01-01');
    expect(problems).toEqual([]);
    await close();
  });
});

describe('by keys alone', () => {
  it('finds, picks and draws a series, and reads its points', async () => {
    const { page, problems, close } = await site.open();
    await drawn(page);
    await page.keyboard.press('/');
    await page.keyboard.type('wheat');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.locator('.figure-title').textContent(), { timeout: 20_000 })
      .toMatch(/[Ww]heat/);
    await drawn(page);
    const figure = page.locator('.plot-box [tabindex="0"]').first();
    for (let i = 0; i < 60 && !(await figure.evaluate((it) => it === document.activeElement)); i++)
      await page.keyboard.press('Tab');
    expect(await figure.evaluate((it) => it === document.activeElement)).toBe(true);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => page.locator('[role=status].visually-hidden').textContent()).toMatch(/\d{4}.*\d/);
    expect(problems).toEqual([]);
    await close();
  });
});
