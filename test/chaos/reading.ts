import type { DataPoint } from '../../src/client/points/points.js';
import { type Client, createClient } from '../../src/create-client.js';
import type { WideFrame } from '../../src/frame/frame.js';
import type { DataSeries } from '../../src/model/series.js';
import { exactRows } from '../frame/exact-rows.js';
import { pick } from '../journeys/seeded-random.js';
import { type Judge, Verdict } from './judge.js';
import { DAYS, dayOf, dayText, type Observed, SERIES } from './world.js';

/** The series of the world as a store numbers them, in the order of `SERIES`. */
export async function listWorld(client: Client): Promise<DataSeries[]> {
  const all = (await client.getDataSeries({})).filter(({ source_name }) => source_name === 'Chaos');
  const found = SERIES.map(({ state, crop }) =>
    all.find(({ item_name, region_name }) => item_name === crop && region_name?.startsWith(state)),
  );
  if (all.length !== SERIES.length || found.includes(undefined))
    throw new Verdict('lost points', `the store lists ${all.length} series of ${SERIES.length}`);
  return found as DataSeries[];
}

type Row = Pick<DataPoint, 'item_id' | 'region_id' | 'start_date' | 'value'>;

/** Sorts rows into the series that were asked for. @throws Verdict when one belongs to none, or comes twice */
export function observe(
  rows: readonly Row[],
  { series, from = 0, to = DAYS - 1 }: { series: readonly DataSeries[]; from?: number; to?: number },
  all: readonly DataSeries[],
): Observed[] {
  const observed = series.map((one) => ({
    series: all.indexOf(one),
    values: new Float64Array(DAYS).fill(Number.NaN),
    from,
    to,
  }));
  const places = new Map(series.map(({ item_id, region_id }, at) => [`${item_id} ${region_id}`, at]));
  for (const { item_id, region_id, start_date, value } of rows) {
    const place = places.get(`${item_id} ${region_id}`);
    const day = dayOf(start_date);
    if (place === undefined || value === null || !Number.isNaN(observed[place]!.values[day]!))
      throw new Verdict(
        'wrong frame',
        `${start_date} of ${item_id}, ${region_id} is ${value}: not asked for, null or twice`,
      );
    observed[place]!.values[day] = value;
  }
  return observed;
}

/** The key alone: the dates of a listed series would restrict what is read. */
export function keyOf({ metric_id, item_id, region_id, source_id, frequency_id }: DataSeries) {
  return { metric_id, item_id, region_id, source_id, frequency_id };
}

/** Every point of every series in one request, of now or of an earlier time. */
export async function readAll(
  client: Client,
  all: readonly DataSeries[],
  flags: { at_time?: string } = {},
): Promise<Observed[]> {
  const ids = (key: 'item_id' | 'region_id') => [...new Set(all.map((one) => one[key]))];
  const selection = { ...keyOf(all[0]!), item_id: ids('item_id'), region_id: ids('region_id') };
  return observe(await client.getDataPoints({ ...selection, ...flags }), { series: all }, all);
}

/** One kind of reading: what it reads, and whether all of it is of one moment. */
interface Reading {
  readonly name: string;
  read(
    client: Client,
    all: readonly DataSeries[],
    random: () => number,
  ): Promise<{ observed: Observed[]; atomic: boolean }>;
}

const some = (all: readonly DataSeries[], random: () => number, count: number) =>
  [...all].sort(() => random() - 0.5).slice(0, count);

async function frameOf(
  client: Client,
  all: readonly DataSeries[],
  random: () => number,
): Promise<Observed[]> {
  const series = some(all, random, 1 + Math.floor(random() * all.length));
  for (const one of series) client.addSingleDataSeries(keyOf(one));
  const async_mode = random() < 0.8;
  if (random() < 0.5)
    return observe(exactRows(await client.getDf({ async_mode })) as unknown as Row[], { series }, all);
  const wide = await client.getDf({ async_mode, compress_format: true });
  return observe(rowsOfWide(wide, series), { series }, all);
}

/** A wide frame has a column for each series, in the order in which they were saved. */
function rowsOfWide(wide: WideFrame, series: readonly DataSeries[]): Row[] {
  if (wide.numCols !== series.length + 1)
    throw new Verdict('wrong frame', `${wide.numCols - 1} columns for ${series.length} series`);
  return exactRows(wide).flatMap((row) => {
    const [date, ...values] = Object.values(row);
    return series.flatMap(({ item_id, region_id }, at) => {
      const value = values[at] as number | null;
      return value === null ? [] : [{ item_id, region_id, start_date: String(date), value }];
    });
  });
}

/** What readers do. */
const READINGS: readonly Reading[] = [
  {
    name: 'frame',
    read: async (client, all, random) => ({ observed: await frameOf(client, all, random), atomic: false }),
  },
  {
    name: 'points of one series',
    async read(client, all, random) {
      const [one] = some(all, random, 1);
      const from = Math.floor(random() * DAYS);
      const to = from + Math.floor(random() * (DAYS - from));
      const dates = { start_date: dayText(from), end_date: dayText(to) };
      const rows = await client.getDataPoints({ ...keyOf(one!), ...dates });
      return { observed: observe(rows, { series: [one!], from, to }, all), atomic: true };
    },
  },
  {
    name: 'all points at once',
    read: async (client, all) => ({ observed: await readAll(client, all), atomic: true }),
  },
];

/** A client that gives up soon. */
export function impatientClient(api_host: string, access_token: string, directory?: string): Client {
  return createClient({
    api_host,
    access_token,
    timeout_ms: 4_000,
    retry: { retries: 3, firstWaitMs: 100, maxWaitMs: 500 },
    cache: directory === undefined ? undefined : { directory },
  });
}

/** Reads one thing after another, and has each compared, until told to stop. */
export async function readOnAndOn(
  {
    newClient,
    all,
    random,
    isOver,
  }: { newClient: () => Client; all: readonly DataSeries[]; random: () => number; isOver: () => boolean },
  judge: Judge,
): Promise<void> {
  while (!isOver()) {
    const wasAnswered =
      random() < 0.15 && judge.availableAt.size > 0
        ? await readEarlier(newClient(), all, { random, judge })
        : await readNow(newClient(), all, { random, judge });
    if (!wasAnswered) await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

interface Reader {
  readonly random: () => number;
  readonly judge: Judge;
}

function readNow(client: Client, all: readonly DataSeries[], { random, judge }: Reader): Promise<boolean> {
  const reading = pick(random, READINGS);
  const { first, last } = judge.window();
  return judge.watch(reading.name, async () => {
    const { observed, atomic } = await reading.read(client, all, random);
    judge.saw(judge.compare(reading.name, observed, { first, last: last(), atomic }));
  });
}

/** What was available after an earlier import never changes. */
function readEarlier(
  client: Client,
  all: readonly DataSeries[],
  { random, judge }: Reader,
): Promise<boolean> {
  const [number, at_time] = pick(random, [...judge.availableAt]);
  return judge.watch('as of an earlier import', async () => {
    const observed = await readAll(client, all, { at_time });
    judge.compare(`as of import ${number}`, observed, { first: number, last: number, atomic: true });
  });
}
