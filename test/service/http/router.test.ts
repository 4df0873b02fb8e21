import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../src/contract/endpoints.js';
import { createRouter } from '../../../src/service/http/router.js';

const route = createRouter({ prefix: '', page: true, embed: [] });
const ask = (method: string, path: string) =>
  route(new Request(`http://service.invalid${path}`, { method }), async ({ name }) =>
    Response.json(name),
  ).then(
    (answer) => answer.status,
    (error: { code: string; message: string }) => `${error.code}: ${error.message}`,
  );

const PATHS = Object.values(endpoints).map(({ path }) => path);
const variants = (path: string) => [path.replace(/[-_.]/g, '_'), path.replace(/[-_.]/g, '-'), `${path}/`];

describe('a path', () => {
  it.each([...new Set([...PATHS, ...PATHS.flatMap(variants), '/', '/docs', '/openapi.json', '/v2/none'])])(
    '%s never refuses a method that it accepts',
    async (path) => {
      const filled = path.replace('{type}', 'items').replace(/\{\w+\}/g, '7');
      for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE']) {
        const answer = await ask(method, filled);
        const [, accepted, refused] = /accepts (.*), not (\w+)$/.exec(String(answer)) ?? [];
        if (accepted === undefined) continue;
        expect(refused).toBe(method);
        for (const other of accepted.split(', ')) expect(await ask(other, filled), filled).toBe(200);
      }
    },
  );

  it.each([
    [
      'GET',
      '/v2/chart_svg',
      'not_found: unknown path /v2/chart_svg; see /docs (did you mean /v2/chart.svg?)',
    ],
    [
      'GET',
      '/v2/chartXsvg',
      'not_found: unknown path /v2/chartXsvg; see /docs (did you mean /v2/chart.svg?)',
    ],
    ['DELETE', '/v2/none', 'not_found: unknown path /v2/none; see /docs'],
    ['GET', '/v2/geocode', 'method: /v2/geocode accepts POST, not GET'],
    ['HEAD', '/v2/imports', 'method: /v2/imports accepts POST, not HEAD'],
    ['PUT', '/v2/data', 'method: /v2/data accepts GET, POST, not PUT'],
    ['POST', '/docs', 'method: /docs accepts GET, not POST'],
    ['GET', '/v2/metrics/', 'not_found: unknown path /v2/metrics/; see /docs (did you mean /v2/metrics?)'],
  ])('%s %s is refused with the reason and the nearest path', async (method, path, message) => {
    expect(await ask(method, path)).toBe(message);
  });
});
