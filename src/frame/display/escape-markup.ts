/**
 * Text for HTML, XML and SVG: the five special characters as entities, and U+FFFD in place of each character that XML
 * forbids.
 */
export function escapeMarkup(text: string): string {
  return text
    .replace(FORBIDDEN, '\uFFFD')
    .replace(/[&<>"']/g, (character) => ENTITIES[character as keyof typeof ENTITIES]);
}

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as const;

/** Control characters except tab, line feed and carriage return; lone surrogates; the two noncharacters. */
const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu;
