/**
 * The characters to escape: control characters (C0, DEL, C1), line separators, and bidirectional embeddings, overrides
 * and isolates.
 */
const UNSEEN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes invisible and control characters, for example as `\x1b` or `\u202e`. Tabs and line breaks are kept. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character, at: number) => {
    const isKept = character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n');
    return isKept ? character : escaped(character);
  });
}

/** Escapes text for display on one line. Each run of tabs and line breaks becomes a single space. */
export function visibleLine(text: string): string {
  return visibleText(text.replace(/[\t\r\n]+/g, ' '));
}

/** Escapes invisible and control characters in JSON without changing the data it represents. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (character) =>
    /[\n\r\t]/.test(character) ? character : unicodeEscape(character),
  );
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscape(character);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Replaces every character forbidden in XML with U+FFFD. */
export function allowedMarkup(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD');
}

/** Escapes text for HTML, XML and SVG. Characters forbidden in XML become U+FFFD. */
export function escapeMarkup(text: string): string {
  return allowedMarkup(text).replace(/[&<>"']/g, (character) => ENTITIES[character as keyof typeof ENTITIES]);
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/**
 * The characters that XML forbids: control characters except tab, line feed and carriage return; lone surrogates;
 * U+FFFE and U+FFFF.
 */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu;
