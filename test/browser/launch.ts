import { type Browser, chromium } from 'playwright-core';
import { FLAGS, PROGRAM } from './chromium.js';

/** A new Chromium, which asks for nothing by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, args: FLAGS });
}
