const APOSTROPHES = /['’‘ʼʻ`´]/gu;
/** Before a word of its own, as in "d'Ivoire" and "O'Brien"; not before the s of a genitive. */
const ELISIONS = /['’‘ʼʻ`´](?=\p{L}{3})/gu;
const INITIALS = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu;
const SEPARATORS = /[^\p{L}\p{N}]+/gu;

/** Letters that Unicode does not take apart into a plain letter and a mark. */
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
 * Lower case without accents; punctuation becomes one space, "&" the word "and". Apostrophes and the dots of initials
 * vanish: "Côte d'Ivoire" is "cote divoire", "U.S. Virgin Islands" is "us virgin islands".
 */
export function fold(text: string): string {
  return plain(text).replace(APOSTROPHES, '').replace(INITIALS, withoutDots).replace(SEPARATORS, ' ').trim();
}

/** Every folded form of a name: one more where an apostrophe parts two words ("cote d ivoire"). */
export function foldedForms(name: string): string[] {
  const joined = fold(name);
  const parted = fold(name.replace(ELISIONS, ' '));
  return parted === joined ? [joined] : [joined, parted];
}

/** A folded text without its spaces: "southafrica" and "South Africa" meet here. */
export function compact(folded: string): string {
  return folded.replaceAll(' ', '');
}

const ASCII = /^[\x20-\x7e]*$/;

function plain(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replaceAll('&', ' and ');
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .normalize('NFC')
    .replace(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter]!)
    .replaceAll('&', ' and ');
}

function withoutDots(initials: string): string {
  return initials.replaceAll('.', '');
}
