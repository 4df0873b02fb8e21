import { SYNONYMS } from './synonyms.js';

/** Words that say nothing of their own. "Or" and "in" are not among them: Oregon and Indiana are called so. */
const EMPTY_WORDS = new Set(['the', 'of', 'and', 'for']);

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['calves', 'calf'],
  ['geese', 'goose'],
  ['halves', 'half'],
  ['leaves', 'leaf'],
  ['loaves', 'loaf'],
  ['mice', 'mouse'],
  ['oxen', 'ox'],
  ['wolves', 'wolf'],
]);

/** One word of a text, or several that mean one thing together. */
export interface Term {
  /** As it was written, folded. */
  readonly written: string;
  /** By which it is compared: the singular, or the synonym that is kept, its words joined by underscores. */
  readonly meaning: string;
}

/** The singular of a folded English word, good enough to compare by: both sides go through it. */
export function singular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || !word.endsWith('s') || NO_PLURAL.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, word.length > 4 && LONG_PLURAL.test(word) ? -2 : -1);
}

const NO_PLURAL = /(?:ss|us|is)$/;
const LONG_PLURAL = /(?:ch|sh|x|z|o|ss)es$/;

const MEANINGS: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap(([kept, ...read]) =>
    [kept, ...read].map((phrase) => [phraseKey(phrase.split(' ')), kept.replaceAll(' ', '_')] as const),
  ),
);
/** Words with which a phrase of the table begins; no other needs a look into it. */
const FIRST_WORDS: ReadonlySet<string> = new Set([...MEANINGS.keys()].map((phrase) => phrase.split(' ')[0]!));
const LONGEST_PHRASE = Math.max(...[...MEANINGS.keys()].map((phrase) => phrase.split(' ').length));

/** The terms of a folded text, empty words left out unless there are no others. */
export function termsOf(folded: string): Term[] {
  const words = folded.split(' ').filter((word) => word !== '');
  const telling = words.filter((word) => !EMPTY_WORDS.has(word));
  return joinPhrases(telling.length > 0 ? telling : words);
}

/** What the terms of a folded text mean, each once, in order. */
export function meaningOf(folded: string): string[] {
  const meanings = termsOf(folded).map(({ meaning }) => meaning);
  return meanings.length > 1 ? [...new Set(meanings)] : meanings;
}

function joinPhrases(words: readonly string[]): Term[] {
  const singulars = words.map(singular);
  const terms: Term[] = [];
  for (let at = 0; at < words.length; ) {
    const length = FIRST_WORDS.has(singulars[at]!) ? phraseLength(singulars, at) : 0;
    if (length === 0) terms.push({ written: words[at]!, meaning: singulars[at]! });
    else {
      const meaning = MEANINGS.get(singulars.slice(at, at + length).join(' '))!;
      terms.push({ written: words.slice(at, at + length).join(' '), meaning });
    }
    at += Math.max(1, length);
  }
  return terms;
}

/** Words of the longest phrase of the table that begins here; 0 when none does. */
function phraseLength(singulars: readonly string[], at: number): number {
  for (let length = Math.min(LONGEST_PHRASE, singulars.length - at); length > 0; length--)
    if (MEANINGS.has(singulars.slice(at, at + length).join(' '))) return length;
  return 0;
}

function phraseKey(words: readonly string[]): string {
  return words
    .filter((word) => !EMPTY_WORDS.has(word))
    .map(singular)
    .join(' ');
}
