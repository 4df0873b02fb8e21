import { describe, expect, it } from 'vitest';
import { defineDataset } from '../../../src/ingest/document/define-dataset.js';
import { readDocument } from '../../../src/ingest/document/documents.js';
import { findFiles } from '../../../src/ingest/fetching/fetched-inputs.js';

const NOW_MS = Date.UTC(2026, 10, 22);
const SITE = 'https://agency.example/';

/** The files of a request, by a document with these forms of request; pages have these texts. */
async function plan(
  document: object,
  request: string | null,
  pages: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const listing = async (address: string) => pages[address] ?? '<html>nothing</html>';
  const found = await findFiles(defineDataset(document), request, { listing, nowMs: NOW_MS });
  return found.files.map(({ address, name, isCompanion }) => {
    const own = name === new URL(address).pathname.split('/').at(-1) ? '' : ` as ${name}`;
    return address + own + (isCompanion ? ' beside them' : '');
  });
}

function withRequests(...requests: readonly object[]): object {
  const fetch = { takes: 'something', example: 'a', documented: SITE, requests };
  return { ...readDocument('psd'), name: 'agency', fetch };
}

describe('a request', () => {
  const SERIES = withRequests(
    { words: { all: { form: 'all' } }, address: `${SITE}all.zip` },
    {
      words: {
        station: { form: '[A-Z]{2}\\d+', each: true },
        year: { is: 'years', from: 2020, delay_days: 30 },
      },
      address: [
        { when: { year: '^202[01]$' }, address: `${SITE}old/{station:upper}_{year}.csv` },
        { address: `${SITE}{year}/{station:upper}.csv` },
      ],
    },
  );

  it.each([
    ['all', [`${SITE}all.zip`]],
    ['de1,2024', [`${SITE}2024/DE1.csv`]],
    [
      'DE1,FR22,2021..2022',
      ['old/DE1_2021', '2022/DE1', 'old/FR22_2021', '2022/FR22'].map((one) => `${SITE}${one}.csv`),
    ],
    ['DE1,2025..,all', [`${SITE}2025/DE1.csv`, `${SITE}2026/DE1.csv`, `${SITE}all.zip`]],
  ])('names words, ranges of years and several parts: %s', async (request, files) => {
    expect(await plan(SERIES, request)).toEqual(files);
  });

  it.each(['', 'DE1', 'DE1,2019', 'DE1,2027', 'DE1,2024..2022', 'allx', 'DE1,2024,2025', '2024,DE1'])(
    'is refused as a whole: "%s"',
    async (request) => {
      await expect(plan(SERIES, request)).rejects.toThrow(
        `--fetch: "${request}" is not a request that agency accepts: something, such as a`,
      );
    },
  );

  const DAYS = withRequests({
    words: {
      places: { form: '[a-z]+', join: ',' },
      latitude: { is: 'number', from: -90, to: 90 },
      from: { is: 'date' },
      to: { is: 'date', default: 'yesterday' },
    },
    address: `${SITE}{places}/days?at={places:upper}&lat={latitude}&from={from:M/D/YYYY}&to={to:YYYYMMDD}`,
    name: '{places:upper}.csv',
  });

  it.each([
    ['a,b,-3.5,2020-01-02', 'a,b/days?at=A%2CB&lat=-3.5&from=1%2F2%2F2020&to=20261121'],
    ['a,b,3,2020-01-02,2020-11-12', 'a,b/days?at=A%2CB&lat=3&from=1%2F2%2F2020&to=20201112'],
  ])('joins words, and writes dates as the address has them: %s', async (request, file) => {
    expect(await plan(DAYS, request)).toEqual([`${SITE}${file} as A,B.csv`]);
  });

  it.each(['a,91,2020-01-02', 'a,1,2020-02-30', 'a,1,2020-02-03,2020-02-02', 'a,1'])(
    'is refused: "%s"',
    async (request) => {
      await expect(plan(DAYS, request)).rejects.toThrow(`"${request}" is not a request that agency accepts`);
    },
  );

  it('is refused if all of its words may be left out, and it has others', async () => {
    const words = { day: { is: 'date', default: 'today' } };
    const document = withRequests({ words, address: `${SITE}{day}.csv` });
    await expect(plan(document, 'Monday')).rejects.toThrow('"Monday" is not a request that agency accepts');
  });

  it('has the documented default, and files that all need', async () => {
    const document = {
      ...SERIES,
      fetch: { ...(SERIES as { fetch: object }).fetch, default: 'all', with: [`${SITE}places.txt`] },
    };
    expect(await plan(document, null)).toEqual([`${SITE}places.txt beside them`, `${SITE}all.zip`]);
    await expect(plan(SERIES, null)).rejects.toThrow('agency needs something, such as a');
    await expect(plan({ ...SERIES, fetch: undefined }, 'all')).rejects.toThrow('cannot be fetched by name');
  });
});

describe('a page of links', () => {
  const NEWEST = withRequests({
    words: { sector: { form: '[a-z]+' } },
    links: {
      page: `${SITE}files/`,
      link: 'qs\\.(?<sector>[a-z]+)_(?<date>\\d{8})\\.txt\\.gz',
      newest: 'date',
    },
  });
  const page = ['crops_20260919', 'crops_20260821', 'animals_20260918']
    .map((one) => `<a href="qs.${one}.txt.gz">`)
    .join('\n');

  it('gives the newest file that agrees with the request', async () => {
    const pages = { [`${SITE}files/`]: page };
    expect(await plan(NEWEST, 'crops', pages)).toEqual([`${SITE}files/qs.crops_20260919.txt.gz`]);
    await expect(plan(NEWEST, 'fish', pages)).rejects.toThrow(
      'agency has no file "fish"; it has animals, crops',
    );
    await expect(plan(NEWEST, 'crops')).rejects.toThrow('no longer lists the files of agency; download them');
  });

  it('may be a catalogue in JSON', async () => {
    const site = 'https://bulks-faostat.fao.org/production/';
    const Dataset = [
      { DatasetCode: 'QCL', FileRows: 9, FileLocation: `${site}Q.zip` },
      { DatasetCode: 'XX' },
      { DatasetCode: 'FBS', FileLocation: `${site}F.zip` },
    ];
    const list = JSON.stringify({ Datasets: { Dataset } });
    const faostat = readDocument('faostat');
    const pages = { [`${site}datasets_E.json`]: list.replaceAll('/', '\\/') };
    expect(await plan(faostat, 'fbs,QCL', pages)).toEqual([`${site}F.zip`, `${site}Q.zip`]);
    await expect(plan(faostat, 'XX', pages)).rejects.toThrow('faostat has no file "XX"; it has FBS, QCL');
    await expect(plan(faostat, 'QCL')).rejects.toThrow('no longer lists');
  });

  it('may say how many pages an answer has', async () => {
    const PAGED = withRequests({
      words: { table: { form: '\\w+' } },
      address: `${SITE}{table}.csv?limit=1000&offset={offset}`,
      pages: { count: `${SITE}{table}.json?count`, total: '"count":"(?<total>\\d+)"', size: 1000 },
      name: '{table}-{page}.csv',
    });
    const pages = { [`${SITE}sales.json?count`]: '[{"count":"2001"}]' };
    expect(await plan(PAGED, 'sales', pages)).toEqual(
      [0, 1, 2].map((i) =>
        `${SITE}sales.csv?limit=1000&offset=${i}000 as sales-${i + 1}.csv`.replace('=0000', '=0'),
      ),
    );
    await expect(plan(PAGED, 'sales')).rejects.toThrow('no longer lists');
  });
});

it.each([
  [{ words: { a: {} } }, 'fetch.requests[0] must have either "address" or "links"'],
  [{ words: {}, address: SITE }, 'fetch.requests[0].words must have a word'],
  [{ words: { a: {} }, address: 'ftp://x' }, 'must begin with https://'],
])('a document is refused: %o', (request, message) => {
  expect(() => defineDataset(withRequests(request))).toThrow(message);
});
