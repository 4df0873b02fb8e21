import type { DataRequest } from '../../state/request.js';

/** What code is made of. */
export interface CodeInput {
  readonly request: DataRequest;
  /** Where the service is: its origin and folder, without a slash at the end. */
  readonly host: string;
  /** A name for each series, in their order; they stand in comments. */
  readonly names: readonly string[];
}
