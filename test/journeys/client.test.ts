import { describe, expect, it } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { serve } from '../../src/service/http/serve.js';
import { ChaosProxy } from '../chaos/proxy.js';
import { DEMO_OPERATIONS, findCorn } from './demo-operations.js';
import { TOKEN, useDemoService } from './demo-service.js';
import { describeOperations } from './operations.js';
import { seededRandom } from './seeded-random.js';

const demo = useDemoService();

describe('every operation, through client, service and a real store', () => {
  describeOperations(() => demo.client());

  it('has the same result over HTTP', async () => {
    const serving = await serve(demo.service, { port: 0 });
    const corn = await findCorn(demo.client());
    try {
      for (const [name, operation] of Object.entries(DEMO_OPERATIONS)) {
        const remote = createClient({ api_host: serving.url, access_token: TOKEN });
        expect(await operation(remote, corn), name).toEqual(await operation(demo.client(), corn));
      }
    } finally {
      await serving.close();
    }
  });

  it('keeps connections alive: a hundred lookups need no more connections than run at once', async () => {
    const serving = await serve(demo.service, { port: 0 });
    const proxy = new ChaosProxy(seededRandom(1), Number(new URL(serving.url).port));
    proxy.isCalm = true;
    try {
      const remote = createClient({ api_host: await proxy.listen(), access_token: TOKEN });
      for (let id = 1; id <= 100; id++) await remote.getAllowedUnits(id);
      expect(proxy.connections).toBeLessThan(5);
    } finally {
      await proxy.close();
      await serving.close();
    }
  });
});
