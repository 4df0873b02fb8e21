import { REGION_LEVELS } from '../../model/entity.js';
import type { NewEntity } from '../../store/store.js';
import { regionTree } from './tree.js';

type NewRegion = NewEntity<'regions'>;

/** Countries (former ones too) by every name and alias. */
export interface CountryNames {
  /** The country of a name, whatever case and accents; one that exists goes before one that is gone. */
  find(name: string): NewRegion | undefined;
}

let names: Promise<CountryNames> | undefined;

/** Built once a process from the region tree. */
export function countryNames(): Promise<CountryNames> {
  names ??= buildNames();
  return names;
}

async function buildNames(): Promise<CountryNames> {
  const { regions } = await regionTree();
  const countries = regions.filter(({ level }) => level === REGION_LEVELS.country);
  const byName = new Map<string, NewRegion>();
  // Later entries win: what is gone first, then aliases, then names.
  const past = countries.filter(({ historical }) => historical);
  const present = countries.filter(({ historical }) => !historical);
  for (const country of [...past, ...present]) {
    for (const alias of country.aliases ?? []) byName.set(foldName(alias), country);
  }
  for (const country of [...past, ...present]) byName.set(foldName(country.name), country);
  return { find: (name) => byName.get(foldName(name)) };
}

/** A name without case, accents, punctuation and a leading article, as names are compared. */
export function foldName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/^the /, '')
    .trim();
}
