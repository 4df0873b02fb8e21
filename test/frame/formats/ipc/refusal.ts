import { checkIpc } from '../../../../src/frame/formats/ipc/check.js';
import { ArgumentError } from '../../../../src/model/errors.js';

/** What a check refuses, or that it refuses nothing. */
export function refusalOf(check: () => void): string {
  try {
    check();
    return 'fine';
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    return error.message;
  }
}

/** What is refused of Arrow IPC. */
export function refusal(bytes: Uint8Array): string {
  return refusalOf(() => checkIpc(bytes));
}
