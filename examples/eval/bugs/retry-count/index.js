/** Does `work` at most `times` times, until it throws no more. */
export function retried(work, times) {
  for (let count = 0; ; count++) {
    try {
      return work();
    } catch (error) {
      if (count === times) throw error;
    }
  }
}
