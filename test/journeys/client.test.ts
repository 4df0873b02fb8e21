import { afterAll, beforeAll, describe } from 'vitest';
import { type DemoService, openDemoService } from './demo-service.js';
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
