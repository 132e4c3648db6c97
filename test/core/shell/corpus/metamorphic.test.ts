import { strict as assert } from 'node:assert';
import { assessCommand } from '../../../../src/core/shell/assessCommand';
import { inBash } from './corpus';

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const doubled = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`;

/** Transformations that preserve the risk of a command. */
const wrappers: Readonly<Record<string, (command: string) => string>> = {
  'after another command': (c) => `echo ok; ${c}`,
  'before another command': (c) => `${c}\necho ok`,
  'after &&': (c) => `true && ${c}`,
  'after ||': (c) => `false || ${c}`,
  'in a subshell': (c) => `(${c}\n)`,
  'in a group': (c) => `{ ${c}\n}`,
  'in an if statement': (c) => `if true; then\n${c}\nfi`,
  'in a for loop': (c) => `for i in 1; do\n${c}\ndone`,
  'in a while loop': (c) => `while true; do\n${c}\ndone`,
  'in a case statement': (c) => `case x in x)\n${c}\n;; esac`,
  'in bash -c': (c) => `bash -c ${quoted(c)}`,
  'in sh -c with double quotes': (c) => `sh -c ${doubled(c)}`,
  'in eval': (c) => `eval ${quoted(c)}`,
  'behind env': (c) => `env bash -c ${quoted(c)}`,
  'behind timeout': (c) => `timeout 5 bash -c ${quoted(c)}`,
  'behind nohup and nice': (c) => `nohup nice -n 5 sh -c ${quoted(c)}`,
  'behind xargs': (c) => `ls | xargs -I{} env sh -c ${quoted(c)}`,
  'behind find': (c) => `find . -maxdepth 1 -exec env sh -c ${quoted(c)} \\;`,
  'in a substitution': (c) => `echo "$(${c}\n)"`,
  'in a process substitution': (c) => `cat <(${c}\n)`,
  'in a here-document': (c) => `cat <<END_OF_IT\n$(${c}\n)\nEND_OF_IT`,
  'in a default value': (c) => `echo \${x:-$(${c}\n)}`,
  'in a function': (c) => `f() {\n${c}\n}\nf`,
  'in nested shells': (c) => `bash -c ${quoted(`sh -c ${quoted(c)}`)}`,
};

describe('a dangerous command', () => {
  // Text without a command, or with an incomplete one, becomes a different command when something is appended.
  const whole = (text: string): boolean => !/^\s*(#.*)?$|\($/.test(text);
  const dangerous = inBash.filter(
    (row) =>
      whole(row.command) && row.expected === 'high' && !row.borderline && assessCommand(row.command).level === 'high',
  );
  it('occurs more than 300 times in the corpus', () => assert.ok(dangerous.length > 300));
  for (const [name, wrap] of Object.entries(wrappers)) {
    it(`stays high risk ${name}`, () =>
      assert.deepEqual(
        dangerous
          .filter(({ command }) => assessCommand(wrap(command)).level !== 'high')
          .map(({ command }) => wrap(command)),
        [],
      ));
  }
});
