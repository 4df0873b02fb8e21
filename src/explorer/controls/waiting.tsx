import type { ComponentChildren, ComponentType } from 'preact';
import { useMemo } from 'preact/hooks';
import { ArgumentError } from '../../model/errors.js';
import { upperFirst } from '../../model/names/first-letter.js';
import { type Resource, resource } from '../state/resource.js';
import { errorCode } from '../state/service.js';
import { isOffline } from './media.js';

/** Renders a loading message. The style sheet hides it at first, so that the page does not flicker. */
export function Loading({ what }: { what: string }) {
  return (
    <div class="loading" role="status">
      <span class="skeleton" aria-hidden="true" />
      <span>{what} …</span>
    </div>
  );
}

export function Failure({ error, what, onRetry }: { error: unknown; what: string; onRetry: () => void }) {
  return (
    <div class="notice failure">
      <p role="alert">
        <strong>{what}</strong> {errorSentence(error)}
      </p>
      {/* If a choice cannot be met, the same request would fail again. */}
      {!(error instanceof ArgumentError) && (
        <button type="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

export function Awaited<Value>(props: {
  resource: Resource<Value>;
  failure: string;
  loading: string;
  children: (value: Value) => ComponentChildren;
}) {
  const { resource, failure, loading, children } = props;
  const { value, error, isLoading } = resource.loaded.value;
  if (error !== null) return <Failure error={error} what={failure} onRetry={resource.retry} />;
  if (value === null) return isLoading ? <Loading what={loading} /> : null;
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
  // The argument's name and the remedy are omitted, because they are meant for programmers.
  const said = error instanceof Error ? error.message : String(error);
  const message = error instanceof ArgumentError ? `${upperFirst(error.problem)}.` : said;
  if (isOffline.value) return OFFLINE;
  // Browsers say so if a script of the page cannot be fetched.
  if (/dynamically imported module|importing a module/i.test(message)) return SENTENCES.network!;
  return SENTENCES[errorCode(error) ?? ''] ?? message;
}

export function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const part = useMemo(() => resource(() => true, load), [load]);
  return (
    <Awaited resource={part} failure="This part of the page could not be loaded." loading="Loading">
      {(Part) => <Part />}
    </Awaited>
  );
}
