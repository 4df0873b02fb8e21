import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countyCodes, isoDay, random } from './made-up-parts.js';

/**
 * Makes up tables to try the batch scripts on: the weather of May to September, and the corn of six states.
 *
 * node --import tsx notebooks/batch/made-up-data.ts FOLDER FIRST_YEAR LAST_YEAR [COUNTIES]
 * cropframe import FOLDER/weather.json FOLDER/weather.csv --store farm.duckdb
 * cropframe import FOLDER/corn.json FOLDER/corn.csv --store farm.duckdb
 *
 * With COUNTIES, the weather of as many counties by FIPS code, and no corn. For your own data, import your own tables with
 * mappings like these (`--suggest` writes a first one).
 */
const STATES = ['Iowa', 'Illinois', 'Indiana', 'Nebraska', 'Minnesota', 'Ohio'];
const DAY_MS = 24 * 60 * 60 * 1000;

const [folder, ...years] = process.argv.slice(2);
const [first, last, counties] = years.map(Number);
if (folder === undefined || first === undefined || last === undefined || !(first <= last)) {
  console.error(
    'Usage: node --import tsx notebooks/batch/made-up-data.ts FOLDER FIRST_YEAR LAST_YEAR [COUNTIES]',
  );
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
const places = counties === undefined ? STATES : countyCodes().slice(0, counties);
const weather = ['place,day,low,high,rain,available'];
const corn = ['place,year,area,yield,available'];
for (const [at, place] of places.entries()) {
  for (let year = first; year <= last; year++) {
    const sums = addSeason(place, at, year);
    const harvest = 3 + sums.heat / 400 + sums.rain / 250 + random(place, year, 'harvest');
    const area = 1000 * (6 - at) + 100 * random(place, year, 'area');
    corn.push(`${place},${year},${area.toFixed(1)},${harvest.toFixed(3)},${year + 1}-01-12`);
  }
}
write('weather', weather, {
  source: { name: 'Made-up weather' },
  region: counties === undefined ? 'place' : { column: 'place', code: 'fips' },
  start_date: { column: 'day', format: 'YYYY-MM-DD' },
  available_date: { column: 'available', format: 'YYYY-MM-DD' },
  values: [
    { column: 'low', ...named('Temperature min', 'Temperature', '°C') },
    { column: 'high', ...named('Temperature max', 'Temperature', '°C') },
    { column: 'rain', ...named('Precipitation', 'Precipitation quantity', 'mm') },
  ],
});
if (counties === undefined) {
  write('corn', corn, {
    source: { name: 'Made-up corn' },
    region: 'place',
    start_date: { column: 'year', format: 'YYYY' },
    available_date: { column: 'available', format: 'YYYY-MM-DD' },
    values: [
      { column: 'area', ...named('Corn', 'Area harvested', 'ha') },
      { column: 'yield', ...named('Corn', 'Yield', 't/ha') },
    ],
  });
}

/** Adds the days of a season, each known three days later, and returns the sums that its yield depends on. */
function addSeason(place: string, at: number, year: number): { heat: number; rain: number } {
  const warmth = (at % 7) + 4 * random(place, year, 'warmth');
  const wetness = 1 + random(place, year, 'wetness');
  const sums = { heat: 0, rain: 0 };
  const start = Date.UTC(year, 4, 1);
  for (let day = 0; day < 153; day++) {
    const date = start + day * DAY_MS;
    const low =
      Math.round(10 * (6 + warmth + 8 * Math.sin((Math.PI * day) / 153) + 4 * random(place, date, 'low'))) /
      10;
    const high = Math.round(10 * (low + 8 + 6 * random(place, date, 'high'))) / 10;
    const rain = Math.max(0, Math.round(100 * wetness * (random(place, date, 'rain') - 0.7)) / 10);
    sums.heat += Math.max(0, (Math.min(high, 30) + Math.max(low, 10)) / 2 - 10);
    sums.rain += rain;
    weather.push(`${place},${isoDay(date)},${low},${high},${rain},${isoDay(date + 3 * DAY_MS)}`);
  }
  return sums;
}

function named(item: string, metric: string, unit: string) {
  return { item: { name: item }, metric: { name: metric }, unit: { name: unit } };
}

function write(name: string, lines: readonly string[], mapping: object): void {
  writeFileSync(join(folder!, `${name}.csv`), `${lines.join('\n')}\n`);
  writeFileSync(join(folder!, `${name}.json`), JSON.stringify(mapping, null, 2));
  console.log(`${name}.csv has ${lines.length - 1} rows`);
}
