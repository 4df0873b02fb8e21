import { expect, it } from 'vitest';
import { RateLimit } from '../../../src/service/access/rate-limit.js';
import { createService } from '../../../src/service/service.js';
import { get, openTokenStore } from '../token-service.js';

it('limits the requests of each token, and says when to retry', async () => {
  const store = await openTokenStore({ token: 'a', name: 'a' }, { token: 'b', name: 'b' });
  const service = createService(store, { requestsPerMinute: 3 });
  for (let i = 0; i < 3; i++) expect((await get(service, '/v2/units?ids=1', 'a')).status).toBe(200);
  const refused = await get(service, '/v2/units?ids=1', 'a');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({
    error: 'rate_limit',
    message: expect.stringContaining('3 at once, and then 3 per 60 s'),
  });
  expect((await get(service, '/v2/units?ids=1', 'b')).status).toBe(200);
  expect((await get(service, '/health')).status).toBe(200);
  await store.close();
});

it('does not go by the clock of the machine, which can be set back', () => {
  const limit = new RateLimit({ amount: 1, perMs: 20 });
  limit.take('x', '/');
  const { now } = Date;
  Date.now = () => now() - 86_400_000;
  try {
    const started = performance.now();
    while (performance.now() - started < 25);
    limit.take('x', '/');
  } finally {
    Date.now = now;
  }
});
