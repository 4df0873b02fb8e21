import { describe, expect, it } from 'vitest';
import { entityOperations } from '../../../src/client/entities.js';
import { pointOperations } from '../../../src/client/points/points.js';
import { seriesPointSource } from '../../../src/client/points/series-points.js';
import { AuthenticationError, ContractError, HttpError } from '../../../src/model/errors.js';
import { PartialDataError } from '../../../src/model/report.js';
import { json, type Scripted, scripted } from '../answering.js';

const KEY = { metric_id: 1, item_id: 2, region_id: 3, source_id: 5, frequency_id: 9 };
const HEAD = { metricId: 1, itemId: 2, regionId: 3, partnerRegionId: 0, frequencyId: 9, sourceId: 5 };
const DATES = ['2020-01-01T00:00:00.000Z', '2020-12-31T00:00:00.000Z'] as const;

function block(data: unknown[], head: object = {}): object {
  return { series: { ...HEAD, ...head }, data };
}

function operations(script: Scripted[]) {
  const { transport, requests } = scripted(script, { retry: { retries: 0 } });
  return { requests, ...pointOperations(entityOperations(transport), seriesPointSource(transport)) };
}

/** The answers of a service of the JSON base to requests for one series each. */
function byRegion(answerOf: (regionId: number) => Response | object) {
  return ({ method, url }: Request): Response => {
    if (method === 'POST') return json({}, { status: 404 });
    const answer = answerOf(Number(new URL(url).searchParams.get('regionId')));
    return answer instanceof Response ? answer : json([answer]);
  };
}

const UNITS = {
  '10': unit(10, 'kilogram', 'kg', { factor: 1 }),
  '11': unit(11, 'tonne', 't', { factor: 1000 }),
  '14': unit(14, 'degree Fahrenheit', '°F', { factor: 5 / 9, offset: -160 / 9 }),
  '15': unit(15, 'degree Celsius', '°C', { factor: 1 }),
};

function unit(id: number, name: string, abbreviation: string, baseConvFactor: object) {
  return { id, name, abbreviation, baseConvFactor };
}

function unitsOf(request: Request, units: object): object {
  const ids = new Set(new URL(request.url).searchParams.getAll('ids'));
  return Object.fromEntries(Object.entries(units).filter(([id]) => ids.size === 0 || ids.has(id)));
}

function withUnits(
  data: unknown[],
  head: object = {},
  { units = UNITS, allowed = [] }: { units?: object; allowed?: number[] } = {},
) {
  return operations([
    (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/v2/units/allowed') return json({ data: allowed.map((id) => ({ id })) });
      return json(pathname === '/v2/units' ? { data: unitsOf(request, units) } : [block(data, head)]);
    },
  ]);
}

describe('reading JSON', () => {
  it('accepts short points, whose unit is that of the series', async () => {
    const { getDataPoints } = operations([
      json([
        block(
          [
            [...DATES, 4],
            [...DATES, null, null, 11],
          ],
          { unitId: 10 },
        ),
      ]),
    ]);
    const points = await getDataPoints(KEY);
    expect(points.map(({ value, unit_id, reporting_date }) => [value, unit_id, reporting_date])).toEqual([
      [4, 10, null],
      [null, 11, null],
    ]);
  });

  it.each(['includesHistoricalRegion', 'includesHistoricalPartnerRegion'])(
    'drops series of historical regions where the service leaves that to its clients: %s',
    async (flag) => {
      const { getDataPoints } = operations([
        byRegion((regionId) => {
          const metadata = { [flag]: regionId === 4 };
          return block([[...DATES, regionId]], { regionId, unitId: 10, metadata });
        }),
      ]);
      const request = { ...KEY, region_id: [3, 4] };
      expect((await getDataPoints(request)).map(({ value }) => value)).toEqual([3, 4]);
      expect(await getDataPoints({ ...request, include_historical: false })).toMatchObject([
        { region_id: 3, value: 3 },
      ]);
    },
  );

  it('refuses a date that is none, naming it, at once', async () => {
    const { getDataPoints, requests } = operations([
      json([block([['2020-02-30', DATES[1], 4, null, 10]])]),
      json([]),
    ]);
    await expect(getDataPoints(KEY)).rejects.toThrow(/"2020-02-30" is not a date/);
    expect(requests).toHaveLength(1);
  });

  it('takes the source from the request where a service leaves it out', async () => {
    const sent = json([block([[...DATES, 4, null, 10]], { sourceId: undefined })]);
    const { getDataPoints } = operations([sent]);
    expect(await getDataPoints(KEY)).toMatchObject([{ ...KEY, partner_region_id: 0, value: 4 }]);
  });

  const point = (...rest: unknown[]) => block([[...DATES, ...rest]]);
  it.each<[string, unknown[] | null, string]>([
    ['a text for a value', [point('planting', null, 10)], 'at [0].data[0][2]: "planting" is not a number'],
    ['no value', [point()], 'at [0].data[0][2]'],
    ['a text for a unit', [point(4, null, 'kg')], 'at [0].data[0][4]: "kg" is not an integer'],
    ['no unit, of the point or its series', [point(4)], 'a point of series 0 has no unit'],
    ['a number for a reporting date', [point(4, 7, 10)], 'at [0].data[0][3]: 7 is not a date'],
    ['a text for metadata', [point(4, null, 10, 'new')], 'at [0].data[0][5]: "new" is not an object'],
    ['a point that is no list', [block([{ value: 4 }])], 'at [0].data[0]'],
    ['no region', [block([], { regionId: undefined })], 'at [0].series.regionId'],
    ['no series', [{ data: [] }], 'at [0].series'],
    ['no points', [{ series: HEAD }], 'at [0].data'],
    ['several series', [block([]), block([])], 'responded with 2 series instead of one'],
    ['another series', [block([], { regionId: 4 })], 'does not match the requested series'],
    ['null for a list', null, 'is not a list'],
  ])('refuses %s at once, naming it', async (_, answer, message) => {
    const { getDataPoints, requests } = operations([json(answer)]);
    const asked = getDataPoints(KEY);
    await expect(asked).rejects.toBeInstanceOf(ContractError);
    await expect(asked).rejects.toThrow(message);
    expect(requests).toHaveLength(1);
  });
});

describe('conversion of units', () => {
  describe('between dimensions', () => {
    const MILLIMETRE = unit(16, 'millimetre', 'mm', { factor: 1 });
    const INCH = unit(17, 'inch', 'in', { factor: 25.4 });
    const ODD = unit(18, 'centner', 'dz', { factor: 100 });
    const ALL = { ...UNITS, 16: MILLIMETRE, 17: INCH, 18: ODD };
    const STATED = Object.fromEntries(
      Object.entries(ALL).map(([id, unit]) => {
        const dimensions: Record<string, string> = {
          14: 'temperature',
          15: 'temperature',
          16: 'length',
          17: 'length',
        };
        return [id, { ...unit, dimension: dimensions[id] ?? 'mass' }];
      }),
    );
    const convert = (from: number, to: number, service: { units?: object; allowed?: number[] }) =>
      withUnits([[...DATES, 12.8, null, from]], {}, service).getDataPoints({ ...KEY, unit_id: to });

    it('refuses units that are stated to be of different dimensions, even where the service allows both', async () => {
      await expect(convert(15, 16, { units: STATED, allowed: [15, 16] })).rejects.toMatchObject({
        unit_id: 15,
        message:
          'unit_id 15 is not convertible to unit_id 16: degree Celsius (°C) has the dimension "temperature", millimetre (mm) has the dimension "length"',
      });
      expect(await convert(17, 16, { units: STATED })).toMatchObject([{ value: 12.8 * 25.4, unit_id: 16 }]);
    });

    it('lets the allowed units decide where no dimension is stated', async () => {
      const allowed = [10, 11, 18];
      expect(await convert(18, 10, { units: ALL, allowed })).toMatchObject([{ value: 1280, unit_id: 10 }]);
      await expect(convert(15, 10, { units: ALL, allowed })).rejects.toThrow(
        'unit_id 15 is not convertible to unit_id 10',
      );
      await expect(convert(10, 16, { units: ALL, allowed })).rejects.toThrow(/kilogram .*millimetre/);
    });

    it('refuses where the service allows neither', async () => {
      await expect(convert(17, 16, { units: ALL })).rejects.toThrow(/has no stated dimension/);
    });
  });

  it('requests no units when there is nothing to convert', async () => {
    const { getDataPoints, requests } = withUnits([[...DATES, 7, null, 12]]);
    expect(await getDataPoints({ ...KEY, unit_id: 12 })).toMatchObject([{ value: 7, unit_id: 12 }]);
    expect(requests).toHaveLength(1);
  });
});

describe('several series', () => {
  const region_id = Array.from({ length: 20 }, (_, i) => 20 - i);
  const pointOf = (regionId: number) => block([[...DATES, regionId, null, 10]], { regionId });

  it('are ordered by their ids', async () => {
    const points = await operations([byRegion(pointOf)]).getDataPoints({ ...KEY, region_id });
    expect(points.map(({ value }) => value)).toEqual([...region_id].reverse());
    expect(points.map((point) => point.region_id)).toEqual([...region_id].reverse());
  });

  it('keep what arrived, and name every series that did not', async () => {
    const broken = byRegion((regionId) => (regionId === 5 ? json({}, { status: 400 }) : pointOf(regionId)));
    const error = await operations([broken])
      .getPointSet({ ...KEY, region_id })
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(PartialDataError);
    const { failed, report, partial } = error as PartialDataError;
    expect(report).toHaveLength(20);
    expect(failed.map(({ series }) => series.region_id)).toEqual([5]);
    expect((partial as { series: unknown[] }).series).toHaveLength(19);
  });

  it.each([
    [401, AuthenticationError],
    [400, HttpError],
  ])('that all fail with a %i throw that error', async (status, expected) => {
    const refused = operations([json({}, { status })]).getPointSet({ ...KEY, region_id });
    await expect(refused).rejects.toBeInstanceOf(expected);
  });
});
