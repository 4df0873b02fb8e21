import type { CountedHit, SearchableType } from '../entity.js';

/** Words between names, which may name nothing. */
const LINKING = /^(?:the|of|and|for|in|at|from|by|)$/i;

/** The meaning of a text of several names, such as "corn yield iowa". */
interface NamedParts {
  /** One entity of each type that the text names. */
  readonly hits: { readonly [Type in SearchableType]?: CountedHit };
  /** The first word that names nothing. */
  readonly unread: string | undefined;
}

/**
 * Finds the names in a text, using its hits of all types. Of each type it takes the hit with the most words. Returns
 * null if the whole text means one entity, or nothing.
 */
export function namedParts(text: string, found: readonly CountedHit[]): NamedParts | null {
  const parts = found.filter(({ part }) => part !== undefined);
  if (parts.length === 0) return null;
  const byLength = [...parts].sort((a, b) => b.part!.length - a.part!.length);
  const { sources, ...others }: NamedParts['hits'] = Object.fromEntries(
    byLength.reverse().map((hit) => [hit.entity_type, hit]),
  );
  const wordsOf = (named: NamedParts['hits']) => Object.values(named).flatMap(({ part }) => part!.split(' '));
  // A source often repeats the name of its metric or its crop, as a file "yields" does.
  const isNew = sources?.part?.split(' ').some((word) => !wordsOf(others).includes(word));
  const hits = sources !== undefined && isNew ? { ...others, sources } : others;
  const read = wordsOf(hits);
  const plain = text.normalize('NFKD').toLowerCase();
  const words = plain.split(/[\s,]+/).map((word) => word.replace(/[^\p{L}\p{N}]/gu, ''));
  const unread = words.find((word) => !LINKING.test(word) && !read.some((one) => word.includes(one)));
  return unread !== undefined && parts.length < found.length ? null : { hits, unread };
}

/** Normalises a name, so that case, accents and punctuation do not matter. */
export function plainName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

/**
 * Checks whether a region's name says that the region lies within another one, such as "Luxembourg canton, Luxembourg".
 */
export function isNamedWithin(name: string, container: string): boolean {
  return name.endsWith(`, ${container}`);
}
