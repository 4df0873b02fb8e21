import { computed, signal } from '@preact/signals';
import { formatDay } from '../../model/time.js';
import { part } from '../state/page.js';
import { fetchHistory, holdHistory } from '../state/points.js';
import { resource } from '../state/resource.js';

/** Whether some part of the page shows vintages. */
export const wantsHistory = signal(false);

const key = part(({ series, unit }) => ({ series, unit }));

/** Every vintage of the chosen series, and the days on which they became available; asked for once, when vintages are shown. */
export const history = resource(
  computed(() => (wantsHistory.value && key.value.series.length > 0 ? key.value : null)),
  async (wanted, signal) => {
    const [loaded, { vintagesOf }] = await Promise.all([
      fetchHistory(wanted, signal),
      import('./as-known.js'),
    ]);
    holdHistory(wanted, loaded);
    return { ...loaded, days: [...new Set(vintagesOf(loaded.table).dates.map(formatDay))] };
  },
);
