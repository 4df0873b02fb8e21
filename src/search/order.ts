import type { SearchDocument } from '../model/entity.js';
import { REGION_LEVELS, SEARCHABLE_TYPES, type SearchableType } from '../model/entity.js';
import { MATCH_KINDS, type Match } from './match.js';

export interface Hit {
  readonly type: SearchableType;
  readonly document: SearchDocument;
  readonly match: Match;
}

/**
 * The order of hits, of one type or of several together: the kind of match first, and within a kind what falls less
 * short. Among equal matches a living region stands before a historical one, data before none, a wider level before
 * a narrower one, the shorter name, then more points; ties go by id. So "Georgia" is the country, unless the state
 * alone has data. What a historical region is called exactly comes after a living one's exact alias: "Burma" is Myanmar.
 */
export function compareHits(a: Hit, b: Hit): number {
  return (
    rank(a) - rank(b) ||
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

function rank({ match, document }: Hit): number {
  const kind = MATCH_KINDS.indexOf(match.kind);
  return document.historical ? Math.max(kind, ALIAS) : kind;
}

/** What has no level, as metrics and items, stands beside countries. */
function levelOf({ document }: Hit): number {
  return document.level ?? REGION_LEVELS.country;
}

/** The order of entities before any text is known: of more candidates than can be looked at, the first are kept. */
export function comparePriority(a: SearchDocument, b: SearchDocument): number {
  return (
    Number(a.historical) - Number(b.historical) ||
    Number(b.pointCount > 0) - Number(a.pointCount > 0) ||
    (a.level ?? 0) - (b.level ?? 0) ||
    a.id - b.id
  );
}
