import { inject, vi } from 'vitest';

declare module 'vitest' {
  /** What Stryker's runner tells the tests of a run. */
  interface ProvidedContext {
    readonly globalNamespace: string;
    /** When a mutant becomes active: as modules load, or as the tests of a file begin; none in the first run. */
    readonly mutantActivation: 'static' | 'runtime' | undefined;
  }
}

// A thread that outlives its run still has the last mutant, which must not meet what a test file computes as it loads.
if (inject('mutantActivation') === 'runtime') {
  const namespaces = globalThis as unknown as Record<string, { activeMutant?: string | undefined }>;
  namespaces[inject('globalNamespace')]!.activeMutant = undefined;
}

// Also in the first run, which finds out what tests reach a mutant: it would be only the first that needs what a module keeps.
if (process.env.CROPFRAME_MUTANT_FRESH !== undefined) vi.resetModules();
