import { afterAll, beforeAll, describe } from 'vitest';
import { type DemoService, openDemoService } from './demo-service.js';
import { jsonOnlyService } from './json-only-service.js';
import { describeOperations } from './operations.js';
import { withoutRuns } from './other-forms.js';

let demo: DemoService;
beforeAll(async () => {
  demo = await openDemoService();
});
afterAll(() => demo.close());

describe('every operation, through client, service and a real store', () => {
  describeOperations(() => demo.client());
});

describe('every operation against a service that sends plain Arrow', () => {
  describeOperations(() => demo.client({ fetch: withoutRuns(demo.service) }));
});

describe('every operation against a service that answers 406 to Arrow and 405 to batches', () => {
  const base = { refuseArrow: 'status 406', refuseBatches: 405 } as const;
  describeOperations(() => demo.client({ fetch: jsonOnlyService(demo.service, base) }));
});
