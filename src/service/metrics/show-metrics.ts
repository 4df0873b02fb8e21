import { METRICS_TEXT } from '../../contract/wire-names.js';
import { NotFoundError } from '../../model/errors.js';
import type { Handlers } from '../handler.js';

export const showMetrics: Handlers['metrics'] = async (_input, { metrics, showsMetrics }) => {
  if (!showsMetrics) {
    const message = 'this service shows no metrics; start it with "cropframe serve --metrics"';
    throw new NotFoundError(404, '/metrics', message);
  }
  return new Response(await metrics.text(), {
    headers: { 'content-type': METRICS_TEXT, 'cache-control': 'no-store' },
  });
};
