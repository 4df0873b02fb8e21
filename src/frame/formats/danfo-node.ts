import { ArgumentError } from '../../model/errors.js';
import type { DanfoModule } from './danfo.js';
import { loadOptional } from './optional-package.js';

/**
 * Loads `danfojs-node` from the project of the working directory, else from the project that cropframe is installed in.
 * @param directories folders to resolve it from first
 * @throws ArgumentError when it is not installed
 */
export async function loadDanfo(directories: readonly string[] = []): Promise<DanfoModule> {
  const danfo = loadOptional('danfojs-node', directories);
  if (danfo !== undefined) return danfo as DanfoModule;
  throw new ArgumentError('format', NOT_INSTALLED);
}

const NOT_INSTALLED = [
  'format: danfo needs the package danfojs-node, which is not installed. Add to your package.json',
  '  "overrides": { "@tensorflow/tfjs-node": "npm:@tensorflow/tfjs@4.22.0", "xlsx": "npm:@e965/xlsx@0.20.3" }',
  'then run npm install danfojs-node@1.2.0',
].join('\n');
