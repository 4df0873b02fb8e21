import { mkdir, writeFile } from 'node:fs/promises';
import {
  describeFrame,
  frameHtml,
  fromRows,
  plotAccumulatedDegreeDays,
  progressBar,
  renderPage,
  sumAcrossRegions,
  toArrowFile,
  toCsv,
  toParquet,
  toRows,
} from 'cropframe';
import { openEmbedded } from 'cropframe/embedded';

const asJson = process.argv.includes('--json');
const say = (...things: unknown[]): void => void (asJson || console.log(...things));
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('stopped; the store is as it was before')));
process.once('uncaughtException', ({ message }) => {
  console.error(`\n${message}`);
  process.exit(1);
});
const watch = { signal: stop.signal, onProgress: progressBar((text) => process.stderr.write(text)) };

// 1. The whole service in this process, over a store that is built once and reused.
const store = 'cropframe-data/demo.duckdb';
const { client, close } = await openEmbedded({ path: store, demo: true, ...watch });
say(`The store is ${store}; another run reuses it.`);

// 2. Find series by name, see why the first was chosen, and save what is wanted.
const stations = ['Seattle', 'New York City'];
const names = { metric: 'Temperature', item: 'Temperature max', region: 'Seattle' };
for await (const { region_name, source_name, coverage } of client.findDataSeries({
  ...names,
  explain: true,
})) {
  say(
    `Chosen: ${names.item}, ${region_name}, ${source_name}: ${coverage.points} points cover ${coverage.share * 100}%.`,
  );
  break;
}
for (const region of stations)
  for (const item of [names.item, 'Temperature min', 'Precipitation'])
    await client.addDataSeries({ item, region });

// 3. Fetch them concurrently and merge them: one row a point, then one column a series.
const long = await client.getDf({ include_names: true, ...watch });
const wide = await client.getDf({ compress_format: true, ...watch });
say('\n', long, '\n\n', wide);

// 4. Degree days of four seasons at both stations: the day's mean, capped at 30 °C, above 10 °C.
const rule = { base_temperature: 10, upper_temperature_cap: 30, region_names: stations, signal: stop.signal };
const years = [2012, 2013, 2014, 2015];
const seasonOf = (year: number) =>
  client.findDegreeDays({ ...rule, start_date: `${year}-05-01`, end_date: `${year}-09-30` });
const seasons = (await Promise.all(years.map(seasonOf))).flat();
const degreeDays = seasons.map(
  ({ region_name, interval, total, coverage, method, base, cap, tmin_series }) => {
    const year = Number(interval!.start_date.slice(0, 4));
    return {
      region_name,
      year,
      total,
      unit: '°C·day',
      coverage,
      method,
      base,
      cap,
      source: tmin_series.source_name ?? '',
    };
  },
);

// 5. Weigh two states by their corn area: their yield, and their weather, each state stood for by its one station.
const place = async (name: string) => ({ id: (await client.searchForEntity('regions', name))!, name });
const [washington, newYork, seattle, newYorkCity] = await Promise.all(
  ['Washington', 'New York', ...stations].map(place),
);
const states = [washington!, newYork!];
const byArea = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested', signal: stop.signal };
const { weights, series } = await client.explainWeights('Corn', 'Area harvested', { regions: states });
const cornOf = { item_name: 'Corn', metric_name: 'Yield', regions: states };
const cornYield = sumAcrossRegions(await client.computeCropWeightedSeries({ ...byArea, ...cornOf }));
const standIns = [
  { ...washington!, stand_in: seattle! },
  { ...newYork!, stand_in: newYorkCity! },
];
const weather = { item_name: 'Temperature max', metric_name: 'Temperature', regions: standIns };
const cornWeather = await client.computeCropWeightedAverage({ ...byArea, ...weather });
const cornWeights = states.map(({ name }, i) => ({
  region_name: name,
  weight: weights[i]!,
  source: series[i]?.source_name ?? '',
}));

// 6. Write the wide frame in three formats, the plot, and a page that shows both.
const { source } = degreeDays[0]!;
const labels = degreeDays.map(
  ({ region_name, year }) => `${region_name.replace(' weather station', '')} ${year}`,
);
const lines = seasons.map((season, i) => ({ ...season, label: labels[i]! }));
const plot = plotAccumulatedDegreeDays(lines, { title: 'Growing degree days, May to September', source });
const parts = [
  { heading: 'Growing degree days by year', html: plot },
  { heading: 'Wide frame', html: frameHtml(wide) },
];
const files = {
  'wide.parquet': await toParquet(wide),
  'wide.arrow': toArrowFile(wide),
  'wide.csv': toCsv(wide),
  'degree-days.svg': plot,
  'index.html': renderPage('cropframe quickstart', parts),
};
await mkdir('quickstart-output', { recursive: true });
for (const [name, content] of Object.entries(files)) await writeFile(`quickstart-output/${name}`, content);
const written = Object.keys(files).map((name) => `quickstart-output/${name}`);

say(
  '\nGrowing degree days, 1 May to 30 September\n',
  fromRows(degreeDays.map(({ method, base, cap, ...shown }) => shown)),
);
say('\nWeights by mean corn area, 2002 to 2011\n', fromRows(cornWeights));
say('\nCorn yield of both states, weighted by area\n', cornYield);
say(
  `\nDaily maximum temperature weighted by corn area; Washington is stood for by ${seattle!.name}, New York by ${newYorkCity!.name}`,
);
say(cornWeather, `\n\nWrote ${written.join(', ')}.\nOpen quickstart-output/index.html in a browser.`);
const frames = { long: describeFrame(long), wide: describeFrame(wide), corn_yield: describeFrame(cornYield) };
const results = {
  store,
  series: client.getDataSeriesList(),
  growing_degree_days: degreeDays,
  weights: cornWeights,
};
const tables = {
  corn_yield: toRows(cornYield),
  corn_weighted_temperature: toRows(cornWeather),
  stand_ins: standIns,
};
if (asJson) console.log(JSON.stringify({ ...results, ...tables, frames, files: written }, null, 2));
await close();
