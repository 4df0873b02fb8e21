import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '../../src/create-client.js';
import { ArgumentError } from '../../src/model/errors.js';
import { singleTokenAuthorizer } from '../../src/service/access/auth.js';
import { createService } from '../../src/service/service.js';
import type { Store } from '../../src/store/store.js';
import { openServedStore } from './serving-store.js';

const TOKEN = 'token-of-the-tests';
let store: Store;
let service: (request: Request) => Promise<Response>;
let client: Client;
beforeAll(async () => {
  ({ store } = await openServedStore());
  service = createService(store, { authorize: singleTokenAuthorizer(TOKEN) });
  client = createClient({ api_host: 'http://service.invalid', access_token: TOKEN, fetch: service });
});
afterAll(() => store?.close());

/** Places and the ids of district, province and country that contain them. */
const PLACES: readonly (readonly [string, [number, number], (number | null)[]])[] = [
  ['Seattle, Washington', [47.61, -122.33], [153_033, 10_053, 840]],
  ['Ames, Iowa', [42.03, -93.62], [119_169, 10_019, 840]],
  ['Attu, Alaska, west of the antimeridian', [52.9, 172.9], [102_016, 10_002, 840]],
  ['Paris', [48.8566, 2.3522], [null, null, 250]],
  ['Maseru, inside South Africa', [-29.31, 27.48], [null, null, 426]],
  ['Chukotka, Russia, east of the antimeridian', [66.5, -173], [null, null, 643]],
  ['the antimeridian in Chukotka, as 180 degrees east', [68, 180], [null, null, 643]],
  ['the same as 180 degrees west', [68, -180], [null, null, 643]],
  ['the South Pole', [-90, 0], [null, null, 10]],
  ['the middle of the Pacific', [0, -150], [null, null, null]],
];

describe('reverse geocoding', () => {
  it('finds the regions of each place, in their order', async () => {
    const found = await client.reverseGeocodePoints(PLACES.map(([, place]) => place));
    expect(found.map(({ l5_id, l4_id, l3_id }) => [l5_id, l4_id, l3_id])).toEqual(
      PLACES.map(([, , ids]) => ids),
    );
    expect(found.map(({ latitude, longitude }) => [latitude, longitude])).toEqual(
      PLACES.map(([, place]) => place),
    );
  });

  it('names the regions and the nearest station that has data', async () => {
    const [seattle] = await client.reverseGeocodePoints([[47.61, -122.33]]);
    expect(seattle).toMatchObject({
      l5_name: 'King County, Washington',
      l4_name: 'Washington',
      l3_name: 'United States',
    });
    expect(seattle!.station_name).toBe('Seattle weather station');
    expect(seattle!.station_km).toBeGreaterThan(0);
    expect(seattle!.station_km).toBeLessThan(30);
  });

  it('answers no places with none, and many in several requests', async () => {
    expect(await client.reverseGeocodePoints([])).toEqual([]);
    const many = Array.from({ length: 1001 }, (_, i): [number, number] => [40 + i / 400, -93.5]);
    const found = await client.reverseGeocodePoints(many);
    expect(found).toHaveLength(1001);
    expect(found[0]).toMatchObject({ latitude: 40, l4_name: 'Missouri' });
    expect(found.at(-1)).toMatchObject({ latitude: 42.5, l4_name: 'Iowa' });
  });

  it.each([[[[91, 0]]], [[[0, 181]]], [[[Number.NaN, 0]]], [[[1]]], [[47, -122]], ['47,-122']])(
    'the client refuses %j',
    async (points) => {
      const asked = client.reverseGeocodePoints(points as unknown as [number, number][]);
      await expect(asked).rejects.toBeInstanceOf(ArgumentError);
    },
  );
});

async function post(latlng: string | null): Promise<{ status: number; text: string }> {
  const response = await service(
    new Request('http://service.invalid/v2/geocode', {
      method: 'POST',
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(latlng === null ? {} : { latlng }),
    }),
  );
  return { status: response.status, text: await response.text() };
}

describe('POST /v2/geocode', () => {
  it.each(['[[47.61, -122.33]]', '[(47.61, -122.33)]'])('reads %s', async (latlng) => {
    const { status, text } = await post(latlng);
    expect(status, text).toBe(200);
    expect(JSON.parse(text)).toEqual({ data: [expect.objectContaining({ l5_id: 153_033 })] });
  });

  it.each([
    [null, 'missing'],
    ['Seattle', 'not a list'],
    ['{"lat": 1}', 'not a list'],
    ['[1, 2]', 'place 0 is not a latitude and a longitude'],
    ['[[1, 2], [1]]', 'place 1 is not a latitude and a longitude'],
    ['[["1", "2"]]', 'place 0 is not a latitude and a longitude'],
    ['[[1e999, 2]]', 'place 0 is not a latitude and a longitude'],
    ['[[0, 0], [-90.5, 2]]', 'place 1 has latitude -90.5'],
    ['[[2, 200]]', 'place 0 has longitude 200'],
    [JSON.stringify(Array(10_001).fill([0, 0])), '10001 places'],
    ['['.repeat(200_000), 'not a list'],
  ])('refuses %.40s', async (latlng, why) => {
    const { status, text } = await post(latlng);
    const { message } = JSON.parse(text) as { message: string };
    expect([status, message.startsWith('latlng')], message).toEqual([400, true]);
    expect(message).toContain(why);
  });
});
