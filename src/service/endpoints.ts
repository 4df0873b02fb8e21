import { METRICS_TEXT, SVG } from '../contract/wire-names.js';
import { NotFoundError } from '../model/errors.js';
import { logIn } from './access/auth.js';
import { areaWeightingHandlers } from './area-weighting.js';
import { entityHandlers } from './entities.js';
import { facetHandlers } from './facets.js';
import type { Handlers } from './handler.js';
import { pointHandlers } from './points/retrieve-points.js';
import { rankingHandlers } from './ranking.js';
import { resolveHandlers } from './resolve.js';
import { seriesHandlers } from './series.js';
import { upkeepHandlers } from './upkeep/handlers.js';

export const handlers: Handlers = {
  health: async (_input, { store }) => ({
    status: 'ok',
    engine: store.engine,
    store_version: await store.version(),
  }),
  async metrics(_input, { metrics }) {
    if (metrics === null) {
      const message = 'this service has no metrics; start it with "cropframe serve --metrics"';
      throw new NotFoundError(404, '/metrics', message);
    }
    return new Response(await metrics.text(), {
      headers: { 'content-type': METRICS_TEXT, 'cache-control': 'no-store' },
    });
  },
  accessToken: logIn,
  async chart({ query }, { drawChart }) {
    if (drawChart === null)
      throw new NotFoundError(404, '/v2/chart.svg', 'this service draws no charts; "cropframe serve" does');
    const headers = { 'content-type': SVG, 'cache-control': 'no-cache' };
    return new Response(await drawChart(query), { headers });
  },
  ...areaWeightingHandlers,
  ...entityHandlers,
  ...facetHandlers,
  ...pointHandlers,
  ...rankingHandlers,
  ...resolveHandlers,
  ...seriesHandlers,
  ...upkeepHandlers,
};
