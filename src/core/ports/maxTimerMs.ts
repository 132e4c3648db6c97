/** Longest delay that a timer of Node.js accepts, in ms: almost 25 days. A longer one would end at once. */
export const maxTimerMs = 2 ** 31 - 1;
