import { expect, it } from 'vitest';
import { geographyOperations } from '../../src/client/geography.js';
import { ContractError } from '../../src/model/errors.js';
import { json, scripted } from './answering.js';

/** The answer of a service that sends this as the shape of region 7. */
function shapeSentAs(geojson: unknown) {
  const answer = json({ data: [{ centre: null, regionId: 7, regionName: 'Iowa', geojson }] });
  return geographyOperations(scripted([answer]).transport).getGeojson(7);
}

it('reads a shape that is null, or the text null, as none', async () => {
  for (const none of [null, 'null']) expect(await shapeSentAs(none)).toBeNull();
});

it.each([
  [undefined, 'is missing'],
  [{ type: 'MultiPolygon', coordinates: [] }, 'is not a GeometryCollection'],
])('never takes %j for no shape', async (sent, what) => {
  await expect(shapeSentAs(sent)).rejects.toThrow(`geocentres: the geojson of region 7 ${what}`);
});

it('reads a shape as text and as an object', async () => {
  const shape = { type: 'GeometryCollection', geometries: [] };
  for (const sent of [shape, JSON.stringify(shape)]) expect(await shapeSentAs(sent)).toEqual(shape);
});

it('refuses text that is not JSON', async () => {
  await expect(shapeSentAs('{"type":')).rejects.toBeInstanceOf(ContractError);
});

/** The answer of a service that sends these for Seattle. */
function geocodedAs(...data: object[]) {
  const { transport } = scripted([json({ data })]);
  return geographyOperations(transport).reverseGeocodePoints([[47.6062, -122.3321]]);
}

const PLACE = {
  ...{ latitude: 47.6062, longitude: -122.3321, l5_id: null, l5_name: null, l4_id: null, l4_name: null },
  ...{ l3_id: 840, l3_name: 'United States' },
};

it('reads a place without the station, which is an addition', async () => {
  const station = { station_id: null, station_name: null, station_km: null };
  expect(await geocodedAs(PLACE)).toEqual([{ ...PLACE, ...station }]);
});

it('refuses an answer for other places, or for more or fewer', async () => {
  for (const sent of [
    [],
    [PLACE, PLACE],
    [{ ...PLACE, latitude: -47.6062 }],
    [{ ...PLACE, longitude: 122.3321 }],
    [{ ...PLACE, l3_id: undefined }],
  ])
    await expect(geocodedAs(...sent)).rejects.toBeInstanceOf(ContractError);
});

it.each([
  [5, [200, 200, 50]],
  [6, [100, 100, 100, 100, 50]],
])(
  'asks for many shapes of zoom level %i in few requests, of addresses that stay short',
  async (zoom_level, sizes) => {
    const idsOf = ({ url }: Request) => new URL(url).searchParams.getAll('regionIds').map(Number);
    const { transport, requests } = scripted([
      (request) =>
        json({
          data: idsOf(request).map((regionId) => ({ regionId, regionName: '', centre: null, geojson: null })),
        }),
    ]);
    const ids = Array.from({ length: 450 }, (_, i) => 2_000_000_000 + i);
    const shapes = await geographyOperations(transport).getShapes([...ids, ...ids], { zoom_level });
    expect([...shapes.keys()]).toEqual(ids);
    expect(requests.map((request) => idsOf(request).length)).toEqual(sizes);
    expect(Math.max(...requests.map(({ url }) => url.length))).toBeLessThan(5_000);
  },
);
