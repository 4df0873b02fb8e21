import { join } from 'node:path';
import { ArgumentError, type Client, fromRows, type LongFrame } from 'cropframe';
import 'cropframe/agronomy';
import { mean, rootMeanSquare } from 'simple-statistics';
import { areaWeights, type Place, RULE, saveItems, UNITS, yieldsByYear } from './crop.js';
import { leastSquares } from './least-squares.js';
import { runScript } from './script.js';

/**
 * What would a forecast of the yield have said on the 10th of each month? For each date the frames, the weights and the
 * yields are fetched again `at_time`, as they were known on it, and the forecast is fitted to them alone: the yield by the
 * degree days until the end of the month before. See crop.ts for regions and a crop of your own.
 */
const SEASON_START = '05-01';
/** The ends of months until which weather is used, each with the day on which the forecast is made. */
const DATES = [
  { to: '05-31', made: '06-10' },
  { to: '06-30', made: '07-10' },
  { to: '07-31', made: '08-10' },
  { to: '08-31', made: '09-10' },
];
const MIN_YEARS = 5;

await runScript('backtest.ts STORE|HOST FOLDER [REGION[=STATION] …]', async (client, folder) => {
  const places = await saveItems(client, ['Temperature min', 'Temperature max']);
  const [first, last] = await seasonsOf(client);
  const forecasts = [];
  for (let season = first + MIN_YEARS; season <= last; season++)
    for (const { to, made } of DATES)
      forecasts.push(...(await forecastAt(client, { season, to, at_time: `${season}-${made}`, places })));
  if (forecasts.length === 0) throw new Error(await whyNone(client, last));
  const file = join(folder, 'forecasts.parquet');
  await fromRows(forecasts).write(file);
  console.log(
    `${forecasts.length} forecasts, ${forecasts[0]!.at_time} to ${forecasts.at(-1)!.at_time}, in ${file}`,
  );
  // Only here, after the file is written, are today's figures looked at.
  const actual = await yieldsByYear(client);
  for (const { to } of DATES) {
    const scored = forecasts.filter((one) => one.weather_until.endsWith(to) && actual.has(one.season));
    if (scored.length === 0) continue;
    const error = rootMeanSquare(scored.map(({ season, forecast }) => forecast - actual.get(season)!));
    console.log(
      `  weather until ${to}: error ${error.toFixed(4)} over ${scored.length} seasons (root mean square)`,
    );
  }
});

interface ForecastDate {
  readonly season: number;
  /** Month and day of the last weather. */
  readonly to: string;
  readonly at_time: string;
  /** Where the weather of each region is from. */
  readonly places: readonly Place[];
}

/** The forecast by what was known at the time; none while too few earlier seasons were. */
async function forecastAt(client: Client, { season, to, at_time, places }: ForecastDate) {
  const yields = await yieldsByYear(client, at_time).catch(nothingKnown);
  if (yields.size < MIN_YEARS) return [];
  const weights = await areaWeights(client, places, at_time);
  const known = await client.getDf({
    include_names: true,
    show_available_date: true,
    at_time,
    unit_id: UNITS.temperature,
  });
  refuseLookingAhead(known, at_time);
  const weather = known.filter({ end_date: `${season}-${to}` });
  const heat = weather.degreeDays({ ...RULE, season: { from: SEASON_START, to }, weights }).toRows();
  const totals = new Map(
    heat.flatMap((row) => (row.total === null ? [] : [[Number(row.season), Number(row.total)]])),
  );
  const degree_days = totals.get(season);
  if (degree_days === undefined) {
    console.log(`no forecast on ${at_time}: the weather of ${season} until ${to} was not whole`);
    return [];
  }
  const years = [...yields.keys()].filter((year) => year < season && totals.has(year));
  if (years.length < MIN_YEARS) return [];
  const learnt = years.map((year) => yields.get(year)!);
  const predict = leastSquares([years.map((year) => totals.get(year)!)], learnt);
  const weather_until = `${season}-${to}`;
  const forecast = predict([degree_days]);
  const from = places.map(({ text }) => text).join('; ');
  const found = { at_time, season, weather_until, years: years.length, degree_days };
  return [{ ...found, mean: mean(learnt), forecast, weather: from }];
}

/** Why there is no forecast: too few years, or none of which was known in its time, as in a store that was filled today. */
async function whyNone(client: Client, last: number): Promise<string> {
  const years = await yieldsByYear(client);
  const known = await client.getDf({ show_available_date: true });
  const { values } = known.column('available_date', 'timestamp');
  const first = values.reduce((min, ms) => (ms < min ? ms : min), values[0]!);
  if (years.size <= MIN_YEARS)
    return `no date has ${MIN_YEARS} earlier seasons with yields; import more years`;
  const day = new Date(Number(first)).toISOString().slice(0, 10);
  return `no forecast until ${last} had ${MIN_YEARS} seasons that were known in their time: the weather became available from ${day} on. A file without dates is available from its import; in a mapping, "available_date": { "after": "end_date" } says otherwise, and bulk files of USDA have reporting dates`;
}

/** Weights need a point: before the first was known, there are none. */
function nothingKnown(error: unknown): Map<number, number> {
  if (error instanceof ArgumentError) return new Map();
  throw error;
}

/** The service has promised it; a backtest that is wrong here is worse than none. */
function refuseLookingAhead(frame: LongFrame, at_time: string): void {
  const { values } = frame.column('available_date', 'timestamp');
  const latest = values.reduce((max, ms) => (ms > max ? ms : max), 0n);
  if (Number(latest) > Date.parse(at_time))
    throw new Error(`a point of ${new Date(Number(latest)).toISOString()} was given for ${at_time}`);
}

/** The first and the last year of the saved series. */
async function seasonsOf(client: Client): Promise<[number, number]> {
  const { values } = (await client.getDf()).column('end_date', 'timestamp');
  const years = Array.from(values, (ms) => new Date(Number(ms)).getUTCFullYear());
  return [years.reduce((a, b) => Math.min(a, b)), years.reduce((a, b) => Math.max(a, b))];
}
