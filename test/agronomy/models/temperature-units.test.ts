import { describe, expect, it } from 'vitest';
import { stationTemperatures } from '../../../src/agronomy/models/temperature-series.js';
import { createClient } from '../../../src/create-client.js';
import { UnitError } from '../../../src/model/errors.js';
import { json } from '../../client/answering.js';
import { useDemoService } from '../../journeys/demo-service.js';

const unit = (id: number, abbreviation: string, factor: number, offset: number) => {
  const names = { name: `degree ${abbreviation}`, abbreviation };
  return { id, ...names, baseConvFactor: { factor, offset }, dimension: 'temperature' };
};
const CELSIUS = unit(20, '°C', 1, 0);
const FAHRENHEIT = unit(21, '°F', 5 / 9, -160 / 9);
/** As °C, under another id. */
const CENTIGRADE = { ...CELSIUS, id: 22 };
const UNITS = [FAHRENHEIT, CENTIGRADE, CELSIUS];

interface Service {
  /** The units of the minima and of the maxima; each day has 10 °C and 30 °C. */
  readonly own: readonly [number, number];
  readonly allowed: readonly number[];
  /** All units of the service. */
  readonly listed?: readonly (typeof CELSIUS)[] | undefined;
}

const inUnit = (celsius: number, unit: number) => (unit === FAHRENHEIT.id ? (celsius * 9) / 5 + 32 : celsius);

/** The degree days of two days above 10 °C, and what the service was asked about units. */
async function degreeDaysOf({ own, allowed, listed = UNITS }: Service) {
  const asked: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, searchParams } = new URL(request.url);
    if (request.method === 'POST') return json({}, { status: 405 });
    const ids = searchParams.getAll('ids').map(Number);
    if (pathname === '/v2/units/allowed') {
      asked.push('allowed');
      return json({ data: allowed.map((id) => ({ id })) });
    }
    if (pathname === '/v2/units' && ids.length === 0) asked.push('all');
    if (pathname === '/v2/units' && ids.length === 0) return json({ data: listed });
    const named = UNITS.filter(({ id }) => ids.includes(id));
    if (pathname === '/v2/units')
      return json({ data: Object.fromEntries(named.map((one) => [one.id, one])) });
    const itemId = Number(searchParams.get('itemId'));
    const unit = own[itemId - 1]!;
    const value = inUnit(itemId === 1 ? 10 : 30, unit);
    const data = ['2020-05-01', '2020-05-02'].map((day) => [day, day, value, null, unit]);
    return json([{ series: { metricId: 4, itemId, regionId: 3, frequencyId: 1, sourceId: 5 }, data }]);
  };
  const client = createClient({ api_host: 'http://service.invalid', access_token: 't', fetch });
  const series = { metric_id: 4, region_id: 3, partner_region_id: 0, source_id: 5, frequency_id: 1 };
  const total = await client.computeGdd({
    tmin_series: { ...series, item_id: 1 },
    tmax_series: { ...series, item_id: 2 },
    base_temperature: 10,
    start_date: '2020-05-01',
    end_date: '2020-05-02',
  });
  return { total, asked };
}

describe('the °C of degree days', () => {
  it.each<[string, Service, string[]]>([
    ['a unit of the points, before all others', { own: [20, 20], allowed: [22] }, []],
    ['a unit of some of the points', { own: [21, 22], allowed: [20] }, []],
    ['an allowed unit where no point has it', { own: [21, 21], allowed: [21, 20] }, ['allowed']],
    ['any unit of the service where none is allowed', { own: [21, 21], allowed: [21] }, ['allowed', 'all']],
  ])('is %s', async (_, service, asked) => {
    const found = await degreeDaysOf(service);
    expect(found.total).toBeCloseTo(20, 10);
    expect(found.asked).toEqual(asked);
  });

  it('is an error where the service has none', async () => {
    const service = { own: [21, 21], allowed: [21], listed: [FAHRENHEIT] } as const;
    await expect(degreeDaysOf(service)).rejects.toBeInstanceOf(UnitError);
    await expect(degreeDaysOf(service)).rejects.toThrow('unit_id 21 cannot be converted to °C');
  });
});

describe('the temperatures of a station', () => {
  const demo = useDemoService();
  /** The highest temperature, as a service whose °F has another abbreviation returns it. */
  async function highest(abbreviation: string): Promise<number> {
    const client = demo.serviceClient();
    const rename = <Unit extends { abbreviation: string }>(one: Unit) =>
      one.abbreviation === '°F' ? { ...one, abbreviation } : one;
    const listUnits = async () => (await client.listUnits()).map(rename);
    const seattle = await client.searchForEntity('regions', 'Seattle weather station');
    const found = await stationTemperatures({ ...client, listUnits }, seattle!, { unit: 'fahrenheit' });
    return Math.max(...found.tmax.value);
  }

  it('are in the requested unit, however it is abbreviated, or refused', async () => {
    expect(await highest('°F')).toBeCloseTo(35.6 * 1.8 + 32, 9);
    expect(await highest('degrees Fahrenheit')).toBeCloseTo(35.6 * 1.8 + 32, 9);
    await expect(highest('fahr.')).rejects.toThrow('the temperatures cannot be converted to °F');
  });
});
