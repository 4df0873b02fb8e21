import { mappingError } from '../mapping-json.js';

/** What a definition may not change, because figures of earlier imports rest on it. */
interface Comparable {
  readonly dimension?: string | undefined;
  readonly baseConvFactor?: { readonly factor?: number | undefined; readonly offset?: number | undefined };
  readonly level?: number | null;
  readonly latitude?: number | null;
  readonly longitude?: number | null;
  readonly belongsTo?: readonly number[];
}

/** @throws ArgumentError that names what a definition changes of an earlier import of the same source */
export function assertUnchanged(
  stored: object,
  defined: object,
  { key, source }: { key: string; source: string },
): void {
  const [before, after] = [factsOf(stored), factsOf(defined)];
  for (const [what, value] of Object.entries(after)) {
    const known = before[what]!;
    if (value === known || (what === 'container' && isPart(value, known))) continue;
    throw mappingError(
      key,
      `has the ${what} ${value}, but an earlier import of "${source}" defined it with ${known}; ` +
        'define it as before, or under another name',
    );
  }
}

function factsOf(entity: object): Record<string, string> {
  const { dimension, baseConvFactor, level, latitude, longitude, belongsTo } = entity as Comparable;
  const text = (value: unknown): string => (value == null ? 'none' : String(value));
  if (baseConvFactor !== undefined) {
    const { factor, offset } = baseConvFactor;
    return { dimension: text(dimension), factor: text(factor), offset: text(offset ?? 0) };
  }
  const container = belongsTo?.length ? belongsTo.join(' ') : 'none';
  if (level === undefined) return { container };
  return { level: text(level), latitude: text(latitude), longitude: text(longitude), container };
}

/** Whether all ids of the first list are in the second. */
function isPart(value: string, known: string): boolean {
  const ids = known.split(' ');
  return value.split(' ').every((id) => ids.includes(id));
}
