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

/** The file that the page saves of its view in a format, by the dialog, which is closed again. */
export async function download(page: Page, format: string): Promise<SavedFile> {
  await page.getByRole('button', { name: 'Download' }).click();
  const button = page.getByRole('button', { name: format, exact: true });
  const file = await savedBy(page, () => button.click());
  await page.keyboard.press('Escape');
  return file;
}

/** The text of a dialog: the program for a view, or its citation. */
export async function textOf(page: Page, title: 'Code' | 'Cite'): Promise<string> {
  await page.getByRole('button', { name: title, exact: true }).click();
  const text = await page.getByRole('dialog', { name: title }).locator('textarea').first().inputValue();
  await page.keyboard.press('Escape');
  return text;
}
