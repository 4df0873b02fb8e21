import { type CropWeightingOperations, cropWeightingOperations } from './agronomy/models/crop-weighting.js';
import {
  type GrowingDegreeDayOperations,
  growingDegreeDayOperations,
} from './agronomy/models/growing-degree-days.js';
import { type RollingUpOperations, rollingUpOperations } from './agronomy/models/rolling-up.js';
import {
  type ClientOptions,
  type ClientRuntime,
  createServiceClient,
  type ServiceOperations,
} from './client/client.js';
import { POINT_REQUEST, type PointRequest } from './client/points/points.js';
import type { TopItem } from './client/ranking.js';
import type { LongFrame } from './frame/frame.js';
import { type ArgumentsOf, mandatory, promise, withArgumentChecks } from './model/schema/operation.js';
import { type CatalogueOperations, catalogueOperations } from './saved/catalogue.js';
import { pointsTable } from './saved/refresh-df.js';
import { type FrameRuntime, type SavedOperations, savedOperations } from './saved/saved.js';

/**
 * A client with all operations of the service, a list of saved series that it can load as data frames, and crop models.
 *
 * An operation that sends requests rejects with a NetworkError, TimeoutError, HttpError (such as AuthenticationError or
 * RateLimitError) or ContractError if it fails permanently, and with the signal's reason if it is aborted.
 */
export interface Client
  extends ServiceOperations,
    SavedOperations,
    CatalogueOperations,
    CropWeightingOperations,
    RollingUpOperations,
    GrowingDegreeDayOperations {
  /**
   * Returns the points of the selected series as a long frame: one row per point, sorted by series and period. Dates
   * are UTC timestamps in milliseconds. `value` is null if the source has no figure. The frame's metadata contains the
   * sources, the units and a retrieval report.
   * @throws the same errors as `getDataPoints`
   * @example
   * ```ts
   * const table = await client.getDataPointsTable({ ...series, start_date: '2010-01-01' });
   * console.log(table.numRows);
   * ```
   */
  getDataPointsTable(request: PointRequest | TopItem): Promise<LongFrame>;
}

/** The parts of a client that differ between Node and browsers. */
export interface Runtime extends ClientRuntime, FrameRuntime {}

/** Composes a client's operations. The `createClient` functions for Node and browsers differ only in their runtime. */
export function composeClient(options: ClientOptions, runtime: Runtime): Client {
  const service = createServiceClient(options, runtime);
  const client: Client = {
    ...service,
    getDataPointsTable: (request: PointRequest) => pointsTable(service, request),
    ...savedOperations(service, runtime),
    ...catalogueOperations(service),
    ...cropWeightingOperations(service),
    ...growingDegreeDayOperations(service),
    ...rollingUpOperations(service),
  };
  return withArgumentChecks(client, CLIENT_ARGUMENTS);
}

/** The argument schemas of every operation of a client. */
export const CLIENT_ARGUMENTS: ArgumentsOf<Client> = {
  ...createServiceClient.takes,
  getDataPointsTable: promise(mandatory(POINT_REQUEST)),
  ...savedOperations.takes,
  ...catalogueOperations.takes,
  ...cropWeightingOperations.takes,
  ...growingDegreeDayOperations.takes,
  ...rollingUpOperations.takes,
};
