import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, fromArrow, fromRows, progressBar } from 'cropframe';
import 'cropframe/agronomy';
import { runScript } from './script.js';

/**
 * Degree days of every region and season of a source with daily temperatures: thousands of regions, a batch at a time, in one
 * Parquet file. Each batch is kept in a file of its own until all are done: a run that was killed goes on where it was when
 * it is started again, with what was known when the job began. For another selection or rule, change what is in capitals.
 */
const [TMIN, TMAX, DAILY] = ['Temperature min', 'Temperature max', 1];
/** The source by name, for a store in which several have temperatures. */
const SOURCE: string | null = null;
const SEASON = { from: '05-01', to: '09-30' };
const RULE = { base_temperature: 10, upper_temperature_cap: 30 };
const REGIONS_IN_BATCH = 100;

await runScript('fleet-degree-days.ts STORE|HOST FOLDER', async (client, folder) => {
  const parts = join(folder, 'degree-days.parts');
  const job = await openJob(client, parts);
  const batches = Array.from({ length: Math.ceil(job.regions.length / REGIONS_IN_BATCH) }, (_, at) =>
    job.regions.slice(at * REGIONS_IN_BATCH, (at + 1) * REGIONS_IN_BATCH),
  );
  const files = batches.map((_, at) => join(parts, `${String(at).padStart(5, '0')}.arrow`));
  const finished = files.filter((file) => existsSync(file)).length;
  console.log(`${job.regions.length} regions in ${batches.length} batches; ${finished} were finished before`);
  const show = progressBar((text) => process.stderr.write(text));
  for (const [at, file] of files.entries()) {
    // A file that is there is whole: writeFrame renames it into place.
    if (!existsSync(file)) await (await degreeDaysOfBatch(client, job, batches[at]!)).write(file);
    show({ label: 'degree days', done: at + 1, total: files.length, unit: 'batches' });
  }
  const rows = files.flatMap((file) => fromArrow(readFileSync(file)).toRows());
  const whole = join(folder, 'degree-days.parquet');
  await fromRows(rows).write(whole);
  await rm(parts, { recursive: true });
  const missing = rows.filter(({ total }) => total === null).length;
  console.log(`${rows.length} seasons in ${whole}; ${missing} without a total, because days are missing`);
});

interface Job {
  readonly rule: string;
  /** Every batch is fetched as of this time, so that an import in between does not mix two states. */
  readonly at_time: string;
  readonly regions: readonly { id: number; name: string }[];
  readonly items: { tmin: number; tmax: number };
  readonly source: { id: number; name: string; metric_id: number };
}

/** The job that was begun and not finished, or a new one. */
async function openJob(client: Client, parts: string): Promise<Job> {
  const file = join(parts, 'job.json');
  const rule = JSON.stringify({ store: process.argv[2], SOURCE, SEASON, RULE, REGIONS_IN_BATCH });
  if (existsSync(file)) {
    const job = JSON.parse(readFileSync(file, 'utf8')) as Job;
    if (job.rule === rule) return job;
    throw new Error(`${parts} is of another store, rule or batch; delete it to begin anew`);
  }
  const at_time = new Date().toISOString();
  const items = { tmin: await itemId(client, TMIN), tmax: await itemId(client, TMAX) };
  const all = await client.getDataSeries({ item_id: items.tmin, frequency_id: DAILY });
  const series = all.filter(({ source_name }) => SOURCE === null || source_name === SOURCE);
  const [one] = series;
  if (one === undefined) throw new Error(`no region has a daily ${TMIN}; import weather, or see SOURCE`);
  const sources = new Set(series.map(({ source_name }) => source_name));
  if (sources.size > 1) throw new Error(`set SOURCE to one of these: ${[...sources].join(', ')}`);
  const source = { id: one.source_id, name: String(one.source_name), metric_id: one.metric_id };
  const names = new Map(series.map((each) => [each.region_id, String(each.region_name)]));
  const regions = [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.id - b.id);
  const job = { rule, at_time, items, source, regions };
  await rm(parts, { recursive: true, force: true });
  await mkdir(parts, { recursive: true });
  await writeFile(`${file}.new`, JSON.stringify(job));
  await rename(`${file}.new`, file);
  return job;
}

async function itemId(client: Client, name: string): Promise<number> {
  const id = await client.searchForEntity('items', name);
  const found = id === undefined ? undefined : await client.lookup('items', id);
  if (found?.name !== name) throw new Error(`there is no item "${name}"`);
  return found.id;
}

async function degreeDaysOfBatch(client: Client, { at_time, items, source }: Job, regions: Job['regions']) {
  const { tmin, tmax } = items;
  const selection = { region_id: regions.map(({ id }) => id), item_id: [tmin, tmax], frequency_id: DAILY };
  const { id: source_id, name: source_name, metric_id } = source;
  const points = await client.getDataPointsTable({ ...selection, metric_id, source_id, at_time });
  const choice = { tmin: { item_id: tmin }, tmax: { item_id: tmax } };
  const names = new Map(regions.map(({ id, name }) => [id, name]));
  const rows = points.degreeDays({ ...RULE, ...choice, season: SEASON }).toRows();
  return fromRows(
    rows.map((row) => ({ ...row, region_name: names.get(Number(row.region_id))!, source_name })),
  );
}
