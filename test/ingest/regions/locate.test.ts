import { describe, expect, it } from 'vitest';
import { loadRegionLocator } from '../../../src/ingest/regions/locate.js';
import { loadRegionTree } from '../../../src/ingest/regions/tree.js';

/** Places and the regions that contain them. */
const PLACES: readonly (readonly [
  name: string,
  latitude: number,
  longitude: number,
  region: number | null,
])[] = [
  ['Central Park, New York', 40.7789, -73.9692, 136_061],
  ['Fairfax, the city inside the county', 38.8462, -77.3064, 151_600],
  ['Suva, Fiji', -18.1416, 178.4419, 242],
  ['Uelen, Russia, east of the antimeridian', 66.16, -169.81, 643],
  ['Pristina', 42.6629, 21.1655, 412],
  ['a pier of San Francisco, off the shore as drawn', 37.81, -122.41, 106_075],
  ['the middle of the Pacific', 0, -150, null],
];

describe('regionLocator', () => {
  it.each(PLACES)('finds %s', async (_, latitude, longitude, region) => {
    expect((await loadRegionLocator()).locate(latitude, longitude)).toBe(region);
  });

  it('finds most counties at their own centre', async () => {
    const { locate } = await loadRegionLocator();
    const { regions } = await loadRegionTree();
    const counties = regions.filter(({ id }) => id > 101_000 && id < 157_000).filter((_, i) => i % 7 === 0);
    const found = counties.filter(({ id, latitude, longitude }) => locate(latitude!, longitude!) === id);
    expect(counties.length).toBeGreaterThan(400);
    expect(found.length / counties.length).toBeGreaterThan(0.98);
  });
});
