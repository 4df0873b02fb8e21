import { cropWeightingOperations } from './agronomy/models/crop-weighting.js';
import { growingDegreeDayOperations } from './agronomy/models/growing-degree-days.js';
import { type ClientOptions, createServiceClient } from './client/client.js';
import type { PointRequest } from './client/points/points.js';
import './frame/display/show-frames.js';
import { longFrame } from './frame/build/long.js';
import { savedOperations } from './saved/saved.js';

/**
 * A client with every operation: those that ask the service, the saved list and its frame, and the crop models.
 * @throws RuntimeError when there is neither an access token nor the environment variable `API_TOKEN`
 */
export function createClient(options: ClientOptions = {}) {
  const client = createServiceClient(options);
  return {
    ...client,
    /** The points of a selection as a long frame, without an object a row. */
    getDataPointsTable: async (request: PointRequest) =>
      longFrame(await client.getPointSet(request), {
        show_available_date: request.show_available_date,
        show_metadata: request.show_metadata,
      }),
    ...savedOperations(client),
    ...cropWeightingOperations(client),
    ...growingDegreeDayOperations(client),
  };
}

/** What `createClient` returns. */
export type Client = ReturnType<typeof createClient>;
