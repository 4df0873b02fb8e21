import fc from 'fast-check';
import { expect, it } from 'vitest';
import { distanceKm, nearestPlace } from '../../src/compute/nearest-place.js';

it('measures great circles', () => {
  const quarter = (6371.0088 * Math.PI) / 2;
  expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 0, longitude: 90 })).toBeCloseTo(quarter, 6);
  expect(distanceKm({ latitude: 90, longitude: 0 }, { latitude: 0, longitude: 17 })).toBeCloseTo(quarter, 6);
  expect(distanceKm({ latitude: 1, longitude: 179.5 }, { latitude: 1, longitude: -179.5 })).toBeLessThan(112);
});

it('agrees with the spherical law of cosines', () => {
  const radians = (degrees: number) => (degrees * Math.PI) / 180;
  fc.assert(
    fc.property(place, place, (a, b) => {
      const [north, south] = [radians(a.latitude), radians(b.latitude)];
      const cosine =
        Math.sin(north) * Math.sin(south) +
        Math.cos(north) * Math.cos(south) * Math.cos(radians(a.longitude - b.longitude));
      expect(distanceKm(a, b)).toBeCloseTo(6371.0088 * Math.acos(Math.max(-1, Math.min(1, cosine))), 0);
    }),
  );
});

const place = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});

it('finds the place at the smallest distance of all', () => {
  fc.assert(
    fc.property(fc.array(place, { minLength: 1, maxLength: 60, size: 'max' }), place, (places, from) => {
      const smallest = Math.min(...places.map((one) => distanceKm(from, one)));
      expect(nearestPlace(places, from)!.km).toBe(smallest);
    }),
  );
});

it('tells places of one latitude apart', () => {
  const places = [10, 20, 30].map((longitude) => ({ latitude: 5, longitude }));
  const found = places.map(({ longitude }) => nearestPlace(places, { latitude: 6, longitude })!.place);
  expect(found).toEqual(places);
});

it('finds nothing among no places', () => {
  expect(nearestPlace([], { latitude: 1, longitude: 2 })).toBeNull();
});
