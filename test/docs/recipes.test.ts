import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frame } from '../../src/frame/frame.js';
import { exactRows } from '../frame/exact-rows.js';
import { temporaryFolder } from '../temporary-files.js';
import { ROOT, readBlocks } from './markdown.js';
import { fillRecipeStore, linkPackages, runRecipe } from './run-recipe.js';

const BLOCKS = readBlocks('docs/recipes.md');
const [OPENING, ...RECIPES] = BLOCKS.filter(({ language }) => language === 'ts');
const FILES = join(ROOT, 'docs', 'recipes');

/** vega-datasets' copy of NOAA's weather, which the demo has too; and the figures of USDA NASS that agridat has. */
const WEATHER = `read_csv('${join(ROOT, 'node_modules/vega-datasets/data/weather.csv')}')`;
const WHEAT = `read_json('${join(ROOT, 'node_modules/vega-datasets/data/wheat.json')}')`;
const COUNTIES = `read_csv('${join(FILES, 'counties.csv')}')`;
const STOCKS = `read_csv('${join(FILES, 'stocks.csv')}')`;
const NEW_YORK = {
  acres: [460, 440, 500, 460, 480, 550, 640, 595, 590, 620],
  yields: [97, 121, 122, 124, 129, 128, 144, 134, 150, 133],
};
const WASHINGTON = {
  acres: [70, 70, 105, 80, 75, 115, 90, 105, 125, 125],
  yields: [190, 195, 200, 205, 210, 210, 205, 215, 205, 225],
};

/** A bushel of corn is 56 avoirdupois pounds. */
const BUSHEL_OF_CORN_T = (56 * 0.45359237) / 1000;
const ACRE_HA = 0.40468564224;

const folder = temporaryFolder();
const closing: (() => void)[] = [];

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const connection = await (await DuckDBInstance.create()).connect();
  closing.push(() => connection.closeSync());
  return (await connection.runAndReadAll(sql)).getRowObjectsJson() as Record<string, unknown>[];
}

async function column(sql: string): Promise<number[]> {
  return (await query(sql)).map((row) => {
    const [value] = Object.values(row);
    return value === null ? Number.NaN : Number(value);
  });
}

/** What the recipe of this number shows. */
function show(number: number): Promise<unknown[][]> {
  const recipe = RECIPES.find(({ heading }) => heading.startsWith(`${number}. `));
  if (recipe === undefined) throw new Error(`docs/recipes.md has no recipe ${number}`);
  const text = `${OPENING!.text}\n${recipe.text}\nawait close();`;
  return runRecipe({ ...recipe, text }, folder);
}

/** The frame that the recipe shows last. */
async function shownTable(number: number): Promise<Table> {
  return (await show(number)).at(-1)![0] as Table;
}

async function shownColumn(number: number, name: string): Promise<(number | null)[]> {
  return exactRows(frame(await shownTable(number))).map((row) => row[name] as number | null);
}

function expectClose(actual: readonly unknown[], expected: readonly number[], digits = 9): void {
  expect(actual).toHaveLength(expected.length);
  for (const [i, value] of expected.entries()) {
    if (Number.isNaN(value)) expect(actual[i], `at ${i}`).toBeNull();
    else expect(actual[i], `at ${i}`).toBeCloseTo(value, digits);
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

beforeAll(async () => {
  linkPackages(folder);
  await fillRecipeStore(folder);
});
afterAll(() => {
  for (const close of closing) close();
});

describe('the recipes', () => {
  it('are twenty, each below fifteen lines of code, and numbered', () => {
    expect(RECIPES.map(({ heading }) => Number.parseInt(heading, 10))).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
    for (const { text, heading } of RECIPES) {
      const code = text.split('\n').filter((line) => line !== '' && !/^(import |\s*\/\/)/.test(line));
      expect(code.length, heading).toBeLessThan(15);
    }
  });
});

describe('for commodity analysts', () => {
  it('1 counts what the store has', async () => {
    const rows = exactRows(frame(await shownTable(1)));
    expect(rows.reduce((sum, { points }) => sum + Number(points), 0)).toBe(8908 + 28 + 1);
    expect(rows.filter(({ source_name }) => source_name === 'Made-up counties')).toMatchObject([
      { metric_name: 'Area harvested', series: 3, points: 14 },
      { metric_name: 'Yield', series: 3, points: 14 },
    ]);
  });

  it('2 shows how well a series covers the wanted period', async () => {
    const [best] = await show(2);
    expect(best!.slice(0, 3)).toEqual(['Washington', 'USDA NASS corn by state (agridat)', 10]);
    expect(best![3]).toBeCloseTo(10 / 15, 3);
  });

  it('3 converts bushels an acre of corn into tonnes a hectare', async () => {
    const rows = exactRows(frame(await shownTable(3)));
    const expected = WASHINGTON.yields.map((value) => (value * BUSHEL_OF_CORN_T) / ACRE_HA);
    const [name] = Object.keys(rows[0]!).filter((key) => key.includes('Washington'));
    expectClose(
      rows.map((row) => row[name!]),
      expected,
    );
  });

  it('4 gives departures in percent of the mean', async () => {
    const usual = mean(NEW_YORK.yields);
    expectClose(
      await shownColumn(4, 'value'),
      NEW_YORK.yields.map((value) => (value / usual - 1) * 100),
    );
  });

  it('5 weights yields by the area of each year', async () => {
    const expected = WASHINGTON.yields.map((value, i) => {
      const [west, east] = [WASHINGTON.acres[i]!, NEW_YORK.acres[i]!];
      return (value * west + NEW_YORK.yields[i]! * east) / (west + east);
    });
    expectClose(await shownColumn(5, 'value'), expected);
  });

  it('6 ranks regions by the sum over the period', async () => {
    const expected = await query(
      `SELECT county, sum(area)::DOUBLE AS area FROM ${COUNTIES} WHERE year BETWEEN 2019 AND 2021 GROUP BY ALL ORDER BY 2 DESC`,
    );
    const shown = (await show(6)).filter(([name]) => String(name).includes('Delaware'));
    expect(shown).toEqual(
      expected.map(({ county, area }) => [expect.stringContaining(String(county)), area]),
    );
  });

  it('7 adds counties up, and gives null where one is missing', async () => {
    const sums = await column(
      `SELECT if(count(area) = 3, sum(area), NULL) FROM ${COUNTIES} GROUP BY year ORDER BY year`,
    );
    expect(sums[3]).toBeNaN();
    expectClose(await shownColumn(7, 'value'), sums);
  });

  it('8 has every report, and draws them', async () => {
    expectClose(
      await shownColumn(8, 'value'),
      await column(`SELECT stocks FROM ${STOCKS} ORDER BY reported`),
    );
    const shown = readFileSync(join(ROOT, 'docs', 'pictures', 'revisions.svg'), 'utf8');
    expect(readFileSync(join(folder, 'reports.svg'), 'utf8')).toBe(shown);
  });

  it('9 has the figure that was the latest on each date', async () => {
    const shown = await show(9);
    expect(shown).toHaveLength(3);
    for (const [date, value] of shown) {
      const [known] = await column(
        `SELECT arg_max(stocks, reported) FROM ${STOCKS} WHERE reported <= DATE '${date}'`,
      );
      expect([date, value]).toEqual([date, known]);
    }
  });

  it('10 divides a price by a wage, and is null where one of them is', async () => {
    const weeks = await column(`SELECT wheat / wages FROM ${WHEAT} ORDER BY year::INT`);
    expect(weeks.filter(Number.isNaN).length).toBe(2);
    expectClose(await shownColumn(10, 'weeks'), weeks);
  });
});

describe('for agronomists', () => {
  it('11 integrates the sine of each day between base and cap', async () => {
    const rows = exactRows(frame(await shownTable(11)));
    expect(rows).toHaveLength(8);
    const days = await query(
      `SELECT location, year(date) AS year, temp_min AS low, temp_max AS high FROM ${WEATHER}
       WHERE date BETWEEN make_date(year(date), 5, 1) AND make_date(year(date), 9, 30)`,
    );
    for (const { region_name, season, total } of rows) {
      const place = String(region_name).startsWith('Seattle') ? 'Seattle' : 'New York';
      const own = days.filter(({ location, year }) => location === place && Number(year) === season);
      expect(own).toHaveLength(153);
      const expected = own.reduce((sum, { low, high }) => sum + sineArea(Number(low), Number(high)), 0);
      expect(total).toBeCloseTo(expected, 2);
    }
  });

  it('12 finds the day on which a sum is reached', async () => {
    const expected = await query(
      `SELECT year(date) AS year, min(date)::VARCHAR AS reached FROM (
         SELECT date, sum(greatest((temp_min + temp_max) / 2 - 10, 0)) OVER (PARTITION BY year(date) ORDER BY date) AS total
         FROM ${WEATHER} WHERE location = 'Seattle' AND date BETWEEN make_date(year(date), 5, 1) AND make_date(year(date), 9, 30))
       WHERE total >= 700 GROUP BY ALL ORDER BY ALL`,
    );
    expect(await show(12)).toEqual(expected.map(({ year, reached }) => [Number(year), reached]));
  });

  it('13 places a season among others', async () => {
    const [last, ...earlier] = await column(
      `SELECT sum(greatest((temp_min + temp_max) / 2 - 10, 0)) FROM ${WEATHER}
       WHERE location = 'Seattle' AND date BETWEEN make_date(year(date), 5, 1) AND make_date(year(date), 9, 30)
       GROUP BY year(date) ORDER BY year(date) DESC`,
    );
    const usual = mean(earlier);
    const deviation = Math.sqrt(mean(earlier.map((value) => (value - usual) ** 2)) * (3 / 2));
    const [[percentile, z]] = (await show(13)) as [[number, number]];
    expect(z).toBeCloseTo((last! - usual) / deviation, 9);
    expect(last).toBeGreaterThan(Math.max(...earlier));
    expect(percentile).toBe(100);
  });

  it('14 counts hot days and adds rain up', async () => {
    const expected = await query(
      `SELECT count(*) FILTER (temp_max > 30)::INT AS hot_days, sum(precipitation)::DOUBLE AS rain_mm FROM ${WEATHER}
       WHERE location = 'New York' AND month(date) BETWEEN 6 AND 8 GROUP BY year(date) ORDER BY year(date)`,
    );
    const rows = exactRows(frame(await shownTable(14)));
    expect(rows.map(({ hot_days }) => hot_days)).toEqual(expected.map(({ hot_days }) => hot_days));
    expectClose(
      rows.map(({ rain_mm }) => rain_mm),
      expected.map(({ rain_mm }) => Number(rain_mm)),
    );
  });

  it('15 finds the longest run of dry days', async () => {
    const expected = await column(
      `SELECT max(days) FROM (SELECT year, count(*) AS days FROM (
         SELECT year(date) AS year, date - (row_number() OVER (PARTITION BY year(date) ORDER BY date))::INT AS run
         FROM ${WEATHER} WHERE location = 'Seattle' AND precipitation < 1
           AND date BETWEEN make_date(year(date), 5, 1) AND make_date(year(date), 9, 30))
       GROUP BY year, run) GROUP BY year ORDER BY year`,
    );
    expectClose(await shownColumn(15, 'dry_days'), expected);
  });

  it('16 compares months with those of the years before', async () => {
    const expected = await column(
      `WITH monthly AS (SELECT year(date) AS year, month(date) AS month, sum(precipitation) AS rain FROM ${WEATHER}
         WHERE location = 'Seattle' GROUP BY ALL)
       SELECT rain - (SELECT avg(rain) FROM monthly AS usual WHERE usual.month = monthly.month AND usual.year <= 2014)
       FROM monthly ORDER BY year, month`,
    );
    expectClose(await shownColumn(16, 'value'), expected);
  });
});

describe('for data engineers', () => {
  it('17 joins a table by month, and writes it twice', async () => {
    const joined = await shownTable(17);
    const rain = joined.schema.fields.map(({ name }) => name).find((name) => name.includes('Precipitation'))!;
    const expected = await query(
      `SELECT price::DOUBLE AS price, (SELECT sum(precipitation) FROM ${WEATHER} WHERE location = 'Seattle'
         AND date_trunc('month', date) = date_trunc('month', own.month))::DOUBLE AS rain
       FROM read_csv('${join(FILES, 'prices.csv')}') AS own ORDER BY month`,
    );
    const read = await query(
      `SELECT price, "${rain}" AS rain FROM '${join(folder, 'joined.parquet')}' ORDER BY end_date`,
    );
    for (const rows of [exactRows(joined).map((row) => ({ price: row.price, rain: row[rain] })), read])
      for (const name of ['price', 'rain'] as const)
        expectClose(
          rows.map((row) => row[name]),
          expected.map((row) => Number(row[name])),
        );
    expect(existsSync(join(folder, 'joined.xlsx'))).toBe(true);
  });

  it('18 asks a frame by SQL', async () => {
    const expected = await query(
      `SELECT year(date) AS year, max(temp_max) AS hottest FROM ${WEATHER} WHERE location = 'Seattle' GROUP BY ALL ORDER BY ALL`,
    );
    const [[answer]] = (await show(18)) as [[Table]];
    expect(exactRows(answer).map(({ year, hottest }) => [Number(year), hottest])).toEqual(
      expected.map(({ year, hottest }) => [Number(year), hottest]),
    );
  });

  it('19 refreshes a frame, which stays the same where nothing is new', async () => {
    expectClose(await shownColumn(19, 'value'), NEW_YORK.yields);
  });

  it('20 says that a frame is whole, and whom to cite', async () => {
    const [[report, sources, units, checksum]] = (await show(20)) as [[object, unknown[], unknown, string]];
    expect(report).toMatchObject({ series: 2, data: 2 });
    expect(sources).toHaveLength(2);
    expect(JSON.stringify(units)).toContain('bu/ac (corn)');
    expect(checksum).toBe('verified');
  });
});

/** The degree days of a day whose temperature follows a sine, between 10 °C and a horizontal cut-off at 30 °C: summed finely. */
function sineArea(low: number, high: number): number {
  const steps = 20_000;
  let sum = 0;
  for (let i = 0; i < steps; i++) {
    const degrees = (low + high) / 2 + ((high - low) / 2) * Math.sin(((i + 0.5) / steps) * 2 * Math.PI);
    sum += Math.min(Math.max(degrees - 10, 0), 20);
  }
  return sum / steps;
}
