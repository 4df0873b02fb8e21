import { createServer } from 'node:http';
import { createClient } from '../../dist/index.js';

/** Aborts a retrieval over a real socket from a service that never ends its answers, and reports what is left of it. */
let unhandled = 0;
process.on('unhandledRejection', () => {
  unhandled++;
});
const stop = new AbortController();
let started = 0;
let startedAfter = 0;
let openAnswers = 0;
const RUNS = 'application/vnd.cropframe.runs';
const server = createServer((request, response) => {
  if (stop.signal.aborted) startedAfter++;
  // An answer of another form than the requested one would be refused, and tried again.
  const isRuns = request.headers.accept?.includes(RUNS);
  response.writeHead(200, { 'content-type': isRuns ? RUNS : 'application/json' });
  response.write(isRuns ? 'CFR2' : '[');
  started++;
  openAnswers++;
  response.on('close', () => {
    openAnswers--;
  });
  if (started === 10) stop.abort(new Error('enough'));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));

const { port } = server.address();
const client = createClient({ api_host: `http://127.0.0.1:${port}`, access_token: 't' });
const key = { metric_id: 1, item_id: 1, partner_region_id: 0, source_id: 1, frequency_id: 9 };
for (let region_id = 1; region_id <= 1000; region_id++) client.addSingleDataSeries({ ...key, region_id });
const rejected = await client.getDf({ signal: stop.signal }).then(
  () => 'nothing',
  (error) => error.message,
);
const giveUpMs = performance.now() + 20_000;
do await new Promise((resolve) => setTimeout(resolve, 200));
while (openAnswers > 0 && performance.now() < giveUpMs);
const timers = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
server.close(() => {
  process.stdout.write(JSON.stringify({ rejected, startedAfter, openAnswers, timers, unhandled }));
});
