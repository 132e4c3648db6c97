import { invisibleInCode } from '../../../protocol/plain/invisible';
import { anyOf } from '../../text/alternatives';

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
  if (text.length > MAX_CHARACTERS) return { reason: 'Is too long to judge.', unsure: true };
  const found = text.match(invisibleInCode) ?? deceptive.exec(text);
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
