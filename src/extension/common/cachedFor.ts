import { setTimeout as delay } from 'node:timers/promises';

/** How long to wait for a new answer before the last one is used, in ms. */
const patienceMilliseconds = 150;

/**
 * Caches an answer for this long, in ms. While a new one is loaded, which may take seconds, returns the last one that could
 * be loaded; but first waits a moment for the new one.
 */
export function cachedFor<Answer>(milliseconds: number, load: () => Promise<Answer>): () => Promise<Answer> {
  let last: { readonly answer: Promise<Answer>; readonly loadedAt: number } | undefined;
  let lastLoaded: Promise<Answer> | undefined;
  let loading: { readonly answer: Promise<Answer>; readonly patience: Promise<void> } | undefined;
  const begin = () => {
    const answer = load();
    const end = () => {
      last = { answer, loadedAt: performance.now() };
      loading = undefined;
    };
    answer.then(() => {
      lastLoaded = answer;
      end();
    }, end);
    return { answer, patience: delay(patienceMilliseconds) };
  };
  return () => {
    if (last && performance.now() - last.loadedAt <= milliseconds) return last.answer;
    const { answer, patience } = (loading ??= begin());
    const known = lastLoaded;
    return known ? Promise.race([answer, patience.then(() => known)]) : answer;
  };
}

/** Computes a value from the answer of `load`, once for each answer. */
export function derived<Answer, Value>(
  load: () => Promise<Answer>,
  compute: (answer: Answer) => Promise<Value>,
): () => Promise<Value> {
  let known: { readonly answer: Answer; readonly value: Promise<Value> } | undefined;
  return async () => {
    const answer = await load();
    if (known?.answer !== answer) known = { answer, value: compute(answer) };
    return known.value;
  };
}
