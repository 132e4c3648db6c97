import { hiddenCharacter } from '../../../protocol/plain/invisible';
import { anyOf } from '../../text/alternatives';

/** Maximum number of characters that are judged, without the text of here-documents in which nothing expands. */
const MAX_CHARACTERS = 8192;
const longBlank = /[ \t]{80}|(?:\n[ \t]*){20}/;
/**
 * Odd white-space characters, and letters that look like shell operators or ASCII. With them or with invisible
 * characters, the command shown would not be the command that runs.
 */
const deceptive = anyOf(
  [
    // White space that shells do not treat as such.
    /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/u,
    // Full-width ASCII and specials.
    /[\uff01-\uff60\ufff0-\uffff]/u,
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
  if (lengthWithoutData(text) > MAX_CHARACTERS) return { reason: 'Is too long to judge.', unsure: true };
  const found = hiddenCharacter(text) ?? deceptive.exec(text)?.[0];
  if (found !== undefined)
    return {
      reason: `Contains the invisible, control or look-alike character U+${found.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}.`,
      culprit: found,
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

/** Returns the length of a text without the bodies of here-documents with a quoted delimiter. */
function lengthWithoutData(text: string): number {
  if (text.length <= MAX_CHARACTERS) return text.length;
  let length = text.length;
  let from = 0;
  for (const opening of text.matchAll(/<<-?[ \t]*(['"])(\w+)\1/g)) {
    if (opening.index < from) continue;
    const start = text.indexOf('\n', opening.index) + 1;
    if (start === 0) break;
    const end = text.indexOf(`\n${opening[2]!}\n`, start - 1);
    const isLast = end < 0 && text.endsWith(`\n${opening[2]!}`);
    if (end < 0 && !isLast) break;
    from = isLast ? text.length : end;
    length -= Math.max(0, from - start);
  }
  return length;
}
