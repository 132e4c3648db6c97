/** Cuts a text to at most `limit` characters, the last of which is then "…". */
export const truncate = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
