import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as agronomy from '../../../src/agronomy.js';
import * as charts from '../../../src/charts.js';
import * as root from '../../../src/index.js';
import { documentImporter } from '../../../src/ingest/document/define-dataset.js';
import { importDataset } from '../../../src/ingest/import-dataset.js';
import { singleTokenAuthorizer } from '../../../src/service/access/auth.js';
import { type Serving, serve } from '../../../src/service/http/serve.js';
import { createService } from '../../../src/service/service.js';
import { openStore } from '../../../src/store/open.js';
import type { Store } from '../../../src/store/store.js';
import { temporaryFolder } from '../../temporary-files.js';
import { launchChromium } from '../launch.js';
import { openFolder, type ServedFolder } from '../served-folder.js';
import { BUNDLERS, makeProject } from './bundlers.js';
import { runProgram } from './program.js';

const TOKEN = 'token-of-the-tests';
const folder = temporaryFolder();
let store: Store;
let serving: Serving;
let site: ServedFolder;
let browser: Browser;
let expected: Record<string, unknown>;

beforeAll(async () => {
  makeProject(folder);
  site = await openFolder(join(folder, 'built'));
  store = await openStore(':memory:');
  await importDataset(store, documentImporter('demo'));
  const service = createService(store, { authorize: singleTokenAuthorizer(TOKEN), cors: [site.url] });
  serving = await serve(service, { port: 0 });
  expected = await runProgram({ root, agronomy, charts }, { api_host: serving.url, access_token: TOKEN });
  browser = await launchChromium();
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await serving?.close();
  await store?.close();
  await site?.close();
});

describe('a program in a page, beside the same in Node', () => {
  it('computes in Node what the demo data say', () => {
    expect(expected).toMatchObject({ rows: 2922, parquetMagic: 'PAR1' });
  });

  it.each(Object.keys(BUNDLERS))(
    'bundled by %s yields the same figures, from another site, without eval',
    async (name) => {
      await BUNDLERS[name]!(folder, join(folder, 'built', name));
      const page = await browser.newPage();
      const errors: string[] = [];
      page.on('pageerror', (error) => errors.push(String(error)));
      page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
      await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) =>
          console.error(event.violatedDirective),
        );
      });
      const query = new URLSearchParams({ host: serving.url, token: TOKEN });
      await page.goto(`${site.url}/${name}/index.html?${query}`);
      await expect.poll(() => page.title(), { timeout: 60_000 }).toBe('done');
      const { chart, ...figures } = JSON.parse((await page.textContent('body')) ?? '') as typeof expected;
      const { chart: drawn, ...wanted } = expected;
      expect(figures).toEqual(wanted);
      expect(chart).toEqual(drawn);
      expect(errors).toEqual([]);
      await page.close();
    },
  );
});
