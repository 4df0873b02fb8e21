import { createClient } from '../../src/create-client.js';
import { frameBytes } from '../../src/frame/summary.js';
import type { SeriesKey } from '../../src/model/series.js';
import { withPeak } from '../measure.js';
import { type Total, totalOfFrame } from './totals.js';

/** What a process that only calls `getDf` is told to get. */
export interface FrameReading {
  readonly url: string;
  readonly series: readonly SeriesKey[];
  readonly compress_format: boolean;
}

/** What it got, and what it took. */
export interface FrameRead {
  readonly total: Total;
  readonly bytes: number;
  readonly peakBytes: number;
}

/** A client in a process of its own: its memory is that of `getDf` alone. */
process.on('message', async ({ url, series, compress_format }: FrameReading) => {
  const client = createClient({ api_host: url, access_token: 'bench' });
  for (const key of series) client.addSingleDataSeries(key);
  const { answer: table, peakBytes } = await withPeak(() => client.getDf({ compress_format }));
  const total = totalOfFrame(table);
  process.send!({ total, bytes: frameBytes(table), peakBytes } satisfies FrameRead);
});
