import { join } from 'node:path';
import { type Client, fromRows } from 'cropframe';
import 'cropframe/agronomy';
import { mean, rootMeanSquare, sum } from 'simple-statistics';
import { areaWeights, REGIONS, RULE, saveItems, UNITS, yieldsByYear } from './crop.js';
import { leastSquares } from './least-squares.js';
import { runScript } from './script.js';

/**
 * Regresses the yield of several regions on their degree days and rain, all weighted by the crop's area, and says how far
 * it is off in years that it has not seen. See crop.ts for regions and a crop of your own.
 */
const RAIN = 'Precipitation';
const SEASON = { from: '05-01', to: '09-30' };

await runScript('yield-regression.ts STORE|HOST FOLDER [REGION[=STATION] …]', async (client, folder) => {
  const { years, weights, weather } = await readYears(client);
  console.log(`Weights by area harvested: ${weights}`);
  if (years.length < 5)
    throw new Error(`only ${years.length} years have yield, degree days and rain; 5 are needed`);
  const rows = years.map((year, left) => {
    const others = years.filter((_, at) => at !== left);
    const predicted = predictor(others)([year.degree_days, year.rain]);
    return {
      ...year,
      predicted,
      error: predicted - year.yield,
      mean_of_others: mean(others.map((one) => one.yield)),
      weather,
    };
  });
  const predict = predictor(years);
  const base = predict([0, 0]);
  const [perDegreeDay, perRain] = [predict([1, 0]) - base, predict([0, 1]) - base];
  const file = join(folder, 'yield-regression.csv');
  await fromRows(rows).write(file);
  console.log(
    `yield = ${base.toFixed(4)} + ${perDegreeDay.toFixed(6)} × degree days + ${perRain.toFixed(6)} × rain in ${UNITS.rain}`,
  );
  console.log(`${rows.length} years, ${rows[0]!.year} to ${rows.at(-1)!.year}; each left out in turn:`);
  console.log(
    `  error of the regression  ${rootMeanSquare(rows.map(({ error }) => error)).toFixed(4)} (root mean square)`,
  );
  const naive = rows.map((row) => row.mean_of_others - row.yield);
  console.log(`  error of the mean yield  ${rootMeanSquare(naive).toFixed(4)}`);
  console.log(`Wrote ${file}`);
});

interface Year {
  readonly year: number;
  readonly degree_days: number;
  readonly rain: number;
  readonly yield: number;
}

function predictor(years: readonly Year[]) {
  const predictors = [years.map(({ degree_days }) => degree_days), years.map(({ rain }) => rain)];
  return leastSquares(
    predictors,
    years.map((year) => year.yield),
  );
}

/** The years that have all three; the others are named. */
async function readYears(client: Client): Promise<{ years: Year[]; weights: string; weather: string }> {
  const places = await saveItems(client, ['Temperature min', 'Temperature max', RAIN]);
  const weights = await areaWeights(client, places);
  const daily = await client.getDf({ include_names: true, unit_id: Object.values(UNITS) });
  const heat = daily.degreeDays({ ...RULE, season: SEASON, weights }).toRows();
  const item_id = client.getDataSeriesList().flatMap((one) => (one.item_name === RAIN ? [one.item_id] : []));
  const compute = (values: Float64Array) => sum([...values]);
  const statistics = { rain: { of: { item_id }, compute } };
  const rain = daily.seasonStatistics({ season: SEASON, statistics }).toRows();
  const yields = await yieldsByYear(client);
  const years = heat.flatMap(({ season, total }): Year[] => {
    const year = Number(season);
    const parts = weights.map(({ id, weight }) => {
      const row = rain.find((one) => one.region_id === id && one.season === season);
      return weight === 0 ? 0 : weight * Number(row?.rain ?? Number.NaN);
    });
    const all = {
      year,
      degree_days: Number(total ?? Number.NaN),
      rain: sum(parts),
      yield: yields.get(year)!,
    };
    if (Object.values(all).every((value) => Number.isFinite(value))) return [all];
    console.log(`${year} is left out: it lacks the yield, or days of weather`);
    return [];
  });
  const texts = weights.map(({ weight }, i) => `${REGIONS[i]} ${(100 * weight).toFixed(2)}%`);
  return { years, weights: texts.join(', '), weather: places.map(({ text }) => text).join('; ') };
}
