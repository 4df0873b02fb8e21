import { expect, it, vi } from 'vitest';
import type { ServiceClient } from '../../../src/client/client.js';
import { askMeaning, pickMeaning, pickNotes } from '../../../src/explorer/find/pick.js';
import { choose, page } from '../../../src/explorer/state/page.js';

vi.mock('../../../src/explorer/state/service.js', () => ({
  ask: (question: (client: ServiceClient) => unknown) => question(client as unknown as ServiceClient),
  errorCode: () => undefined,
  askEarly: () => {},
}));
vi.stubGlobal('history', { pushState() {}, replaceState() {} });

/** The words of a text, each with the name that the service found for it. */
let found: Readonly<Record<string, string>> = {};
const client = {
  resolve: async () => ({
    names: Object.entries(found).map(([requested, name], id) => {
      const exact = name.toLowerCase() === requested;
      return { word: 'item', requested, hits: [{ id, name, exact }] };
    }),
    nothing: 'no series',
    series: [],
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
  const key = { metric_id: 1, item_id: 2, region_id: 3, partner_region_id: 0, source_id: 5, frequency_id: 9 };
  choose({ series: [key], query: 'corn soybeen' });
  await pickMeaning(await meaningOf({ corn: 'Corn', soybeen: 'Soybeans' }), false);
  expect(page.peek()).toMatchObject({ series: [key], query: '' });
  expect(pickNotes.value).toEqual(['No series has all of these: Corn, Soybeans (a guess for “soybeen”).']);
});
