import { signal } from '@preact/signals';
import type { Chart } from '../../charts/chart.js';

/** Makes the chart that is on the screen anew, with its texts, for a file; null where no chart is shown. */
export const drawable = signal<(() => Chart) | null>(null);
