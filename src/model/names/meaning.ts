import * as v from 'valibot';
import type { MatchedName, MatchedNames, SearchableType } from '../entity.js';
import { MEANING } from '../schema/entities.js';
import { listOf, optionalWith, withMeaning } from '../schema/schemas.js';
import { plainName } from './plain-name.js';

export interface NamedHit {
  readonly id: number;
  readonly name: string;
  /** Whether the search text is the entity's name or one of its synonyms or codes; false for a guess. */
  readonly exact: boolean;
}

export const meaning = v.object({
  ...MEANING,
  /** A label that tells the entity apart from its namesakes, such as "Georgia, Asia"; absent if it has no namesakes. */
  label: optionalWith('a name that tells it apart from its namesakes, such as "Georgia, Asia"', v.string()),
});
/** An entity that a name may refer to. */
export interface Meaning extends v.InferOutput<typeof meaning> {}

export const resolvedName = v.object({
  /** The requested name. */
  requested: v.string(),
  /** The entities that the name may refer to, best first. Empty if nothing matches. */
  hits: withMeaning('best first', listOf(meaning)),
});
/** A name and the entities that it may refer to. */
export interface ResolvedName extends v.InferOutput<typeof resolvedName> {}

/**
 * Decides which search hits a name refers to: the entities with exactly this name or, if there are none, the entities
 * with this synonym or code. The latter include sources whose names contain words starting with each requested word. In
 * all other hits, `instead_of` is set to the name of the entity that takes precedence.
 * @param labels region labels by id, each of which includes the name of the containing region
 * @returns all hits, beginning with those that the name refers to
 */
export function decideMeanings(
  type: SearchableType,
  requested: string,
  { found, labels }: { found: readonly NamedHit[]; labels?: ReadonlyMap<number, string> | undefined },
): Meaning[] {
  const fits = (hit: NamedHit) => hit.exact || (type === 'sources' && hasWords(hit, requested));
  const exact = found.filter(fits);
  const called = exact.filter((hit) => isCalled(hit, requested));
  const meant = called.length > 0 ? called : exact;
  // A region may be confused with regions that have its name as a synonym. Entities of other types cannot.
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

/** Checks whether every word in the text is a prefix of a word in the hit's name. */
function hasWords({ name }: NamedHit, text: string): boolean {
  const own = plainName(name).split(' ');
  return plainName(text)
    .split(' ')
    .every((word) => own.some((one) => one.startsWith(word)));
}

function plainLabel(hit: NamedHit, { type, requested }: { type: SearchableType; requested: string }): string {
  return type === 'regions' && !isCalled(hit, requested) ? hit.name : `${hit.name} (id ${hit.id})`;
}

export function isCalled({ name }: Pick<NamedHit, 'name'>, requested: string): boolean {
  return plainName(name) === plainName(requested);
}

/** Checks whether `other` could be meant instead of `hit`. Regions named as lying within `hit` are ruled out. */
function isOtherPlace(other: NamedHit, hit: NamedHit): boolean {
  return other.id !== hit.id && !isNamedWithin(other.name, hit.name);
}

/** Determines from names whether a region lies in another, as "Luxembourg canton, Luxembourg" does in "Luxembourg". */
function isNamedWithin(name: string, container: string): boolean {
  return name.endsWith(`, ${container}`);
}

/** Converts an entity to a match whose name distinguishes the entity from its namesakes. */
export function toMatchedName(requested: string, { label, name, ...rest }: Meaning): MatchedName {
  return { requested, ...rest, name: label ?? name };
}

/** Checks whether a match is only a guess, or is used although another entity has exactly the requested name. */
export function isReplacement({ exact, instead_of }: Pick<MatchedName, 'exact' | 'instead_of'>): boolean {
  return !exact || instead_of !== undefined;
}

/** Checks whether the requested name can refer only to this match, so that results need not mention the match. */
export function isOnlyMeaning(match: Omit<MatchedName, 'requested'>): boolean {
  return !isReplacement(match) && match.namesakes === undefined;
}

/**
 * Explains why a found series cannot be used for the requested one: either the entity with exactly the requested name
 * has no such series, or several regions have the name as a synonym. Names the entities to choose from.
 * @returns the explanation, or `undefined` if neither is the case
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
      return `${word}: "${requested}" is ${instead_of}, which has no such series; to use "${name}" (id ${id}), request it by name`;
    if (namesakes !== undefined && !isCalled(match, requested))
      return `${word}: "${requested}" is the name of ${quotedList([name, ...namesakes])}; specify one of them`;
  }
  return undefined;
}

/** Quotes and joins names, such as `"Georgia, Asia" and "Georgia, United States"`. */
export function quotedList(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(' and ');
}
