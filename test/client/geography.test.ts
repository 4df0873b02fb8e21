import { expect, it } from 'vitest';
import { geographyOperations } from '../../src/client/geography.js';
import { ContractError } from '../../src/model/errors.js';
import { json, scripted } from './answering.js';

/** The answer of a service that sends this as the shape of region 7. */
function shapeSentAs(geojson: unknown) {
  const answer = json({ data: [{ centre: null, regionId: 7, regionName: 'Iowa', geojson }] });
  return geographyOperations(scripted([answer]).transport).getGeojson(7);
}

it('reads a shape that is null, the text null or absent as none', async () => {
  for (const none of [null, 'null', undefined]) expect(await shapeSentAs(none)).toBeNull();
});

it('reads a shape as text and as an object', async () => {
  const shape = { type: 'GeometryCollection', geometries: [] };
  for (const sent of [shape, JSON.stringify(shape)]) expect(await shapeSentAs(sent)).toEqual(shape);
});

it('refuses text that is not JSON', async () => {
  await expect(shapeSentAs('{"type":')).rejects.toBeInstanceOf(ContractError);
});
