import { resolve } from 'node:path';

/** A sample of real public data beside the project; a test that needs one names it and is skipped without it. */
export function sample(path: string): string {
  return resolve('../shared/data', path);
}
