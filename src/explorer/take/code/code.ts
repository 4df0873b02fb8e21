import { curlCode } from './code-curl.js';
import type { CodeInput } from './code-input.js';
import { pythonCode } from './code-python.js';
import { typescriptCode } from './code-typescript.js';

/** The languages in which a view is written. */
export const LANGUAGES = ['typescript', 'python', 'curl'] as const;
/** A language in which a view is written. */
export type Language = (typeof LANGUAGES)[number];

const WRITERS: Readonly<Record<Language, (input: CodeInput) => string>> = {
  typescript: typescriptCode,
  python: pythonCode,
  curl: curlCode,
};

/** The view as a program, ready to paste. The token is a variable of the environment, never its value. */
export function codeOf(language: Language, input: CodeInput): string {
  return WRITERS[language](input);
}
