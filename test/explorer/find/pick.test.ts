import { expect, it, vi } from 'vitest';
import type { ServiceClient } from '../../../src/client/client.js';
import { askMeaning, pickFilters, pickMeaning, pickNotes } from '../../../src/explorer/find/pick.js';
import { choose, page } from '../../../src/explorer/state/page.js';
import { EMPTY_STATE } from '../../../src/explorer/state/view-state.js';
import { longFrame } from '../../../src/frame/build/long.js';
import { NAMES, runsOf, seriesOf } from '../../frame/points.js';

vi.mock('../../../src/explorer/state/service.js', () => ({
  ask: (question: (client: ServiceClient) => unknown) => question(client as unknown as ServiceClient),
  errorCode: () => undefined,
  askEarly: () => {},
}));
vi.mock('../../../src/explorer/find/facets.js', () => ({ listMatching: async () => [KEY] }));
vi.mock('../../../src/explorer/state/points.js', () => ({ fetchPoints: async () => ({ table: vintages }) }));
vi.stubGlobal('history', { pushState() {}, replaceState() {} });

const KEY = seriesOf();
let vintages: unknown;

/** The words of a text, each with the name that the service found for it. */
let found: Readonly<Record<string, string>> = {};
let [word, series]: [word: string, series: readonly object[]] = ['item', []];
const client = {
  resolve: async () => ({
    names: Object.entries(found).map(([requested, name], id) => {
      const exact = name.toLowerCase() === requested;
      return { word, requested, hits: [{ id, name, exact }] };
    }),
    nothing: series.length === 0 ? 'no series' : undefined,
    series,
  }),
};
const meaningOf = async (names: typeof found) => {
  found = names;
  return (await askMeaning(Object.keys(names).join(' '), new AbortController().signal))!;
};

it('calls a name a guess unless the text is a word of it or its beginning', async () => {
  const names = {
    ames: 'AMES-8-WSW',
    moines: 'Des Moines',
    soyb: 'Soybeans',
    soybeen: 'Soybeans',
    oat: 'Goat',
  };
  const { named, lacking } = await meaningOf(names);
  expect(named.filter(({ isGuess }) => isGuess).map(({ requested }) => requested)).toEqual([
    'soybeen',
    'oat',
  ]);
  expect(lacking).toBe(
    'No series has all of these: AMES-8-WSW, Des Moines, Soybeans, Soybeans (a guess for “soybeen”), Goat (a guess for “oat”).',
  );
});

it('keeps the figure where a search finds no series, and says so', async () => {
  choose({ series: [KEY], query: 'corn soybeen' });
  await pickMeaning(await meaningOf({ corn: 'Corn', soybeen: 'Soybeans' }), false);
  expect(page.peek()).toMatchObject({ series: [KEY], query: '' });
  expect(pickNotes.value).toEqual(['No series has all of these: Corn, Soybeans (a guess for “soybeen”).']);
});

it('keeps the figure where only parts of several named regions have series', async () => {
  const matched = {
    region: { requested: 'nebraska', id: 31_021, name: 'Burt County, Nebraska', exact: false },
  };
  [word, series] = ['region', [{ ...KEY, region_id: 31_021, matched }]];
  choose({ series: [KEY] });
  await pickMeaning(await meaningOf({ iowa: 'Iowa', nebraska: 'Nebraska' }), false);
  expect(page.peek().series).toEqual([KEY]);
  expect(pickNotes.value).toEqual(['No series has all of these: Iowa, Nebraska.']);
});

it.each([
  ['revisions', [1881, 1183]],
  ['chart', [1881]],
] as const)('opens %s from the revisions view for a series with reports of %j', async (view, values) => {
  const period = { series: 0, start: '2012-01-01', end: '2012-12-31' };
  const rows = values.map((value, month) => ({ ...period, value, reporting: Date.UTC(2013, month, 10) }));
  vintages = longFrame({ series: [KEY], runs: runsOf(rows) }, { names: NAMES });
  choose({ view: 'revisions', series: [] });
  await pickFilters({ ...EMPTY_STATE.filters, item: [2] });
  expect(page.peek().view).toBe(view);
  expect(page.peek().series).toHaveLength(1);
});
