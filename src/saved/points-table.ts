import type { ServiceClient } from '../client/client.js';
import type { PointRequest } from '../client/points/points.js';
import { longFrame } from '../frame/build/long.js';
import type { LongFrame } from '../frame/table/frame-types.js';
import { contextOrFailure } from './get-df.js';

/**
 * The points of a selection as a long frame with its provenance.
 * @throws what `getDataPoints` throws
 */
export async function pointsTable(
  client: Pick<ServiceClient, 'getPointSet' | 'lookupList' | 'seriesPoints' | 'toUnit' | 'api_host'>,
  request: PointRequest,
): Promise<LongFrame> {
  const { signal, onProgress: _, ...asked } = request;
  const retrieved_at = new Date().toISOString();
  const { report, ...points } = await client.getPointSet(request);
  const { provenance } = await contextOrFailure(client, points, {
    asked,
    report,
    retrieved_at,
    signal,
    named: false,
    partial: () => points,
  });
  const { show_available_date, show_metadata } = request;
  return longFrame(points, { show_available_date, show_metadata, provenance });
}
