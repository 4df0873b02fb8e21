import type { GeometryCollection, MultiPolygon, Position } from 'geojson';
import { beforeAll, describe, expect, it } from 'vitest';
import { ringContains } from '../../../src/compute/polygons.js';
import { regionIdKind } from '../../../src/ingest/regions/ids.js';
import { loadRegionTree } from '../../../src/ingest/regions/tree.js';
import { groupedBy } from '../../../src/model/grouping.js';
import { plainName } from '../../../src/model/names/plain-name.js';
import type { NewEntity, NewShape, ShapeDetail } from '../../../src/store/store.js';
import { readAllShapes } from './read-shapes.js';

type NewRegion = NewEntity<'regions'>;
let regions: readonly NewRegion[];
let byId: ReadonlyMap<number, NewRegion>;
let shapes: readonly NewShape[];

beforeAll(async () => {
  ({ regions, byId } = await loadRegionTree());
  shapes = await readAllShapes();
});

const findByName = (name: string, level: number): NewRegion[] =>
  regions.filter(
    (region) => region.level === level && (region.name === name || region.aliases?.includes(name)),
  );
const children = (id: number, level: number): NewRegion[] =>
  regions.filter((region) => region.level === level && region.belongsTo.includes(id));
const shape = (id: number, detail: ShapeDetail): GeometryCollection<MultiPolygon> =>
  JSON.parse(shapes.find((entry) => entry.region_id === id && entry.detail === detail)!.geojson);
const exteriorsOf = ({ geometries }: GeometryCollection<MultiPolygon>): Position[][] =>
  geometries.flatMap(({ coordinates }) => coordinates.map(([exterior]) => exterior!));
const exteriors = (id: number, detail: ShapeDetail): Position[][] => exteriorsOf(shape(id, detail));

/** Whether a ring is closed, has at least four positions, and crosses the antimeridian only along a pole. */
function isRing(ring: Position[]): boolean {
  const [first, last] = [ring[0]!, ring.at(-1)!];
  if (ring.length < 4 || first[0] !== last[0] || first[1] !== last[1]) return false;
  return ring.every(([x, y], i) => {
    const before = ring[i - 1] ?? first;
    return Math.abs(x! - before[0]!) <= 180 || (y === before[1] && Math.abs(y!) === 90);
  });
}

/** Whether a shape contains a position, by the even-odd rule in the plane of RFC 7946. */
const holds = ({ geometries }: GeometryCollection<MultiPolygon>, position: Position): boolean =>
  geometries.some(({ coordinates }) =>
    coordinates.some((rings) => rings.filter((ring) => ringContains(ring, position)).length % 2 === 1),
  );

const planarArea = (ring: Position[]): number =>
  ring.slice(1).reduce((sum, [x, y], i) => sum + ring[i]![0]! * y! - x! * ring[i]![1]!, 0);

describe('regionTree', () => {
  it('has unique ids within the ranges, and parents before children', () => {
    expect(byId.size).toBe(regions.length);
    const seen = new Set<number>();
    for (const { id, belongsTo } of regions) {
      expect(regionIdKind(id)).toBeDefined();
      for (const parent of belongsTo) expect(seen.has(parent)).toBe(true);
      seen.add(id);
    }
  });

  it('has no parent of a deeper level, and every state and county', () => {
    for (const { level, belongsTo } of regions) {
      for (const parent of belongsTo) expect(byId.get(parent)!.level).toBeLessThanOrEqual(level!);
    }
    expect(children(10_019, 5)).toHaveLength(99);
    expect(children(840, 4)).toHaveLength(51);
    expect(children(630, 5)).toHaveLength(78);
    expect(children(0, 2)).toHaveLength(7);
  });

  it('has no two regions of one name, up to case, accents and punctuation, and finds each by its short name', () => {
    const ids = groupedBy(regions, ({ name }) => plainName(name));
    expect([...ids.values()].filter(({ length }) => length > 1)).toEqual([]);
    expect(findByName('Western', 4).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Western, Ghana', 'Western, Zambia']),
    );
    expect(byId.get(10_013)).toMatchObject({
      name: 'Georgia, United States',
      aliases: expect.arrayContaining(['Georgia']),
    });
    for (const id of [268, 442, 10_012, 10_030]) expect(byId.get(id)!.name).not.toContain(',');
  });

  it('has a place once that ISO 3166 lists as a country and as a part of another', () => {
    for (const [code, id] of [
      ['FR-971', 312],
      ['NL-AW', 533],
      ['GB-UKM', 826],
    ] as const)
      expect(regions.filter(({ aliases }) => aliases?.includes(code)).map((one) => one.id)).toEqual([id]);
  });

  it('has the common names of places', () => {
    for (const name of ['USA', 'United States of America', 'America'])
      expect(findByName(name, 3)[0]!.id).toBe(840);
    expect(findByName('Ivory Coast', 3)).toEqual(findByName("Côte d'Ivoire", 3));
    expect(findByName('Washington', 4).map(({ id }) => id)).toEqual([10_053]);
    expect(findByName('WA', 4).map(({ id }) => id)).toEqual([10_053]);
    expect(findByName('King, Washington', 5).map(({ id }) => id)).toEqual([153_033]);
    expect(
      findByName('King County', 5)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['King County, Texas', 'King County, Washington']);
    expect(findByName('GB-ENG', 4).map(({ name }) => name)).toEqual(['England']);
  });

  it('names equivalents of counties like the Census Bureau', () => {
    const names = [2013, 2016, 2020, 2110, 22001, 51059, 51600, 24510, 32510, 11001, 72001].map(
      (fips) => byId.get(100_000 + fips)!.name,
    );
    expect(names).toEqual([
      'Aleutians East Borough, Alaska',
      'Aleutians West Census Area, Alaska',
      'Anchorage Municipality, Alaska',
      'Juneau City and Borough, Alaska',
      'Acadia Parish, Louisiana',
      'Fairfax County, Virginia',
      'Fairfax city, Virginia',
      'Baltimore city, Maryland',
      'Carson City, Nevada',
      'District of Columbia, District of Columbia',
      'Adjuntas Municipio, Puerto Rico',
    ]);
    const counties = regions.filter(({ id }) => regionIdKind(id) === 'usCounty').map(({ name }) => name);
    expect(counties.filter((name, i) => counties.indexOf(name) !== i)).toEqual([]);
  });

  it.each([
    ['46113', 'Shannon County, South Dakota', true, 146_102],
    ['12025', 'Dade County, Florida', true, 112_086],
    ['02270', 'Wade Hampton Census Area, Alaska', true, 102_158],
    ['51515', 'Bedford city, Virginia', true, undefined],
    ['30113', 'Yellowstone National Park, Montana', true, undefined],
    ['46131', 'Washabaugh County, South Dakota', true, undefined],
    ['09190', 'Western Connecticut Planning Region, Connecticut', false, undefined],
    ['02066', 'Copper River Census Area, Alaska', false, undefined],
  ])('has the county of a FIPS code that changed: %s', (code, name, historical, sameLand) => {
    const county = byId.get(100_000 + Number(code))!;
    expect(county).toMatchObject({
      name,
      historical,
      level: 5,
      belongsTo: [10_000 + Number(code.slice(0, 2))],
    });
    expect(county.aliases).toContain(code);
    const shapeOf = (id?: number) =>
      shapes.filter(({ region_id }) => region_id === id).map((one) => one.geojson);
    expect(shapeOf(county.id)).toEqual(shapeOf(sameLand));
    expect(county.latitude === null).toBe(sameLand === undefined);
  });

  it('has Valdez-Cordova, which was divided in 2019, as a historical region with its land', () => {
    const former = byId.get(102_261)!;
    expect(former).toMatchObject({ name: 'Valdez-Cordova Census Area, Alaska', historical: true });
    expect(former.definition).toContain(
      'Divided into Chugach (FIPS 02063) and Copper River (FIPS 02066) in 2019',
    );
    expect(former.latitude).not.toBeNull();
  });

  it('has former countries as historical regions, on the continents of their successors', () => {
    const ussr = findByName('SUHH', 3)[0]!;
    expect(ussr).toMatchObject({ name: 'USSR', historical: true, belongsTo: [1142, 1150] });
    expect(findByName('CSHH', 3)[0]).toMatchObject({
      name: 'Czechoslovakia',
      historical: true,
      belongsTo: [1150],
    });
    expect(findByName('YUCS', 3)[0]!.definition).toContain('Montenegro, Serbia');
    expect(findByName('East Germany', 3)[0]).toMatchObject({ historical: true, latitude: null });
    const levels = regions.filter(({ historical }) => historical).map(({ level }) => level);
    expect(new Set(levels)).toEqual(new Set([3, 5]));
  });

  it('has the centre of every region on its land', () => {
    const offLand = shapes
      .filter(({ detail }) => detail === 'full')
      .map(({ region_id }) => byId.get(region_id)!)
      .filter(({ id, latitude, longitude }) => !holds(shape(id, 'full'), [longitude!, latitude!]));
    // The shape of this city in us-atlas is a line without area.
    expect(offLand.map(({ name }) => name)).toEqual(['Falls Church city, Virginia']);
  });
});

describe('shapes', () => {
  it('have two details, the simple one with fewer positions', () => {
    for (const id of [840, 10_006, 106_037]) {
      expect(exteriors(id, 'simple').flat().length).toBeLessThan(exteriors(id, 'full').flat().length);
    }
  });

  it('follow RFC 7946: closed rings, exteriors counter-clockwise, no edge across the antimeridian', () => {
    const broken = shapes.filter(({ geojson }) =>
      exteriorsOf(JSON.parse(geojson)).some((ring) => !isRing(ring) || planarArea(ring) < 0),
    );
    expect(broken.map(({ region_id, detail }) => [region_id, detail])).toEqual([]);
  });
});
