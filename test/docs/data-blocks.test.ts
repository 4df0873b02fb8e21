import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { parseForm } from '../../src/ingest/document/parse-form.js';
import { listMarkdown, ROOT, readBlocks } from './markdown.js';

const BLOCKS = listMarkdown().flatMap(readBlocks);

/** What no test runs or parses, and why. */
const UNTRIED: Readonly<Record<string, string>> = {
  text: 'what a program prints, and a table for cron; command-blocks.test.ts compares what begins with "$ cropframe"',
  sql: 'statements for the engine of a store, which its own tests run',
};

/** Where each language is tried. */
const TRIED = ['ts', 'sh', 'json', 'yaml', 'python'];

function blocksOf(language: string): (readonly [string, string])[] {
  return BLOCKS.filter((block) => block.language === language).map(
    ({ file, line, text }) => [`${file}:${line}`, text] as const,
  );
}

describe('the blocks of the documentation', () => {
  it('say their language, which is tried or left out for a reason', () => {
    const known = [...TRIED, ...Object.keys(UNTRIED)];
    const unknown = BLOCKS.filter(({ language }) => !known.includes(language));
    expect(unknown.map(({ file, line, language }) => `${file}:${line} ${language}`)).toEqual([]);
  });

  it.each(blocksOf('json'))('are JSON: %s', (_, text) => {
    const value = JSON.parse(text);
    if (value.source !== undefined) expect(parseForm(value)).toHaveProperty('values');
  });

  it.each(blocksOf('yaml'))('are YAML: %s', (_, text) => {
    expect(parseYaml(text)).toBeTypeOf('object');
  });

  it.each(blocksOf('python'))('are Python: %s', (_, text) => {
    const { status, stderr, error } = spawnSync(
      'python3',
      ['-c', 'import ast,sys; ast.parse(sys.stdin.read())'],
      { input: text, encoding: 'utf8' },
    );
    if (error !== undefined) console.warn('python3 is not installed: its blocks are not read');
    else expect(status, stderr).toBe(0);
  });

  it('stand beside a YAML file that can be read', () => {
    const { services } = parseYaml(readFileSync(join(ROOT, 'compose.yaml'), 'utf8')) as { services: object };
    expect(Object.keys(services)).toEqual(['cropframe', 'proxy']);
  });
});
