import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, fromArrow, type LongFrame, readColumn, toCsv, writeFrame } from 'cropframe';
import { filter } from 'cropframe/frame';
import { runScript } from './script.js';

/**
 * Keeps a folder of Parquet files up to date, one for each month: `points/year=2012/month=05/points.parquet`. The first run
 * fetches everything; every other run asks only for what became available since, and writes the months that have changed.
 * Run it by cron after your imports. An import whose available dates are backdated to before the last run is not seen:
 * delete state.arrow, and the next run fetches everything again.
 *
 * For series of your own, change SELECTION; its series must be daily, so that each point is of one month.
 */
const SELECTION = { frequency_id: 1 };
const KEY = ['metric_id', 'item_id', 'region_id', 'partner_region_id', 'frequency_id', 'source_id'] as const;

await runScript('monthly-parquet.ts STORE|HOST FOLDER', async (client, folder) => {
  const stateFile = join(folder, 'state.arrow');
  const before = existsSync(stateFile) ? fromArrow(readFileSync(stateFile)) : null;
  const after = await currentFrame(client, before as LongFrame | null);
  let [written, unchanged] = [0, 0];
  for (const month of monthsOf(after)) {
    const bounds = { start_date: `${month}-01`, end_date: lastDay(month) };
    const points = filter(after, bounds);
    const [year, number] = month.split('-');
    const partition = join(folder, 'points', `year=${year}`, `month=${number}`);
    const file = join(partition, 'points.parquet');
    const isKnown = before !== null && existsSync(file) && toCsv(filter(before, bounds)) === toCsv(points);
    if (isKnown) unchanged++;
    else {
      await mkdir(partition, { recursive: true });
      await writeFrame(points, file);
      written++;
    }
  }
  // Last, so that a run that ends early is made up for by the next one.
  await writeFrame(after, stateFile);
  console.log(`${written} months written, ${unchanged} unchanged; ${after.numRows} points in ${folder}`);
});

/** All points: those of the last run and what became available since, or, with other series than then, all anew. */
async function currentFrame(client: Client, before: LongFrame | null): Promise<LongFrame> {
  const series = await client.getDataSeries(SELECTION);
  if (series.length === 0)
    throw new Error(`nothing has ${JSON.stringify(SELECTION)}; import daily series first`);
  const known = before === null ? new Set<string>() : new Set(keysOf(before));
  const isSame = before !== null && series.every((one) => known.has(keyText(one)));
  if (isSame) {
    const frame = await client.refreshDf(before, { later_periods: true });
    console.log(
      `asked what became available since the last run: ${frame.numRows - before.numRows} more points`,
    );
    return frame;
  }
  // Without the dates of the list, which would keep later months out.
  for (const { start_date: _, end_date: __, ...one } of series) client.addSingleDataSeries(one);
  console.log(`${before === null ? 'first run' : 'there are new series'}: fetching ${series.length} series`);
  return client.getDf({ include_names: true });
}

function keyText(series: Readonly<Record<(typeof KEY)[number], number>>): string {
  return KEY.map((field) => series[field]).join(' ');
}

function keysOf(frame: LongFrame): string[] {
  const columns = KEY.map((field) => readColumn(frame, field, 'int32').values);
  return Array.from({ length: frame.numRows }, (_, row) => columns.map((column) => column[row]).join(' '));
}

function monthsOf(frame: LongFrame): string[] {
  const starts = readColumn(frame, 'start_date', 'timestamp').values;
  const months = Array.from(starts, (ms) => new Date(Number(ms)).toISOString().slice(0, 7));
  return [...new Set(months)].sort();
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
}
