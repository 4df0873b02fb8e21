import { useEffect, useState } from 'preact/hooks';

/** Shorter waits show nothing, so that the page does not flicker. */
const SKELETON_MS = 150;
/** Longer waits can be ended. */
const CANCEL_MS = 2_000;

/** That something is on its way. */
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
