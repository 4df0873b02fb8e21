import { type CropWeightingOperations, cropWeightingOperations } from './agronomy/models/crop-weighting.js';
import {
  type GrowingDegreeDayOperations,
  growingDegreeDayOperations,
} from './agronomy/models/growing-degree-days.js';
import { type ClientOptions, createServiceClient, type ServiceOperations } from './client/client.js';
import type { PointRequest } from './client/points/points.js';
import type { TopItem } from './client/ranking.js';
import { checkedClient } from './client-arguments.js';
import './frame/display/show-frames.js';
import type { LongFrame } from './frame/table/frame-types.js';
import { pointsTable } from './saved/points-table.js';
import { type SavedOperations, savedOperations } from './saved/saved.js';

/**
 * A client: every operation of the service, the saved list and its frames, and the crop models.
 *
 * An operation that asks the service rejects with a NetworkError, TimeoutError, HttpError (such as AuthenticationError or
 * RateLimitError) or ContractError when it fails for good, and with the signal's reason when it is aborted.
 */
export interface Client
  extends ServiceOperations,
    SavedOperations,
    CropWeightingOperations,
    GrowingDegreeDayOperations {
  /**
   * The points of the selected series as a long frame: one row a point, by series and period. Dates are timestamps (UTC
   * milliseconds), `value` is null where the source has no figure. Its metadata hold its sources, units and report.
   * @throws what `getDataPoints` throws
   * @example
   * ```ts
   * const table = await client.getDataPointsTable({ ...series, start_date: '2010-01-01' });
   * console.log(table.numRows);
   * ```
   */
  getDataPointsTable(request: PointRequest | TopItem): Promise<LongFrame>;
}

/**
 * Makes a client of a service.
 * @throws RuntimeError when there is neither an access token nor the environment variable `API_TOKEN`; ArgumentError when
 * an option is invalid
 * @example
 * ```ts
 * const client = createClient({ api_host: 'data.example.org', access_token });
 * await client.addDataSeries({ metric: 'yield', item: 'corn', region: 'iowa' });
 * const table = await client.getDf();
 * ```
 */
export function createClient(options: ClientOptions = {}): Client {
  const { operations, internals } = createServiceClient(options);
  const service = { ...operations, ...internals };
  return checkedClient<Client>({
    ...operations,
    getDataPointsTable: (request: PointRequest) => pointsTable(service, request),
    ...savedOperations(service),
    ...cropWeightingOperations(service),
    ...growingDegreeDayOperations(service),
  });
}
