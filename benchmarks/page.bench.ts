import { strict as assert } from 'node:assert';
import { createClient } from '../src/index.js';
import { seriesKeyText } from '../src/model/series.js';
import { rival, type WorkloadMaker, workload } from './measure.js';
import { fetched, OpenedPages, type Seen, sentDuring, shown } from './opened-page.js';
import { seriesByNumber } from './weather.js';

const POINTS = 20_000_000;
const STORE = 'a store of 20 million points';

/** What a page does, and the same without the page. */
interface Compared {
  readonly ours: () => Promise<Seen>;
  readonly rival: string;
  readonly theirs: () => Promise<Seen>;
  readonly assertEqual: (ours: Seen, theirs: Seen) => void;
}

/** A workload in the pages of a browser of its own, timed by the page's clock. */
const inPages = (name: string, compare: (pages: OpenedPages) => Promise<Compared>): WorkloadMaker => ({
  name,
  async make() {
    const pages = await OpenedPages.start();
    const { ours, rival: other, theirs, assertEqual } = await compare(pages);
    return workload<Seen>({
      name,
      rows: POINTS,
      ours,
      ownMs: ({ ms }) => ms,
      ownPeak: ({ heapBytes }) => heapBytes,
      rivals: [rival<Seen, Seen>({ name: other, run: theirs, ownMs: ({ ms }) => ms, assertEqual })],
      close: () => pages.close(),
    });
  },
});

/** From the navigation to the chart that the page draws by itself. */
const firstView = inPages(`first view of the page over ${STORE}, chart drawn, warm cache`, async (pages) => {
  const warm = await pages.newPage();
  return {
    ours: () => pages.open(warm),
    rival: 'the same with an empty cache',
    async theirs() {
      const page = await pages.newPage();
      const seen = await pages.open(page);
      await page.context().close();
      return seen;
    },
    assertEqual(ours, theirs) {
      assert.match(ours.texts[0]!, /Synthetic/);
      assert.deepEqual(ours.texts, theirs.texts);
    },
  };
});

/** From the last key to the hits. Each run asks for another region, so that nothing is answered from a cache. */
const search = inPages(`search as typed over ${STORE}: from the last key to the hits`, async (pages) => {
  const page = await pages.openedPage();
  await page.evaluate(() => addEventListener('keydown', () => performance.mark('asked'), true));
  const field = page.getByRole('combobox', { name: /^Search/ });
  let at = 1000;
  const offered = (region: number) =>
    shown(page, { selector: '[role=option]', texts: [`Synthetic region ${region},`], figure: false });
  const ours = async () => {
    at += 37;
    await field.fill(`Synthetic region ${Math.floor(at / 10)}`);
    await offered(Math.floor(at / 10));
    const [seen] = await Promise.all([offered(at), page.keyboard.press(String(at % 10))]);
    return seen;
  };
  const [last] = (await sentDuring(page, ours)).slice(-1);
  const asked = String(at);
  return {
    ours,
    rival: 'the same request by fetch, answer not read',
    theirs() {
      at += 37;
      return fetched(page, [last!], (text) => text.replace(asked, String(at)));
    },
    assertEqual(ours, theirs) {
      assert.match(ours.texts[0]!, /^Synthetic region \d{4}, region, 2 series$/);
      assert.deepEqual(theirs.texts, ['200 bytes']);
    },
  };
});

/** The numbers of series far apart, others in each run. */
function numbersOf(count: number, run: number): number[] {
  const apart = Math.floor(4_500 / count);
  return Array.from({ length: count }, (_, i) => i * apart + ((run * 7) % apart));
}

/** From the link of series, as going back in the browser opens it, to their chart. */
const chartOf = (count: number, written: string) =>
  inPages(`chart of ${written} series of 2,000 points over ${STORE}`, async (pages) => {
    const page = await pages.openedPage();
    const series = await seriesByNumber(createClient({ api_host: pages.url, access_token: 'none' }));
    const regionId = (number: number) => series[number]!.region_id;
    let run = 0;
    const ours = async () => {
      const numbers = numbersOf(count, ++run);
      await page.evaluate((query) => {
        performance.mark('asked');
        history.pushState(null, '', `./?v=1&s=${query}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, numbers.map((number) => seriesKeyText(series[number]!)).join());
      const texts = numbers.map((number) => `Synthetic region ${number}`);
      return shown(page, { selector: '.shown-series section .facet-name', texts, figure: true });
    };
    const sent = (await sentDuring(page, ours)).filter(({ url }) => /\/data|\/points/.test(url));
    const first = numbersOf(count, run).map(regionId);
    return {
      ours,
      rival: 'the same requests by fetch, answers not decoded',
      theirs() {
        const ids = numbersOf(count, ++run).map(regionId);
        const moved = new Map(first.map((id, i) => [String(id), String(ids[i])]));
        return fetched(page, sent, (text) => text.replace(/\d+/g, (id) => moved.get(id) ?? id));
      },
      assertEqual(ours, theirs) {
        assert.equal(ours.texts.length, count);
        assert(theirs.texts.length > 0 && theirs.texts.every((text) => text === '200 bytes'));
      },
    };
  });

export const workloads: readonly WorkloadMaker[] = [
  firstView,
  search,
  chartOf(10, 'ten'),
  chartOf(60, 'sixty'),
];
