import type { CodeBlock } from './markdown.js';

/** A command as a page shows it. */
export interface Invocation {
  /** File and line. */
  readonly place: string;
  readonly line: string;
  /** The program, without `npx`, `sudo -u …` and variables before it, and its arguments. */
  readonly words: readonly string[];
}

/** The commands of a block, each of those that `&&`, `|` or `;` join. */
export function readInvocations({ file, line, text }: CodeBlock): Invocation[] {
  const lines = text.replaceAll(/\\\n\s*/g, ' ').split('\n');
  return lines.flatMap((whole, at) =>
    splitCommands(whole).flatMap((command) => {
      const words = withoutPrefix(splitWords(command));
      return words.length === 0 ? [] : [{ place: `${file}:${line + at}`, line: command.trim(), words }];
    }),
  );
}

/** A line without its remark, cut where commands are joined, outside quotes and `$(…)`. */
function splitCommands(line: string): string[] {
  const masked = line.replaceAll(/'[^']*'|"[^"]*"|\$\([^)]*\)/g, (quoted) => '_'.repeat(quoted.length));
  const end = masked.search(/(^|\s)#/);
  const length = end < 0 ? line.length : end;
  const parts: string[] = [];
  let from = 0;
  for (const { index, 0: joint } of masked.slice(0, length).matchAll(/&&|\|\||[|;]/g)) {
    parts.push(line.slice(from, index));
    from = index + joint.length;
  }
  return [...parts, line.slice(from, length)];
}

/** The words of a command; a redirection is none. */
export function splitWords(command: string): string[] {
  const words = command
    .replaceAll(/\s\d?>{1,2}\s*\S+|\s<\s*\S+/g, ' ')
    .match(/(?:'[^']*'|"[^"]*"|\$\([^)]*\)|\S)+/g);
  return (words ?? [])
    .map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'))
    .filter((word) => word !== '&');
}

function withoutPrefix(words: readonly string[]): string[] {
  let rest = [...words];
  while (rest[0] !== undefined && /^\w+=/.test(rest[0])) rest = rest.slice(1);
  if (rest[0] === 'sudo' && rest[1] === '-u') rest = rest.slice(3);
  if (rest[0] === 'npx' && rest[1] === 'cropframe') rest = rest.slice(1);
  if (rest[0] === 'export') return [];
  return rest;
}
