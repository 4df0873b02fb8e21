import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { type Collected, collect, named, pointsOf } from '../collect.js';

const DATA = join(createRequire(import.meta.url).resolve('vega-datasets'), '../../data');
const ELEMENTS = [
  ['Temperature', 'Temperature max'],
  ['Temperature', 'Temperature min'],
  ['Precipitation quantity', 'Precipitation'],
] as const;

let all: Collected;
beforeAll(async () => {
  all = await collect(documentImporter('demo'));
});

it('has the daily weather of vega-datasets, day for day, in the counties of its stations', async () => {
  const [header, ...lines] = (await readFile(join(DATA, 'weather.csv'), 'utf8')).trimEnd().split(/\r?\n/);
  expect(header).toBe('location,date,precipitation,temp_max,temp_min,wind,weather');
  const published = lines.map((line) => line.split(','));
  for (const [location, region, county] of [
    ['Seattle', 'Seattle weather station', 153_033],
    ['New York', 'New York City weather station', 136_081],
  ] as const) {
    const days = ELEMENTS.map(([metric, item]) => pointsOf(all, { metric, item, region }));
    expect(
      days[0]!.map(({ start, end, value }, i) => [
        start,
        end,
        value,
        ...days.slice(1).map((one) => one[i]!.value),
      ]),
    ).toEqual(
      published
        .filter(([place]) => place === location)
        .map(([, day, precipitation, max, min]) => [day, day, ...[max, min, precipitation].map(Number)]),
    );
    expect(named(all.entities.regions, region)).toMatchObject({ level: 9, belongsTo: [county] });
  }
});

it('has the wheat prices and wages of vega-datasets in periods of five years', async () => {
  const published = JSON.parse(await readFile(join(DATA, 'wheat.json'), 'utf8')) as Record<
    'year' | 'wheat' | 'wages',
    string
  >[];
  for (const [item, key] of [
    ['Wheat', 'wheat'],
    ['Labour', 'wages'],
  ] as const)
    expect(
      pointsOf(all, { item, region: 'England' }).map(({ start, end, value }) => [start, end, value]),
    ).toEqual(
      published
        .filter((row) => row[key] !== undefined)
        .map(({ year, [key]: value }) => [
          `${year}-01-01`,
          `${Math.min(Number(year) + 4, 1821)}-12-31`,
          Number(value),
        ]),
    );
});
