import { strict as assert } from 'node:assert';
import { keyOf, REGIONS } from '../stores/synthetic-weather.js';
import { maker, rival, type WorkloadMaker, workload } from '../workload.js';
import { fetched, OpenedPages, type Seen, sentDuring, shown } from './opened-page.js';

const FEWEST_ROUNDS = 9;
const POINTS = 20_000_000;
const STORE = 'a store of 20 million points';

const measured = {
  rows: POINTS,
  bytes: ({ texts }: Seen) => texts.join('').length,
  peakBytes: ({ heapBytes }: Seen) => heapBytes,
  ownMs: ({ ms }: Seen) => ms,
  fewestRounds: FEWEST_ROUNDS,
};

/** From the navigation to the chart that the page draws by itself. */
const firstView = maker(`first view of the page over ${STORE}, chart drawn, warm cache`, async (name) => {
  const pages = await OpenedPages.start();
  const warm = await pages.newPage();
  return workload<Seen>({
    ...measured,
    workload: name,
    ours: () => pages.open(warm),
    rivals: [
      rival<Seen, Seen>({
        rival: 'the same with an empty cache',
        run: async () => {
          const page = await pages.newPage();
          const seen = await pages.open(page);
          await page.context().close();
          return seen;
        },
        ownMs: ({ ms }) => ms,
        assertEqual: (ours, theirs) => {
          assert.match(ours.texts[0]!, /Synthetic/);
          assert.deepEqual(ours.texts, theirs.texts);
        },
      }),
    ],
    close: () => pages.close(),
  });
});

/** From the last key to the hits. Each run asks for another region, so that nothing is answered from a cache. */
const search = maker(`search as typed over ${STORE}: from the last key to the hits`, async (name) => {
  const pages = await OpenedPages.start();
  const page = await pages.newPage();
  await pages.open(page);
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
  return workload<Seen>({
    ...measured,
    workload: name,
    ours,
    rivals: [
      rival<Seen, Seen>({
        rival: 'the same request by fetch, answer not read',
        run: () => {
          at += 37;
          return fetched(page, [{ ...last!, url: last!.url.replace(asked, String(at)) }]);
        },
        ownMs: ({ ms }) => ms,
        assertEqual: (ours, theirs) => {
          assert.match(ours.texts[0]!, /^Synthetic region \d{4}, region, 2 series$/);
          assert.deepEqual(theirs.texts, ['200 bytes']);
        },
      }),
    ],
    close: () => pages.close(),
  });
});

/** The numbers of series far apart, others in each run. */
function numbersOf(count: number, run: number): number[] {
  const apart = Math.floor(4_500 / count);
  return Array.from({ length: count }, (_, i) => i * apart + ((run * 7) % apart));
}

const regionId = (number: number) => keyOf(number).region_id;

/** From the link of series, as going back in the browser opens it, to their chart. */
const chartOf = (count: number, written: string) =>
  maker(`chart of ${written} series of 2,000 points over ${STORE}`, async (name) => {
    const pages = await OpenedPages.start();
    const page = await pages.newPage();
    await pages.open(page);
    let run = 0;
    const ours = async () => {
      const numbers = numbersOf(count, ++run);
      assert(numbers.every((number) => number < REGIONS));
      const keys = numbers.map((number) => {
        const key = keyOf(number);
        const { metric_id, item_id, region_id, partner_region_id, source_id, frequency_id } = key;
        return [metric_id, item_id, region_id, partner_region_id, source_id, frequency_id].join('.');
      });
      await page.evaluate((query) => {
        performance.mark('asked');
        history.pushState(null, '', `./?v=1&s=${query}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, keys.join());
      const texts = numbers.map((number) => `Synthetic region ${number}`);
      return shown(page, { selector: '.legend button', texts, figure: true });
    };
    const sent = (await sentDuring(page, ours)).filter(({ url }) => /\/data|\/points/.test(url));
    const first = numbersOf(count, run).map(regionId);
    return workload<Seen>({
      ...measured,
      workload: name,
      ours,
      rivals: [
        rival<Seen, Seen>({
          rival: 'the same requests by fetch, answers not decoded',
          run: () => {
            const ids = numbersOf(count, ++run).map(regionId);
            const moved = (text: string) =>
              first.reduce((before, id, i) => before.replaceAll(String(id), String(ids[i])), text);
            return fetched(
              page,
              sent.map(({ url, body, ...rest }) => ({
                ...rest,
                url: moved(url),
                ...(typeof body === 'string' ? { body: moved(body) } : {}),
              })),
            );
          },
          ownMs: ({ ms }) => ms,
          assertEqual: (ours, theirs) => {
            assert.equal(ours.texts.length, count);
            assert(theirs.texts.length > 0 && theirs.texts.every((text) => text === '200 bytes'));
          },
        }),
      ],
      close: () => pages.close(),
    });
  });

export const workloads: readonly WorkloadMaker[] = [
  firstView,
  search,
  chartOf(10, 'ten'),
  chartOf(60, 'sixty'),
];
