import type { PointColumns } from '../../src/columns/point-columns.js';
import { decodeSeriesBlocks } from '../../src/contract/read-blocks.js';
import type { SeriesBlock } from '../../src/contract/shapes.js';
import { decodePointStream } from '../../src/contract/stream/point-decoder.js';
import { ARROW_STREAM } from '../../src/contract/wire-names.js';
import { keyOf } from './big-store.js';

/** Rows and a sum of values: enough to tell wrong answers. */
export interface Answer {
  rows: number;
  sum: number;
}

export type Format = 'arrow' | 'json';

/** Requests for a reader in a process of its own: each wants some series; `readers` go through them side by side. */
export interface Reading {
  readonly url: string;
  readonly format: Format;
  readonly requests: readonly (readonly number[])[];
  readonly readers: number;
}

export interface ReadingResult {
  readonly answer: Answer;
  /** Milliseconds of each request until its last byte. */
  readonly times: readonly number[];
}

export async function readAll({ url, format, requests, readers }: Reading): Promise<ReadingResult> {
  const times: number[] = [];
  const answers: Answer[] = [];
  const left = [...requests];
  const reader = async (): Promise<void> => {
    for (let wanted = left.shift(); wanted !== undefined; wanted = left.shift()) {
      const began = performance.now();
      const bytes = await ask(url, wanted, format);
      times.push(performance.now() - began);
      answers.push(await decode(bytes, format));
    }
  };
  await Promise.all(Array.from({ length: readers }, reader));
  return { answer: total(answers), times };
}

export function total(answers: readonly Answer[]): Answer {
  const rows = answers.reduce((all, answer) => all + answer.rows, 0);
  const sum = answers.reduce((all, answer) => all + answer.sum, 0);
  return { rows, sum: Math.round(sum * 10) / 10 };
}

export function summed(batches: readonly PointColumns[]): Answer {
  let rows = 0;
  let sum = 0;
  for (const { length, value } of batches) {
    rows += length;
    for (let i = 0; i < length; i++) sum += value[i]!;
  }
  return { rows, sum };
}

async function ask(url: string, wanted: readonly number[], format: Format): Promise<Uint8Array> {
  const accept = format === 'arrow' ? ARROW_STREAM : 'application/json';
  const response = await fetch(`${url}/v2/data`, {
    method: 'POST',
    body: JSON.stringify(wanted.map(selectionOf)),
    headers: { accept, 'content-type': 'application/json', 'accept-encoding': 'identity' },
  });
  if (!response.ok) throw new Error(`the service answered ${response.status}: ${await response.text()}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function decode(bytes: Uint8Array, format: Format): Promise<Answer> {
  if (format === 'json') {
    const blocks = JSON.parse(new TextDecoder().decode(bytes)) as SeriesBlock[];
    return summed(decodeSeriesBlocks(blocks, { endpoint: 'points' }).batches);
  }
  const { batches } = await decodePointStream(new Response(bytes as BodyInit).body!, 'points');
  const answer = { rows: 0, sum: 0 };
  for await (const columns of batches) {
    const { rows, sum } = summed([columns]);
    answer.rows += rows;
    answer.sum += sum;
  }
  return answer;
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
