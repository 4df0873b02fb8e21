import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { type Resource, resource } from '../state/resource.js';
import { errorCode } from '../state/service.js';
import { isOffline } from './media.js';

/** Waits shorter than this show no placeholder, so that the page does not flicker. */
const SKELETON_MS = 150;
/** Waits longer than this can be cancelled. */
const CANCEL_MS = 2_000;

/** Renders a loading message and, after a while, a cancel button. */
export function Loading({ what, onCancel }: { what: string; onCancel?: (() => void) | undefined }) {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [SKELETON_MS, CANCEL_MS].map((ms) => setTimeout(() => setWaited(ms), ms));
    return () => timers.forEach(clearTimeout);
  }, []);
  if (waited < SKELETON_MS) return null;
  return (
    <div class="loading" role="status">
      <span class="skeleton" aria-hidden="true" />
      <span>{what} …</span>
      {waited >= CANCEL_MS && onCancel !== undefined && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </div>
  );
}

export function Failure({ error, what, onRetry }: { error: unknown; what: string; onRetry: () => void }) {
  const waitMs = useRetryAfter(error, onRetry);
  return (
    <div class="notice failure">
      <p>
        <span role="alert">
          <strong>{what}</strong> {errorSentence(error)}
        </span>
        {waitMs > 0 && <span> Retrying in {Math.ceil(waitMs / 1000)} s.</span>}
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Renders the value of a resource. Until it is loaded, renders a loading message or an error. */
export function Awaited<Value>(props: {
  resource: Resource<Value>;
  failure: string;
  loading: string;
  children: (value: Value) => ComponentChildren;
}) {
  const { resource, failure, loading, children } = props;
  const { loaded, retry, cancel } = resource;
  const { value, error, isLoading } = loaded.value;
  if (error !== null) return <Failure error={error} what={failure} onRetry={retry} />;
  if (value === null) return isLoading ? <Loading what={loading} onCancel={cancel} /> : null;
  return <>{children(value)}</>;
}

const SENTENCES: Readonly<Record<string, string>> = {
  network: 'The service cannot be reached. Check your connection, and make sure that the service is running.',
  timeout: 'The service did not respond in time.',
  rate_limit: 'The service is not accepting more requests at the moment.',
  not_entitled: 'Your token does not give access to these data.',
  forbidden: 'Your token does not give access to these data.',
};

export const OFFLINE =
  'This device is offline. The page will continue automatically once the device is back online.';

export function errorSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (isOffline.value) return OFFLINE;
  return SENTENCES[errorCode(error) ?? ''] ?? message;
}

const FIRST_WAIT_MS = 2_000;
const MAX_WAIT_MS = 60_000;
const RETRIED = new Set(['network', 'timeout', 'rate_limit', 'http']);

/** Returns the milliseconds until the next automatic retry, or 0 if there will be none. */
function useRetryAfter(error: unknown, onRetry: () => void): number {
  const [waitMs, setWaitMs] = useState(0);
  const failures = useRef(0);
  useEffect(() => {
    if (!RETRIED.has(errorCode(error) ?? '')) return setWaitMs(0);
    const named = (error as { retryAfterMs?: number | null }).retryAfterMs;
    const total = named ?? Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** failures.current);
    failures.current++;
    const until = performance.now() + total;
    setWaitMs(total);
    const timer = setInterval(() => {
      const left = until - performance.now();
      setWaitMs(Math.max(0, left));
      if (left > 0) return;
      clearInterval(timer);
      onRetry();
    }, 500);
    return () => clearInterval(timer);
  }, [error]);
  return waitMs;
}

export function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const part = useMemo(() => resource(() => true, load), [load]);
  return (
    <Awaited resource={part} failure="This part of the page could not be loaded." loading="Loading">
      {(Part) => <Part />}
    </Awaited>
  );
}
