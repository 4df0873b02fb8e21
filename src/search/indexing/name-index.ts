import type { SearchableType, SearchDocument } from '../../model/entity.js';
import { compact, foldedForms } from '../fold.js';
import { letterSetsOf } from '../fuzzy-match.js';
import { compareNarrowness, type Labels } from '../match.js';
import { meaningOf } from '../words.js';
import { type Postings, PostingsBuilder } from './postings.js';
import { TextTable } from './text-table.js';
import type { Work } from './work.js';

/** An entity without its number of points, which changes more often than its names. */
type NamedEntity = Omit<SearchDocument, 'pointCount'>;

/** The names of the entities of one type as arrays: the content of a search index, which a file can hold. */
export interface NameIndex {
  readonly type: SearchableType;
  /** Current entities before historical ones, then wider levels, then by id. The same holds for the next four. */
  readonly ids: Int32Array;
  /** `NO_LEVEL` for types without levels. */
  readonly levels: Int32Array;
  readonly historical: Uint8Array;
  readonly names: TextTable;
  /** Aliases as JSON. */
  readonly aliases: TextTable;
  /** The words of names and aliases as written, and their meanings with a marker that keeps them out of prefix searches. */
  readonly words: Postings;
  /** Names and aliases without spaces, as written and by their meaning. */
  readonly wholeNames: Postings;
  /** The words and meanings without marker, for misspellings, and a set of letters of each. */
  readonly plainWords: TextTable;
  readonly letterSets: Uint32Array;
}

const NO_LEVEL = -(2 ** 31);

/** Documents indexed between two yields to the event loop. */
const DOCUMENTS_PER_YIELD = 50;
const WORDS_PER_YIELD = 5_000;

/** Indexes names; pauses regularly, so that a service can answer other requests meanwhile. */
export function* buildNameIndex(type: SearchableType, documents: readonly NamedEntity[]): Work<NameIndex> {
  yield;
  const sorted = [...documents].sort(compareNarrowness);
  const words = new PostingsBuilder();
  const wholes = new PostingsBuilder();
  for (const [at, document] of sorted.entries()) {
    if (at % DOCUMENTS_PER_YIELD === DOCUMENTS_PER_YIELD - 1) yield;
    const { texts } = labelsOf(document);
    const meanings = texts.map(meaningOf);
    words.add(at, indexedWords(texts, meanings));
    wholes.add(at, wholeTexts(texts, meanings));
  }
  yield;
  const builtWords = yield* words.build();
  yield;
  const builtWholes = yield* wholes.build();
  yield;
  const plain = yield* plainWordsOf(builtWords.texts);
  yield;
  const plainWords = TextTable.of(plain);
  yield;
  const letterSets = letterSetsOf(plain);
  yield;
  const names = TextTable.of(sorted.map(({ name }) => name));
  yield;
  const aliases = TextTable.of(sorted.map((document) => JSON.stringify(document.aliases)));
  yield;
  return {
    type,
    ids: Int32Array.from(sorted, ({ id }) => id),
    levels: Int32Array.from(sorted, ({ level }) => level ?? NO_LEVEL),
    historical: Uint8Array.from(sorted, ({ historical }) => Number(historical)),
    names,
    aliases,
    words: builtWords,
    wholeNames: builtWholes,
    plainWords,
    letterSets,
  };
}

/** The entity at a position. */
export function namedEntity(index: NameIndex, at: number): NamedEntity {
  const level = index.levels[at]!;
  return {
    id: index.ids[at]!,
    name: index.names.at(at),
    aliases: JSON.parse(index.aliases.at(at)) as string[],
    level: level === NO_LEVEL ? null : level,
    historical: index.historical[at] === 1,
  };
}

/** Folded names and aliases. An entity whose name has no letters or digits is found by its aliases only. */
export function labelsOf({ name, aliases }: Pick<SearchDocument, 'name' | 'aliases'>): Labels {
  const names = foldedForms(name).filter((text) => text !== '');
  const texts = [...new Set([...names, ...aliases.flatMap(foldedForms)])].filter((text) => text !== '');
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

function* plainWordsOf(words: TextTable): Work<string[]> {
  const plain = new Set<string>();
  for (let i = 0; i < words.length; i++) {
    if (i % WORDS_PER_YIELD === 0) yield;
    plain.add(withoutMarker(words.at(i)));
  }
  return [...plain];
}

const MARKER = '=';

export function withMarker(meaning: string): string {
  return MARKER + meaning;
}

function withoutMarker(word: string): string {
  return word.startsWith(MARKER) ? word.slice(MARKER.length) : word;
}
