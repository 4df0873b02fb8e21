import type { Counts, StageResult } from './stage.js';

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

/** One line a stage: outcome, name, time and counts, or why it was left out. */
export function describeResults(results: readonly StageResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.map((result) => {
    const outcome = result.failed > 0 ? 'FAILED' : result.reason === null ? 'passed' : 'skipped';
    const time = `${result.seconds.toFixed(1)} s`.padStart(8);
    const detail = result.reason === null ? describeCounts(result) : `not run: ${result.reason}`;
    return `  ${outcome.padEnd(7)}  ${result.name.padEnd(width)}  ${time}  ${detail}`;
  });
  return lines.join('\n');
}
