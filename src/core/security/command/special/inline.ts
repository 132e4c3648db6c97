import { judgeSpec } from '../judgeTool';
import { note, touch } from '../scope';
import type { Value } from '../value';
import { tests } from './building';
import { judgeOneLiner } from './inlineCode';
import type { Special } from './all';

const flag = /^(-e|-p|-pe|-ep|-c|-r|--eval|--print)$/;
/** Letters in front of the last one: `perl -lane CODE`. */
const flags = /^-[a-zA-Z0-9]*e$/;
/** `perl -pi -e 's/old/new/g'` as `sed -i` would do it: nothing in it is code. */
const replaces = (given: readonly Value[]): boolean => /^(-p -i|-pi|-i -p|-p0i|-0pi|-pi\.bak|-i -pe|-pie)?(?: ?-e|e)?$/.test(given.map(({ text }) => text).join(' ')) && given.some(({ text }) => text.includes('i'));
const plainReplacement = /^s([/|#,!])((?:\\[^]|(?!\1)[^\\@`$(]|\((?!\??\?\{)|\$(?=\1|\||\)))*)\1((?:\\[^]|(?!\1)[^\\@`$]|\$\d)*)\1[gimsx]*;?$/;

/** Code in the command itself: only constant one-liners are understood. */
export const inline: Special = one => {
  const { name, words, scope, whole, spec } = one;
  // Elsewhere than in Python -c only reads the program.
  const at = words.findIndex(word => (flag.test(word.text) || (/^(perl|ruby)$/.test(name) && flags.test(word.text))) && !(word.text === '-c' && /^(perl|ruby|node)$/.test(name)) && !(word.text === '-r' && /^(node|ruby)$/.test(name)));
  const before = at < 0 ? words : words.slice(0, at);
  if (name === 'node' && at < 0 && words[0]?.text === '--test') {
    tests(one);
    judgeSpec({ level: 'low', operands: 'search…', ...(spec.options !== undefined && { options: spec.options }) }, name, words, scope, one.flow, whole);
    return 'done';
  }
  const check = words.findIndex(({ text }) => /^(-c|--check)$/.test(text));
  if (name === 'node' && at < 0 && check >= 0 && words.length === 2) { touch(scope, 'reads', words[1 - check]!); note(scope, 'low', whole); return 'done'; }
  if (at < 0 || before.some(word => !word.text.startsWith('-'))) return undefined;
  const code = words[at + 1];
  const files = words.slice(at + 2);
  if (name === 'perl' && replaces(words.slice(0, at + 1)) && code?.kind === 'literal' && plainReplacement.test(code.text) && files.length > 0) {
    for (const file of files) touch(scope, 'writes', file);
    note(scope, 'medium', whole, 'It changes files of the workspace.');
    return 'done';
  }
  judgeOneLiner({ language: name, options: before, code, files, scope, whole });
  return 'done';
};
