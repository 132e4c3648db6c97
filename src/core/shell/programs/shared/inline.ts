import { judgeOneLiner } from '../../calls/inlineCode';
import { judgeByManual } from '../../calls/judgeByManual';
import type { Judge } from '../../calls/manual';
import { note, touch } from '../../effects/scope';
import { judgeTests } from './projectCode';
import { judgeFilter } from './textProgram';

const flag = /^(-e|-p|-pe|-ep|-c|-r|--eval|--print)$/;

/** Clustered options that end with the one for code: `perl -lane CODE`. */
const flags = /^-[a-zA-Z0-9]*[eE]$/;

/** Judges code in the command itself. Only constant one-liners are understood. */
export const judgeInline: Judge = (one) => {
  const { name, words, scope, whole, manual } = one;
  // In languages other than Python, -c only checks the program's syntax.
  const at = words.findIndex(
    (word) =>
      (flag.test(word.text) || (/^(perl|ruby)$/.test(name) && flags.test(word.text))) &&
      !(word.text === '-c' && /^(perl|ruby|node)$/.test(name)) &&
      !(word.text === '-r' && /^(node|ruby)$/.test(name)),
  );
  const before = at < 0 ? words : words.slice(0, at);
  if (name === 'node' && at < 0 && words[0]?.text === '--test') {
    judgeTests(one);
    judgeByManual({
      manual: {
        level: 'low',
        operands: { rest: 'search' },
        ...(manual.options !== undefined && { options: manual.options }),
      },
      name,
      words,
      scope,
      flow: one.flow,
      whole,
    });
    return 'done';
  }
  const check = words.findIndex(({ text }) => /^(-c|--check)$/.test(text));
  if (name === 'node' && at < 0 && check >= 0 && words.length === 2) {
    touch(scope, 'reads', words[1 - check]!);
    note(scope, 'low', whole);
    return 'done';
  }
  if (at < 0 || before.some((word) => !word.text.startsWith('-'))) return undefined;
  const code = words[at + 1];
  const files = words.slice(at + 2);
  if (name === 'perl' && judgeFilter({ options: words.slice(0, at + 1), program: code, files, scope, whole }))
    return 'done';
  judgeOneLiner({ language: name, options: before, code, files, scope, whole });
  return 'done';
};
