import { resolve } from 'node:path';

/** The path of a sample of public data outside the repository; a test that needs it is skipped without it. */
export function sample(path: string): string {
  return resolve('../shared/data', path);
}
