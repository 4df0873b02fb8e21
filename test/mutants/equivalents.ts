import { AGRONOMY } from './equivalents/agronomy.js';
import { COLUMNS } from './equivalents/columns.js';
import { COMPUTE } from './equivalents/compute.js';
import { CONTRACT } from './equivalents/contract.js';
import type { Equivalents } from './equivalents/equivalent.js';
import { FRAME } from './equivalents/frame.js';
import { FRAME_FORMATS_CHECK } from './equivalents/frame-formats-check.js';
import { FRAME_FORMATS_INFLATE } from './equivalents/frame-formats-inflate.js';
import { FRAME_TABLE } from './equivalents/frame-table.js';
import { INGEST } from './equivalents/ingest.js';

/** Survivors that no test can notice, each read and found to compute the same. */
export const EQUIVALENTS: Equivalents = {
  ...COLUMNS,
  ...COMPUTE,
  ...AGRONOMY,
  ...CONTRACT,
  ...FRAME,
  ...FRAME_FORMATS_CHECK,
  ...FRAME_FORMATS_INFLATE,
  ...FRAME_TABLE,
  ...INGEST,
};
