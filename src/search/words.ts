import synonyms from './synonyms.json' with { type: 'json' };

/** Words that a search ignores. "Or" and "in" are not included, because they are the codes for Oregon and Indiana. */
const STOP_WORDS = new Set(['the', 'of', 'and', 'for']);

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

/** One word of a text, or several words that form a phrase with a meaning of its own. */
export interface Term {
  /** The word or phrase as written, but in lower case and without accents. */
  readonly written: string;
  /** The form used in comparisons: the singular, or the preferred synonym with its words joined by underscores. */
  readonly meaning: string;
}

/** Returns the approximate singular of a lower-case English word. In comparisons, both words are converted. */
export function singular(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || !word.endsWith('s') || SINGULAR_ENDING.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, word.length > 4 && LONG_PLURAL.test(word) ? -2 : -1);
}

const SINGULAR_ENDING = /(?:ss|us|is)$/;
const LONG_PLURAL = /(?:ch|sh|x|z|o|ss)es$/;

/**
 * Lists of synonyms that apply to the names of all entities. In each list, the first word or phrase replaces the
 * others. All words are singular and in lower case. Synonyms for a single entity are stored as its aliases instead.
 */
export const SYNONYMS = Object.values(synonyms).flat() as [kept: string, ...read: string[]][];

const MEANINGS: ReadonlyMap<string, string> = new Map(
  SYNONYMS.flatMap(([kept, ...read]) =>
    [kept, ...read].map((phrase) => [phraseKey(phrase.split(' ')), kept.replaceAll(' ', '_')] as const),
  ),
);
/** The first words of all phrases, for a cheap test that rules out most words. */
const FIRST_WORDS: ReadonlySet<string> = new Set([...MEANINGS.keys()].map((phrase) => phrase.split(' ')[0]!));
const MAX_PHRASE_WORDS = Math.max(...[...MEANINGS.keys()].map((phrase) => phrase.split(' ').length));

/** Splits a folded text into terms. Stop words are dropped, unless the text contains nothing else. */
export function termsOf(folded: string): Term[] {
  const words = folded.split(' ').filter((word) => word !== '');
  const meaningful = words.filter((word) => !STOP_WORDS.has(word));
  return joinPhrases(meaningful.length > 0 ? meaningful : words);
}

export function distinctMeanings(folded: string): string[] {
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

/** Returns the number of words in the longest known phrase that begins at index `at`, or 0 if there is none. */
function phraseLength(singulars: readonly string[], at: number): number {
  for (let length = Math.min(MAX_PHRASE_WORDS, singulars.length - at); length > 0; length--)
    if (MEANINGS.has(singulars.slice(at, at + length).join(' '))) return length;
  return 0;
}

function phraseKey(words: readonly string[]): string {
  return words
    .filter((word) => !STOP_WORDS.has(word))
    .map(singular)
    .join(' ');
}
