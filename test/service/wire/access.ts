import { describe, expect, it } from 'vitest';
import { EMAIL, PASSWORD } from '../serving-store.js';
import { body, served } from './wire.js';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function describeAccess(): void {
  describe('access and documentation', () => {
    it('returns a token for an email and its password', async () => {
      const post = (password: string): Promise<Response> =>
        fetch(`${served.url}/api-token`, {
          method: 'POST',
          body: new URLSearchParams({ email: EMAIL, password }),
        });
      const answer = (await (await post(PASSWORD)).json()) as { data: { accessToken: string } };
      const used = await fetch(`${served.url}/v2/units?ids=22`, {
        headers: { authorization: `Bearer ${answer.data.accessToken}` },
      });
      expect(used.status).toBe(200);
      expect((await post('wrong')).status).toBe(401);
    });

    it('returns health, OpenAPI and documentation without a token', async () => {
      expect(await (await fetch(`${served.url}/health`)).json()).toMatchObject({
        status: 'ok',
        engine: 'duckdb',
      });
      const contract = (await (await fetch(`${served.url}/openapi.json`)).json()) as {
        openapi: string;
        paths: object;
      };
      expect(contract.openapi).toBe('3.1.0');
      expect(Object.keys(contract.paths)).toContain('/v2/data');
      expect(await (await fetch(`${served.url}/docs`)).text()).toContain('/v2/available/time-frequencies');
    });

    it('tags answers, and answers 304 when the tag matches', async () => {
      const first = await served.get('/v2/units?ids=22', { 'accept-encoding': 'identity' });
      const etag = first.headers.get('etag')!;
      expect(etag).toMatch(/^"[\w-]+"$/);
      const again = await served.get('/v2/units?ids=22', { 'if-none-match': etag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const other = await served.get('/v2/units?ids=20', { 'if-none-match': etag });
      expect(other.status).toBe(200);
    });

    it('compresses what the client accepts', async () => {
      const response = await served.get('/v2/regions', { 'accept-encoding': 'gzip' });
      expect(response.headers.get('content-encoding')).toBe('gzip');
      expect(((await response.json()) as { data: unknown[] }).data).toHaveLength(5000);
      expect(response.headers.get('etag')).toMatch(/-gzip"$/);
    });

    it('writes dates as ISO 8601 with milliseconds and Z', async () => {
      const { data } = await body<{ data: { start_date: string; end_date: string }[] }>(
        '/v2/data_series/list',
      );
      for (const { start_date, end_date } of data)
        expect([start_date, end_date].every((date) => ISO.test(date))).toBe(true);
    });
  });
}
