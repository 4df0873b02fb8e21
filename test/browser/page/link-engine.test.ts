import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type * as Links from '../../../src/explorer/state/url.js';
import { states } from '../../explorer/state/view-states.js';
import { openSharedSite } from './open-site.js';

it('reads a link as it was written by every state, by the engine of the browser', async () => {
  const entry = fileURLToPath(new URL('../../../src/explorer/state/url.ts', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    globalName: 'links',
    write: false,
  });
  const site = await openSharedSite();
  const { page, close } = await site.open({ query: 'view=table' });
  const written = fc.sample(states, 300);
  await page.evaluate(`${outputFiles[0]!.text}; globalThis.links = links`);
  const read = await page.evaluate((all) => {
    const { links } = globalThis as unknown as { links: typeof Links };
    return all.map((state) =>
      links.parseState(new URL(`./?${links.printState(state)}`, document.baseURI).search),
    );
  }, written);
  expect(read).toEqual(written.map((state) => ({ state, problems: [] })));
  await close();
  await site.close();
});
