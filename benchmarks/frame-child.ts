import type { Table } from 'apache-arrow';
import { openEmbedded } from '../src/embedded.js';
import { readColumn, readColumns } from '../src/frame/table/columns.js';
import { type Client, createClient, type DataSeries } from '../src/index.js';
import { serveTasks } from './child.js';
import type { Print } from './engine-child.js';
import { seriesByNumber } from './weather.js';

/** Frames to be retrieved, of these series each. */
export interface Retrieval {
  /** The service; null to open the store in this process. */
  readonly url: string | null;
  readonly store: string;
  readonly queries: readonly (readonly number[])[];
  readonly readers: number;
  readonly compress_format: boolean;
}

let client: Client | null = null;
let series: readonly DataSeries[] = [];

serveTasks(retrieve, printOf);

async function retrieve({ url, store, queries, readers, compress_format }: Retrieval): Promise<Table[]> {
  if (client === null) {
    const options = { api_host: url ?? '', access_token: 'none', concurrency: 64 };
    client = url === null ? (await openEmbedded({ path: store })).client : createClient(options);
    series = await seriesByNumber(client);
  }
  const frames: Table[] = [];
  const left = [...queries];
  await Promise.all(
    Array.from({ length: readers }, async () => {
      for (let wanted = left.shift(); wanted !== undefined; wanted = left.shift())
        frames.push(await frameOf(client!, { wanted, compress_format }));
    }),
  );
  return frames;
}

async function frameOf(
  from: Client,
  { wanted, compress_format }: { wanted: readonly number[]; compress_format: boolean },
): Promise<Table> {
  if (wanted.length === 1) return from.getDataPointsTable(series[wanted[0]!]!);
  from.clearDataSeriesList();
  for (const number of wanted) from.addSingleDataSeries(series[number]!);
  return from.getDf({ compress_format });
}

function printOf(frames: readonly Table[]): Print {
  const print = { points: 0, tenths: 0, dated: 0 };
  for (const frame of frames) {
    const ends = readColumn(frame, 'end_date', 'timestamp').values;
    for (const { field, column } of readColumns(frame)) {
      if (column.type !== 'float64' || (field.name !== 'value' && !frameIsWide(frame))) continue;
      for (let row = 0; row < column.values.length; row++) {
        const tenths = Math.round(column.values[row]! * 10);
        print.points++;
        print.tenths += tenths;
        print.dated += tenths * (Number(ends[row]) / 86_400_000);
      }
    }
  }
  return print;
}

function frameIsWide(frame: Table): boolean {
  return frame.schema.fields[0]?.name === 'end_date';
}
