import { useEffect, useRef, useState } from 'preact/hooks';
import { codeOf } from '../state/service.js';

/** What failed, in a sentence, and a button that tries again. */
export function Failure({ error, what, onRetry }: { error: unknown; what: string; onRetry: () => void }) {
  const waitMs = useRetryAfter(error, onRetry);
  return (
    <div class="notice failure">
      <p>
        <span role="alert">
          <strong>{what}</strong> {sentenceOf(error)}
        </span>
        {waitMs > 0 && <span> It is asked again in {Math.ceil(waitMs / 1000)} s.</span>}
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

const SENTENCES: Readonly<Record<string, string>> = {
  network: 'The service cannot be reached. Check the connection, or whether the service runs.',
  timeout: 'The service did not answer in time.',
  rate_limit: 'The service answers no more requests for now.',
  not_entitled: 'The token may not read this.',
  forbidden: 'The token may not read this.',
};

/** What an error means to the reader of the page. */
export function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const known = SENTENCES[codeOf(error) ?? ''];
  return known === undefined ? message : known;
}

/** The first wait before the page asks again by itself, and the longest one. */
const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 60_000;
const RETRIED = new Set(['network', 'timeout', 'rate_limit', 'http']);

/** Milliseconds until the page asks again by itself; 0 where it does not. */
function useRetryAfter(error: unknown, onRetry: () => void): number {
  const [waitMs, setWaitMs] = useState(0);
  const failures = useRef(0);
  useEffect(() => {
    if (!RETRIED.has(codeOf(error) ?? '')) return setWaitMs(0);
    const named = (error as { retryAfterMs?: number | null }).retryAfterMs;
    const total = named ?? Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures.current);
    failures.current++;
    const until = performance.now() + total;
    setWaitMs(total);
    addEventListener('online', onRetry);
    const timer = setInterval(() => {
      const left = until - performance.now();
      setWaitMs(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer);
      onRetry();
    }, 500);
    return () => {
      clearInterval(timer);
      removeEventListener('online', onRetry);
    };
  }, [error]);
  return waitMs;
}
