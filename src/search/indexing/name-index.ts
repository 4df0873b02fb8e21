import type { SearchableType, SearchDocument } from '../../model/entity.js';
import { editDistance, mayBeMisspelt, toPhoneticKey } from '../../model/names/edit-distance.js';
import { compact, foldForms } from '../fold.js';
import type { Labels } from '../match.js';
import { distinctMeanings } from '../words.js';
import { Postings } from './postings.js';

/** Returns the maximum number of edits in a correction: 0 if the word is very short, very long or contains a digit. */
function maxEdits(word: string): number {
  if (word.length < 4 || word.length > MAX_CORRECTED_LENGTH || /\p{N}/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

const MAX_CORRECTED_LENGTH = 40;
/** The maximum number of corrections for a word, which limits how many words a search looks up. */
const MAX_CORRECTIONS = 20;
/** Penalties that rank corrections with the same edit distance. */
const PENALTY = {
  /** The penalty if the first letters sound different. The first letter of a word is rarely wrong. */
  otherFirstLetter: 0.5,
  /** The penalty if the misspelling is longer than the correction. Letters are omitted more often than added. */
  extraLetter: 0.2,
  /** The penalty if the words sound different. Letters that sound alike are often confused. */
  otherSound: 0.1,
} as const;

/** Returns a function that finds possible corrections of a misspelt word, nearest first, each with its distance. */
export function nearWords(words: Postings): NameIndex['findNear'] {
  /** The letter set of each word, computed on first use. */
  const letterSets = new Map<string, number>();
  return (word) => {
    const max = maxEdits(word);
    if (max === 0) return new Map();
    const found: [string, number][] = [];
    const letters = letterSet(word);
    if (letterSets.size === 0)
      for (const word of words.texts().map(stripMarker)) letterSets.set(word, letterSet(word));
    for (const [other, others] of letterSets) {
      // One edit changes at most two members of the letter set. This cheap test rules out most words.
      if (bitCount(letters ^ others) > 2 * max) continue;
      if (Math.abs(other.length - word.length) > max) continue;
      if (!mayBeMisspelt(word, other)) continue;
      const edits = editDistance(word, other, max);
      if (edits <= max) found.push([other, edits + penaltyOf(word, other)]);
    }
    found.sort(([a, aDistance], [b, bDistance]) => aDistance - bDistance || (a < b ? -1 : 1));
    return new Map(found.slice(0, MAX_CORRECTIONS));
  };
}

function penaltyOf(written: string, meant: string): number {
  return (
    (toPhoneticKey(meant)[0] === toPhoneticKey(written)[0] ? 0 : PENALTY.otherFirstLetter) +
    (meant.length < written.length ? PENALTY.extraLetter : 0) +
    (toPhoneticKey(meant) === toPhoneticKey(written) ? 0 : PENALTY.otherSound)
  );
}

/** Returns the letters of a word as a bit set, with one bit for each letter a–z. Other characters share six bits. */
function letterSet(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i) - 97;
    set |= 1 << (code >= 0 && code < 26 ? code : 26 + (word.charCodeAt(i) % 6));
  }
  return set >>> 0;
}

/** Counts the set bits of a 32-bit integer (Warren, Hacker's Delight, section 5-1). */
function bitCount(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** An entity without its point count, which is not indexed because it changes more often than names do. */
type NamedEntity = Omit<SearchDocument, 'pointCount'>;

/** The names of all entities of one type. This is the part of a search index that can be stored in a file. */
export interface NameIndex {
  readonly type: SearchableType;
  /** Entity ids, sorted by status (current before historical), region level (countries before provinces) and id. */
  readonly ids: readonly number[];
  /** The number of current (not historical) entities, which come first in `ids`. */
  readonly current: number;
  /** Each entity as JSON. Only the few entities that become candidates in a search are parsed. */
  readonly entities: readonly string[];
  /** The words in names, and the words' meanings (see `Term`). Meanings are marked, so prefix searches ignore them. */
  readonly words: Postings;
  /** Names and aliases without spaces, as written and also with each word replaced by its `Term.meaning`. */
  readonly wholeNames: Postings;
  readonly findNear: (word: string) => ReadonlyMap<string, number>;
}

const DOCUMENTS_PER_PAUSE = 50;

/** Builds an index of names. `pause` is awaited regularly, so that other requests can be handled in the meantime. */
export async function buildNameIndex(
  type: SearchableType,
  documents: readonly NamedEntity[],
  pause: () => Promise<void> = async () => {},
): Promise<NameIndex> {
  await pause();
  const sorted = [...documents].sort(compareNarrowness);
  const entities: string[] = [];
  const words = new Map<string, number[]>();
  const wholes = new Map<string, number[]>();
  for (const [at, { id, name, aliases, level, historical }] of sorted.entries()) {
    if (at % DOCUMENTS_PER_PAUSE === DOCUMENTS_PER_PAUSE - 1) await pause();
    entities.push(JSON.stringify({ id, name, aliases, level, historical } satisfies NamedEntity));
    const { texts } = labelsOf({ name, aliases });
    const meanings = texts.map(distinctMeanings);
    addEntry(words, at, indexedWords(texts, meanings));
    addEntry(wholes, at, wholeTexts(texts, meanings));
  }
  await pause();
  const postings = {
    words: await Postings.build(words, pause),
    wholeNames: await Postings.build(wholes, pause),
  };
  await pause();
  return {
    type,
    ids: sorted.map(({ id }) => id),
    current: sorted.filter(({ historical }) => !historical).length,
    entities,
    ...postings,
    findNear: nearWords(postings.words),
  };
}

/** Adds an entry to each string's list, at most once per list. Entries must be added in ascending order. */
function addEntry(entriesOf: Map<string, number[]>, entry: number, texts: readonly string[]): void {
  for (const text of texts) {
    const entries = entriesOf.get(text);
    if (entries === undefined) entriesOf.set(text, [entry]);
    else if (entries.at(-1) !== entry) entries.push(entry);
  }
}

export function toNamedEntity({ entities }: NameIndex, at: number): NamedEntity {
  return JSON.parse(entities[at]!) as NamedEntity;
}

/** Returns an entity's names and aliases as normalised by `fold`. Names without letters or digits are omitted. */
export function labelsOf({ name, aliases }: Pick<SearchDocument, 'name' | 'aliases'>): Labels {
  const names = foldForms(name).filter((text) => text !== '');
  const texts = [...new Set([...names, ...aliases.flatMap(foldForms)])].filter((text) => text !== '');
  return { texts, names: names.length };
}

function indexedWords(texts: readonly string[], meanings: readonly string[][]): string[] {
  const words = new Set(texts.flatMap((text) => text.split(' ')));
  const others = meanings.flat().filter((meaning) => !words.has(meaning));
  return [...words, ...others.map(withMarker)];
}

function wholeTexts(texts: readonly string[], meanings: readonly string[][]): string[] {
  const wholes = texts.map(compact);
  for (const [at, meaning] of meanings.entries()) {
    const meant = meaning.join('');
    if (meant !== wholes[at]) wholes.push(meant);
  }
  return wholes;
}

const MARKER = '=';

export function withMarker(meaning: string): string {
  return MARKER + meaning;
}

function stripMarker(word: string): string {
  return word.startsWith(MARKER) ? word.slice(MARKER.length) : word;
}

/**
 * Compares entities: current before historical, then larger regions before smaller ones, then by id. The order depends
 * on neither the query nor the entities' data. If a search has too many candidates, `orderByPriority` decides which are
 * kept, and prefers entities with data among current and among historical entities.
 */
function compareNarrowness(a: NamedEntity, b: NamedEntity): number {
  return Number(a.historical) - Number(b.historical) || (a.level ?? 0) - (b.level ?? 0) || a.id - b.id;
}
