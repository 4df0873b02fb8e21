import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  areaContains,
  isNearBox,
  type PolygonArea,
  readPolygons,
  ringContains,
  smallestFirst,
} from '../../src/compute/polygons.js';

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

it.each([
  [[-1, 5], false],
  [[23, 5], false],
  [[5, -1], false],
  [[5, 23], false],
  [[0, 0], true],
  [[22, 22], true],
])('is in the box, or beside it, at %o: %s', (position, isInside) => {
  expect(isNearBox(area, position)).toBe(isInside);
  expect(isNearBox(area, position, 0.9)).toBe(isInside);
  expect(isNearBox(area, position, 1)).toBe(true);
});

it('leaves no position between neighbours out, and gives none to both', () => {
  const contains = (west: number, south: number, position: number[]) =>
    ringContains(ring(west, south, west + 1, south + 1), position);
  for (const position of [
    [1, 0.5],
    [0.5, 1],
    [1, 1],
  ]) {
    const found = [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ].filter(([west, south]) => contains(west!, south!, position));
    expect(found).toHaveLength(1);
  }
  // A western or southern side belongs to what it encloses.
  expect([contains(0, 0, [0, 0.5]), contains(0, 0, [0.5, 0])]).toEqual([true, true]);
  expect([contains(0, 0, [1, 0.5]), contains(0, 0, [0.5, 1])]).toEqual([false, false]);
});

function square(west: number, south: number, size: number): PolygonArea {
  const coordinates = [[ring(west, south, west + size, south + size)]];
  return readPolygons(JSON.stringify({ geometries: [{ coordinates }] }));
}

it('finds, of the areas that contain a position, the one with the smallest box', () => {
  const coordinate = fc.double({ min: -3, max: 3, noNaN: true });
  const anySquare = fc.tuple(coordinate, coordinate, fc.double({ min: 0.1, max: 5, noNaN: true }));
  const squares = fc.array(anySquare, { maxLength: 12, size: 'max' });
  fc.assert(
    fc.property(squares, coordinate, coordinate, (given, longitude, latitude) => {
      const areas = given.map(([west, south, size]) => ({ ...square(west, south, size), size }));
      const sizes = areas.filter((area) => areaContains(area, [longitude, latitude])).map(({ size }) => size);
      const found = smallestFirst(areas).find((area) => areaContains(area, [longitude, latitude]));
      if (sizes.length === 0) expect(found).toBeUndefined();
      else expect(found!.size).toBeCloseTo(Math.min(...sizes), 9);
    }),
  );
});
