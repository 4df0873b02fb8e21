import { fileURLToPath } from 'node:url';
import type { Kernel } from '../notebooks/workspace.js';

export const TSLAB: Kernel = {
  name: 'tslab',
  argv: [
    process.execPath,
    fileURLToPath(new URL('node_modules/tslab/bin/tslab', import.meta.url)),
    'kernel',
    '--config-path',
    '{connection_file}',
  ],
};
