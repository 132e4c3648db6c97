import { flags, values } from '../../calls/options';
import { judgeRole } from '../../calls/judgeByManual';
import { optionTable, readArguments } from '../../calls/options';
import { doubt, note, touch } from '../../effects/scope';
import type { Judge } from '../../calls/manual';

/** Commands of gdb and lldb that run the program, stop it and show what is in it. Others can start a shell, or load code. */
const looks = new RegExp(
  `^(?:${[
    'r(?:un)?',
    'start',
    'starti',
    'c(?:ontinue)?',
    'n(?:ext)?',
    's(?:tep)?',
    'finish',
    'kill',
    'q(?:uit)?',
    'up',
    'down',
    'bt(?: full| -?\\d+| all)?',
    'backtrace(?: full)?',
    'where',
    'thread (?:apply all (?:bt|backtrace)(?: full)?|backtrace(?: all)?|list)',
    'info [\\w ]+',
    'f(?:rame)?(?: \\d+)?',
    'l(?:ist)?(?: [\\w.:,-]+)?',
    'disas(?:semble)?(?: [\\w:]+)?',
    '(?:t?b(?:reak)?|tbreak|watch) [\\w.:*-]+',
    '(?:p|print|display)(?:/\\w)? [\\w.>\\[\\]*&-]+',
    'x/\\w+ [\\w$+*]+',
    'set (?:pagination|confirm|width|height|disassembly-flavor|print [\\w-]+) \\w+',
    'process launch',
    'register read',
    'image list',
    'target list',
  ].join('|')})$`,
);

const table = optionTable([
  flags(`
      -batch --batch -b -q -quiet --quiet -nx --nx -n -args --args --version -v --help
    `),
  values('-ex -eval-command --ex -o --one-line -k --one-line-on-crash'),
]);

/** `gdb -batch -ex run -ex bt --args ./build/main`. */
export const judgeDebuggers: Judge = ({ name, words, scope, whole }) => {
  const { options, rest, operands } = readArguments(words, table, 'words', true);
  if (
    options.length === 1 &&
    operands.length === 0 &&
    rest.length === 0 &&
    /^(?:--version|-v|--help)$/.test(options[0]!.name)
  ) {
    note(scope, 'low', whole);
    return 'done';
  }
  if (!options.some(({ name: given }) => /^(?:-batch|--batch|-b)$/.test(given)))
    doubt(scope, whole, `"${name}" runs what it is given as input.`);
  for (const { option, name: given, value, culprit } of options) {
    if (!option) doubt(scope, culprit, `What the option ${given.slice(0, 60)} of "${name}" does is not known.`);
    else if (option.takes === 'next' && (value?.kind !== 'literal' || !looks.test(value.text.trim())))
      doubt(scope, value?.source ?? culprit, `What "${name}" is told to do is not known to be harmless.`);
  }
  const [program, core] = rest;
  if (program) judgeRole('script', program, scope, whole);
  const isForProgram =
    options.some(({ name: given }) => /^--?args$/.test(given)) || words.some(({ text }) => text === '--');
  if (core && !isForProgram) touch(scope, 'reads', core);
  note(scope, 'medium', whole, 'It runs code of this project.');
  return 'done';
};
