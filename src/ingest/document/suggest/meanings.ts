import { isNameMatch } from '../../../search/match.js';
import { isExact } from '../../../search/text-search.js';
import { findUnitId } from '../../vocabulary/units.js';
import { readNames } from '../documents.js';
import type { KnownNames, NamedKind, NamedType } from '../known-names.js';
import { isCalled, type SampledColumn } from './columns.js';

export type Meaning = NonNullable<ReturnType<typeof meaningOfColumn>>;

const MAX_TEXTS = 60;
const MIN_KNOWN = 0.5;
/** Shorter strings count as names only if the column's name suggests it: "OK" may mean Oklahoma or be a remark. */
const MIN_LETTERS = 4;
/** The region levels that a column's name can suggest. */
const LEVELS = ['country', 'province', 'district'] as const;
const KINDS: readonly NamedKind[] = ['regions', 'items', 'metrics', 'units'];

/**
 * Determines what kind of entity a column contains, or returns null if no kind fits. A kind fits if at least half of
 * the strings are known names of that kind, or if the column's name suggests the kind. The kind with the largest share
 * of known strings is chosen; a suitable column name adds one half to the share.
 */
export function meaningOfColumn({ name, texts }: SampledColumn, known: KnownNames) {
  const tried = texts.slice(0, MAX_TEXTS);
  const candidates = KINDS.map((kind) => {
    const isTold = isCalled(name, `perhaps ${kind}`);
    const unknown = tried.filter(
      (text) => !(isTold || text.length >= MIN_LETTERS) || !isKnown(kind, text, known),
    );
    const share = tried.length === 0 ? 0 : 1 - unknown.length / tried.length;
    return { kind, unknown, share, score: share + (isTold ? 0.5 : 0) };
  }).filter(({ kind, share }) => share >= MIN_KNOWN || (tried.length > 0 && isCalled(name, kind)));
  const [best] = candidates.sort((a, b) => b.score - a.score);
  if (best === undefined) return null;
  const { kind, unknown } = best;
  const level = kind === 'regions' ? LEVELS.find((one) => isCalled(name, one)) : undefined;
  return { column: name, kind, unknown, level };
}

function isKnown(kind: NamedKind, text: string, known: KnownNames): boolean {
  if (kind === 'units') return findUnitId(text) !== undefined;
  const [best] = known.search(kind, text);
  return best !== undefined && isExact(best, text);
}

/** Infers the metric, item and unit from a column name such as `Corn yield (bu/ac (corn))` or `yield_t_ha`. */
export function meaningOfFigures(column: string, known: KnownNames) {
  const { unit, text } = splitUnit(column);
  const words = text.split(/[\s_.,:-]+/).filter((word) => word !== '');
  const metric = findSpan(words, 'metrics', known);
  const rest = metric === undefined ? words : [...words.slice(0, metric.from), ...words.slice(metric.to)];
  const item = findSpan(rest, 'items', known) ?? findSpan(words, 'items', known);
  const implied = metric ?? (item && findSpan(item.name.split(' '), 'metrics', known));
  return { metric: implied?.name, item: item?.name, unit };
}

/** Splits a column name into the unit, if any, and the rest. The unit is in brackets or at the end. */
function splitUnit(column: string): { unit?: string; text: string } {
  const [, before, inBrackets] = /^(.*?)\s*[([](.+)[)\]]\s*$/.exec(column) ?? [];
  if (inBrackets !== undefined)
    return { text: before!, ...(findUnitId(inBrackets) !== undefined && { unit: inBrackets }) };
  const words = column.split('_');
  for (let from = 1; from < words.length; from++) {
    const tail = words.slice(from);
    const [first, ...others] = tail as [string, ...string[]];
    const written = [tail.join(' '), tail.join('/'), [first.toUpperCase(), ...others].join('/')];
    const unit = written.find((text) => findUnitId(text) !== undefined);
    // The values of "price_eur_t" are not in tonnes, and those of "area_1000_ha" are not in hectares.
    if (unit !== undefined && !isPartOfUnit(words[from - 1]!))
      return { unit, text: words.slice(0, from).join('_') };
  }
  return { text: column };
}

const CURRENCIES = new Set(Object.keys(readNames('currencies')));

const isPartOfUnit = (word: string): boolean => /^\d+$/.test(word) || CURRENCIES.has(word.toUpperCase());

function findSpan(words: readonly string[], type: NamedType, known: KnownNames) {
  for (let length = words.length; length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const [best] = known.search(type, words.slice(from, from + length).join(' '));
      if (best !== undefined && isNameMatch(best))
        return { name: best.document.name, from, to: from + length };
    }
  }
  return undefined;
}
