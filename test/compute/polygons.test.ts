import { expect, it } from 'vitest';
import { areaContains, isNearBox, readPolygons, ringContains } from '../../src/compute/polygons.js';

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

it('follows slanted sides, and counts a corner at the height of a position once', () => {
  const slanted = [
    [0, 0],
    [8, 2],
    [10, 8],
    [2, 6],
    [0, 0],
  ];
  const diamond = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
    [0, -1],
  ];
  const contains = (ring: number[][], positions: number[][]) =>
    positions.map((position) => ringContains(ring, position));
  expect(
    contains(slanted, [
      [4, 1.2],
      [1, 2.5],
      [9, 6],
      [6, 6.8],
    ]),
  ).toEqual([true, true, true, true]);
  expect(
    contains(slanted, [
      [4, 0.8],
      [1, 3.5],
      [9, 4.5],
      [6, 7.2],
    ]),
  ).toEqual([false, false, false, false]);
  expect(
    contains(diamond, [
      [0, 0],
      [-0.5, 0],
      [-2, 0],
      [2, 0],
      [-2, -1],
      [-2, 1],
    ]),
  ).toEqual([true, true, false, false, false, false]);
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
