import { computed, signal } from '@preact/signals';
import { part } from '../state/page.js';
import { fetchHistory, holdHistory } from '../state/points.js';
import { resource } from '../state/resource.js';

/** Whether some part of the page shows vintages. */
export const wantsHistory = signal(false);

const key = part(({ series, unit }) => ({ series, unit }));

/** Every vintage of the chosen series; asked for once, when a part of the page shows vintages. */
export const history = resource(
  computed(() => (wantsHistory.value && key.value.series.length > 0 ? key.value : null)),
  async (wanted, signal) => {
    const loaded = await fetchHistory(wanted, signal);
    holdHistory(wanted, loaded);
    return loaded;
  },
);
