import { type Browser, chromium } from 'playwright-core';
import { ALONE, PROGRAM } from './chromium.js';

/** The environment variable that names the browser of a run. */
export const BROWSER = 'CROPFRAME_TEST_BROWSER';

/** The browser of the run, or a new Chromium outside of one. Neither asks for anything by itself. */
export function launchChromium(): Promise<Browser> {
  const shared = process.env[BROWSER];
  if (shared !== undefined) return chromium.connect(shared);
  return chromium.launch({ executablePath: PROGRAM, args: ALONE });
}
