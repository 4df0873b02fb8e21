import { beforeAll, describe, expect, it } from 'vitest';
import { demo } from '../../../src/ingest/demo/demo.js';
import { SOURCES } from '../../../src/ingest/vocabulary/sources.js';
import { type Collected, collect, named, pointsOf } from '../collect.js';

let all: Collected;
beforeAll(async () => {
  all = await collect(demo);
});

const series = (metric: string, item: string, region: string) => pointsOf(all, { metric, item, region });

describe('demo', () => {
  it('has four years of daily weather of both stations', () => {
    const max = series('Temperature', 'Temperature max', 'Seattle weather station');
    expect(max).toHaveLength(1461);
    expect(max[0]).toMatchObject({ start: '2012-01-01', end: '2012-01-01', value: 12.8, reported: null });
    expect(max.at(-1)).toMatchObject({ start: '2015-12-31', available: '2026-01-02' });
    expect(series('Temperature', 'Temperature min', 'New York City weather station')[0]!.value).toBe(3.3);
    expect(series('Precipitation quantity', 'Precipitation', 'Seattle weather station')[1]!.value).toBe(10.9);
  });

  it('locates the stations in their counties', () => {
    const seattle = named(all.entities.regions, 'Seattle weather station');
    expect(seattle).toMatchObject({ level: 9, belongsTo: [153_033], historical: false });
    expect(named(all.entities.regions, 'New York City weather station').belongsTo).toEqual([136_081]);
  });

  it('has wheat prices of five-year periods, and no wages after 1814', () => {
    const wheat = series('Price', 'Wheat', 'England');
    expect(wheat).toHaveLength(52);
    expect(wheat[0]).toMatchObject({ start: '1565-01-01', end: '1569-12-31', value: 41 });
    expect(wheat.at(-1)).toMatchObject({ start: '1820-01-01', end: '1821-12-31', value: 54 });
    const wages = series('Wage', 'Labour', 'England');
    expect(wages).toHaveLength(50);
    expect(wages.at(-1)).toMatchObject({ start: '1810-01-01', end: '1814-12-31', value: 30 });
  });

  it('has a source with licence and citation for every point, and reports progress', () => {
    const used = new Set(all.points.map(({ source_id }) => source_id));
    expect(used).toEqual(
      new Set([SOURCES.vegaWeather.id, SOURCES.playfairWheat.id, SOURCES.nassCornStates.id]),
    );
    for (const id of used)
      expect(all.entities.sources.get(id)).toMatchObject({
        licence: expect.any(String),
        citation: expect.any(String),
      });
    expect(all.labels).toEqual(new Set(['vocabulary', 'regions', 'figures']));
  });
});
