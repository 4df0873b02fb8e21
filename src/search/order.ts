import type { SearchDocument } from '../model/entity.js';
import { REGION_LEVELS, SEARCHABLE_TYPES, type SearchableType } from '../model/entity.js';
import { MATCH_KINDS, type Match } from './match.js';

/** An entity that a text matches. */
export interface Hit {
  readonly type: SearchableType;
  readonly document: SearchDocument;
  readonly match: Match;
}

/**
 * Orders hits of one or several types: by kind of match, then current regions before historical ones, smaller distance,
 * entities with data before those without, wider levels before narrower ones, shorter names, more points, and id. So
 * "Georgia" is the country, unless only the state has data. The exact name of a historical region ranks as an alias:
 * "Burma" is Myanmar.
 */
export function compareHits(a: Hit, b: Hit): number {
  return (
    rankOf(a) - rankOf(b) ||
    Number(a.document.historical) - Number(b.document.historical) ||
    a.match.distance - b.match.distance ||
    Number(b.document.pointCount > 0) - Number(a.document.pointCount > 0) ||
    levelOf(a) - levelOf(b) ||
    a.match.unmatched - b.match.unmatched ||
    b.document.pointCount - a.document.pointCount ||
    SEARCHABLE_TYPES.indexOf(a.type) - SEARCHABLE_TYPES.indexOf(b.type) ||
    a.document.id - b.document.id
  );
}

const ALIAS = MATCH_KINDS.indexOf('alias');

function rankOf({ match, document }: Hit): number {
  const kind = MATCH_KINDS.indexOf(match.kind);
  return document.historical ? Math.max(kind, ALIAS) : kind;
}

/** Entities without a level (metrics, items) rank with countries. */
function levelOf({ document }: Hit): number {
  return document.level ?? REGION_LEVELS.country;
}

/**
 * Orders entities independently of a text and of their data. With those that have data first among the current and among
 * the historical ones, this is the order in which the first of too many candidates are kept.
 */
export function compareNarrowness(
  a: Omit<SearchDocument, 'pointCount'>,
  b: Omit<SearchDocument, 'pointCount'>,
): number {
  return Number(a.historical) - Number(b.historical) || (a.level ?? 0) - (b.level ?? 0) || a.id - b.id;
}
