import type { SearchableType, SearchDocument } from '../model/entity.js';
import { SearchIndex } from './search-index.js';

/** The last index of each type, for as long as something uses it or memory is not needed. */
const recent = new Map<SearchableType, WeakRef<SearchIndex>>();

/** An index of these documents: the last one built, when it has the same, as services of one store do. */
export async function recentOrNewIndex(
  type: SearchableType,
  documents: readonly SearchDocument[],
  yieldToEventLoop?: () => Promise<void>,
): Promise<SearchIndex> {
  const last = recent.get(type)?.deref();
  if (last !== undefined && areEqual(last.documents, documents)) return last;
  const index = await SearchIndex.build(type, documents, yieldToEventLoop);
  recent.set(type, new WeakRef(index));
  return index;
}

function areEqual(some: readonly SearchDocument[], others: readonly SearchDocument[]): boolean {
  return some.length === others.length && some.every((document, at) => isEqual(document, others[at]!));
}

function isEqual({ aliases, ...fields }: SearchDocument, other: SearchDocument): boolean {
  const named = fields.id === other.id && fields.name === other.name && fields.level === other.level;
  return (
    named &&
    fields.pointCount === other.pointCount &&
    fields.historical === other.historical &&
    aliases.length === other.aliases.length &&
    aliases.every((alias, at) => alias === other.aliases[at])
  );
}
