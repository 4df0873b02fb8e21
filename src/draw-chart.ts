import { createServiceClient } from './client/client.js';
import { badArgument } from './model/errors.js';
import type { DrawChart } from './service/cache/per-version.js';

/**
 * Draws the images for `GET /v2/chart.svg`. Pass it as the `drawChart` option of `createService`. An image names its
 * sources and any series without values. The drawing code is loaded when the first image is requested.
 * @throws ArgumentError if the series cannot be drawn in the requested way
 * @throws NotFoundError if no series has values
 */
export const drawChart: DrawChart = async (query, ask) => {
  const { theme, from, to, view } = query;
  if (from !== undefined && to !== undefined && from > to)
    throw badArgument('from', `${from} is after to ${to}`);
  // The request has already been authorised, so any host and token will do.
  const service = { api_host: 'http://embedded.invalid', access_token: 'none', fetch: ask };
  const { VIEW_CHARTS } = await import('./draw-views.js');
  const chart = await VIEW_CHARTS[view](createServiceClient(service), query);
  return chart.toSvg({ theme });
};
