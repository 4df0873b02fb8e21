/** The header of a NASA POWER file. */
export interface PowerHeader {
  readonly latitude: number;
  readonly longitude: number;
  /** The number that marks missing values. */
  readonly missing: number;
  /** Description and unit of each parameter, by its name: `T2M`. */
  readonly parameters: ReadonlyMap<string, { readonly description: string; readonly unit: string }>;
}

export const HEADER_BEGIN = '-BEGIN HEADER-';
export const HEADER_END = '-END HEADER-';

/** Parses the lines between `HEADER_BEGIN` and `HEADER_END`; null when they have no location. */
export function parsePowerHeader(lines: readonly string[]): PowerHeader | null {
  const text = lines.join('\n');
  const [, latitude, longitude] = /latitude\s+(-?[\d.]+)\s+longitude\s+(-?[\d.]+)/i.exec(text) ?? [];
  if (latitude === undefined || longitude === undefined) return null;
  const missing = /missing[^\n]*?:\s*(-?\d+(?:\.\d+)?)/i.exec(text)?.[1] ?? '-999';
  const parameters = new Map<string, { description: string; unit: string }>();
  for (const line of lines) {
    const [, name, description, unit] = /^([A-Z][A-Z0-9_]+)\s{2,}(.+?)\s*\(([^()]+)\)\s*$/.exec(line) ?? [];
    if (name !== undefined) parameters.set(name, { description: description!, unit: unit! });
  }
  return { latitude: Number(latitude), longitude: Number(longitude), missing: Number(missing), parameters };
}
