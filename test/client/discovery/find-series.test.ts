import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetch } from '../../../src/client/http/request.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { usStateRegionId } from '../../../src/ingest/regions/ids.js';
import { itemId, metricId, SOURCES } from '../../../src/ingest/vocabulary/entities.js';
import { unitId } from '../../../src/ingest/vocabulary/units.js';
import { yearsPeriod } from '../../../src/model/calendar.js';
import { frequencyId } from '../../../src/model/frequency.js';
import type { DataSeries } from '../../../src/model/series.js';
import type { Store } from '../../../src/store/store.js';
import { madeUpPoints } from '../../ingest/made-up-points.js';
import { counting, type DemoService, openDemoService } from '../../journeys/demo-service.js';
import { collect } from '../../sequences.js';

const [A, B] = [SOURCES.nassCornStates.id, SOURCES.playfairWheat.id];
const WASHINGTON = usStateRegionId(53);
const OHIO = usStateRegionId(39);

/** Corn area of Washington from two sources at two frequencies, and with a partner; each with its own years. */
const RANGES = [
  { source_id: A, frequency: 'annual', from: 2000, to: 2009, partner: 0 },
  { source_id: B, frequency: 'annual', from: 1990, to: 2004, partner: 0 },
  { source_id: A, frequency: '5-year', from: 1960, to: 2009, partner: 0 },
  { source_id: B, frequency: 'annual', from: 1950, to: 2009, partner: OHIO },
] as const;

const importer = madeUpPoints([SOURCES.nassCornStates, SOURCES.playfairWheat], (points, importedMs) => {
  for (const { source_id, frequency, from, to, partner } of RANGES) {
    const key = {
      metric_id: metricId('Area harvested'),
      item_id: itemId('Corn'),
      region_id: WASHINGTON,
      partner_region_id: partner,
      source_id,
      frequency_id: frequencyId(frequency),
    };
    const step = frequency === '5-year' ? 5 : 1;
    for (let year = from; year <= to; year += step) {
      const endMs = yearsPeriod(year + step - 1).endMs;
      const period = { startMs: yearsPeriod(year).startMs, endMs };
      points.add(key, {
        ...period,
        value: 1,
        unitId: unitId('ac'),
        reportingMs: null,
        availableMs: importedMs,
      });
    }
  }
});

let service: DemoService;
beforeAll(async () => {
  service = await openDemoService((store: Store) => importDataset(store, importer));
});
afterAll(() => service.close());

const NAMES = { metric: 'Area harvested', item: 'Corn', region: 'Washington' };

const brief = ({ source_id, frequency_id, partner_region_id }: DataSeries) =>
  `${source_id === A ? 'A' : 'B'} ${frequency_id}${partner_region_id === 0 ? '' : ' with a partner'}`;

describe('findDataSeries', () => {
  it('yields every frequency and source of a combination, by coverage, a source that stopped last', async () => {
    const found = await collect(service.client().findDataSeries(NAMES));
    expect(found.map(brief)).toEqual([`A ${frequencyId('5-year')}`, 'A 9', 'B 9', 'B 9 with a partner']);
  });

  it('ranks by the wanted dates', async () => {
    const annual = async (dates: { start_date: string; end_date: string }) => {
      const found = await collect(service.client().findDataSeries({ ...NAMES, ...dates }));
      return found.map(brief).filter((text) => text.endsWith(' 9'));
    };
    expect(await annual({ start_date: '2005-01-01', end_date: '2009-12-31' })).toEqual(['A 9', 'B 9']);
    expect(await annual({ start_date: '1990-01-01', end_date: '1999-12-31' })).toEqual(['B 9', 'A 9']);
  });

  it.each([{ start_date: '2050-01-01' }, { end_date: '1900-12-31' }])(
    'finds series that end before the wanted dates, or start after them: %j',
    async (dates) => {
      const found = await collect(service.client().findDataSeries({ ...NAMES, ...dates, explain: true }));
      expect(found).toHaveLength(4);
      for (const { coverage, start_date, end_date } of found) {
        expect(coverage.share).toBe(0);
        const { start_date: start, end_date: end } = { start_date: undefined, end_date: undefined, ...dates };
        expect([start_date?.slice(0, 10), end_date?.slice(0, 10)]).toEqual([start, end]);
      }
      expect(await collect(service.client().rankSeriesBySource(found.slice(0, 1)))).toHaveLength(2);
    },
  );

  it('orders sources as rankSeriesBySource does', async () => {
    const found = await collect(service.client().findDataSeries({ ...NAMES, partner_region: 'Ohio' }));
    expect(found.map(brief)).toEqual(['B 9 with a partner']);
    const annual = (await collect(service.client().findDataSeries(NAMES))).filter(
      (series) => series.frequency_id === frequencyId('annual') && series.partner_region_id === 0,
    );
    const undated = annual.map(({ start_date: _, end_date: __, ...series }) => series);
    const ranked = await collect(service.client().rankSeriesBySource(undated.reverse()));
    expect(ranked.map(brief)).toEqual(annual.map(brief));
  });

  it('takes ids in place of names', async () => {
    const client = service.client();
    const named = await collect(client.findDataSeries(NAMES));
    const [{ metric_id: metric, item_id: item, region_id: region }] = named as [DataSeries];
    expect(await collect(client.findDataSeries({ metric, item, region }))).toEqual(named);
    expect(await collect(client.findDataSeries({ ...NAMES, region: region + 1 }))).toEqual([]);
    await expect(collect(client.findDataSeries({ ...NAMES, region: -1 }))).rejects.toThrow(
      'region: -1 is not an id',
    );
  });

  it('says why nothing is found', async () => {
    const client = service.client();
    const why = async (options: object) => {
      const reasons: string[] = [];
      const onNothing = (reason: string) => reasons.push(reason);
      expect(await client.addDataSeries({ ...NAMES, ...options, onNothing })).toBeNull();
      return reasons;
    };
    expect(await why({ item: 'xyzzy' })).toEqual(['no item is called "xyzzy"']);
    expect(await why({ region: 'France' })).toEqual([
      expect.stringMatching(/^no series of .*"France" \(France/),
    ]);
    expect(await why({ result_filter: () => false })).toEqual([
      expect.stringContaining('passes result_filter'),
    ]);
  });

  it('takes one request for three names, as addDataSeries does, whatever the latency', async () => {
    const late: Fetch = async (request) => {
      await new Promise((next) => setTimeout(next, 100));
      return service.service(request);
    };
    const { fetch, total } = counting(late);
    const client = service.client({ fetch });
    expect(await collect(client.findDataSeries(NAMES))).toHaveLength(4);
    expect(total()).toBe(1);
    expect(await client.addDataSeries(NAMES)).toMatchObject({ source_id: A });
    expect(total()).toBe(2);
  });

  it('asks for names alone if there is a filter, and lists only series of the hits that pass', async () => {
    const asked: URL[] = [];
    const fetch: Fetch = (request) => {
      asked.push(new URL(request.url));
      return service.service(request);
    };
    const client = service.client({ fetch });
    const found = await collect(
      client.findDataSeries({
        ...NAMES,
        result_filter: ({ region_id = WASHINGTON }) => region_id === WASHINGTON,
      }),
    );
    expect(found).toEqual(await collect(service.client().findDataSeries(NAMES)));
    const [names, ...listed] = asked.map(({ searchParams }) => searchParams);
    expect([names!.get('hits'), names!.get('limit')]).toEqual(['100', '0']);
    expect(new Set(listed.map((query) => query.get('regionId') ?? query.get('regionIds')))).toEqual(
      new Set([String(WASHINGTON)]),
    );
  });

  it('sends no request before it is consumed, and refuses dates that cannot be read', async () => {
    const { fetch, total } = counting(service.service);
    const found = service.client({ fetch }).findDataSeries({ ...NAMES, start_date: '2005-13-01' });
    expect(total()).toBe(0);
    await expect(found.next()).rejects.toThrow(/start_date/);
    await expect(service.client({ fetch }).findDataSeries({ item: ' ' }).next()).rejects.toThrow(/item/);
    expect(total()).toBe(0);
  });
});

describe('resolve', () => {
  const series = async (options: object) => {
    const found = await service.client().resolve({ ...NAMES, ...options });
    return { ...found, series: found.series.map(brief) };
  };

  it('gives the series that findDataSeries yields, page by page', async () => {
    const all = (await collect(service.client().findDataSeries(NAMES))).map(brief);
    expect(await series({ limit: 2 })).toMatchObject({ series: all.slice(0, 2), more: true });
    expect(await series({ limit: 3, offset: 2 })).toMatchObject({ series: all.slice(2), more: false });
    expect(await series({ limit: 0 })).toMatchObject({ series: [], more: false });
  });

  it('restricts them to ids, to the world and to sources with these words', async () => {
    const world = await series({ selection: { partner_region_id: 0, frequency_id: 9 } });
    expect(world.series).toEqual(['A 9', 'B 9']);
    expect((await series({ source: 'usda corn' })).series).toEqual([`A ${frequencyId('5-year')}`, 'A 9']);
    const unknown = await series({ source: 'nowhere' });
    expect(unknown).toMatchObject({
      series: [],
      nothing: expect.stringMatching(/^no source is called "nowhere"; available are /),
    });
  });

  it('takes digits for an id with ids alone, and then guesses nothing', async () => {
    const meaning = async (region: string, ids: boolean) =>
      (await service.client().resolve({ region, ids, limit: 0 })).names[0]!.hits[0]?.name;
    expect(await meaning(String(WASHINGTON), true)).toBe('Washington');
    expect(await meaning(String(WASHINGTON), false)).toBeUndefined();
    expect(await meaning('53', true)).toBe('Washington');
    expect(await meaning('0', true)).toBe('World');
  });

  it('refuses a name without a letter, and dates in the wrong order', async () => {
    await expect(series({ region: ['Ohio', ' '] })).rejects.toThrow('region[1]: the text is empty');
    const dates = { start_date: '2001-01-01', end_date: '2000-01-01' };
    await expect(series(dates)).rejects.toThrow('start_date: 2001-01-01 is after end_date 2000-01-01');
  });
});

describe('rankSeriesBySource', () => {
  it('yields every source of the combination, and none that has it only with another partner', async () => {
    const client = service.client();
    const [given] = await client.getDataSeries({ source_id: A, frequency_id: frequencyId('annual') });
    const ranked = await collect(client.rankSeriesBySource([given!]));
    expect(ranked.map(brief).sort()).toEqual(['A 9', 'B 9']);
    expect(ranked.find(({ source_id }) => source_id === A)).toEqual(given);
    const other = ranked.find(({ source_id }) => source_id === B)!;
    expect(other).toMatchObject({ start_date: given!.start_date, source_name: SOURCES.playfairWheat.name });
    const coarse = await client.getDataSeries({ frequency_id: frequencyId('5-year') });
    expect((await collect(client.rankSeriesBySource(coarse))).map(({ source_id }) => source_id)).toEqual([A]);
  });

  it('requests one combination at a time, as the sequence is consumed', async () => {
    const { fetch, asked } = counting(service.service);
    const client = service.client({ fetch });
    const all = await client.getDataSeries();
    for await (const _ of client.rankSeriesBySource(all)) break;
    expect(asked.get('GET /v2/available/sources')).toBe(1);
  });
});
