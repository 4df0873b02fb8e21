import { SYNONYMS } from './search-synonyms.js';

/** Words that say nothing of their own. "Or" and "in" are not among them: Oregon and Indiana are called so. */
const EMPTY_WORDS = new Set(['the', 'of', 'and', 'for']);

const IRREGULAR: Readonly<Record<string, string>> = {
  calves: 'calf',
  geese: 'goose',
  halves: 'half',
  leaves: 'leaf',
  loaves: 'loaf',
  mice: 'mouse',
  oxen: 'ox',
  wolves: 'wolf',
};

/** One word of a text, or several that mean one thing together. */
export interface Term {
  /** As it was written, folded. */
  readonly written: string;
  /** By which it is compared: the singular, or the synonym that is kept, its words joined by underscores. */
  readonly meaning: string;
}

/** The singular of a folded English word, good enough to compare by: both sides go through it. */
export function singular(word: string): string {
  const irregular = IRREGULAR[word];
  if (irregular !== undefined) return irregular;
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 4 && /(?:ch|sh|x|z|o|ss)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

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
  return [...new Set(termsOf(folded).map(({ meaning }) => meaning))];
}

function joinPhrases(words: readonly string[]): Term[] {
  const terms: Term[] = [];
  for (let at = 0; at < words.length; ) {
    const term = phraseAt(words, at) ?? plainTerm(words[at]!);
    terms.push(term);
    at += term.written.split(' ').length;
  }
  return terms;
}

function plainTerm(word: string): Term {
  return { written: word, meaning: singular(word) };
}

function phraseAt(words: readonly string[], at: number): Term | null {
  if (!FIRST_WORDS.has(singular(words[at]!))) return null;
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length -= 1) {
    const phrase = words.slice(at, at + length);
    const meaning = MEANINGS.get(phraseKey(phrase));
    if (meaning !== undefined) return { written: phrase.join(' '), meaning };
  }
  return null;
}

function phraseKey(words: readonly string[]): string {
  return words
    .filter((word) => !EMPTY_WORDS.has(word))
    .map(singular)
    .join(' ');
}
