import { afterAll, beforeAll, describe } from 'vitest';
import { createClient } from '../../src/create-client.js';
import { type Serving, serve } from '../../src/service/http/serve.js';
import { type DemoService, openDemoService, TOKEN } from './demo-service.js';
import { describeOperations } from './operations.js';

let demo: DemoService;
let serving: Serving;
beforeAll(async () => {
  demo = await openDemoService();
  serving = await serve(demo.service, { port: 0 });
});
afterAll(async () => {
  await serving?.close();
  await demo?.close();
});

describe('every operation, through client, service and a real store', () => {
  describeOperations(() => demo.client());
});

describe('every operation over HTTP', () => {
  describeOperations(() => createClient({ api_host: serving.url, access_token: TOKEN }));
});
