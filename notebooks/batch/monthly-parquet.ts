import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Client, fromParquet, type LongFrame } from 'cropframe';
import { runScript } from './script.js';

/**
 * Keeps a folder of Parquet files up to date, one for each month: `points/year=2012/month=05/points.parquet`. Each run
 * fetches the points, and writes the months that have changed. Run it by cron after your imports.
 *
 * For series of your own, change SELECTION; its series must be daily, so that each point is of one month.
 */
const SELECTION = { frequency_id: 1 };

await runScript('monthly-parquet.ts STORE|HOST FOLDER', async (client, folder) => {
  const frame = await currentFrame(client);
  let [written, unchanged] = [0, 0];
  for (const month of monthsOf(frame)) {
    const points = frame.filter({ start_date: `${month}-01`, end_date: lastDay(month) });
    const [year, number] = month.split('-');
    const partition = join(folder, 'points', `year=${year}`, `month=${number}`);
    const file = join(partition, 'points.parquet');
    const before = existsSync(file) ? await fromParquet(await readFile(file)) : null;
    if (before !== null && before.toCsv() === points.toCsv()) unchanged++;
    else {
      await mkdir(partition, { recursive: true });
      await points.write(file);
      written++;
    }
  }
  console.log(`${written} months written, ${unchanged} unchanged; ${frame.numRows} points in ${folder}`);
});

async function currentFrame(client: Client): Promise<LongFrame> {
  const series = await client.getDataSeries(SELECTION);
  if (series.length === 0)
    throw new Error(`nothing has ${JSON.stringify(SELECTION)}; import daily series first`);
  for (const one of series) client.addSingleDataSeries(one);
  return client.getDf({ include_names: true });
}

function monthsOf(frame: LongFrame): string[] {
  const starts = frame.column('start_date', 'timestamp').values;
  const months = Array.from(starts, (ms) => new Date(Number(ms)).toISOString().slice(0, 7));
  return [...new Set(months)].sort();
}

function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10);
}
