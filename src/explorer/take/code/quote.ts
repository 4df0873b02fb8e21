/** Characters that end a line, or turn the order of what follows, in programs. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** A text as a literal of TypeScript and of Python: on one line, and in the order in which it is read. */
export function stringLiteral(text: string): string {
  return literal(text);
}

/** A value as a literal of TypeScript, on several lines where it has parts. */
export function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    UNSAFE,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text as one word of a shell, whatever is in it. */
export function shellWord(text: string): string {
  if (/^[\w./:=,-]+$/.test(text)) return text;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
