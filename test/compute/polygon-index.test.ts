import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PolygonIndex } from '../../src/compute/polygon-index.js';
import { areaContains, type PolygonArea, readPolygons } from '../../src/compute/polygons.js';

function square(west: number, south: number, size: number): PolygonArea {
  const [east, north] = [west + size, south + size];
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return readPolygons(JSON.stringify({ geometries: [{ coordinates: [[corners]] }] }));
}

it('finds, of the areas that contain a position, the one with the smallest box', async () => {
  const coordinate = fc.double({ min: -3, max: 3, noNaN: true });
  const anySquare = fc.tuple(coordinate, coordinate, fc.double({ min: 0.1, max: 5, noNaN: true }));
  const squares = fc.array(anySquare, { maxLength: 12, size: 'max' });
  await fc.assert(
    fc.asyncProperty(squares, coordinate, coordinate, async (given, longitude, latitude) => {
      const areas = given.map(([west, south, size]) => ({ ...square(west, south, size), size }));
      const sizes = areas.filter((area) => areaContains(area, [longitude, latitude])).map(({ size }) => size);
      const found = (await PolygonIndex.build(areas)).find(longitude, latitude);
      if (sizes.length === 0) expect(found).toBeNull();
      else expect(found!.size).toBeCloseTo(Math.min(...sizes), 9);
    }),
  );
});

it('finds a small area within a large one that lies around the equator, or the meridian of Greenwich', async () => {
  for (const [longitude, latitude] of [
    [0.5, 3.5],
    [3.5, 0.5],
  ] as const) {
    const small = square(longitude - 0.5, latitude - 0.5, 1);
    const index = await PolygonIndex.build([square(-5, -5, 10), small]);
    expect(index.find(longitude, latitude)).toBe(small);
  }
});
