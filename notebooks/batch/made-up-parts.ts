import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** From 0 to 1, the same for the same key on every machine (FNV-1a, mixed). */
export function random(...key: (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const character of key.join(' ')) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}

export function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** FIPS codes of the counties of the United States, by the atlas that cropframe uses. */
export function countyCodes(): string[] {
  const atlas = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const { objects } = JSON.parse(readFileSync(atlas, 'utf8')) as {
    objects: { counties: { geometries: { id: string }[] } };
  };
  const codes = objects.counties.geometries.map(({ id }) => id);
  return codes.filter((id) => id < '60000').sort();
}
