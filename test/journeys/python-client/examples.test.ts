import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getAccessToken } from '../../../src/client/access-token.js';
import { createClient } from '../../../src/create-client.js';
import { CropframeError } from '../../../src/model/errors.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { runCommand } from '../../cli/capture.js';
import { type DemoService, openDemoService } from '../demo-service.js';
import { jsonOnlyService } from '../json-only-service.js';
import { OMISSIONS, sparseService } from '../sparse/omissions.js';
import { EMAIL, fillWithExamples, PASSWORD } from './example-store.js';
import { EXAMPLES, type Place } from './examples.js';

/** What tells the series of one answer apart. */
const NEEDED = new Set(['metricId', 'itemId', 'regionId', 'partnerRegionId', 'frequencyId', 'sourceId']);

let demo: DemoService;
let folder: string;
const serving: Serving[] = [];
const tokens: string[] = [];
beforeAll(async () => {
  demo = await openDemoService(fillWithExamples);
  folder = mkdtempSync(join(tmpdir(), 'cropframe-examples-'));
  const service = createService(demo.store);
  const away = OMISSIONS.filter(({ how, field }) => how === 'away' && !NEEDED.has(field));
  for (const one of [service, sparseService(jsonOnlyService(service), away)])
    serving.push(await serve(one, { port: 0 }));
  for (const { url } of serving)
    tokens.push(await getAccessToken({ api_host: url, email: EMAIL, password: PASSWORD }));
});
afterAll(async () => {
  for (const one of serving) await one.close();
  await demo?.close();
  rmSync(folder, { recursive: true, force: true });
});

function placeAt(service: number): Place {
  const api_host = serving[service]!.url;
  const access_token = tokens[service]!;
  return {
    client: createClient({ api_host, access_token }),
    api_host,
    access_token,
    async command(argv) {
      const file = join(folder, `${service}.csv`);
      const { code, stderr } = await runCommand([...argv, '--host', api_host, '--file', file]);
      if (code !== 0) throw new Error(stderr);
      return readFileSync(file, 'utf8').trimEnd().split('\r\n');
    },
  };
}

it('show every operation of the specification', () => {
  const alike = (name: string) => !name.endsWith(' in a unit');
  expect(Object.keys(EXAMPLES).filter(alike)).toHaveLength(32);
});

describe('the documented examples of the public Python client, over our server', () => {
  it.each(Object.entries(EXAMPLES))('%s', async (_, { run, answer }) => {
    expect(await run(placeAt(0))).toEqual(answer);
  });
});

describe('the same over JSON alone, without any optional field', () => {
  it.each(Object.entries(EXAMPLES))('%s', async (_, { run, answer, refused }) => {
    const running = run(placeAt(1));
    if (refused === undefined) return expect(await running).toEqual(answer);
    await expect(running).rejects.toThrow(refused);
    await expect(running).rejects.toBeInstanceOf(CropframeError);
  });
});
