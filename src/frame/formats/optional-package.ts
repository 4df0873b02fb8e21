import { badArgument } from '../../model/errors.js';
import { loadOptional } from '../../model/load-optional.js';
import type { DanfoModule } from './danfo.js';

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
