import { describe, expect, it } from 'vitest';
import { findImporter } from '../../../src/ingest/datasets.js';
import { findFiles } from '../../../src/ingest/fetching/fetched-inputs.js';

const NOW_MS = Date.UTC(2026, 10, 22);

/** Files of a request, where the listed pages are these. */
async function find(dataset: string, request: string | null, pages: Readonly<Record<string, string>> = {}) {
  const asked: string[] = [];
  const listing = async (address: string) => {
    asked.push(address);
    return pages[address] ?? '<html>nothing</html>';
  };
  const found = await findFiles((await findImporter(dataset))!, request, { listing, nowMs: NOW_MS });
  return { ...found, asked, addresses: found.files.map(({ address }) => address) };
}

const NASS_FOLDER = 'https://www.nass.usda.gov/datasets/';
// The names are those of the folder as programs downloaded them in 2026.
const NASS = `<a href="qs.animals_products_20260918.txt.gz">qs.animals_products_20260918.txt.gz</a>
<a href="qs.census2022.txt.gz">qs.census2022.txt.gz</a>
<a href="qs.crops_20260919.txt.gz">qs.crops_20260919.txt.gz</a>
<a href="qs.crops_20260821.txt.gz">qs.crops_20260821.txt.gz</a>`;

describe('nass', () => {
  const pages = { [NASS_FOLDER]: NASS };

  it.each([
    [null, 'crops', 'qs.crops_20260919.txt.gz'],
    ['animals_products', 'animals_products', 'qs.animals_products_20260918.txt.gz'],
    ['census2022', 'census2022', 'qs.census2022.txt.gz'],
  ])('finds the newest file of %s', async (request, asked, name) => {
    const found = await find('nass', request, pages);
    expect(found).toMatchObject({ request: asked, files: [{ address: NASS_FOLDER + name, name }] });
  });
});

it('ghcnd fetches stations and years, with the list of stations', async () => {
  const { files } = await find('ghcnd', 'USC00130200, 2024');
  const folder = 'https://www.ncei.noaa.gov/pub/data/ghcn/daily/';
  expect(files).toEqual([
    { address: `${folder}ghcnd-stations.txt`, name: 'ghcnd-stations.txt', isCompanion: true },
    { address: `${folder}all/USC00130200.dly`, name: 'USC00130200.dly' },
    { address: `${folder}by_year/2024.csv.gz`, name: '2024.csv.gz' },
  ]);
  await expect(find('ghcnd', 'Ames')).rejects.toThrow(
    '"Ames" is not a request that ghcnd accepts: ids of stations, or years',
  );
});

/** A row of the list of releases: its date, and its files. */
function release(date: string, ...files: string[]): string {
  const links = files.map((file) => `<a href="/sites/default/release-files/${file}" class="tag">file</a>`);
  return `<tr><td><time datetime="${date}T12:00:00Z">day</time></td><td>${links.join('')}</td></tr>`;
}

describe('wasde', () => {
  const page = (n: number) =>
    `https://esmis.nal.usda.gov/publication/world-agricultural-supply-and-demand-estimates?page=${n}`;
  const NEWEST = release('2026-06-11', '796054/wasde0626.pdf', '796054/wasde0626.xml');
  const pages = {
    [page(0)]: NEWEST + release('2026-05-12', '1/wasde0526v2.xml') + release('2026-05-12', '2/wasde0526.xml'),
    [page(1)]:
      NEWEST + release('2013-01-11', '3/wasde-01-11-2013.xml') + release('2012-12-11', '4/latest.xml'),
    [page(2)]:
      NEWEST + release('2012-11-09', '5/wasde-11-09-2012.xml') + release('2012-10-11', '6/latest.pdf'),
    [page(3)]: NEWEST + release('2012-09-12', '7/wasde-09-12-2012.xml'),
  };

  it('walks the list of releases to the months, under all their names', async () => {
    const { files, asked } = await find('wasde', '2012-11..2013-01', pages);
    expect(files.map(({ address }) => new URL(address).pathname.split('/').slice(-2).join('/'))).toEqual([
      '5/wasde-11-09-2012.xml',
      '4/latest.xml',
      '3/wasde-01-11-2013.xml',
    ]);
    expect(asked).toEqual([page(0), page(1), page(2)]);
  });

  it('takes the last correction of a month, and goes on until the newest', async () => {
    const { files } = await find('wasde', '2026-05..', pages);
    expect(files.map(({ name }) => name)).toEqual(['wasde0526v2.xml', 'wasde0626.xml']);
  });

  it('never leaves out a month without a word, but those that were not published', async () => {
    await expect(find('wasde', '2012-09..2012-11', pages)).rejects.toThrow(
      'wasde has no file "2012-10"; omit it',
    );
    const { files } = await find('wasde', '2012-09,2012-11', pages);
    expect(files).toHaveLength(2);
    const shutdown = { [page(0)]: release('2013-11-08', '1/wasde-11-08-2013.xml', '1/wasde-09-12-2013.xml') };
    expect((await find('wasde', '2013-09..2013-11', shutdown)).files).toHaveLength(2);
  });

  it.each(['2012', '2012-13', '2013-01..2012-01', '..', 'May 2012'])('refuses "%s"', async (request) => {
    await expect(find('wasde', request, pages)).rejects.toThrow(
      `"${request}" is not a request that wasde accepts: months, such as 2024-01`,
    );
  });
});

it('cot fetches the archives of years', async () => {
  const names = async (request: string) => (await find('cot', request)).files.map(({ name }) => name);
  expect(await names('legacy,2025..')).toEqual(['deacot2025.zip', 'deacot2026.zip']);
  expect(await names('legacy-combined,2003..2004')).toEqual(['deahistfo_2003.zip', 'deahistfo2004.zip']);
  expect(await names('disaggregated,2024,disaggregated-combined,2024')).toEqual([
    'fut_disagg_txt_2024.zip',
    'com_disagg_txt_2024.zip',
  ]);
  expect(await names('financial,2024,financial-combined,2024,supplemental,2024')).toEqual([
    'fut_fin_txt_2024.zip',
    'com_fin_txt_2024.zip',
    'dea_cit_txt_2024.zip',
  ]);
});
