/** The first line of a text, trimmed, without a byte order mark. */
export function firstLine(text: string): string {
  return /^\uFEFF?([^\r\n]*)/.exec(text)![1]!.trim();
}

const MAX_SHOWN_CHARACTERS = 120;

/** Letters of UTF-16 decoded as UTF-8: every other byte is 0, after a byte order mark or none. */
const UTF_16 = /^\uFFFD{0,2}(?:\0[\x20-\x7E]|[\x20-\x7E]\0){3}/;

/** A file's first line for a message, truncated when it is long; or that the file is not text. */
export function describeFirstLine(head: string, what = 'its first line is'): string {
  if (UTF_16.test(head)) return 'it is text in UTF-16; save it as UTF-8 (in Excel: "CSV UTF-8")';
  if (/\p{Cc}|\uFFFD/u.test(head.replaceAll('\t', ' '))) return 'it is not text';
  return `${what} "${head.length > MAX_SHOWN_CHARACTERS ? `${head.slice(0, MAX_SHOWN_CHARACTERS)}…` : head}"`;
}
