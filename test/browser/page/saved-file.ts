import { buffer } from 'node:stream/consumers';
import type { Page } from 'playwright-core';

/** A file that the page lets the browser save. */
export interface SavedFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** The file that some work makes the page save. */
export async function savedBy(page: Page, work: () => Promise<unknown>): Promise<SavedFile> {
  const [file] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), work()]);
  return { name: file.suggestedFilename(), bytes: await buffer(await file.createReadStream()) };
}
