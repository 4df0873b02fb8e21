import { describe, expect, it } from 'vitest';
import { foldName, loadCountryNames } from '../../../src/ingest/regions/names.js';

describe('countryNames', () => {
  it.each([
    ['United States', 840],
    ['USA', 840],
    ['Korea, South', 410],
    ['Republic of Korea', 410],
    ["Democratic People's Republic of Korea", 408],
    ["Cote d'Ivoire", 384],
    ["Côte d'Ivoire", 384],
    ['Viet Nam', 704],
    ['Türkiye', 792],
    ['Turkey', 792],
    ['China, mainland', 156],
    ['Netherlands (Kingdom of the)', 528],
    ['Union of Soviet Socialist Repu', 1_330_077],
    ['Former Yugoslavia', 3890],
    ['Burma', 104],
  ])('finds %s', async (name, id) => {
    expect((await loadCountryNames()).find(name)?.id).toBe(id);
  });

  it('finds nothing for other names', async () => {
    expect((await loadCountryNames()).find('Atlantis')).toBeUndefined();
  });
});

describe('foldName', () => {
  it('keeps only letters and numbers', () => {
    expect(foldName(' The Réunion  (island), EU-27 ')).toBe('reunion island eu 27');
  });
});
