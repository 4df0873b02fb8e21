import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A fenced block of a Markdown file. */
export interface CodeBlock {
  readonly file: string;
  /** The line of its first line of code, counted from 1. */
  readonly line: number;
  /** What stands behind the fence: `ts`, `sh` … or nothing. */
  readonly language: string;
  readonly text: string;
  /** The nearest heading above it. */
  readonly heading: string;
}

/** Every Markdown file that people read, from the repository's root. */
export function listMarkdown(): string[] {
  const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'benchmarks/README.md'];
  const others = ['docs', 'data-sets', 'notebooks', 'test'].flatMap((folder) => markdownIn(folder));
  return [...files, ...others];
}

function markdownIn(folder: string): string[] {
  if (!existsSync(join(ROOT, folder))) return [];
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' || path === 'docs/site/pages' || path === 'docs/site/dist') return [];
    if (entry.isDirectory()) return markdownIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

export function readText(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** The fenced blocks of a file, in order. The indentation of the fence is taken off. */
export function readBlocks(file: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const lines = readText(file).split('\n');
  let heading = '';
  for (let i = 0; i < lines.length; i++) {
    heading = /^#+ (.+)/.exec(lines[i]!)?.[1] ?? heading;
    const [, indent, language] = /^( *)```(\w*)/.exec(lines[i]!) ?? [];
    if (indent === undefined) continue;
    const end = lines.findIndex((line, at) => at > i && line.trimEnd() === `${indent}\`\`\``);
    if (end < 0) throw new Error(`${file}:${i + 1}: the block has no end`);
    const text = lines.slice(i + 1, end).map((line) => line.slice(indent.length));
    blocks.push({ file, line: i + 2, language: language!, text: text.join('\n'), heading });
    i = end;
  }
  return blocks;
}

/** The file without its fenced blocks, so that line breaks and headings stay. */
export function readProse(file: string): string {
  return readText(file).replaceAll(/^( *)```.*?^\1``` *$/gms, '');
}
