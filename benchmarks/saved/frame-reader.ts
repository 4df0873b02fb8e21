import { type Client, createClient } from '../../src/create-client.js';
import { frameBytes } from '../../src/frame/display/summary.js';
import { allowAnyone } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import { withPeak } from '../measure.js';
import { keyOf, openBigStore, type StoreShape } from '../service/big-store.js';
import { type Total, totalOfFrame } from './totals.js';

/** What a process of its own is told to get. */
export interface FrameReading {
  /** Where a service answers; null to have the store and the service in the same process. */
  readonly url: string | null;
  readonly shape: StoreShape;
  readonly wanted: readonly number[];
  readonly compress_format: boolean;
}

/** What it got, and what it took. */
export interface FrameRead {
  readonly total: Total;
  readonly bytes: number;
  readonly peakBytes: number;
}

let client: Client | null = null;

/** A process of its own, so that what other work left in memory does not count. */
process.on('message', async (reading: FrameReading) => {
  client ??= await openClient(reading);
  const { compress_format } = reading;
  const { answer: table, peakBytes } = await withPeak(() => client!.getDf({ compress_format }));
  process.send!({ total: totalOfFrame(table), bytes: frameBytes(table), peakBytes } satisfies FrameRead);
});

async function openClient({ url, shape, wanted }: FrameReading): Promise<Client> {
  const access_token = 'bench';
  const opened =
    url === null
      ? createClient({ api_host: 'http://embedded', access_token, fetch: await serviceOf(shape) })
      : createClient({ api_host: url, access_token });
  for (const i of wanted) opened.addSingleDataSeries(keyOf(i));
  return opened;
}

async function serviceOf(shape: StoreShape): Promise<(request: Request) => Promise<Response>> {
  return createService(await openBigStore(shape), { authorize: allowAnyone });
}
