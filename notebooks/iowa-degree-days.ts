import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { climatologyOf, cutSeasons, type DegreeDays, degreeDays } from 'cropframe/agronomy';
import { plotAccumulatedDegreeDays } from 'cropframe/charts';

/**
 * Iowa's crop-weighted growing degree days, 86/50 °F by McMaster and Wilhelm's method 2, May to September: three
 * weather stations, each the proxy of three of NASS's agricultural districts, weighted by the corn area harvested.
 *
 * node --import tsx notebooks/iowa-degree-days.ts FOLDER [PLOT.svg]
 */
const STATIONS = [
  { id: 1, name: 'Ames', file: 'iem_coop_IA0200_1990_2019.csv', districts: [20, 50, 80] },
  { id: 2, name: 'Sioux City', file: 'iem_coop_IA7708_1990_2019.csv', districts: [10, 40, 70] },
  { id: 3, name: 'Burlington', file: 'iem_coop_IA1063_1990_2019.csv', districts: [30, 60, 90] },
];
const DAY_MS = 24 * 60 * 60 * 1000;
const YEARS = [2012, 2013, 2014, 2015, 2016, 2017, 2018, 2019];
const SEASON = { from: '05-01', to: '09-30' };
const RULE = {
  base_temperature: 50,
  upper_temperature_cap: 86,
  method: 'mcmaster-wilhelm-2',
  temperature_unit: 'fahrenheit',
} as const;

const [folder, plotFile] = process.argv.slice(2);
const areaFile = join(folder ?? '', 'nass', 'qs_export_county_corn_acres_harvested_2012_2021.csv');
if (folder === undefined || !existsSync(areaFile)) {
  console.error(
    folder === undefined
      ? 'Name the folder of the data: node --import tsx notebooks/iowa-degree-days.ts FOLDER'
      : `There is no ${areaFile}; name the folder that holds nass/ and weather/`,
  );
  process.exit(1);
}

// 1. Degree days of every station and season since 1990.
const seasonsOf = STATIONS.map(({ file }) => stationSeasons(join(folder, 'weather', file)));

// 2. Weights: the area over all years, which is as their mean, and that of each year.
const areas = cornAreas(areaFile);
const mean = areaShares(YEARS);

// 3. The table.
console.log('Growing degree days of Iowa, 86/50 °F (McMaster–Wilhelm 2), May to September, °F·day');
console.log(
  `year ${STATIONS.map(({ name }) => name.padStart(11)).join('')}   by mean area   by the year's area`,
);
for (const year of YEARS) {
  const totals = seasonsOf.map((seasons) => seasons.get(year)!.total);
  const cells = totals.map((total) => total.toFixed(1).padStart(11)).join('');
  const [byMean, byOwn] = [mean, areaShares([year])].map((weights) => weighted(weights, totals).toFixed(2));
  console.log(`${year} ${cells} ${byMean!.padStart(14)} ${byOwn!.padStart(20)}`);
}
console.log(`area ${mean.map((weight) => `${(100 * weight).toFixed(2)}%`.padStart(11)).join('')}`);
console.log(
  'Sources: USDA NASS Quick Stats (corn for grain, acres harvested by county; district 99 left out);',
);
console.log('NWS cooperative stations by the Iowa Environmental Mesonet.');

// 4. The plot: the warmest of these seasons compared to the climatology of 1990–2011.
if (plotFile !== undefined) {
  const state = (year: number) => stateSeason(seasonsOf.map((seasons) => seasons.get(year)!));
  const reference = Array.from({ length: 22 }, (_, i) => state(1990 + i));
  const warmest = YEARS.map(state).sort((a, b) => b.total - a.total)[0]!;
  const chart = plotAccumulatedDegreeDays([warmest], {
    title: `Heat for Iowa's corn: ${warmest.interval!.start_date.slice(0, 4)} against 1990–2011`,
    source:
      'NWS cooperative stations Ames, Sioux City and Burlington; weights by USDA NASS corn area, 2012–2019',
    climatology: climatologyOf(
      reference.map(({ interval, accumulated }) => ({
        start_date: interval!.start_date,
        values: accumulated,
      })),
    ),
  });
  writeFileSync(plotFile, await chart.toSvg());
  console.log(`The picture is ${plotFile}`);
}

function weighted(weights: readonly number[], values: readonly number[]): number {
  return values.reduce((sum, value, i) => sum + weights[i]! * value, 0);
}

/** The season of the state: that of the three stations, weighted by the mean area. */
function stateSeason(stations: readonly DegreeDays[]): DegreeDays {
  const ofStations = (column: 'daily' | 'accumulated') =>
    stations[0]![column].map((_, day) =>
      weighted(
        mean,
        stations.map((one) => one[column][day]!),
      ),
    );
  const accumulated = ofStations('accumulated');
  return { ...stations[0]!, daily: ofStations('daily'), accumulated, total: accumulated.at(-1)! };
}

/** Degree days of each season, by year. */
function stationSeasons(path: string): Map<number, DegreeDays> {
  const rows = csvRows(path);
  const startMs = Date.parse(rows[0]!.day!);
  const days = (Date.parse(rows.at(-1)!.day!) - startMs) / DAY_MS + 1;
  const [low, high] = [new Float64Array(days).fill(Number.NaN), new Float64Array(days).fill(Number.NaN)];
  for (const row of rows) {
    const day = (Date.parse(row.day!) - startMs) / DAY_MS;
    low[day] = parseFigure(row.low!);
    high[day] = parseFigure(row.high!);
  }
  const start_date = rows[0]!.day!;
  const maxima = cutSeasons({ start_date, values: high }, SEASON);
  const seasons = cutSeasons({ start_date, values: low }, SEASON).map((minima, i) =>
    degreeDays({
      ...RULE,
      tmin: minima.values,
      tmax: maxima[i]!.values,
      start_date: minima.start_date,
      min_temporal_coverage: 0.95,
    }),
  );
  return new Map(seasons.map((season) => [Number(season.interval!.start_date.slice(0, 4)), season]));
}

/** Each station's share of the corn area in some years. */
function areaShares(years: readonly number[]): number[] {
  const acres = STATIONS.map((_, station) =>
    years.reduce((sum, year) => sum + (areas.get(`${station}/${year}`) ?? 0), 0),
  );
  const total = acres.reduce((sum, one) => sum + one, 0);
  return acres.map((one) => one / total);
}

/** Acres of corn harvested for grain in the counties that each station is the proxy of, by station and year. */
function cornAreas(path: string): Map<string, number> {
  const acres = new Map<string, number>();
  for (const row of csvRows(path)) {
    const station = STATIONS.findIndex(({ districts }) =>
      districts.includes(Number(row['Ag District Code'])),
    );
    const isWanted =
      row.State === 'IOWA' &&
      row['Data Item'] === 'CORN, GRAIN - ACRES HARVESTED' &&
      YEARS.includes(Number(row.Year)) &&
      station >= 0;
    const key = `${station}/${row.Year}`;
    if (isWanted) acres.set(key, (acres.get(key) ?? 0) + parseFigure(row.Value!));
  }
  return acres;
}

/** Parses a number with thousands separators; NaN without one. */
function parseFigure(text: string): number {
  const digits = text.replaceAll(',', '').trim();
  return /^-?[\d.]+$/.test(digits) ? Number(digits) : Number.NaN;
}

/** The rows of a CSV file by column name; cells may be quoted, but contain neither quotes nor line breaks. */
function csvRows(path: string): Record<string, string>[] {
  const lines = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  const cells = (line: string) =>
    [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const header = cells(lines[0]!);
  return lines.slice(1).map((line) => Object.fromEntries(cells(line).map((cell, i) => [header[i]!, cell])));
}
