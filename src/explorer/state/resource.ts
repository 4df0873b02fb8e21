import { effect, type ReadonlySignal, signal } from '@preact/signals';

/** The state of a request. The last value stays until the next one arrives. */
export interface Loaded<Value> {
  readonly value: Value | null;
  /** The error of the last request; null if it succeeded. */
  readonly error: unknown;
  readonly isLoading: boolean;
}

/** A value that is reloaded when its key changes. */
export interface Resource<Value> {
  readonly loaded: ReadonlySignal<Loaded<Value>>;
  readonly retry: () => void;
  /** Aborts the current request; the last value stays. */
  readonly cancel: () => void;
}

const NOTHING = { value: null, error: null, isLoading: false };

interface ResourceOptions<Key> {
  /** How long a key must be stable before it is requested, for example while a user types. */
  readonly waitMs?: number;
  /** Whether the last value may stay while the next key loads; by default it does. */
  readonly keeps?: (key: Key, next: Key) => boolean;
}

/**
 * Loads a value for each key; a null key loads nothing. A new key aborts the current request, and late responses are
 * ignored. A failed request is repeated when the browser is online again.
 */
export function resource<Key, Value>(
  key: ReadonlySignal<Key | null>,
  load: (key: Key, signal: AbortSignal) => Promise<Value>,
  { waitMs = 0, keeps = () => true }: ResourceOptions<Key> = {},
): Resource<Value> {
  const loaded = signal<Loaded<Value>>(NOTHING);
  const attempt = signal(0);
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keyText: string | undefined;
  let loadedKey: Key | undefined;

  effect(() => {
    const wanted = key.value;
    const text = `${attempt.value} ${JSON.stringify(wanted)}`;
    if (text === keyText) return;
    keyText = text;
    clearTimeout(timer);
    current?.abort(new DOMException('another request took its place', 'AbortError'));
    if (wanted === null) {
      current = null;
      loaded.value = NOTHING;
      return;
    }
    const request = new AbortController();
    current = request;
    const isKept = loadedKey !== undefined && keeps(loadedKey, wanted);
    loaded.value = { ...(isKept ? loaded.peek() : NOTHING), isLoading: true };
    timer = setTimeout(() => void run(wanted, request), waitMs);
  });

  async function run(wanted: Key, request: AbortController): Promise<void> {
    try {
      const value = await load(wanted, request.signal);
      if (current !== request) return;
      loadedKey = wanted;
      loaded.value = { value, error: null, isLoading: false };
    } catch (error) {
      if (current === request && !request.signal.aborted)
        loaded.value = { value: null, error, isLoading: false };
    }
  }

  globalThis.addEventListener?.('online', () => {
    if (loaded.peek().error !== null) attempt.value++;
  });
  return {
    loaded,
    retry: () => {
      attempt.value++;
    },
    cancel: () => {
      current?.abort(new DOMException('the user ended it', 'AbortError'));
      current = null;
      loaded.value = { ...loaded.peek(), isLoading: false };
    },
  };
}

/** Returns a function that shares one request among concurrent calls with equal arguments. */
export function shareRequests<Question, Answer>(
  load: (question: Question) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  const pending = new Map<string, Promise<Answer>>();
  return (question) => {
    const text = JSON.stringify(question);
    const answer = pending.get(text) ?? load(question).finally(() => pending.delete(text));
    pending.set(text, answer);
    return answer;
  };
}
