import { stripVTControlCharacters } from 'node:util';
import type { Failure, Outcome } from './stage.js';

/** What Vitest's JSON reporter writes, as far as it is read here. */
interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly FileReport[];
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message?: string;
  readonly assertionResults: readonly TestReport[];
}

interface TestReport {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages?: readonly string[];
}

/** Counts and failures of a report by Vitest's JSON reporter. */
export function parseReport(json: string): Outcome {
  const report = JSON.parse(json) as VitestReport;
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: report.testResults.filter(({ status }) => status === 'failed').flatMap(failuresOf),
  };
}

function failuresOf({ name: file, message, assertionResults }: FileReport): Failure[] {
  const failures = assertionResults
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({
      file,
      test: fullName,
      message: firstLine(failureMessages?.[0]),
    }));
  return failures.length > 0 ? failures : [{ file, test: null, message: firstLine(message) }];
}

function firstLine(text = ''): string {
  return stripVTControlCharacters(text).trim().split('\n', 1)[0]!;
}
