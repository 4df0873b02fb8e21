import type { PointColumns } from '../../src/columns/point-columns.js';
import { decodeSeriesBlocks } from '../../src/contract/read-blocks.js';
import type { SeriesBlock } from '../../src/contract/shapes.js';
import { decodePointStream } from '../../src/contract/stream/point-decoder.js';
import { ARROW_STREAM } from '../../src/contract/wire-names.js';
import { createClient } from '../../src/create-client.js';
import { readColumn } from '../../src/frame/table/columns.js';
import type { Total, Wanted } from '../stores/engine.js';
import { keyOf } from '../stores/synthetic-weather.js';
import { serveTasks } from './tasks.js';

/** How points are asked for: the bytes of an answer, or a table from the client. */
export type Format = 'arrow' | 'json' | 'table';

/** Requests to a service, each of some series; `readers` go through them side by side. */
export interface Reading {
  readonly url: string;
  readonly format: Format;
  readonly requests: readonly Wanted[];
  readonly readers: number;
}

export interface ReadingResult extends Total {
  /** Milliseconds of each request until its last byte, or until the table is there. */
  readonly times: readonly number[];
}

type Answer = Uint8Array | Total;

interface Answers {
  readonly answers: readonly Answer[];
  readonly times: readonly number[];
}

serveTasks(readAll, async ({ answers, times }, { format }: Reading): Promise<ReadingResult> => {
  const total = { rows: 0, sum: 0, times };
  for (const answer of answers) {
    const { rows, sum } = answer instanceof Uint8Array ? await decode(answer, format) : answer;
    total.rows += rows;
    total.sum += sum;
  }
  return total;
});

async function readAll({ url, format, requests, readers }: Reading): Promise<Answers> {
  const times: number[] = [];
  const answers: Answer[] = [];
  const ask = format === 'table' ? askClient(url) : askService(url, format);
  const left = [...requests];
  const reader = async (): Promise<void> => {
    for (let wanted = left.shift(); wanted !== undefined; wanted = left.shift()) {
      const began = performance.now();
      answers.push(await ask(wanted));
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return { answers, times };
}

function askClient(url: string): (wanted: Wanted) => Promise<Answer> {
  const client = createClient({ api_host: url, access_token: 'none', concurrency: 64 });
  return async ([only]) => {
    const table = await client.getDataPointsTable(keyOf(only!));
    const { values } = readColumn(table, 'value', 'float64');
    return { rows: values.length, sum: values.reduce((sum, value) => sum + value, 0) };
  };
}

function askService(url: string, format: 'arrow' | 'json'): (wanted: Wanted) => Promise<Answer> {
  const accept = format === 'arrow' ? ARROW_STREAM : 'application/json';
  return async (wanted) => {
    const response = await fetch(`${url}/v2/data`, {
      method: 'POST',
      body: JSON.stringify(wanted.map(selectionOf)),
      headers: { accept, 'content-type': 'application/json', 'accept-encoding': 'identity' },
    });
    if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

async function decode(bytes: Uint8Array, format: Format): Promise<Total> {
  if (format === 'json') {
    const blocks = JSON.parse(new TextDecoder().decode(bytes)) as SeriesBlock[];
    return totalOf(decodeSeriesBlocks(blocks, { endpoint: 'points' }).batches);
  }
  const { batches } = await decodePointStream(new Response(bytes as BodyInit).body!, 'points');
  const total = { rows: 0, sum: 0 };
  for await (const columns of batches) {
    const { rows, sum } = totalOf([columns]);
    total.rows += rows;
    total.sum += sum;
  }
  return total;
}

function totalOf(batches: readonly PointColumns[]): Total {
  let rows = 0;
  let sum = 0;
  for (const { length, value } of batches) {
    rows += length;
    for (let i = 0; i < length; i++) sum += value[i]!;
  }
  return { rows, sum };
}

function selectionOf(i: number): object {
  const { metric_id, item_id, region_id, source_id, frequency_id } = keyOf(i);
  return {
    metricId: metric_id,
    itemId: item_id,
    regionId: region_id,
    sourceId: source_id,
    frequencyId: frequency_id,
  };
}
