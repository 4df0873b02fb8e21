import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { drawn } from './open-page.js';
import { siteForTests } from './open-site.js';
import { settled, VIEWS } from './views.js';

const site = siteForTests();

const BUILT = fileURLToPath(new URL('../../../dist/explorer/', import.meta.url));

/** Kilobytes of files of the page, compressed. */
const kilobytes = (files: Iterable<string>) =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(BUILT + file)).byteLength, 0) / 1000;

/** A part that is fetched beside what is seen first, and run after it. */
const HINT = /<link rel="modulepreload"[^>]* fetchpriority="low"[^>]*>/g;

/** The parts of the page among addresses. */
const partsOf = (addresses: readonly string[]) =>
  new Set(addresses.flatMap((address) => /\/(assets\/[\w.-]+)$/.exec(address)?.[1] ?? []));

describe('the size of the page, compressed', () => {
  it('is at most 40 kB for what is seen first: document, styles, shell and search', () => {
    const html = readFileSync(`${BUILT}index.html`, 'utf8').replaceAll(HINT, '');
    const named = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, file]) => file!);
    expect(named).toHaveLength(2);
    expect(kilobytes(['index.html', ...named])).toBeLessThan(40);
  });

  it('is fetched in two steps: what every view asks by is named by the document, of which a script names the rest', async () => {
    const hints = readFileSync(`${BUILT}index.html`, 'utf8').match(HINT) ?? [];
    expect(hints.join()).not.toMatch(/vega|charts|drawing|map/);
    const { page, requests } = await site.open({ query: VIEWS.table.query });
    await settled(page, VIEWS.table);
    const loaded = partsOf(requests);
    const hinted = hints.map((hint) => /assets\/[\w.-]+/.exec(hint)?.[0] ?? '');
    expect(hinted.length).toBeGreaterThan(1);
    expect(hinted.filter((file) => !loaded.has(file))).toEqual([]);
    // Asked before the client is there, which takes the answer.
    expect(requests.filter((address) => address.includes('/v2/facets?'))).toHaveLength(1);
    // The document, then its shell and styles, then the view.
    expect(
      [...loaded].filter((file) => !/\/(index|client|rolldown-runtime)-/.test(file)).length,
    ).toBeLessThan(8);
  });

  it('grows by the client, then by charts, and by nothing that a view does not need', async () => {
    const { page, requests } = await site.open({ query: VIEWS.table.query });
    await settled(page, VIEWS.table);
    const table = partsOf(requests);
    // The client with its schemas, frames, and Arrow.
    expect(kilobytes(table)).toBeLessThan(160);
    await page.getByRole('tab', { name: 'Chart' }).click();
    await drawn(page);
    const chart = [...partsOf(requests)].filter((file) => !table.has(file));
    expect(kilobytes(chart)).toBeLessThan(190);
    const before = partsOf(requests);
    await page.getByRole('tab', { name: 'Map' }).click();
    await page.locator('svg.map').waitFor();
    const map = [...partsOf(requests)].filter((file) => !before.has(file));
    expect(kilobytes(map)).toBeLessThan(21);
    expect(readdirSync(`${BUILT}assets`).join()).not.toMatch(/parquet|worker-/);
  });
});

describe('fifty changes of the view', () => {
  it('leave no more memory in use than ten', async () => {
    const { page } = await site.open({ query: VIEWS.chart.query });
    await drawn(page);
    const session = await page.context().newCDPSession(page);
    const heap = async () => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const change = async (at: number) => {
      const tabs = ['Table', 'Chart', 'Map', 'Revisions', 'Chart'] as const;
      const name = tabs[at % tabs.length]!;
      await page.getByRole('tab', { name, exact: true }).click();
      const shown = { Table: 'table.values', Chart: '.plot canvas', Map: '.map', Revisions: '.triangle' }[
        name
      ];
      await page.locator(shown).first().waitFor();
    };
    for (let at = 0; at < 10; at++) await change(at);
    const early = await heap();
    for (let at = 10; at < 60; at++) await change(at);
    expect(await heap()).toBeLessThan(1.2 * early);
  });
});
