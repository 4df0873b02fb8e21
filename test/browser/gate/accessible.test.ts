import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { NIGHT, someOf } from '../../endurance.js';
import { axeFindings } from '../axe.js';
import { crowdedTexts, recordCanvasTexts } from '../crowded-texts.js';
import { cornYield } from '../page/farm.js';
import { drawn } from '../page/open-page.js';
import { siteForTests } from '../page/open-site.js';
import { type PageView, settled, VIEWS } from '../page/views.js';

const site = siteForTests();

const PHONE = { width: 390, height: 844 };
const TABLET = { width: 820, height: 1180 };
const DESK = { width: 1280, height: 900 };
const WALL = { width: 2560, height: 1440 };

const LIGHT = { colorScheme: 'light', forcedColors: 'none' } as const;
const DARK = { colorScheme: 'dark', forcedColors: 'none' } as const;

/** The gate looks once at each view, in turn at a light desk and a dark phone; the night looks at every combination. */
const looksAt = (view: number) =>
  !NIGHT
    ? [view % 2 === 0 ? { size: DESK, media: LIGHT } : { size: PHONE, media: DARK }]
    : [DESK, WALL, TABLET, PHONE].flatMap((size) =>
        [LIGHT, DARK, { ...DARK, forcedColors: 'active' } as const].map((media) => ({ size, media })),
      );

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

/** Opens what narrow screens have behind a button at the thumb. */
async function clickIfShown(page: Page, name: string): Promise<void> {
  const button = page.locator('footer').getByRole('button', { name, exact: true });
  if ((page.viewportSize()?.width ?? 0) < 1024) await button.click();
}

/** Changes what a view shows before it is looked at. */
const STATES: Readonly<Record<string, PageView & { readonly change?: (page: Page) => Promise<unknown> }>> = {
  ...VIEWS,
  find: {
    ...VIEWS.chart,
    change: async (page) => {
      await clickIfShown(page, 'Find');
      await page.getByRole('combobox', { name: /^Search/ }).fill('corn');
      await page.getByRole('option').first().waitFor();
    },
  },
  login: { ...VIEWS.chart, change: (page) => page.getByRole('button', { name: 'Log in' }).click() },
  download: {
    ...VIEWS.chart,
    change: async (page) => {
      await clickIfShown(page, 'Share');
      await page.getByRole('button', { name: 'Download' }).click();
      await page.getByRole('button', { name: 'CSV', exact: true }).waitFor();
    },
  },
  code: {
    ...VIEWS.chart,
    change: async (page) => {
      await clickIfShown(page, 'Share');
      await page.getByRole('button', { name: 'Code' }).click();
      await page.getByLabel('Program').waitFor();
    },
  },
  error: {
    ...VIEWS.chart,
    change: async (page) => {
      await page.route(/\/v2\//, (route) => route.abort());
      await page.reload();
      await page.getByRole('alert').first().waitFor();
      await page.unrouteAll();
    },
  },
};

/** Views that differ from others in what is drawn alone. */
const ALIKE = ['first', 'seasons', 'mixed', 'known', 'counties'];

/** Views that only the night looks at, as their parts are parts of others. */
const RARE = !NIGHT ? ['panels', 'nothing', 'login', 'error', 'code', 'revisions', 'degree-days'] : [];

describe('axe, the width of the window, and texts that are cut or overlap,', () => {
  it.each(
    Object.keys(STATES)
      .filter((name) => ![...ALIKE, ...RARE].includes(name))
      .map((name, at) => [name, looksAt(at)] as const),
  )('have nothing against: %s', async (name, looks) => {
    const { change, ...view } = STATES[name]!;
    const findings: string[] = [];
    for (const { size, media } of looks) {
      const { page } = await site.open({
        query: view.query,
        viewport: size,
        ...media,
        script: recordCanvasTexts,
      });
      await settled(page, view);
      await change?.(page);
      const where = `${size.width} pixels, ${media.colorScheme}, forced colours ${media.forcedColors}`;
      const wide = await overflow(page);
      if (wide > 0) findings.push(`${where}: ${wide} pixels too wide`);
      const found = [...(await crowdedTexts(page)), ...(await axeFindings(page))];
      findings.push(...found.map((finding) => `${where}: ${finding}`));
    }
    expect(findings).toEqual([]);
  });
});

describe('what axe cannot see', () => {
  it('is that focus returns to what opened a dialog', async () => {
    const { page } = await site.open({ query: VIEWS.chart.query });
    await drawn(page);
    for (const name of ['Download', 'Code', 'Cite', 'Log in']) {
      const opener = page.locator('header, footer').getByRole('button', { name, exact: true });
      await opener.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      expect(await opener.evaluate((it) => it === document.activeElement)).toBe(false);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await opener.evaluate((it) => it === document.activeElement), `focus after ${name}`).toBe(true);
    }
    await page.setViewportSize(PHONE);
    const opener = page.getByRole('button', { name: 'Find' });
    await opener.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(await opener.evaluate((it) => it === document.activeElement)).toBe(true);
  });

  it('is that text of twice the size loses nothing', async () => {
    const { page } = await site.open({ viewport: DESK });
    const session = await page.context().newCDPSession(page);
    await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
    for (const name of someOf(['chart', 'table', 'map', 'revisions', 'degree-days', 'weights'] as const, 2)) {
      await page.goto(`${site.url}?v=1&${VIEWS[name].query}`);
      await settled(page, VIEWS[name]);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('32px');
      expect(await overflow(page), name).toBeLessThanOrEqual(0);
      const cut = (await crowdedTexts(page)).filter((finding) => finding.startsWith('cut'));
      expect(cut, name).toEqual([]);
    }
  });

  it('is that a chart says what it shows, from when to when, and its last values, and keys read them', async () => {
    const { page } = await site.open({ query: `s=${cornYield(19)},${cornYield(17)}` });
    await drawn(page);
    const figure = page.getByRole('application');
    const description = (await figure.getAttribute('aria-label')) ?? '';
    expect(description).toMatch(
      /^Corn yield 2024: Iowa [\d.]+, Illinois [\d.]+ bu\/ac, 2006-01-01 to 2024-12-31\. Last values: Iowa [\d.]+ bu\/ac \(corn\); Illinois [\d.]+ /,
    );
    await figure.focus();
    await page.keyboard.press('End');
    const [, last] = /Iowa ([\d.]+) /.exec(description)!;
    const said = page.locator('[role=status].visually-hidden');
    await expect.poll(() => said.textContent()).toBe(`2024, Iowa, ${last} bu/ac (corn)`);
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => said.textContent()).toMatch(/^2023, Iowa, /);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => said.textContent()).toMatch(/^2023, Illinois, /);
  });

  it.each(['chart', 'map', 'table', 'degree-days'] as const)(
    'is that at most five keys go from the search to the views, and to the figure: %s',
    async (view) => {
      const { page } = await site.open({ query: VIEWS[view].query });
      await settled(page, VIEWS[view]);
      const goals = {
        'Skip to the views': page.getByRole('tab', { selected: true }),
        'Skip to the figure': page.locator('#main').locator('[role=application], .table-box').first(),
      };
      for (const [name, goal] of Object.entries(goals)) {
        await page.getByRole('combobox', { name: /^Search/ }).focus();
        const isOn = () => page.evaluate((text) => document.activeElement?.textContent === text, name);
        let keys = 1;
        for (; keys < 20 && !(await isOn()); keys++) await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        expect(await goal.evaluate((it) => it === document.activeElement), name).toBe(true);
        expect(keys, name).toBeLessThanOrEqual(5);
      }
    },
  );

  it('is that the arrow keys move between the regions of a map, and Enter draws one', async () => {
    const { page } = await site.open({ query: VIEWS.map.query });
    await settled(page, VIEWS.map);
    const said = page.locator('[role=status].visually-hidden');
    const map = page.getByRole('application', { name: /^Yield · Corn, 2024/ });
    await map.focus();
    // The first key goes to the chosen region, from which the others go on.
    for (const [key, name] of [
      ['ArrowDown', 'Iowa'],
      ['ArrowRight', 'Illinois'],
      ['ArrowUp', 'Wisconsin'],
      ['ArrowLeft', 'Minnesota'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(() => said.textContent()).toMatch(new RegExp(`^${name}, [\\d.]+ bu/ac`));
      expect(await page.locator('.map-tip strong').textContent()).toBe(name);
    }
    await page.keyboard.press('Enter');
    const chosen = page.getByRole('region', { name: 'Chosen series' }).getByRole('listitem');
    await expect
      .poll(() => chosen.allTextContents())
      .toEqual([expect.stringContaining('Iowa'), expect.stringContaining('Minnesota')]);
    await page.keyboard.press('Escape');
    await page.locator('.map-tip').waitFor({ state: 'detached' });
  });
});
