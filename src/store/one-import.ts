import { StoreError } from '../model/errors.js';
import type { StoreTransaction } from './store.js';

/** Returns `begin`, which allows one import at a time, and `end`, which rolls back the running import. */
export function oneImport(
  { location, readOnly }: { readonly location: string; readonly readOnly: boolean },
  begin: (onEnd: () => void) => Promise<StoreTransaction>,
) {
  let running: Promise<StoreTransaction> | null = null;
  return {
    async begin(): Promise<StoreTransaction> {
      if (readOnly)
        throw new StoreError(`${location} is open for reading only; open it without read_only to write`);
      if (running !== null)
        throw new StoreError(`${location}: another import is running; wait for it to finish`);
      const onEnd = () => {
        running = null;
      };
      running = begin(onEnd);
      running.catch(onEnd);
      return running;
    },
    async end(): Promise<void> {
      // An import that could not begin has nothing to roll back.
      const transaction = await running?.catch(() => null);
      await transaction?.rollback();
    },
  };
}
