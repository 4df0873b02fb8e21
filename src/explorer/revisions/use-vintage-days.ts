import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { formatDay } from '../../model/time.js';
import { history } from './history.js';

/** The days on which points of the chosen series became available, ascending, `YYYY-MM-DD`. */
export function useVintageDays(): readonly string[] {
  const days = useSignal<readonly string[]>([]);
  const loaded = history.loaded.value.value;
  useEffect(() => {
    let isLatest = true;
    if (loaded === null) days.value = [];
    else
      void import('./as-known.js').then(({ vintagesOf }) => {
        if (isLatest) days.value = [...new Set(vintagesOf(loaded.table).dates.map(formatDay))];
      });
    return () => {
      isLatest = false;
    };
  }, [loaded]);
  return days.value;
}
