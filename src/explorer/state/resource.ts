import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';

/** The state of a request. The last value is kept until a new one arrives. */
interface Loaded<Value> {
  readonly value: Value | null;
  /** The error of the last request, or null if the request succeeded. */
  readonly error: unknown;
  readonly isLoading: boolean;
}

export interface Resource<Value> {
  readonly loaded: ReadonlySignal<Loaded<Value>>;
  readonly retry: () => void;
}

const NOTHING = { value: null, error: null, isLoading: false };

interface ResourceOptions<Key> {
  /** How long a key must stay unchanged before its value is requested, for example while a user types. */
  readonly waitMs?: number;
  /** Whether the last value is kept while the next key's value is loading; true by default. */
  readonly keeps?: (key: Key, next: Key) => boolean;
}

/** Loads a value for each key (compared as JSON) except null. A new key aborts the request; a failed one repeats online. */
export function resource<Key, Value>(
  keyOf: () => Key | null,
  load: (key: Key, signal: AbortSignal) => Promise<Value>,
  { waitMs = 0, keeps = () => true }: ResourceOptions<Key> = {},
): Resource<Value> {
  const loaded = signal<Loaded<Value>>(NOTHING);
  const attempt = signal(0);
  let request = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let keyText: string | undefined;
  let loadedKey: Key | undefined;

  const retry = () => void attempt.value++;
  effect(() => {
    const wanted = keyOf();
    const text = `${attempt.value} ${JSON.stringify(wanted)}`;
    if (text === keyText) return;
    keyText = text;
    clearTimeout(timer);
    request.abort(new DOMException('another request took its place', 'AbortError'));
    if (wanted === null) {
      loaded.value = NOTHING;
      return;
    }
    request = new AbortController();
    const isKept = loadedKey !== undefined && keeps(loadedKey, wanted);
    loaded.value = { ...(isKept ? loaded.peek() : NOTHING), isLoading: true };
    timer = setTimeout(() => void run(wanted, request.signal), waitMs);
  });

  async function run(wanted: Key, signal: AbortSignal): Promise<void> {
    try {
      const value = await load(wanted, signal);
      if (signal.aborted) return;
      loadedKey = wanted;
      loaded.value = { value, error: null, isLoading: false };
    } catch (error) {
      if (!signal.aborted) loaded.value = { value: null, error, isLoading: false };
    }
  }

  globalThis.addEventListener?.('online', () => {
    if (loaded.peek().error !== null) retry();
  });
  return { loaded, retry };
}

/** Returns a resource computed from the value of another. If the computation throws, it holds the error instead. */
export function derive<Value, Made>(
  { loaded, retry }: Resource<Value>,
  make: (value: Value) => Made | null,
): Resource<Made> {
  const made = computed(() => {
    const { value, ...state } = loaded.value;
    try {
      return { ...state, value: value === null ? null : make(value) };
    } catch (error) {
      return { value: null, error, isLoading: false };
    }
  });
  return { loaded: made, retry };
}

/** Returns a function that makes a single request for all concurrent calls with equal arguments. */
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
