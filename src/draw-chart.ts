import { createServiceClient } from './client/client.js';
import { createClient } from './create-client.js';
import { ArgumentError, badArgument, NotFoundError } from './model/errors.js';
import { ofAnyFrequency, seriesKeyText } from './model/series.js';
import { endOfDay } from './model/time.js';
import type { DrawChart } from './service/cache/per-version.js';

/**
 * Draws the images for `GET /v2/chart.svg`. Pass it as the `drawChart` option of `createService`. An image names its
 * sources and any series without values. The drawing code is loaded when the first image is requested.
 * @throws ArgumentError if the series cannot be drawn in the requested way
 * @throws NotFoundError if no series has values
 */
export const drawChart: DrawChart = async (query, ask) => {
  const { s: series = [], asof = null, unit, theme, from, to, view } = query;
  if (from !== undefined && to !== undefined && from > to)
    throw badArgument('from', `${from} is after to ${to}`);
  // The request has already been authorised, so any host and token will do.
  const service = { api_host: 'http://embedded.invalid', access_token: 'none', fetch: ask };
  if (view !== 'chart') {
    const { VIEW_CHARTS } = await import('./draw-views.js');
    const chart = await VIEW_CHARTS[view](createServiceClient(service), query);
    return chart.toSvg({ theme });
  }
  if (series.length === 0)
    throw badArgument('s', 'lists no series', { remedy: 'copy the link from the page' });
  const client = createClient(service);
  for (const one of series) client.addSingleDataSeries(one);
  const at_time = asof === null ? undefined : endOfDay(asof);
  const table = await client.getDf({ include_names: true, at_time, unit_id: unit });

  const { transformFrame } = await import('./charts/transform-frame.js');
  const { frame, lines, credit } = transformFrame(table, {
    ...query,
    scale: query.y,
    formula: query.f,
    periods: query.n,
  });
  const drawn = new Set(lines.map(({ key }) => ofAnyFrequency(key)));
  const missing = series.filter((key) => !drawn.has(ofAnyFrequency(key))).map(seriesKeyText);
  if (lines.length === 0) {
    const known = asof === null ? '' : `, as known at the end of ${asof}`;
    throw new NotFoundError(404, '/v2/chart.svg', `no values on these dates${known}: ${missing.join(', ')}`);
  }

  const { viewChart } = await import('./charts/view-chart.js');
  const { writerIn } = await import('./charts/language.js');
  try {
    const chart = viewChart(frame, lines, {
      ...query,
      scale: query.y,
      credit,
      asof,
      places: series.map(ofAnyFrequency),
      write: writerIn(['en-GB']),
      remarks: missing.length === 0 ? [] : [`Without values: ${missing.join(', ')}`],
    });
    return await chart.toSvg({ theme });
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw badArgument('s', error.problem, { remedy: error.remedy ?? undefined, cause: error });
  }
};
