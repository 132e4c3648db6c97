/** Time after which work counts as slow, in ms. */
const slowAfter = 300;

/** Waits for `work`. Calls `say` with true once it is slow, and with false when it ends after that. */
export async function whileSlow<Answer>(work: Promise<Answer>, say: (isSlow: boolean) => void): Promise<Answer> {
  let isSaid = false;
  const timer = setTimeout(() => {
    isSaid = true;
    say(true);
  }, slowAfter);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
    if (isSaid) say(false);
  }
}
