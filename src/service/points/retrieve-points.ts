import { atPosition, countRows, type PackedPoints } from '../../columns/packed-points.js';
import type { PointsQuery } from '../../contract/endpoints.js';
import { CarriedPoints, carryPoints } from '../../contract/points/carried-points.js';
import { encodeRuns } from '../../contract/points/run-frames.js';
import { type ArrowHead, encodeArrow } from '../../contract/points/write-arrow.js';
import { type BlockSeries, blockHead, positionalPoint } from '../../contract/series-blocks.js';
import { ARROW_STREAM, RUNS } from '../../contract/wire-names.js';
import type { Handlers, RequestContext, ServiceContext } from '../handler.js';
import { acceptedWeight, joinTexts } from '../http/answers.js';
import { byteStream, startEarly, streamAnswer } from '../http/stream.js';
import { type PlannedPoints, planPoints } from './plan-points.js';
import { checkGaps, groupBySeries, preparePoints } from './prepare-points.js';

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
        : joinTexts(encodeBlocks(series, lists));
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

/** Yields the points of all planned requests in lists. Series are numbered consecutively across the requests. */
async function* readLists(
  requests: readonly PlannedPoints[],
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<readonly PackedPoints[]> {
  let offset = 0;
  for (const request of requests) {
    const prepared = await preparePoints(request, service, signal);
    for await (const list of repeatSeries(prepared, request.copies)) {
      service.metrics?.addPoints(countRows(list));
      yield list.map((run) => atPosition(run, run.series + offset));
    }
    offset += request.series.length;
  }
}

async function* repeatSeries(
  lists: AsyncIterable<readonly PackedPoints[]>,
  copies: readonly number[],
): AsyncGenerator<readonly PackedPoints[]> {
  if (copies.every((count) => count === 1)) return yield* lists;
  let [position, first] = [0, 0];
  for await (const runs of groupBySeries(lists, copies.length)) {
    const next = first + copies[position++]!;
    for (; first < next; first++) if (runs.length > 0) yield runs.map((run) => atPosition(run, first));
  }
}

/**
 * Encodes points as a JSON list with one block per series. A series without points also has a block, but a series that
 * is not in the store has no block. The `unit_id` of such a series is null.
 */
async function* encodeBlocks(
  series: readonly BlockSeries[],
  lists: AsyncIterable<readonly PackedPoints[]>,
): AsyncGenerator<Iterable<string>> {
  let position = 0;
  let begin = '[';
  for await (const runs of groupBySeries(lists, series.length)) {
    const one = series[position++]!;
    if (one.unit_id === null) continue;
    yield encodeBlock(one, runs, begin);
    begin = ',';
  }
  yield [begin === '[' ? '[]' : ']'];
}

function* encodeBlock(
  series: BlockSeries,
  runs: readonly PackedPoints[],
  begin: string,
): Generator<string, void, undefined> {
  yield `${begin}{"series":${JSON.stringify(blockHead(series))},"data":[`;
  let comma = '';
  for (const run of runs)
    for (let i = 0; i < run.length; i++) {
      yield `${comma}${JSON.stringify(positionalPoint(run, i))}`;
      comma = ',';
    }
  yield ']}';
}
