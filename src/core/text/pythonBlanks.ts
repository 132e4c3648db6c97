/** Python's notion of white space and line breaks, for texts that are compared with the output of Python programs. */

const blank = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const leading = new RegExp(`^${blank}+`);
const trailing = new RegExp(`(?<!${blank})${blank}+$`);
const lineEnd = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/;

/** `text.lstrip()` */
const pythonLeftStrip = (text: string): string => text.replace(leading, '');

/** `text.rstrip()` */
export const pythonRightStrip = (text: string): string => text.replace(trailing, '');

/** `text.strip()` */
export const pythonStrip = (text: string): string => pythonRightStrip(pythonLeftStrip(text));

/** Returns the first item of `text.splitlines(keepends=True)` and the rest of the text. */
function pythonFirstLine(text: string): { readonly line: string; readonly rest: string } {
  const end = lineEnd.exec(text);
  if (!end) return { line: text, rest: '' };
  const after = end.index + end[0].length;
  return { line: text.slice(0, after), rest: text.slice(after) };
}

/**
 * Returns what an output submits: everything after its first line if that line is one of the markers, else undefined.
 * White space and empty lines before the marker are ignored, as in mini-swe-agent.
 */
export function submittedAfter(markers: readonly string[], output: string): string | undefined {
  const { line, rest } = pythonFirstLine(pythonLeftStrip(output));
  return markers.includes(pythonStrip(line)) ? rest : undefined;
}
