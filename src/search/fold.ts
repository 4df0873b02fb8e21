const APOSTROPHES = /['’‘ʼʻ`´]/gu;
/** Matches an apostrophe inside a name, as in "d'Ivoire" and "O'Brien", but not one before a possessive s. */
const ELISIONS = /['’‘ʼʻ`´](?=\p{L}{3})/gu;
const INITIALS = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu;
/** Matches strings that only have to be converted to lower case. Most names do. */
const PLAIN_WORDS = /^[a-z\d]+(?: [a-z\d]+)*$/i;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/** Plain equivalents of letters that Unicode does not decompose into a base letter and diacritics. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  þ: 'th',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'g');

/**
 * Converts a string to lower case without accents. Punctuation becomes a space, and "&" becomes "and". Apostrophes and
 * the dots in initials are removed: "Côte d'Ivoire" becomes "cote divoire", and "U.S. Virgin Islands" becomes "us
 * virgin islands".
 */
export function fold(text: string): string {
  if (PLAIN_WORDS.test(text)) return text.toLowerCase();
  const joined = toPlainLetters(text).replace(APOSTROPHES, '');
  const whole = joined.includes('.') ? joined.replace(INITIALS, removeDots) : joined;
  return whole.replace(SEPARATORS, ' ').trim();
}

/** Folds a name. If it contains an apostrophe, also returns a form with a space instead, such as "cote d ivoire". */
export function foldForms(name: string): string[] {
  const joined = fold(name);
  const apart = name.replace(ELISIONS, ' ');
  if (apart === name) return [joined];
  const separated = fold(apart);
  return separated === joined ? [joined] : [joined, separated];
}

/** Removes the spaces from a folded string, so that "southafrica" matches "South Africa". */
export function compact(folded: string): string {
  return folded.replaceAll(' ', '');
}

const ASCII = /^[\x20-\x7e]*$/;

function toPlainLetters(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('&', ' and ');
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter]!)
    .replaceAll('&', ' and ');
}

function removeDots(initials: string): string {
  return initials.replaceAll('.', '');
}
