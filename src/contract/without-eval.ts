import { config } from 'zod';

/**
 * Imported before schemas are made. Zod compiles them by `new Function`, which the policy of a strict page refuses and
 * reports even where Zod then does without. A service and Node's client keep the faster way.
 */
if (globalThis.process?.versions?.node === undefined) config({ jitless: true });
