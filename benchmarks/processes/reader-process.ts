import { openPointAnswer } from '../../src/client/points/point-answer.js';
import { sendFromNode } from '../../src/client/sending/node-send.js';
import { wholeBody } from '../../src/client/sending/send.js';
import { RUNS } from '../../src/contract/wire-names.js';
import { createClient } from '../../src/create-client.js';
import { readColumn } from '../../src/frame/table/columns.js';
import type { Total, Wanted } from '../stores/engine.js';
import { keyOf } from '../stores/synthetic-weather.js';
import { serveTasks } from './tasks.js';

/** How points are asked for: the bytes of an answer, as our client asks or as JSON, or a table from the client. */
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
  /** Bytes of all answers; 0 for tables. */
  readonly bytes: number;
}

interface Answered {
  readonly body: Uint8Array;
  readonly headers: Headers;
}

type Answer = Answered | Total;

interface Answers {
  readonly answers: readonly Answer[];
  readonly times: readonly number[];
}

serveTasks(readAll, async ({ answers, times }: Answers): Promise<ReadingResult> => {
  const total = { rows: 0, sum: 0, times, bytes: 0 };
  for (const answer of answers) {
    if ('body' in answer) total.bytes += answer.body.length;
    const { rows, sum } = 'body' in answer ? await totalOf(answer) : answer;
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

/** Asks as our client does, whose own work is left out. */
function askService(url: string, format: 'arrow' | 'json'): (wanted: Wanted) => Promise<Answer> {
  const headers = new Headers({
    accept: format === 'arrow' ? RUNS : 'application/json',
    'content-type': 'application/json',
    'accept-encoding': 'identity',
  });
  const { signal } = new AbortController();
  const sent = { method: 'POST', url: `${url}/v2/data`, headers, signal, redirect: 'manual' } as const;
  return async (wanted) => {
    const body = JSON.stringify(wanted.map(selectionOf));
    const response = await sendFromNode({ ...sent, body }, () => {});
    if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
    return {
      body: wholeBody(response) ?? new Uint8Array(await response.arrayBuffer()),
      headers: response.headers,
    };
  };
}

async function totalOf({ body, headers }: Answered): Promise<Total> {
  const { batches } = await openPointAnswer('points', new Response(body as BodyInit, { headers }));
  const total = { rows: 0, sum: 0 };
  for await (const parts of batches) {
    for (const { length, value } of parts) {
      total.rows += length;
      for (let row = 0; row < length; row++) total.sum += value[row]!;
    }
  }
  return total;
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
