import type { ServiceClient } from '../client/client.js';
import type { PointRequest } from '../client/points/points.js';
import { longFrame } from '../frame/build/long.js';
import type { LongFrame } from '../frame/frame.js';
import { selectionLists } from '../model/selection.js';
import { contextOrFailure } from './get-df.js';
import { RECORDED_FLAGS } from './refresh-df.js';

/**
 * Builds a long frame with provenance from the points of a selection.
 * @throws as `getDataPoints`
 */
export async function pointsTable(
  client: Pick<ServiceClient, 'getPointSet' | 'lookupList' | 'seriesPoints' | 'toUnit' | 'api_host'>,
  request: PointRequest,
): Promise<LongFrame> {
  const { signal } = request;
  const retrieved_at = new Date().toISOString();
  const { report, ...points } = await client.getPointSet(request);
  const { provenance } = await contextOrFailure(client, points, {
    request: recordedRequest(request),
    report,
    retrieved_at,
    signal,
    named: false,
    partial: () => points,
  });
  const { show_available_date, show_metadata } = request;
  return longFrame(points, { show_available_date, show_metadata, provenance });
}

/** Returns the selection and flags of a request, without the other fields of a series. */
function recordedRequest(request: PointRequest): object {
  const flags = [...RECORDED_FLAGS, 'insert_null'] as const;
  const setFlags = flags.flatMap((flag) => (request[flag] === undefined ? [] : [[flag, request[flag]]]));
  return { ...selectionLists(request), ...Object.fromEntries(setFlags) };
}
