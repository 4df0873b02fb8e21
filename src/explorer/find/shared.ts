/** A question under way, and how many wait for its answer. */
interface Pending<Answer> {
  readonly answer: Promise<Answer>;
  readonly request: AbortController;
  waiting: number;
}

/** A question that is sent once for all who ask the same at the same time. It is ended when none of them waits any more. */
export function shared<Question, Answer>(
  load: (question: Question, signal: AbortSignal) => Promise<Answer>,
): (question: Question, signal: AbortSignal) => Promise<Answer> {
  const pending = new Map<string, Pending<Answer>>();
  return (question, signal) => {
    const text = JSON.stringify(question);
    const one = pending.get(text) ?? start();
    one.waiting++;
    return new Promise((resolve, reject) => {
      one.answer.then(resolve, reject);
      const leave = () => {
        reject(signal.reason);
        one.waiting--;
        if (one.waiting > 0) return;
        forget(one);
        one.request.abort(signal.reason);
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });

    function start(): Pending<Answer> {
      const request = new AbortController();
      const started: Pending<Answer> = {
        request,
        waiting: 0,
        answer: load(question, request.signal).finally(() => forget(started)),
      };
      pending.set(text, started);
      return started;
    }

    function forget(ended: Pending<Answer>): void {
      if (pending.get(text) === ended) pending.delete(text);
    }
  };
}
