import type { PackedPoints } from '../../columns/packed-points.js';
import type { PointsQuery } from '../../contract/endpoints.js';
import { CarriedPoints, carryPoints } from '../../contract/points/carried-points.js';
import { encodeRuns } from '../../contract/points/run-frames.js';
import { type ArrowHead, encodeArrow } from '../../contract/points/write-arrow.js';
import { type BlockSeries, blockHead, positionalPoint } from '../../contract/series-blocks.js';
import { ARROW_STREAM, RUNS } from '../../contract/wire-names.js';
import type { Handlers, RequestContext, ServiceContext } from '../handler.js';
import { acceptedWeight } from '../http/answers.js';
import { byteStream, startEarly, streamAnswer } from '../http/stream.js';
import { type PlannedPoints, planPoints } from './plan-points.js';
import { checkGaps, preparePoints } from './prepare-points.js';

export const pointHandlers = {
  points: async (input, service) => answerPoints([input.query], service, input),

  pointsBatch: async (input, service) => answerPoints(input.body, service, input),
} satisfies Partial<Handlers>;

async function answerPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  { request, signal, address }: RequestContext,
): Promise<Response> {
  const requests = await planPoints(queries, service, signal);
  for (const request of requests) await checkGaps(request, service);
  const source = readLists(requests, service, signal);
  const lists = await startEarly(source);
  const series = requests.flatMap((one) => one.series);
  const form = negotiateForm(request);
  if (form === RUNS && address === null) return carriedResponse(new CarriedPoints(series, lists), source);
  const chunks =
    form === RUNS
      ? encodeRuns(series, lists)
      : form === ARROW_STREAM
        ? encodeArrow(arrowHead(requests, series), lists)
        : encodeJsonBlocks(
            series.map((one) => (one.unit_id === null ? null : one)),
            lists,
          );
  return streamAnswer(chunks, { 'content-type': form }, source);
}

function negotiateForm(request: Request): string {
  const accept = request.headers.get('accept') ?? '';
  return [RUNS, ARROW_STREAM].find((form) => acceptedWeight(accept, form)) ?? 'application/json';
}

function arrowHead(requests: readonly PlannedPoints[], series: PlannedPoints['series']): ArrowHead {
  return {
    series,
    withAvailableDate: requests.some(({ plan }) => plan.withAvailableDate),
    withMetadata: requests.some(({ plan }) => plan.withMetadata),
  };
}

function carriedResponse(points: CarriedPoints, source: AsyncGenerator<readonly PackedPoints[]>): Response {
  const body = byteStream(encodeRuns(points.series, points), source);
  return carryPoints(new Response(body, { headers: { 'content-type': RUNS } }), points);
}

/** Yields the points for all planned requests in lists. Series are numbered consecutively across the requests. */
async function* readLists(
  requests: readonly PlannedPoints[],
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<readonly PackedPoints[]> {
  let offset = 0;
  for (const request of requests) {
    const prepared = await preparePoints(request, service, signal);
    for await (const list of repeatSeries(prepared, request.copies)) {
      service.metrics?.addPoints(list.reduce((sum, part) => sum + part.length, 0));
      yield offset === 0 ? list : list.map((part) => ({ ...part, series: part.series + offset }));
    }
    offset += request.series.length;
  }
}

async function* repeatSeries(
  lists: AsyncIterable<readonly PackedPoints[]>,
  copies: readonly number[],
): AsyncGenerator<readonly PackedPoints[]> {
  if (copies.every((count) => count === 1)) {
    yield* lists;
    return;
  }
  let first = 0;
  let position = 0;
  let held: PackedPoints[] = [];
  function* endSeriesBefore(next: number): Generator<readonly PackedPoints[]> {
    for (; position < next; position++) {
      const runs = held;
      held = [];
      for (let copy = 0; copy < copies[position]!; copy++, first++)
        if (runs.length > 0) yield runs.map((run) => ({ ...run, series: first }));
    }
  }
  for await (const list of lists)
    for (const run of list) {
      yield* endSeriesBefore(run.series);
      held.push(run);
    }
  yield* endSeriesBefore(copies.length);
}

/** The minimum length of a chunk in characters: about a thousand points, which take a few milliseconds to encode. */
const MIN_CHUNK_LENGTH = 65_536;

/**
 * Encodes points as a JSON list with one block per series, in chunks of about 64 KiB. A series without points also has
 * a block. A null entry in `series` represents a series that is not in the store, for which no block is written.
 */
async function* encodeJsonBlocks(
  series: readonly (BlockSeries | null)[],
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<string> {
  let position = -1;
  let isOpen = false;
  function* openUpTo(next: number): Generator<string> {
    while (position < next) {
      const one = series[++position];
      if (one === null || one === undefined) continue;
      yield `${isOpen ? ']},' : ''}{"series":${JSON.stringify(blockHead(one))},"data":[`;
      isOpen = true;
    }
  }
  function* write(run: PackedPoints): Generator<string> {
    if (run.series === position) yield ',';
    else yield* openUpTo(run.series);
    for (let i = 0; i < run.length; i++)
      yield `${i === 0 ? '' : ','}${JSON.stringify(positionalPoint(run, i))}`;
  }
  let text = '[';
  function* inChunks(texts: Iterable<string>): Generator<string> {
    for (const one of texts) {
      text += one;
      if (text.length < MIN_CHUNK_LENGTH) continue;
      yield text;
      text = '';
    }
  }
  for await (const list of lists) for (const run of list) yield* inChunks(write(run));
  yield* inChunks(openUpTo(series.length - 1));
  yield `${text}${isOpen ? ']}]' : ']'}`;
}
