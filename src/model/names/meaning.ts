import * as v from 'valibot';
import type { MatchedName, MatchedNames, SearchableType } from '../entity.js';
import { MEANING } from '../schema/entities.js';
import { withMeaning } from '../schema/schemas.js';
import { plainName } from './plain-name.js';

export interface NamedHit {
  readonly id: number;
  readonly name: string;
  /** Whether the text is the name, a synonym or a code of the entity; false for a guess. */
  readonly exact: boolean;
}

export const meaning = v.object({
  ...MEANING,
  /** A name that tells the entity from others of the same name, such as "Georgia, Asia"; absent if there are none. */
  label: v.optional(
    withMeaning('a name that tells it apart from its namesakes, such as "Georgia, Asia"', v.string()),
  ),
});
/** An entity that a name may mean. */
export interface Meaning extends v.InferOutput<typeof meaning> {}

/** A name and the entities that it may mean. */
export interface ResolvedName {
  /** The requested name. */
  requested: string;
  /** The entities that the name may mean, best first. Empty if nothing matches. */
  hits: readonly Meaning[];
}

/**
 * Decides which entities a name means, from the hits of a search. Entities with exactly this name take precedence.
 * Otherwise, the name means the entities that have it as a synonym or a code. Every other hit has the entity that it
 * replaces (`instead_of`). For a source, any words of its name suffice.
 * @param labels names of regions together with their container, by id
 * @returns the hits, the meant ones first
 */
export function decideMeanings(
  type: SearchableType,
  requested: string,
  { found, labels }: { found: readonly NamedHit[]; labels?: ReadonlyMap<number, string> },
): Meaning[] {
  const fits = (hit: NamedHit) => hit.exact || (type === 'sources' && hasWords(hit, requested));
  const exact = found.filter(fits);
  const called = exact.filter((hit) => isCalled(hit, requested));
  const meant = called.length > 0 ? called : exact;
  // A region may be confused with regions that have its name as a synonym. Other entities with exactly this name may
  // not.
  const confusable = type === 'regions' ? exact : meant;
  const labelOf = (hit: NamedHit) => labels?.get(hit.id) ?? plainLabel(hit, { type, requested });
  const ordered = [
    ...meant,
    ...exact.filter((hit) => !meant.includes(hit)),
    ...found.filter((hit) => !fits(hit)),
  ];
  return ordered.map((hit): Meaning => {
    const others = confusable.includes(hit) ? confusable.filter((other) => isOtherPlace(other, hit)) : [];
    return {
      ...hit,
      exact: fits(hit),
      ...(meant.length === 0 || meant.includes(hit) ? {} : { instead_of: meant[0]!.name }),
      ...(others.length === 0 ? {} : { label: labelOf(hit), namesakes: others.map(labelOf) }),
    };
  });
}

/** Checks whether each word of a text is the beginning of a word of the name. */
function hasWords({ name }: NamedHit, text: string): boolean {
  const own = plainName(name).split(' ');
  return plainName(text)
    .split(' ')
    .every((word) => own.some((one) => one.startsWith(word)));
}

function plainLabel(hit: NamedHit, { type, requested }: { type: SearchableType; requested: string }): string {
  return type === 'regions' && !isCalled(hit, requested) ? hit.name : `${hit.name} (id ${hit.id})`;
}

/** Checks whether the requested name is the entity's own name rather than a synonym. */
export function isCalled({ name }: Pick<NamedHit, 'name'>, requested: string): boolean {
  return plainName(name) === plainName(requested);
}

/** Checks whether two hits may be confused. A region within the other may not: Mexico and its state of that name. */
function isOtherPlace(other: NamedHit, hit: NamedHit): boolean {
  return other.id !== hit.id && !isNamedWithin(other.name, hit.name);
}

/** Checks by its name whether a region lies within another, such as "Luxembourg canton, Luxembourg". */
function isNamedWithin(name: string, container: string): boolean {
  return name.endsWith(`, ${container}`);
}

/** Converts a meaning to a match, with a name that distinguishes it from others with the same name. */
export function toMatchedName(requested: string, { label, name, ...rest }: Meaning): MatchedName {
  return { requested, ...rest, name: label ?? name };
}

/** Checks whether a match is not exact, or replaces an entity with exactly the requested name. */
export function isReplacement({ exact, instead_of }: Pick<MatchedName, 'exact' | 'instead_of'>): boolean {
  return !exact || instead_of !== undefined;
}

/** Checks whether a match is the only meaning of its name, so that a result need not mention it. */
export function isOnlyMeaning(match: Omit<MatchedName, 'requested'>): boolean {
  return !isReplacement(match) && match.namesakes === undefined;
}

/**
 * Explains why a found series does not replace the requested one. Either the entity with exactly the requested name has
 * no series, or several regions have the name as a synonym. Lists the entities to choose from.
 * @returns undefined if the series' entities have the requested names
 */
export function explainReplacement({
  matched = {},
}: {
  readonly matched?: MatchedNames | undefined;
}): string | undefined {
  for (const [word, match] of Object.entries(matched)) {
    if (match === undefined) continue;
    const { requested, id, name, instead_of, namesakes } = match;
    if (instead_of !== undefined)
      return `${word}: "${requested}" is ${instead_of}, which has no such series; to take "${name}" (id ${id}), name it`;
    if (namesakes !== undefined && !isCalled(match, requested))
      return `${word}: "${requested}" is the name of ${quotedList([name, ...namesakes])}; name one of them`;
  }
  return undefined;
}

/** Quotes and joins names, such as `"Georgia, Asia" and "Georgia, United States"`. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}
