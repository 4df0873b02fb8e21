/** One line of the service's log: who asked what, and how it went. Never a token, a password or a query's values of them. */
export interface LogEntry {
  readonly time: string;
  readonly request_id: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly duration_ms: number;
  /** The token's name; null when nobody was recognised. */
  readonly holder: string | null;
  /** The inside of an unforeseen failure. */
  readonly failure?: string;
}

export type Log = (entry: LogEntry) => void;
