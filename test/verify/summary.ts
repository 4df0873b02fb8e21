import { relative } from 'node:path';
import type { Counts, Failure, StageResult } from './stage.js';

/** All counts added up. */
export function totalCounts(results: readonly StageResult[]): Counts {
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const { passed, failed, skipped } of results) {
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  return total;
}

/** `3 passed, 0 failed`, and what was skipped where anything was. */
export function describeCounts({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** One line a stage: outcome, name, time and counts, or why it was left out. Tests that failed stand below their stage. */
export function describeResults(results: readonly StageResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap((result) => {
    const time = `${result.seconds.toFixed(1)} s`.padStart(8);
    const detail = result.reason === null ? describeCounts(result) : `not run: ${result.reason}`;
    const line = `  ${outcomeOf(result).padEnd(8)}  ${result.name.padEnd(width)}  ${time}  ${detail}`;
    return [line, ...result.failures.flatMap(describeFailure)];
  });
  return lines.join('\n');
}

function outcomeOf({ failed, isUnsteady, reason }: StageResult): string {
  if (failed > 0) return 'FAILED';
  if (isUnsteady) return 'unsteady';
  return reason === null ? 'passed' : 'skipped';
}

function describeFailure({ file, test, message }: Failure): string[] {
  return [`    ${relative('.', file)}${test === null ? '' : ` > ${test}`}`, `      ${message}`];
}
