import type { EndpointName } from '../../contract/endpoints.js';
import { decodeSeriesBlocks, seriesBlocks } from '../../contract/json-base.js';
import { carriedPoints } from '../../contract/points/carried-points.js';
import { type DecodedPoints, decodeRuns } from '../../contract/points/read-runs.js';
import { RUNS } from '../../contract/wire-names.js';
import { badAnswer, ContractError, HttpError } from '../../model/errors.js';
import type { SelectionLists } from '../../model/selection.js';
import { isUnserved, readAnswer, readJsonBody } from '../http/answer.js';

/** The request to which a response with points belongs. */
interface Requested {
  readonly endpoint: EndpointName;
  readonly lists: SelectionLists;
  readonly includeHistorical: boolean;
}

/**
 * Reads a response with points, as runs or in the JSON base.
 * @throws ContractError or NetworkError, also while the batches are read
 */
export async function openPointAnswer(response: Response, requested: Requested): Promise<DecodedPoints> {
  const { endpoint } = requested;
  const runs = await openRuns(endpoint, response);
  if (runs !== null) return runs;
  const blocks = readAnswer(endpoint, seriesBlocks, await readJsonBody(endpoint, response));
  const decoded = decodeSeriesBlocks(blocks, requested);
  return { series: decoded.series, batches: oneByOne([decoded.runs]) };
}

/** Reads a response with runs, whose series are those of the request. Returns null if the response has another type. */
export async function openRuns(name: EndpointName, response: Response): Promise<DecodedPoints | null> {
  const carried = carriedPoints(response);
  if (carried !== undefined) return { series: carried.series, batches: carried.take() };
  const type = response.headers.get('content-type') ?? '';
  return type.includes(RUNS) ? decodeRuns(bodyOf(name, response), name) : null;
}

function bodyOf(name: EndpointName, response: Response): AsyncIterable<Uint8Array> {
  const { body } = response;
  if (body === null) throw badAnswer(name, 'the answer is empty', { damaged: true });
  return body as unknown as AsyncIterable<Uint8Array>;
}

async function* oneByOne<Element>(list: readonly Element[]): AsyncGenerator<Element, void, undefined> {
  yield* list;
}

const JSON_ONLY = 'application/json';
const EVERY_FORM = `${RUNS}, ${JSON_ONLY};q=0.5`;

/** Remembers whether a service speaks more than the JSON base. */
export class FormatNegotiation {
  #accept = EVERY_FORM;
  #batched = true;

  /** False once the service has refused a batch. */
  get batches(): boolean {
    return this.#batched;
  }

  /**
   * Makes a request with the `Accept` header for points. If the service refuses runs with status 406, repeats it for
   * JSON.
   */
  async ask<Result>(request: (accept: string) => Promise<Result>): Promise<Result> {
    const accept = this.#accept;
    try {
      return await request(accept);
    } catch (error) {
      const isRefused = error instanceof HttpError && error.status === 406 && accept !== JSON_ONLY;
      if (!isRefused) throw error;
      this.#accept = JSON_ONLY;
      return request(JSON_ONLY);
    }
  }

  /** Stops using batches if the error shows that the service does not support them, or sends them in another format. */
  failedBatch(error: unknown): void {
    if (isUnserved(error) || (error instanceof ContractError && !error.damaged)) this.#batched = false;
  }
}
