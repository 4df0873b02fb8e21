import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { MutantResult } from '@stryker-mutator/api/core';
import { EQUIVALENTS } from './equivalents.js';

/** How the mutants of a part fared. */
export interface Score {
  readonly tried: number;
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  /** Mutants that no test reaches. */
  readonly notCovered: number;
  /** Survivors that change nothing, as listed in `equivalents.ts`; they count neither as tried nor as survivors. */
  readonly equivalent: number;
  /** Killed or timed out, in percent of those tried. */
  readonly percent: number;
  /** The lines of code that have survivors, each followed by their changes. */
  readonly survivors: readonly string[];
}

export function scoreMutants(results: readonly MutantResult[]): Score {
  const count = (status: MutantResult['status']) =>
    results.filter((result) => result.status === status).length;
  const alive = results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(describe);
  const listed = alive.filter(isEquivalent);
  const left = alive.filter((mutant) => !isEquivalent(mutant));
  const notCovered = left.filter(({ isCovered }) => !isCovered).length;
  const killed = count('Killed') + count('RuntimeError');
  const timedOut = count('Timeout');
  const tried = killed + timedOut + left.length;
  return {
    tried,
    killed,
    timedOut,
    survived: left.length - notCovered,
    notCovered,
    equivalent: listed.length,
    percent: tried === 0 ? 100 : (100 * (killed + timedOut)) / tried,
    survivors: listByLine(left),
  };
}

function listByLine(mutants: readonly DescribedMutant[]): string[] {
  const lines = new Map<string, string[]>();
  for (const { file, row, line, change, isCovered } of mutants) {
    const place = `${file}:${row}  ${line}`;
    if (!lines.has(place)) lines.set(place, [place]);
    lines.get(place)!.push(`    ${change}${isCovered ? '' : '  (no test gets here)'}`);
  }
  return [...lines.values()].flat();
}

/** A mutant in words. */
interface DescribedMutant {
  readonly file: string;
  readonly row: number;
  /** The line of code that it begins on. */
  readonly line: string;
  /** What it was, and what it becomes. */
  readonly change: string;
  readonly isCovered: boolean;
}

const MAX_TEXT = 60;

function describe({ fileName, location, replacement, status }: MutantResult): DescribedMutant {
  const lines = readFileSync(fileName, 'utf8').split('\n');
  const { start, end } = location;
  const code = lines.slice(start.line - 1, end.line);
  code[code.length - 1] = code.at(-1)!.slice(0, end.column - 1);
  code[0] = code[0]!.slice(start.column - 1);
  return {
    file: relative(process.cwd(), fileName),
    row: start.line,
    line: lines[start.line - 1]!.trim(),
    change: `${shorten(code.join(' '))} → ${shorten(replacement)}`,
    isCovered: status !== 'NoCoverage',
  };
}

function shorten(code: string): string {
  const text = code.replace(/\s+/g, ' ').trim();
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}

function isEquivalent({ file, line, change }: DescribedMutant): boolean {
  return (EQUIVALENTS[file] ?? []).some((entry) => entry.line === line && entry.changes.includes(change));
}
