import type { PackedPoints } from '../../columns/packed-points.js';
import { CarriedPoints, carryPoints } from '../../contract/points/carried-points.js';
import { type ArrowHead, encodeArrow } from '../../contract/points/write-arrow.js';
import { encodeRuns } from '../../contract/points/write-runs.js';
import type { PointsQuery } from '../../contract/requests/queries.js';
import { ARROW_STREAM, RUNS } from '../../contract/wire-names.js';
import type { ServiceContext } from '../context.js';
import type { HandlerInput, Handlers } from '../handler.js';
import { byteStream, generatedAnswer, startEarly } from '../http/stream.js';
import { checkGaps } from './fill-gaps.js';
import { encodeJsonBlocks } from './json-blocks.js';
import { type PointRequest, planPoints } from './plan-points.js';
import { preparePoints } from './prepare-points.js';
import { repeatSeries } from './repeat-series.js';

export const retrievePoints: Handlers['points'] = async ({ query, ...asked }, service) =>
  answerPoints([query], service, asked);

export const retrievePointBatch: Handlers['pointsBatch'] = async ({ body, ...asked }, service) =>
  answerPoints(body, service, asked);

/** Who asks, and how. */
type Asked = Pick<HandlerInput<'points'>, 'request' | 'signal' | 'address'>;

async function answerPoints(
  queries: readonly PointsQuery[],
  service: ServiceContext,
  { request, signal, address }: Asked,
): Promise<Response> {
  const requests = await planPoints(queries, service, signal);
  for (const request of requests) await checkGaps(request, service);
  const lists = await startEarly(readLists(requests, service, signal));
  const series = requests.flatMap((one) => one.series);
  const inProcess = address === null;
  const form = wantedForm(request);
  if (form === RUNS && inProcess) return carriedResponse(new CarriedPoints(series, lists), lists);
  const chunks =
    form === RUNS
      ? encodeRuns(series, lists)
      : form === ARROW_STREAM
        ? encodeArrow(arrowHead(requests, series), lists)
        : encodeJsonBlocks(
            series.map((one) => (one.unit_id === null ? null : one)),
            lists,
          );
  // A client in this process may leave the answer unread: nothing is encoded before.
  return generatedAnswer(chunks, { source: lists, headers: { 'content-type': form }, isLazy: inProcess });
}

/** The media type of the form that a request accepts, the leanest first. */
function wantedForm(request: Request): string {
  const ranges = (request.headers.get('accept') ?? '').toLowerCase().split(',');
  const types = ranges.map((range) => range.split(';')[0]!.trim());
  return [RUNS, ARROW_STREAM].find((form) => types.includes(form)) ?? 'application/json';
}

function arrowHead(requests: readonly PointRequest[], series: PointRequest['series']): ArrowHead {
  return {
    series,
    withAvailableDate: requests.some(({ plan }) => plan.withAvailableDate),
    withMetadata: requests.some(({ plan }) => plan.withMetadata),
  };
}

function carriedResponse(points: CarriedPoints, lists: AsyncGenerator<readonly PackedPoints[]>): Response {
  const body = byteStream(encodeRuns(points.series, points), lists);
  return carryPoints(new Response(body, { headers: { 'content-type': RUNS } }), points);
}

/** Reads the points of all requests in lists, with series numbered across requests. */
async function* readLists(
  requests: readonly PointRequest[],
  service: ServiceContext,
  signal: AbortSignal,
): AsyncGenerator<readonly PackedPoints[]> {
  let offset = 0;
  for (const request of requests) {
    const prepared = await preparePoints(request, service, signal);
    for await (const list of repeatSeries(prepared, request)) {
      service.metrics.addPoints(list.reduce((sum, part) => sum + part.length, 0));
      yield shiftSeries(list, offset);
    }
    offset += request.series.length;
  }
}

function shiftSeries(list: readonly PackedPoints[], offset: number): readonly PackedPoints[] {
  return offset === 0 ? list : list.map((part) => ({ ...part, series: part.series + offset }));
}
