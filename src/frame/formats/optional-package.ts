import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { badArgument } from '../../model/errors.js';
import type { DanfoModule } from './danfo.js';

/**
 * Loads an optional package from `directories`, from the project in the working directory, or from the project in which
 * cropframe is installed. Returns `undefined` if none of them has the package.
 */
export function loadOptional(name: string, directories: readonly string[] = []): unknown {
  for (const from of [...directories, process.cwd()]
    .map((path) => `${pathToFileURL(path)}/`)
    .concat(import.meta.url)) {
    const require = createRequire(from);
    let path: string;
    try {
      path = require.resolve(name);
    } catch {
      continue;
    }
    return require(path);
  }
  return undefined;
}

export async function loadDanfo(directories?: readonly string[]): Promise<DanfoModule> {
  const danfo = loadOptional('danfojs-node', directories);
  if (danfo !== undefined) return danfo as DanfoModule;
  throw badArgument('format', NO_DANFO);
}

const NO_DANFO = [
  'danfo needs the package danfojs-node, which is not installed. Add this to your package.json:',
  '  "overrides": { "@tensorflow/tfjs-node": "npm:@tensorflow/tfjs@4.22.0", "xlsx": "npm:@e965/xlsx@0.20.3" }',
  'then run npm install danfojs-node@1.2.0',
].join('\n');
