import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plotAccumulatedDegreeDays } from '../../../src/charts/accumulated-degree-days.js';
import type { Embedded } from '../../../src/embedded.js';
import { CoverageError } from '../../../src/model/errors.js';
import { openDemoEmbedded } from '../../journeys/demo-service.js';

let embedded: Embedded;
let client: Embedded['client'];
beforeAll(async () => {
  embedded = await openDemoEmbedded();
  client = embedded.client;
});
afterAll(() => embedded?.close());

const season = {
  base_temperature: 10,
  upper_temperature_cap: 30,
  start_date: '2015-05-01',
  end_date: '2015-09-30',
};
const inSeattle = { region_name: 'Seattle', ...season };

describe('growing degree days of a region', () => {
  it('are those of the best series of its name', async () => {
    expect(await client.growingDegreeDays(inSeattle)).toBeCloseTo(1314.7, 6);
  });

  it('are the same for many regions at once', async () => {
    const region_name = ['Seattle', 'New York City', 'Seattle'];
    const totals = await client.growingDegreeDays({ ...season, region_name });
    expect(totals).toEqual([expect.closeTo(1314.7, 6), expect.closeTo(1962, 6), totals[0]]);
    const found = await client.growingDegreeDays({
      ...season,
      region_name: ['New York City'],
      explain: true,
    });
    expect(found).toMatchObject([
      {
        region_name: 'New York City weather station',
        days: 153,
        coverage: 1,
        method: 'average',
        total: expect.closeTo(totals[1]!, 9),
        tmin_series: { item_name: 'Temperature min' },
      },
    ]);
  });

  it.each([
    [{ base_temperature: 10 }, undefined],
    [
      { base_temperature: 50 },
      'no temperature is above the base of 50 °C: the highest temperature is 35 °C; if the base is in °F, set temperature_unit (--unit) to fahrenheit',
    ],
    [
      { base_temperature: 10, upper_temperature_cap: 8 },
      'the cap of 8 °C is not above the base of 10 °C, so no day has degree days',
    ],
  ])('say what is odd about the thresholds: %j; a cap of null is none', async (thresholds, note) => {
    const rule = { upper_temperature_cap: null, ...thresholds };
    const found = await client.growingDegreeDays({ ...inSeattle, ...rule, explain: true });
    expect(found).toMatchObject({ ...rule, notes: note === undefined ? [] : [note] });
    if (note !== undefined) expect(found.total).toBe(0);
  });

  it('keep in frames and charts the region used for a name, and what is odd', async () => {
    const hot = { ...season, base_temperature: 50, upper_temperature_cap: null };
    const found = await client.growingDegreeDays({ ...hot, region_name: ['Seatle'], explain: true });
    const svg = await plotAccumulatedDegreeDays(found, { subtitle: 'Heat' }).toSvg();
    const texts = svg.replace(/(?:<[^>]*>|\s)+/g, ' ');
    expect(texts).toContain('Seattle weather station for “Seatle”');
    expect(texts).toContain('no temperature is above');
  });

  it('can be in degrees Fahrenheit', async () => {
    const rule = { base_temperature: 50, upper_temperature_cap: 86, temperature_unit: 'fahrenheit' } as const;
    expect(await client.growingDegreeDays({ ...inSeattle, ...rule })).toBeCloseTo(1314.7 * 1.8, 6);
  });

  it.each([
    ['double-sine', true],
    ['double-sine', false],
    ['average', false],
  ] as const)('add up over the parts of a season, by %s, explained: %s', async (method, explain) => {
    const of = async (start_date: string, end_date: string): Promise<number> => {
      const options = { ...inSeattle, method, start_date, end_date };
      if (!explain) return client.growingDegreeDays(options);
      return (await client.growingDegreeDays({ ...options, explain: true })).total;
    };
    const parts = [
      await of('2015-05-01', '2015-06-17'),
      await of('2015-06-18', '2015-06-18'),
      await of('2015-06-19', '2015-09-30'),
    ];
    const whole = await client.growingDegreeDays({ ...inSeattle, method });
    expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(whole, 8);
  });

  it('need the requested share of days with both values, and name the region', async () => {
    const late = { ...inSeattle, start_date: '2015-12-01', end_date: '2016-01-09' };
    await expect(client.growingDegreeDays(late)).rejects.toThrow(CoverageError);
    await expect(client.growingDegreeDays(late)).rejects.toThrow(
      /^Seattle weather station: only 77\.5% of the days/,
    );
    const enough = { ...late, min_temporal_coverage: 31 / 40 };
    expect(await client.growingDegreeDays(enough)).toBeGreaterThanOrEqual(0);
  });

  it('are refused where there is no daily temperature, and for an end before the start', async () => {
    const refused = (options: Partial<typeof inSeattle>, message: RegExp) =>
      expect(client.growingDegreeDays({ ...inSeattle, ...options })).rejects.toThrow(message);
    await refused({ region_name: 'Seattel' }, /"Seattel".*did you mean "Seattle.*"\?/);
    await refused({ region_name: 'France' }, /"France"/);
    await refused({ end_date: '2015-04-01' }, /2015-05-01 is after end_date 2015-04-01/);
    const found = await client.growingDegreeDays({ ...season, region_name: 'Seattel', explain: true });
    const id = found.tmin_series.region_id;
    expect(found.matched).toMatchObject({ requested: 'Seattel', exact: false, id });
  });
});

describe('growing degree days of two series', () => {
  const foundSeries = () => client.growingDegreeDays({ ...inSeattle, explain: true });

  it('use those two alone', async () => {
    const { tmin_series, tmax_series } = await foundSeries();
    expect(await client.computeGdd({ tmin_series, tmax_series, ...season })).toBeCloseTo(1314.7, 6);
    const swapped = { tmin_series: tmax_series, tmax_series: tmin_series };
    const { days_inverted } = await client.computeGdd({ ...swapped, ...season, explain: true });
    expect(days_inverted).toBeGreaterThan(150);
  });

  it('are refused for series that are not daily or not temperatures', async () => {
    const { region_id } = (await foundSeries()).tmin_series;
    const [area] = await client.getDataSeries({ frequency_id: 9 });
    const rain = (await client.getDataSeries({ region_id })).find(
      ({ item_name }) => item_name === 'Precipitation',
    );
    const of = (series: typeof area) =>
      client.computeGdd({ tmin_series: series!, tmax_series: series!, ...season });
    await expect(of(area)).rejects.toThrow(/require daily series/);
    await expect(of(rain)).rejects.toThrow(/cannot be converted to °C/);
  });
});
