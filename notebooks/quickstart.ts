import { mkdir, writeFile } from 'node:fs/promises';
import { fromRows, progressBar } from 'cropframe';
import { weightsFrame } from 'cropframe/agronomy';
import { plotAccumulatedDegreeDays } from 'cropframe/charts';
import { openEmbedded } from 'cropframe/embedded';

const asJson = process.argv.includes('--json');
const say = (...things: unknown[]): void => void (asJson || console.log(...things));
const onProgress = progressBar((text) => process.stderr.write(text));

// 1. The whole service in this process, over a store that is built once and reused.
const store = 'cropframe-data/demo.duckdb';
const { client, close } = await openEmbedded({ path: store, demo: true, onProgress });
say(`The store is ${store}; another run reuses it.`);

// 2. Find series by name, see how much of the period they cover, by which they are ranked, and save them.
const period = { start_date: '2012-01-01', end_date: '2015-12-31' };
const stations = ['Seattle', 'New York City'];
for (const region of stations)
  for (const item of ['Temperature max', 'Temperature min', 'Precipitation']) {
    const found = (await client.addDataSeries({ item, region, ...period, explain: true }))!;
    const { points, share } = found.coverage;
    say(
      `${item}, ${found.region_name}, ${found.source_name}: ${points} points cover ${share * 100}% of 2012 to 2015.`,
    );
  }

// 3. Fetch them concurrently and merge them: one row for each point, then one column for each series.
const long = await client.getDf({ include_names: true, onProgress });
const wide = await client.getDf({ compress_format: true, onProgress });
say('\n', long, '\n\n', wide);

// 4. Degree days of four seasons at both stations: the day's mean, capped at 30 °C, above 10 °C.
const rule = { region_name: stations, base_temperature: 10, upper_temperature_cap: 30 };
const seasons = [];
for (const year of [2012, 2013, 2014, 2015]) {
  const season = { start_date: `${year}-05-01`, end_date: `${year}-09-30` };
  seasons.push(...(await client.growingDegreeDays({ ...rule, ...season, explain: true })));
}
const degreeDays = fromRows(
  seasons.map(({ region_name, interval, total, coverage, tmin_series }) => ({
    region_name,
    start_date: new Date(interval!.start_date),
    end_date: new Date(interval!.end_date),
    total,
    unit: '°C·day',
    coverage,
    source_name: tmin_series.source_name,
  })),
);
const temperatures = seasons[0]!.tmin_series.source_name;
say(`\nGrowing degree days, 1 May to 30 September, by ${temperatures}\n`, degreeDays);

// 5. Weight two states by their corn area: their yield, then their weather, each by a station as its proxy.
const regions = ['Washington', 'New York'];
const weights = weightsFrame(await client.explainWeights('Corn', 'Area harvested', { regions }));
const byArea = { weighting_crop_name: 'Corn', weighting_metric_name: 'Area harvested' };
const yields = { ...byArea, item_name: 'Corn', metric_name: 'Yield', regions };
const cornYield = (await client.computeCropWeightedSeries(yields)).weighted({ how: 'sum' });
const proxies = regions.map((name, i) => ({ name, proxy_region: stations[i]! }));
const heat = { ...byArea, item_name: 'Temperature max', metric_name: 'Temperature', regions: proxies };
const cornHeat = await client.computeCropWeightedAverage(heat);
say('\nWeights by mean corn area, 2002 to 2011\n', weights);
say('\nCorn yield of both states, weighted by area\n', cornYield);
const byStation = proxies.map(({ name, proxy_region }) => `${name} by the station of ${proxy_region}`);
say(`\nDaily maximum temperature weighted by corn area; ${byStation.join(', ')}\n`, cornHeat);

// 6. Write the wide frame in three formats, the plot, and a page that shows both.
const plot = plotAccumulatedDegreeDays(seasons, { title: 'Growing degree days, May to September' });
const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>cropframe quickstart</title>';
const page = `${head}<h1>Growing degree days by year</h1>${await plot.toHtml()}${wide.toHtml()}</html>`;
const names = ['wide.parquet', 'wide.arrow', 'wide.csv', 'degree-days.svg', 'index.html'];
const files = names.map((name) => `quickstart-output/${name}`);
await mkdir('quickstart-output', { recursive: true });
for (const file of files.slice(0, 3)) await wide.write(file);
await writeFile(files[3]!, await plot.toSvg());
await writeFile(files[4]!, page);
say(`\nWrote ${files.join(', ')}.\nOpen quickstart-output/index.html in a browser.`);

if (asJson) {
  const saved = { store, series: client.getDataSeriesList(), growing_degree_days: degreeDays.toRows() };
  const corn = { weights: weights.toRows(), corn_yield: cornYield.toRows(), proxy_regions: proxies };
  const weather = { corn_weighted_temperature: cornHeat.toRows() };
  const frames = {
    long: long.summary(),
    wide: wide.summary(),
    corn_yield: cornYield.summary(),
  };
  console.log(JSON.stringify({ ...saved, ...corn, ...weather, frames, files }, null, 2));
}
await close();
