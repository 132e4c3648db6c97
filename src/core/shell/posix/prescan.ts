import { anyOf } from '../../text/alternatives';

const MAX_CHARACTERS = 8192;
const longBlank = /[ \t]{80}|(?:\n[ \t]*){20}/;
/**
 * Control, invisible, bidirectional and odd white-space characters, and letters that look like shell operators or
 * ASCII. With them, the command shown would not be the command that runs.
 */
const deceptive = anyOf(
  [
    // Control characters except tab and line feed.
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u,
    // White space that shells do not treat as such, and letters without a visible glyph.
    /[\u00a0\u115f\u1160\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\u3164\uffa0]/u,
    // Zero-width characters, bidirectional controls, and characters that modify their neighbors.
    /[\u00ad\u034f\u061c\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/u,
    // Full-width ASCII, private-use characters, surrogates and specials.
    /[\uff01-\uff60\ufff0-\uffff]|\p{Co}|\p{Cs}/u,
    // Tag characters and variation selectors.
    /[\u{e0000}-\u{e01ef}]/u,
  ],
  'u',
);

/** Returns what the raw text hides, before it is parsed, or undefined if nothing. */
export function hiddenIn(
  text: string,
  posix = true,
):
  | {
      readonly reason: string;
      readonly culprit?: string;
      /** True if it hides nothing but cannot be judged. */ readonly unsure?: true;
    }
  | undefined {
  if (text.length > MAX_CHARACTERS) return { reason: 'Is too long to judge.', unsure: true };
  const found = deceptive.exec(text);
  if (found)
    return {
      reason: `Contains the invisible, control or look-alike character U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}.`,
      culprit: found[0],
    };
  if (longBlank.test(text)) return { reason: 'Pushes part of the command out of view with a long run of blanks.' };
  if (!posix) return undefined;
  if (/[$<>]\\\n/.test(text))
    return { reason: 'Continues a line in the middle of an expansion.', culprit: '\\', unsure: true };
  // `name() {` starts a function definition.
  const written = text.replace(/(^|[\s;&|])[A-Za-z_][\w-]*\s*\(\)(?=\s*\{)/g, '$1');
  const bare = written.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|\\./g, '');
  if (/\(\s*$/.test(text) || (!text.includes('<<') && /\(\s*([;|&)]|$)/.test(bare)))
    return { reason: 'Contains shell syntax that could not be read: empty parentheses.', unsure: true };
  return undefined;
}
