import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenSite, openSharedSite } from './open-site.js';
import { VIEWS } from './views.js';

let site: OpenSite;

beforeAll(async () => {
  site = await openSharedSite();
});
afterAll(() => site?.close());

/** How Vega is told to interpret expressions, in the built script. */
const AST = /,\{ast:!0\}/;
const INTERPRETER = /expr:[\w$]+,(?=renderer)/;

it('refuses a chart whose expressions are compiled, so that the tests of the policy can fail', async () => {
  const { page, problems, close } = await site.open({ query: VIEWS.table.query });
  await page.getByRole('tabpanel').getByRole('table').waitFor();
  let changed = 0;
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    const answer = await route.fetch();
    const script = await answer.text();
    if (!AST.test(script) || !INTERPRETER.test(script)) return route.fulfill({ response: answer });
    changed++;
    return route.fulfill({ response: answer, body: script.replace(AST, '').replace(INTERPRETER, '') });
  });
  await page.getByRole('tab', { name: 'Chart' }).click();
  await page.getByRole('alert').first().waitFor();
  expect(changed).toBe(1);
  expect(await page.getByRole('alert').first().textContent()).toContain('The chart cannot be drawn.');
  expect(await page.locator('.plot canvas').count()).toBe(0);
  expect(problems.join('\n')).toMatch(/policy: script-src eval/);
  await close();
});
