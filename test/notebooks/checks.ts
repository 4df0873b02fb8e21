import { checkCropWeights } from './checks/crop-weights.js';
import { checkDegreeDays } from './checks/degree-days.js';
import { checkExplore } from './checks/explore.js';
import { checkJoinExport } from './checks/join-export.js';
import { checkOwnData } from './checks/own-data.js';
import { checkQuickstart } from './checks/quickstart.js';
import { checkRevisions } from './checks/revisions.js';
import { checkYieldModel } from './checks/yield-model.js';
import type { Check } from './executed.js';

/** How the figures of each notebook are checked, beside that they are those that it was saved with. */
export const CHECKS: Readonly<Record<string, Check>> = {
  '01-quickstart.ipynb': checkQuickstart,
  '02-explore.ipynb': checkExplore,
  '03-points-and-revisions.ipynb': checkRevisions,
  '04-frames-join-export.ipynb': checkJoinExport,
  '05-crop-weighted-series.ipynb': checkCropWeights,
  '06-degree-days.ipynb': checkDegreeDays,
  '07-your-own-data.ipynb': checkOwnData,
  '08-a-yield-model.ipynb': checkYieldModel,
};
