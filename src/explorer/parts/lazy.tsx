import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Failure } from './failure.js';
import { Loading } from './loading.js';

/** A part of the page that is loaded when it is shown. */
export function Lazy({ load }: { load: () => Promise<ComponentType> }) {
  const [loaded, setLoaded] = useState<{ Part: ComponentType } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isShown = true;
    setError(null);
    load().then(
      (Part) => isShown && setLoaded({ Part }),
      (failure: unknown) => isShown && setError(failure),
    );
    return () => {
      isShown = false;
    };
  }, [load, attempt]);
  if (error !== null)
    return (
      <Failure
        error={error}
        what="This part of the page could not be loaded."
        onRetry={() => setAttempt((count) => count + 1)}
      />
    );
  return loaded === null ? <Loading what="Loading" /> : <loaded.Part />;
}
