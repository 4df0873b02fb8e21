import { config } from 'zod';

/**
 * Imported before schemas are made. Zod compiles them by `new Function`, which the policy of a strict page refuses and
 * reports even where Zod then does without. A service and Node's client stay with what is faster.
 */
if (globalThis.process?.versions?.node === undefined) config({ jitless: true });
