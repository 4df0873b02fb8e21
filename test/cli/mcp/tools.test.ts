import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClients } from '../../../src/cli/connection/with-client.js';
import { createMcpServer, loadSdk } from '../../../src/cli/mcp/server.js';
import type { Client as DataClient } from '../../../src/create-client.js';
import { exactRows } from '../../frame/exact-rows.js';
import { recordingIo, runCommand } from '../capture.js';
import { demoStore } from '../stores.js';

const { store } = demoStore();
/** A copy, which commands open while the server has the first open. */
const { store: copy } = demoStore();
const assistant = new Client({ name: 'test', version: '1' });
let client: DataClient;
let stop: () => void;
let ended: Promise<void>;

beforeAll(async () => {
  const sdk = await loadSdk();
  const { io } = recordingIo();
  const [near, far] = InMemoryTransport.createLinkedPair();
  const stopped = new Promise<void>((done) => {
    stop = done;
  });
  await new Promise<void>((ready, fail) => {
    ended = withClients({ ...io, exitCode: 0 }, { store }, async (newClient) => {
      client = newClient();
      const parts = { newClient, connection: { store: copy }, signal: io.signal };
      await createMcpServer(sdk, parts).connect(far);
      ready();
      await stopped;
    });
    ended.catch(fail);
  });
  await assistant.connect(near);
});

afterAll(async () => {
  await assistant.close();
  stop();
  await ended;
});

/** What the tools answer, as far as the tests read it. */
interface Found {
  readonly command: string;
  readonly notes: readonly string[];
  readonly coverage: number;
  readonly hits: readonly { readonly id: number; readonly series: number }[];
  readonly series: readonly { readonly key: string; readonly why: string }[];
  readonly sources: readonly { readonly licence: string }[];
  readonly units: readonly { readonly abbreviation: string }[];
  readonly points: readonly { readonly value: number; readonly unit: string }[];
  readonly summary: object;
  readonly regions: readonly { readonly total: number; readonly weight: number }[];
}

async function call(name: string, args: Record<string, unknown> = {}) {
  const { content, structuredContent, isError } = await assistant.callTool({ name, arguments: args });
  const [{ text }] = content as [{ text: string }];
  return { text, isError, content, found: structuredContent as Found };
}

/** Runs the command of an answer as a shell splits it. */
function repeat(command: string) {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  expect(words[0]).toBe('cropframe');
  return runCommand(words.slice(1));
}

const SEASON = { start_date: '2015-05-01', end_date: '2015-09-30' };

describe('tools', () => {
  it('are listed with schemas of what they take, as tools that only read', async () => {
    const { tools } = await assistant.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search',
      'find_series',
      'get_points',
      'degree_days',
      'crop_weights',
      'chart',
    ]);
    for (const { inputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: 'object' });
      expect(annotations).toMatchObject({ readOnlyHint: true });
      expect(description!.length).toBeLessThan(400);
    }
  });

  it('search names with the numbers of their series', async () => {
    const { found, text } = await call('search', { text: 'corn', limit: 3 });
    const expected = await client.searchAll('corn', { limit: 3 });
    expect(found.hits.map(({ id, series }) => [id, series])).toEqual(
      expected.map(({ id, series }) => [id, series]),
    );
    expect(text).toContain('Corn');
    const again = await repeat(found.command);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain('Corn');
  });

  it('find series with the reason, the licence, and the entity used for a name', async () => {
    const { found, text } = await call('find_series', {
      item: 'Temperature max',
      region: 'Seattle',
      ...SEASON,
    });
    expect(found.series[0]).toMatchObject({ coverage: 1, frequency: 'daily' });
    expect(found.series[0]).toMatchObject({ start: '2012-01-01', end: '2015-12-31' });
    expect(found.series[0]!.why).toMatch(/^rank 1: covers 100.0 % of the requested period, \d+ points/);
    const anytime = await call('find_series', { item: 'Temperature max', region: 'Seattle' });
    expect(anytime.found.series[0]).toMatchObject({ coverage: null });
    expect(anytime.text).not.toMatch(/\d %/);
    expect(found.sources[0]!.licence).not.toBe('');
    expect(found.units.map(({ abbreviation }) => abbreviation)).toContain('°C');
    expect(text).toContain(found.series[0]!.key);
    expect((await repeat(found.command)).stdout).toContain(found.series[0]!.key);
    const guessed = await call('find_series', { item: 'temperature maxi', region: 'Seattle' });
    expect(guessed.found.notes.join()).toContain('was used for the item "temperature maxi"');
  });

  it('get points, cut and said to be cut, with figures of all', async () => {
    const words = { item: 'Temperature max', region: 'Seattle', ...SEASON };
    const first = await call('get_points', { ...words, limit: 100 });
    expect(first.found).toMatchObject({ is_whole: false, next_offset: 100, coverage: { share: 1 } });
    expect(first.text).toContain('points 1 to 100 of 153 are listed; call again with offset 100');
    const second = await call('get_points', { ...words, limit: 100, offset: 100 });
    expect(second.found).toMatchObject({ is_whole: false, next_offset: null });
    const values = [...first.found.points, ...second.found.points].map(({ value }) => value);
    await client.addDataSeries({
      item: 'Temperature max',
      region: 'Seattle',
      ...SEASON,
    });
    const rows = exactRows(await client.getDf());
    expect(values).toEqual(rows.map(({ value }) => value));
    expect(first.found.summary).toMatchObject({
      points: 153,
      max: Math.max(...values),
      min: Math.min(...values),
      mean: expect.closeTo(values.reduce((sum, value) => sum + value, 0) / 153, 10),
    });
    const { code, stdout } = await repeat(first.found.command);
    expect({ code, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, lines: 154 });
  });

  it('say what was used where something is not named', async () => {
    const { found } = await call('get_points', { item: 'corn', metric: 'yield' });
    expect(found.notes).toEqual([
      'no region was named, and "New York" was used, which has the best coverage; find_series lists the others',
    ]);
  });

  it('convert units, and say which ones there are', async () => {
    const words = {
      item: 'Temperature max',
      region: 'Seattle',
      start_date: '2015-07-01',
      end_date: '2015-07-01',
    };
    const [celsius, fahrenheit] = [
      await call('get_points', { ...words, unit_id: '°C' }),
      await call('get_points', { ...words, unit_id: '°F' }),
    ];
    expect(fahrenheit.found.points[0]!.value).toBeCloseTo(celsius.found.points[0]!.value * 1.8 + 32, 9);
    expect(fahrenheit.found.points[0]!.unit).toBe('°F');
    const wrong = await call('get_points', { ...words, unit_id: 'bushel' });
    expect(wrong).toMatchObject({ isError: true });
    expect(wrong.text).toContain('the units are');
  });

  it('compute degree days as the client does', async () => {
    const thresholds = { base_temperature: 10, upper_temperature_cap: 30 };
    const args = { region_name: ['Seattle', 'New York City'], ...thresholds, ...SEASON };
    const { found, text } = await call('degree_days', args);
    const expected = await client.growingDegreeDays(args);
    expect(found.regions.map(({ total }) => total)).toEqual(expected);
    const rule = { method: 'average', cutoff: 'horizontal', ...thresholds };
    expect(found.regions[0]).toMatchObject({ unit: '°C·d', days: 153, coverage: 1, ...rule });
    expect(text).toContain('Licence:');
    expect((await repeat(found.command)).stdout).toContain(expected[0]!.toFixed(2));
    const hot = await call('degree_days', { ...args, base_temperature: 50, upper_temperature_cap: null });
    expect(hot.found.notes.join()).toContain('no temperature is above the base of 50 °C');
  });

  it('weigh regions by a crop as the client does', async () => {
    const regions = ['Washington', 'Iowa', 'Illinois'];
    const { found, text } = await call('crop_weights', { crop: 'corn', metric: 'yield', regions });
    const expected = await client.explainWeights('corn', 'yield', { regions });
    expect(found.regions.map(({ weight }) => weight)).toEqual(expected.weights);
    expect(found.coverage).toBe(1 - expected.without_data.length / regions.length);
    expect(text).toContain('explainWeights("corn", "yield"');
    expect(await repeat(found.command)).toMatchObject({ code: 0 });
  });

  it('draw charts as text or as an image', async () => {
    const words = { item: 'Temperature max', region: 'Seattle', ...SEASON };
    const { found, text } = await call('chart', words);
    expect(text).toMatch(/<svg[\s\S]*<\/svg>\s*$/);
    expect(found).toMatchObject({ points: 153, series: [{ coverage: 1 }] });
    const { content } = await call('chart', { ...words, as: 'image', theme: 'dark' });
    expect(content).toMatchObject([{ type: 'text' }, { type: 'image', mimeType: 'image/svg+xml' }]);
    expect(await repeat(found.command)).toMatchObject({ code: 0 });
  });
});

describe('errors', () => {
  it.each([
    ['search', { text: 'zzzzqqqq' }, 'nothing is called "zzzzqqqq"; try fewer words'],
    ['find_series', {}, 'specify at least one of metric, item and region'],
    ['find_series', { item: 'zzzzqqqq' }, 'no item is called "zzzzqqqq"; look up names with search'],
    ['get_points', {}, 'series: set it to a key from find_series, or set metric, item and region'],
    ['get_points', { series: 'corn' }, '"corn" is not a series key'],
    ['get_points', { series: '1-2-3-4-5-6' }, 'there is no series 1-2-3-4-5-6'],
    ['get_points', { series: '1-2-3-4-5-6', item: 'corn' }, 'omit item'],
    [
      'get_points',
      { item: 'Temperature max', region: 'Seattle', start_date: '2015-02-30' },
      'start_date: "2015-02-30" is not a date',
    ],
    ['get_points', { item: 'Temperature max', region: 'Seattle', offset: 1e6 }, 'use a smaller offset'],
    [
      'get_points',
      { item: 'Temperature max', region: 'Seattle', start_date: '1900-01-01', end_date: '1900-12-31' },
      'there are no points from 1900-01-01 to 1900-12-31; its data end on',
    ],
    [
      'get_points',
      { item: 'Temperature max', region: 'Seattle', at_time: '2000-01-01' },
      'UTC. Use one of these as at_time; do not omit it, because the latest figures contain later knowledge',
    ],
    ['degree_days', { region_name: ['Atlantis'], base_temperature: 10, ...SEASON }, 'Atlantis'],
    ['degree_days', { region_name: ['Seattle'], ...SEASON }, 'base_temperature: is missing'],
    [
      'degree_days',
      { region_name: ['Seattle'], base_temperatur: 10, ...SEASON },
      'base_temperatur: there is no such parameter; did you mean base_temperature?',
    ],
    [
      'degree_days',
      { region_name: ['Seattle'], base_temperature: 10, start_date: '2015-12-01', end_date: '2016-01-31' },
      'choose other series or dates, or lower min_temporal_coverage',
    ],
    [
      'degree_days',
      { region_name: ['Seattle'], base_temperature: 10, start_date: '2015-12-01', end_date: '2015-01-31' },
      'start_date: 2015-12-01 is after end_date 2015-01-31',
    ],
    ['crop_weights', { crop: 'zzzzqqqq', regions: ['Iowa'] }, 'zzzzqqqq'],
    ['chart', { series: [] }, 'series: the number of items must be at least 1'],
  ])('%s %j says what to ask instead', async (name, args, message) => {
    const { isError, text, found } = await call(name, args);
    expect({ isError, found }).toEqual({ isError: true, found: undefined });
    expect(text).toContain(message);
    expect(text).not.toMatch(/\n\s+at |unexpected:/);
  });
});
