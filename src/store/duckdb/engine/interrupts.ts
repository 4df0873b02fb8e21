import type { DuckDBConnection } from '@duckdb/node-api';

/** The engine forgets an interrupt that comes before the query has begun, so that it is repeated after this long. */
const INTERRUPT_AGAIN_MS = 20;

/** Ends the queries of connections, and later ones until the returned function is called. */
export function interruptUntilStopped(connections: readonly DuckDBConnection[]): () => void {
  const interrupt = () => {
    for (const connection of connections) connection.interrupt();
  };
  interrupt();
  const timer = setInterval(interrupt, INTERRUPT_AGAIN_MS);
  return () => clearInterval(timer);
}

/** Ends the query of a connection when the signal is aborted. @returns a function that ends the watch */
export function interruptOnAbort(connection: DuckDBConnection, signal: AbortSignal | undefined): () => void {
  let stop = () => {};
  const interrupt = () => {
    stop = interruptUntilStopped([connection]);
  };
  if (signal?.aborted === true) interrupt();
  signal?.addEventListener('abort', interrupt, { once: true });
  return () => {
    signal?.removeEventListener('abort', interrupt);
    stop();
  };
}
