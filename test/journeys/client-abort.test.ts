import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../../src/client/http/request.js';
import type { Progress } from '../../src/model/progress.js';
import { cornSeries, fillWithCorn, withSaved } from './corn-states.js';
import { AT_ONCE, counting, useDemoService } from './demo-service.js';
import { jsonOnlyService } from './json-only-service.js';
import { overBytes } from './other-forms.js';

const SERIES = cornSeries(1000);

const corn = useDemoService(fillWithCorn(1000, 10));

const saving = (fetch: Fetch) => withSaved(corn.client({ fetch }), SERIES);

describe('a retrieval of 1,000 series', () => {
  it('reports its progress: counts, rows, bytes and rate', async () => {
    const { fetch, asked } = counting(corn.service);
    const told: Progress[] = [];
    const table = await saving(fetch).getDf({ onProgress: (progress) => told.push(progress) });
    const last = told.at(-1)!;
    expect(last).toMatchObject({
      label: 'fetching series',
      done: 1000,
      total: 1000,
      unit: 'series',
      rows: table.numRows,
    });
    expect(last.bytes).toBeGreaterThanOrEqual(8 * table.numRows);
    expect(last.bytesPerSecond).toBeGreaterThan(0);
    const counts = told.map(({ done }) => done);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(new Set(counts).size).toBe(1000);
    expect(asked.get('POST /v2/data')).toBe(10);
    expect(asked.has('GET /v2/data')).toBe(false);
  });

  it.each([
    ['batches in process', (service: Fetch) => service],
    ['batches over bytes', overBytes],
    ['single requests', (service: Fetch) => jsonOnlyService(service)],
  ])('starts nothing after an abort, and rejects with its reason (%s)', async (_, form) => {
    const stop = new AbortController();
    const reason = new Error('enough of it');
    let startedAfter = 0;
    const watching: Fetch = (request) => {
      if (stop.signal.aborted) startedAfter++;
      return form(corn.service)(request);
    };
    const fetching = saving(watching).getDf({
      signal: stop.signal,
      onProgress: ({ done }) => done >= 50 && stop.abort(reason),
    });
    await expect(fetching).rejects.toBe(reason);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(startedAfter).toBe(0);
  });

  it('does not wait for a service that hangs: the abort rejects though no request ever settles', async () => {
    const stop = new AbortController();
    let hanging = 0;
    const hang: Fetch = () => {
      hanging++;
      if (hanging === 10) queueMicrotask(() => stop.abort(new Error('no patience')));
      return new Promise(() => {});
    };
    await expect(saving(hang).getDf({ signal: stop.signal })).rejects.toThrow('no patience');
    expect(hanging).toBe(10);
  });

  it('aborts between retries, and before the first request', async () => {
    const stop = new AbortController();
    const busy: Fetch = async () => {
      queueMicrotask(() => stop.abort(new Error('no patience')));
      return new Response('{}', { status: 429, headers: { 'retry-after': '60' } });
    };
    await expect(saving(busy).getDf({ signal: stop.signal })).rejects.toThrow('no patience');
    const { fetch, total } = counting(corn.service);
    await expect(saving(fetch).getDf({ signal: stop.signal })).rejects.toThrow('no patience');
    expect(total()).toBe(0);
  });

  it('leaves no socket or timer behind: a process ends by itself after an abort', async () => {
    const source = join(import.meta.dirname, 'abort-and-end.mjs');
    const { stdout } = await promisify(execFile)(process.execPath, [source]);
    expect(JSON.parse(stdout)).toEqual({
      rejected: 'enough',
      startedAfter: 0,
      openAnswers: 0,
      timers: 0,
      unhandled: 0,
    });
  });

  it('fails with the one cause of all failures, without retrying every series', async () => {
    const { fetch, total } = counting(async () => new Response('{}', { status: 500 }));
    const client = withSaved(corn.client({ fetch, retry: { ...AT_ONCE, retries: 2 } }), SERIES);
    await expect(client.getDf()).rejects.toMatchObject({ code: 'http', status: 500 });
    expect(total()).toBeLessThan(200);
  });
});
