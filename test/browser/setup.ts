import { chromium } from 'playwright-core';
import { ALONE, PROGRAM } from './chromium.js';
import { BROWSER } from './launch.js';
import { withFarm } from './page/farm.js';
import { SITE, servePage } from './page/open-site.js';

/** Vitest calls it before the first test of a run: starts the browser and the service that files share. */
export async function setup(): Promise<() => Promise<void>> {
  const served = await servePage({ fill: withFarm });
  const server = await chromium.launchServer({ executablePath: PROGRAM, args: ALONE });
  process.env[BROWSER] = server.wsEndpoint();
  process.env[SITE] = served.url;
  return async () => {
    await server.close();
    await served.close();
  };
}
