/** Prints a line about work that takes noticeably long. */
export function report(text) {
  console.error(`· ${text}`);
}

export function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
