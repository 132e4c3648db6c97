/**
 * Returns a function that reads the number captured by the last match of a pattern, or null if there is no match or no
 * number. Throws an `Error` that names the setting if the pattern is invalid.
 */
export function lastNumber(pattern: string, setting: string): (text: string) => number | null {
  const regex = compile(pattern, setting);
  return (text) => {
    const words = [...text.matchAll(regex)].at(-1)?.[1];
    const value = words === undefined || words.trim() === '' ? NaN : Number(words);
    return Number.isFinite(value) ? value : null;
  };
}

function compile(pattern: string, setting: string): RegExp {
  let groups: number;
  try {
    groups = new RegExp(`${pattern}|`).exec('')!.length - 1;
  } catch (cause) {
    throw new Error(
      `The pattern “${pattern}” of ${setting} is not a regular expression (${(cause as Error).message}). Correct or remove it.`,
      { cause },
    );
  }
  if (groups !== 1)
    throw new Error(
      `The pattern “${pattern}” of ${setting} has ${groups} groups. It needs exactly one, around the number.`,
    );
  return new RegExp(pattern, 'g');
}
