import { describe, expect, it } from 'vitest';
import { body, idOf, served } from './wire.js';

export function describeRankingAndGeography(): void {
  describe('ranking and geography', () => {
    it('ranks regions and items by cumulative value', async () => {
      const { metric_id, item_id, source_id, frequency_id } = served.known.revised;
      const required = `metricId=${metric_id}&frequencyId=${frequency_id}&sourceId=${source_id}`;
      const regions = await body<Record<string, number>[]>(
        `/v2/top/regions?${required}&itemId=${item_id}&n=3`,
      );
      expect(regions).toHaveLength(3);
      expect(Object.keys(regions[0]!).sort()).toEqual(
        'frequencyId itemId metricId regionId sourceId unitId value'.split(' '),
      );
      const items = await body<Record<string, number>[]>(`/v2/top/items?${required}&regionId=250`);
      expect(items).toEqual([
        expect.objectContaining({ itemId: item_id, regionId: 250, unitId: 22, value: 251 }),
      ]);
    });

    it('returns centres and shapes in two details, and the text null for a region without a shape', async () => {
      const [centre] = (
        await body<{ data: { centre: number[]; regionName: string }[] }>('/v2/geocentres?regionIds=276')
      ).data;
      expect(centre).toMatchObject({ regionId: 276, regionName: 'Germany' });
      expect(centre!.centre[0]).toBeGreaterThan(47);
      expect(centre!.centre[0]).toBeLessThan(55);
      const shape = async (zoom: number): Promise<string> => {
        const { data } = await body<{ data: { geojson: string }[] }>(
          `/v2/geocentres?includeGeojson=True&regionIds=276&zoom=${zoom}`,
        );
        return data[0]!.geojson;
      };
      const [simple, full] = [await shape(5), await shape(6)];
      expect(JSON.parse(full)).toMatchObject({
        type: 'GeometryCollection',
        geometries: [{ type: 'MultiPolygon' }],
      });
      expect(simple.length).toBeLessThan(full.length);
      const shapeless = async (flags: string) =>
        (await body<{ data: { geojson: unknown }[] }>(`/v2/geocentres?regionIds=0${flags}`)).data[0]!.geojson;
      expect(await shapeless('&includeGeojson=True')).toBe('null');
      expect(await shapeless('&includeGeojson=True&stringify=false')).toBe(null);
      expect(await shapeless('')).toBe(undefined);
    });

    it('returns the shapes of all descendants of a level as objects', async () => {
      const usa = await idOf('regions', 'United States');
      const { data } = await body<{ data: { geojson: { type: string } | null }[] }>(
        `/v2/geocentres?includeGeojson=True&regionIds=${usa}&reqRegionLevelId=4&stringify=false&zoom=1`,
      );
      expect(data.length).toBeGreaterThan(49);
      expect(data.filter(({ geojson }) => geojson?.type === 'GeometryCollection').length).toBeGreaterThan(49);
    });
  });
}
