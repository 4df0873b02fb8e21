import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLIENT_ARGUMENTS } from '../src/compose-client.js';
import { type Client, createClient } from '../src/create-client.js';
import { longFrame } from '../src/frame/build/long.js';
import { ArgumentError } from '../src/model/errors.js';
import type { Argument } from '../src/model/schema/operation.js';

type Operation = (...given: unknown[]) => unknown;
type Name = keyof typeof CLIENT_ARGUMENTS;

/** A client whose service must not be asked. */
function silentClient(): { client: Client; requests: () => number } {
  let requests = 0;
  const fetch = () => {
    requests++;
    return Promise.reject(new Error('the service was asked'));
  };
  const client = createClient({
    api_host: 'http://service.invalid',
    access_token: 't',
    fetch,
    retry: { retries: 0 },
  });
  return { client, requests: () => requests };
}

const KEY = { metric_id: 1, item_id: 1, region_id: 1, source_id: 1, frequency_id: 9 };
const FRAME = longFrame({ series: [], runs: [] });
const BY_NAME = ['regions', 'Washington'];
const BY_ID = ['regions', 1];

/** Valid arguments before the options of each operation that has some. */
const BEFORE: Readonly<Partial<Record<Name, readonly unknown[]>>> = {
  ...{
    lookup: BY_ID,
    lookupBelongs: BY_ID,
    getAncestor: BY_ID,
    getDescendant: BY_ID,
    getAvailable: ['items'],
  },
  ...{ search: BY_NAME, searchForEntity: BY_NAME, resolveName: BY_NAME, searchAndLookup: BY_NAME },
  ...{
    searchAll: ['corn'],
    catalogue: [KEY],
    facets: [KEY],
    vintages: [KEY],
    listAvailable: [{ item_id: 1 }],
  },
  ...{ getAllowedUnits: [1, 1], lookupUnitAbbreviation: [1], getDescendantRegions: [1] },
  ...{ getProvinces: ['United States'], getDataSeries: [KEY], getAvailableTimefrequency: [KEY] },
  ...{ rankSeriesBySource: [[KEY]], getGeojson: [1], getShapes: [[12, 13]], getGeoCentre: [1] },
  ...{ reverseGeocodePoints: [[[47.6, -122.3]]], getTop: ['regions'], refreshDf: [FRAME], rollUp: [FRAME] },
  writeDf: [join(tmpdir(), 'never', 'written.csv')],
  computeWeights: ['Corn', 'Area harvested', ['Washington']],
  explainWeights: ['Corn', 'Area harvested'],
  computeFromParts: ['Washington'],
};

function takenBy(name: Name): readonly Argument[] {
  return CLIENT_ARGUMENTS[name].takes;
}

/** What a call returns, with a sequence consumed; or what it throws. */
async function callOf(client: Client, name: Name, given: readonly unknown[]): Promise<unknown> {
  try {
    const answer = await (client[name] as Operation)(...given);
    if (typeof answer === 'object' && answer !== null && Symbol.asyncIterator in answer)
      for await (const _ of answer as AsyncIterable<unknown>);
    return answer;
  } catch (error) {
    return error;
  }
}

const argumentsBefore = ({ name, position }: { name: Name; position: number }) =>
  (BEFORE[name] ?? []).slice(0, position);

const OPTIONS = (Object.keys(CLIENT_ARGUMENTS) as Name[]).flatMap((name) =>
  takenBy(name).flatMap(({ keys }, position) =>
    keys === undefined ? [] : [{ name, position, keys: Object.keys(keys) }],
  ),
);

describe('every operation', () => {
  it('is in the table, and nothing else is', () => {
    const { client } = silentClient();
    expect(Object.keys(CLIENT_ARGUMENTS).sort()).toEqual(
      Object.keys(client)
        .filter((name) => name !== 'api_host')
        .sort(),
    );
  });

  it.each(OPTIONS)(
    '$name refuses misspelt keys of argument $position, and names the right one',
    async (one) => {
      const { client, requests } = silentClient();
      for (const key of one.keys) {
        for (const typo of [`${key.slice(0, 2)}${key.slice(3)}`, `${key}x`, key.toUpperCase()]) {
          if (one.keys.includes(typo)) continue;
          const error = await callOf(client, one.name, [...argumentsBefore(one), { [typo]: 1 }]);
          expect(error, typo).toBeInstanceOf(ArgumentError);
          expect(error).toMatchObject({ argument: typo });
          expect((error as Error).message).toMatch(/did you mean \w+\?/);
        }
      }
      expect(requests()).toBe(0);
    },
  );

  it('of createClient names the right key', () => {
    const options = { token: 'x' } as object;
    expect(() => createClient(options)).toThrow('did you mean access_token?');
    expect(() => createClient({ access_token: 't', retry: { retires: 1 } as object })).toThrow(
      'did you mean retries?',
    );
  });
});

describe('odd values', () => {
  it.each([
    ['lookup', ['items', null], /^entity_ids: null is not an id/],
    ['lookup', ['items', [1, '2']], /^entity_ids\[1\]: "2" is not an id/],
    ['lookup', ['item', 1], /^entity_type: "item" is unknown; did you mean items\?/],
    ['search', ['items', undefined], /^search_terms: is missing/],
    ['computeWeights', ['Corn', 'Area harvested', null], /^regions: null is not a list/],
    ['computeWeights', ['Corn', 'Area harvested', [{ id: '1' }]], /^regions\[0\]\.id: "1" is not an id/],
    ['computeWeights', ['Corn', 'Area harvested', [{}]], /^regions\[0\]\.name: is missing/],
    ['getDf', [{ compress_format: 'yes' }], /^compress_format: "yes" is not true or false/],
    ['refreshDf', [{}], /^table: an object is not an Arrow table/],
    ['writeDf', ['', {}], /^path: the text is empty/],
    ['growingDegreeDays', [{ region_name: 'Seattle' }], /^base_temperature: is missing/],
    [
      'computeGdd',
      [{ base_temperature: 10, start_date: '2012-05-01', end_date: '2012-05-09', tmin_series: {} }],
      /^tmin_series\.metric_id: is missing/,
    ],
  ] as const)('of %s are named: %j', async (name, given, message) => {
    const { client, requests } = silentClient();
    const error = await callOf(client, name, given);
    expect(error).toBeInstanceOf(ArgumentError);
    expect((error as Error).message).toMatch(message);
    expect(requests()).toBe(0);
  });
});
