import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { StoreError } from '../model/errors.js';
import { nearestWord } from '../model/names/edit-distance.js';

/** @throws StoreError when there is no file, which names the nearest one of its folder, and how to create it */
export function requireFile(path: string, creation: string): void {
  if (existsSync(path)) return;
  const folder = dirname(path);
  const nearest = existsSync(folder) ? nearestWord(basename(path), readdirSync(folder)) : undefined;
  const meant = nearest === undefined ? '' : `did you mean ${join(folder, nearest)}? `;
  throw new StoreError(`there is no store at ${path}; ${meant}${creation}`);
}
