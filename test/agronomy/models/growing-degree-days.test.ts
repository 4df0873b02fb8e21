import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plotAccumulatedDegreeDays } from '../../../src/charts/accumulated-degree-days.js';
import type { Embedded } from '../../../src/embedded.js';
import { CoverageError } from '../../../src/model/errors.js';
import { openDemoEmbedded } from '../../journeys/demo-service.js';

let embedded: Embedded;
beforeAll(async () => {
  embedded = await openDemoEmbedded();
});
afterAll(() => embedded?.close());

const season = {
  base_temperature: 10,
  upper_temperature_cap: 30,
  start_date: '2015-05-01',
  end_date: '2015-09-30',
};

describe('growing degree days of a region', () => {
  it('are those of the best series of its name', async () => {
    const total = await embedded.client.growingDegreeDays({ region_name: 'Seattle', ...season });
    expect(total).toBeCloseTo(1314.7, 6);
  });

  it('are the same for many regions at once', async () => {
    const { client } = embedded;
    const totals = await client.growingDegreeDays({
      region_name: ['Seattle', 'New York City', 'Seattle'],
      ...season,
    });
    expect(totals[0]).toBeCloseTo(1314.7, 6);
    expect(totals[1]).toBeCloseTo(1962, 6);
    expect(totals[2]).toBe(totals[0]);
    const found = await client.growingDegreeDays({
      region_name: ['New York City'],
      ...season,
      explain: true,
    });
    expect(found[0]).toMatchObject({
      region_name: 'New York City weather station',
      days: 153,
      coverage: 1,
      method: 'average',
    });
    expect(found[0]!.total).toBeCloseTo(totals[1]!, 9);
    expect(found[0]!.tmin_series.item_name).toBe('Temperature min');
  });

  it('say that the base is above every temperature, or the cap not above the base; a cap of null is none', async () => {
    const explained = async (rule: { base_temperature: number; upper_temperature_cap?: number | null }) => {
      const options = { ...season, upper_temperature_cap: null, ...rule, explain: true } as const;
      return embedded.client.growingDegreeDays({ region_name: 'Seattle', ...options });
    };
    expect((await explained({ base_temperature: 10 })).notes).toEqual([]);
    const hot = await explained({ base_temperature: 50 });
    expect(hot).toMatchObject({ total: 0, upper_temperature_cap: null });
    expect(hot.notes).toEqual([
      'no temperature is above the base of 50 °C: the highest temperature is 35 °C; if the base is in °F, set temperature_unit (--unit) to fahrenheit',
    ]);
    expect((await explained({ base_temperature: 10, upper_temperature_cap: 8 })).notes).toEqual([
      'the cap of 8 °C is not above the base of 10 °C, so no day has degree days',
    ]);
  });

  it('keep in frames and charts the region used for a name, and what is odd', async () => {
    const found = await embedded.client.growingDegreeDays({
      region_name: ['Seatle'],
      ...season,
      base_temperature: 50,
      upper_temperature_cap: null,
      explain: true,
    });
    const texts = (await plotAccumulatedDegreeDays(found, { subtitle: 'Heat' }).toSvg()).replace(
      /(?:<[^>]*>|\s)+/g,
      ' ',
    );
    expect(texts).toContain('Seattle weather station for “Seatle”');
    expect(texts).toContain('no temperature is above');
  });

  it('can be in degrees Fahrenheit', async () => {
    const fahrenheit = {
      base_temperature: 50,
      upper_temperature_cap: 86,
      temperature_unit: 'fahrenheit' as const,
    };
    const total = await embedded.client.growingDegreeDays({
      region_name: 'Seattle',
      ...season,
      ...fahrenheit,
    });
    expect(total).toBeCloseTo(1314.7 * 1.8, 6);
  });

  it.each(['double-sine', 'average'] as const)('add up over the parts of a season, by %s', async (method) => {
    const of = (start_date: string, end_date: string, explain: boolean) => {
      const options = { ...season, region_name: 'Seattle', method, start_date, end_date };
      return explain
        ? embedded.client.growingDegreeDays({ ...options, explain: true }).then(({ total }) => total)
        : embedded.client.growingDegreeDays(options);
    };
    const whole = await of('2015-05-01', '2015-09-30', false);
    for (const explain of [false, true]) {
      expect(await of('2015-05-01', '2015-09-30', explain)).toBeCloseTo(whole, 8);
      const parts = [
        await of('2015-05-01', '2015-06-17', explain),
        await of('2015-06-18', '2015-06-18', explain),
        await of('2015-06-19', '2015-09-30', explain),
      ];
      expect(parts.reduce((sum, part) => sum + part)).toBeCloseTo(whole, 8);
    }
  });

  it('need the requested share of days with both values, and name the region', async () => {
    const late = { ...season, region_name: 'Seattle', start_date: '2015-12-01', end_date: '2016-01-09' };
    await expect(embedded.client.growingDegreeDays(late)).rejects.toThrow(CoverageError);
    await expect(embedded.client.growingDegreeDays(late)).rejects.toThrow(
      /^Seattle weather station: only 77\.5% of the days/,
    );
    expect(
      await embedded.client.growingDegreeDays({ ...late, min_temporal_coverage: 31 / 40 }),
    ).toBeGreaterThanOrEqual(0);
  });

  it('are refused where there is no daily temperature, and for an end before the start', async () => {
    const { client } = embedded;
    const misspelt = client.growingDegreeDays({ region_name: 'Seattel', ...season });
    await expect(misspelt).rejects.toThrow(/"Seattel".*did you mean "Seattle.*"\?/);
    const found = await client.growingDegreeDays({ region_name: 'Seattel', ...season, explain: true });
    expect(found.matched).toMatchObject({
      requested: 'Seattel',
      exact: false,
      id: found.tmin_series.region_id,
    });
    await expect(client.growingDegreeDays({ region_name: 'France', ...season })).rejects.toThrow(/"France"/);
    await expect(
      client.growingDegreeDays({ region_name: 'Seattle', ...season, end_date: '2015-04-01' }),
    ).rejects.toThrow(/2015-05-01 is after end_date 2015-04-01/);
  });
});

describe('growing degree days of two series', () => {
  it('use those two alone', async () => {
    const { client } = embedded;
    const found = await client.growingDegreeDays({ region_name: 'Seattle', ...season, explain: true });
    const { tmin_series, tmax_series } = found;
    expect(await client.computeGdd({ tmin_series, tmax_series, ...season })).toBeCloseTo(1314.7, 6);
    const inverted = await client.computeGdd({
      tmin_series: tmax_series,
      tmax_series: tmin_series,
      ...season,
      explain: true,
    });
    expect(inverted.days_inverted).toBeGreaterThan(150);
  });

  it('are refused for series that are not daily or not temperatures', async () => {
    const { client } = embedded;
    const found = await client.growingDegreeDays({ region_name: 'Seattle', ...season, explain: true });
    const [area] = await client.getDataSeries({ frequency_id: 9 });
    await expect(client.computeGdd({ tmin_series: area!, tmax_series: area!, ...season })).rejects.toThrow(
      /require daily series/,
    );
    const rain = (await client.getDataSeries({ region_id: found.tmin_series.region_id })).find(
      ({ item_name }) => item_name === 'Precipitation',
    )!;
    await expect(client.computeGdd({ tmin_series: rain, tmax_series: rain, ...season })).rejects.toThrow(
      /cannot be converted to °C/,
    );
  });
});
