import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import FIGURES from '../../../src/ingest/demo/figures.json' with { type: 'json' };

const DATA = join(createRequire(import.meta.url).resolve('vega-datasets'), '../../data');

it('has the daily weather of vega-datasets, day for day', async () => {
  const [header, ...lines] = (await readFile(join(DATA, 'weather.csv'), 'utf8')).trimEnd().split(/\r?\n/);
  expect(header).toBe('location,date,precipitation,temp_max,temp_min,wind,weather');
  const days = Object.entries(FIGURES.weather).flatMap(([location, months]) =>
    months
      .join(' ')
      .split(' ')
      .map((figures, day) => {
        const date = new Date(Date.UTC(2012, 0, 1 + day)).toISOString().slice(0, 10);
        return [location, date, ...figures.split('/').map(Number)];
      }),
  );
  const published = lines.map((line) => {
    const [location, date, precipitation, max, min] = line.split(',');
    return [location, date, Number(max), Number(min), Number(precipitation)];
  });
  expect(days).toEqual(published);
});

it('has the wheat prices and wages of vega-datasets, year for year', async () => {
  const published = JSON.parse(await readFile(join(DATA, 'wheat.json'), 'utf8')) as {
    year: string;
    wheat: number;
    wages?: number;
  }[];
  expect(FIGURES.wheat).toEqual(
    published.map(({ year, wheat, wages }) => [Number(year), wheat, wages ?? null]),
  );
});
