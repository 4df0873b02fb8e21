import { checkFunction, checkObject, fieldsOf, needed } from '../model/arguments/checks.js';

/** What `openStore` returns. */
export const checkStore = needed(
  fieldsOf({
    capabilities: needed(checkObject),
    access: needed(checkObject),
    version: needed(checkFunction),
    begin: needed(checkFunction),
  }),
);
