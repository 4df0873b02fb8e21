import { expect, it } from 'vitest';
import { areaContains, isNearBox, readPolygons } from '../../src/compute/polygons.js';

const ring = (west: number, south: number, east: number, north: number) => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];
/** A square from 0 to 10 with a hole from 4 to 6, and an island from 20 to 22. */
const area = readPolygons(
  JSON.stringify({
    type: 'GeometryCollection',
    geometries: [
      { type: 'MultiPolygon', coordinates: [[ring(0, 0, 10, 10), ring(4, 4, 6, 6)], [ring(20, 20, 22, 22)]] },
    ],
  }),
);

it.each([
  [[1, 1], true],
  [[5, 5], false],
  [[21, 21], true],
  [[15, 15], false],
  [[-1, 5], false],
])('contains %o: %s', (position, expected) => {
  expect(areaContains(area, position)).toBe(expected);
});

it('has a box around all polygons', () => {
  expect(area.box).toEqual([0, 0, 22, 22]);
  expect([isNearBox(area, [22.5, 10]), isNearBox(area, [22.5, 10], 0.5)]).toEqual([false, true]);
});
