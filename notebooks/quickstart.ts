import { mkdir, writeFile } from 'node:fs/promises';
import {
  describeFrame,
  frameHtml,
  plotAccumulatedDegreeDays,
  progressBar,
  renderPage,
  toArrowFile,
  toCsv,
  toParquet,
  toRows,
} from 'cropframe';
import { openEmbedded } from 'cropframe/embedded';

const asJson = process.argv.includes('--json');
const say = (...things: unknown[]) => asJson || console.log(...things);
const stop = new AbortController();
process.once('SIGINT', () => stop.abort(new Error('stopped; the store is as it was before')));
const watch = { signal: stop.signal, onProgress: progressBar((text) => process.stderr.write(text)) };

// 1. The whole service in this process, over a store that is built once and reused.
const store = 'cropframe-data/demo.duckdb';
const { client, close } = await openEmbedded({ path: store, demo: true, ...watch });
say(`\nThe store is ${store}; running again reuses it.`);

// 2. Find series by name, see why the first is chosen, and save what is wanted.
const stations = ['Seattle', 'New York City'];
const warmest = { metric: 'Temperature', item: 'Temperature max', region: 'Seattle', explain: true } as const;
for await (const { item_name, region_name, source_name, coverage } of client.findDataSeries(warmest)) {
  say(`\nfound: ${item_name}, ${region_name}, from ${source_name}`);
  say(`  chosen first because it covers ${coverage.share * 100}% of the period, ${coverage.points} points`);
}
for (const region of stations) {
  for (const item of ['Temperature max', 'Temperature min', 'Precipitation'])
    await client.addDataSeries({ item, region });
}

// 3. Fetch them concurrently and merge them: one row a point, then one column a series.
const long = await client.getDf({ include_names: true, ...watch });
const wide = await client.getDf({ compress_format: true, ...watch });
say('\n', long, '\n\n', wide);

// 4. Degree days of four seasons at both stations, in °C: mean capped at 30, above 10.
const seasons = [];
for (const year of [2012, 2013, 2014, 2015]) {
  const season = {
    start_date: `${year}-05-01`,
    end_date: `${year}-09-30`,
    base_temperature: 10,
    upper_temperature_cap: 30,
  };
  for (const days of await client.findDegreeDays({
    region_names: stations,
    ...season,
    signal: stop.signal,
  })) {
    seasons.push({ ...days, year, label: `${days.region_name.split(' weather')[0]} ${year}` });
  }
}
const source = seasons[0]!.tmin_series.source_name!;
say(`\nGrowing degree days, 1 May to 30 September, °C (${source})`);
for (const { label, total, coverage } of seasons)
  say(`  ${label.padEnd(20)} ${total.toFixed(2).padStart(8)}   ${coverage * 100}% of days`);

// 5. Weigh two states by their corn area: their yield, and their weather, each state stood for by its one station.
const place = async (name: string) => ({ id: (await client.searchForEntity('regions', name))!, name });
const [washington, newYork, seattle, newYorkCity] = await Promise.all(
  ['Washington', 'New York', ...stations].map(place),
);
const byArea = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested', signal: stop.signal };
const states = [washington!, newYork!];
const weights = await client.explainWeights('Corn', 'Area harvested', { regions: states });
const weighted = await client.computeCropWeightedSeries({
  ...byArea,
  item_name: 'Corn',
  metric_name: 'Yield',
  regions: states,
});
const cornYield: Record<string, number> = {};
for (const { end_date, value } of toRows(weighted)) {
  const year = String(end_date).slice(0, 4);
  cornYield[year] = (cornYield[year] ?? 0) + Number(value);
}
const stoodFor = [
  { ...washington!, stand_in: seattle! },
  { ...newYork!, stand_in: newYorkCity! },
];
const temperature = { item_name: 'Temperature max', metric_name: 'Temperature', regions: stoodFor };
const cornWeather = await client.computeCropWeightedAverage({ ...byArea, ...temperature });
const sourcesOf = (...frames: (typeof long)[]) => [
  ...new Set(frames.flatMap((frame) => describeFrame(frame).sources.map(({ name }) => name))),
];
say(`\nWeights by mean corn area 2002–2011 (${weights.series[0]!.source_name})`);
states.forEach(({ name }, i) => say(`  ${name.padEnd(20)} ${weights.weights[i]!.toFixed(4)}`));
say(
  `\nCorn yield of both states weighted by area, ${describeFrame(weighted).units[0]!.abbreviation} (${sourcesOf(weighted)})`,
);
for (const [year, value] of Object.entries(cornYield)) say(`  ${year} ${value.toFixed(1).padStart(8)}`);
say(
  `\nDaily maximum temperature weighted by corn area, °C: Washington stood for by ${seattle!.name}, New York by ${newYorkCity!.name}`,
);
say(cornWeather);

// 6. Write the wide frame in three formats and a page with the plot.
const output = 'quickstart-output';
const plot = plotAccumulatedDegreeDays(seasons, { title: 'Growing degree days, May to September', source });
const page = renderPage('cropframe quickstart', [
  { heading: 'Growing degree days by year', html: plot },
  { heading: 'Six series, one column each', html: frameHtml(wide) },
]);
const files = {
  'wide.parquet': await toParquet(wide),
  'wide.arrow': toArrowFile(wide),
  'wide.csv': toCsv(wide),
  'degree-days.svg': plot,
  'index.html': page,
};
await mkdir(output, { recursive: true });
for (const [name, content] of Object.entries(files)) await writeFile(`${output}/${name}`, content);
say(
  `\nWrote ${Object.keys(files)
    .map((name) => `${output}/${name}`)
    .join(', ')}; open ${output}/index.html in a browser.`,
);
await close();

if (asJson) {
  const results = {
    store,
    series: client.getDataSeriesList(),
    frames: { long: describeFrame(long), wide: describeFrame(wide) },
    growing_degree_days: seasons.map(
      ({ region_name, year, total, coverage, days, method, base, cap, temperature_unit }) => ({
        region_name,
        year,
        total,
        coverage,
        days,
        method,
        base,
        cap,
        temperature_unit,
        source,
      }),
    ),
    weights: states.map(({ name }, i) => ({
      region_name: name,
      weight: weights.weights[i],
      source: weights.series[i]!.source_name,
    })),
    corn_yield: {
      by_year: cornYield,
      unit: describeFrame(weighted).units[0]!.abbreviation,
      sources: sourcesOf(weighted),
    },
    corn_weighted_temperature: {
      stand_ins: stoodFor.map(({ name, stand_in }) => ({ region_name: name, station: stand_in.name })),
      days: toRows(cornWeather),
      sources: sourcesOf(cornWeather),
    },
    files: Object.keys(files).map((name) => `${output}/${name}`),
  };
  console.log(JSON.stringify(results, null, 2));
}
