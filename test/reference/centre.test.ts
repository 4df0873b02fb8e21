import type { Polygon, Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { combinedCentre, regionCentre } from '../../reference/centre.js';

/** Clockwise, like the exteriors of the atlases. */
const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [west, north],
  [east, north],
  [east, south],
  [west, south],
];
const polygon = (...rings: Position[][]): Polygon => ({ type: 'Polygon', coordinates: rings });
const UNKNOWN = { latitude: null, longitude: null };

describe('regionCentre', () => {
  it('is the centroid of the largest polygon', () => {
    const mainland = box(0, -2, 4, 2);
    const overseas = [box(-60, 3, -59, 4), box(100, -20, 101, -19)];
    const whole = {
      type: 'MultiPolygon' as const,
      coordinates: [overseas[0]!, mainland, overseas[1]!].map((ring) => [ring]),
    };
    expect(regionCentre([whole])).toEqual({ latitude: 0, longitude: 2 });
    expect(regionCentre([polygon(overseas[0]!), polygon(mainland)])).toEqual({ latitude: 0, longitude: 2 });
  });

  it('compares areas on the sphere, for both windings', () => {
    const polar = box(0, 80, 30, 88);
    const tropical = box(50, -4, 60, 4);
    expect(regionCentre([polygon(polar), polygon([...tropical].reverse())]).longitude).toBe(55);
  });

  it('is on land when the mainland is bent around its centroid', () => {
    const bent: Position[] = [
      [0, 0],
      [0, 10],
      [2, 10],
      [2, 2],
      [8, 2],
      [8, 10],
      [11, 10],
      [11, 0],
      [0, 0],
    ];
    const { latitude, longitude } = regionCentre([polygon(bent)]);
    expect(latitude).toBeGreaterThan(2);
    expect(longitude).toBe(9.5);
  });

  it('is outside holes, and correct for mainlands across the antimeridian', () => {
    const enclave = [...box(-1, -1, 1, 1)].reverse();
    const around = regionCentre([polygon(box(-5, -5, 5, 5), enclave)]);
    expect(Math.abs(around.longitude!)).toBe(3);
    const ring: Position[] = [
      [176, -2],
      [176, 2],
      [-176, 2],
      [-176, -2],
      [176, -2],
    ];
    const { latitude, longitude } = regionCentre([polygon(ring)]);
    expect([latitude, Math.abs(longitude!)]).toEqual([0, 180]);
  });

  it('is null without a shape', () => {
    expect(regionCentre([])).toEqual(UNKNOWN);
  });
});

describe('centreOfSeveral', () => {
  it('is the centroid of all mainlands', () => {
    const regions = [
      [polygon(box(0, -1, 2, 1)), polygon(box(90, 0, 91, 1))],
      [polygon(box(2, -1, 4, 1))],
      [],
    ];
    expect(combinedCentre(regions)).toEqual({ latitude: 0, longitude: 2 });
    expect(combinedCentre([[]])).toEqual(UNKNOWN);
  });
});
