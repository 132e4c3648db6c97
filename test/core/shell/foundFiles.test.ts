import { strict as assert } from 'node:assert';
import { protectedWrites, secretReads } from '../../../src/core/risk/pathRules';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import { protectedPaths, protectedSamples, secretPaths, secretSamples } from '../../../src/core/shell/syntax/globs';

const levels: Readonly<Record<string, readonly string[]>> = {
  low: [
    'grep -rn TODO .',
    'grep -rn "=> x" src',
    "grep -rn --include='*.json' foo .",
    "grep -rn --include='*.ts' '' src",
    "rg foo -g '*.json'",
    "rg '' src",
    'rg -uu foo src',
    'git ls-files | xargs cat',
    'git ls-files -o --exclude-standard',
    'grep -l foo *.ts | xargs cat',
    'grep -rl foo src | xargs wc -l',
    "grep -rl foo . --include='*.ts' | xargs cat",
    'find src -name settings.json -exec cat {} +',
    'cat *.md',
    'cat config/*.yml',
    'grep -rc "" .',
  ],
  medium: [
    "find . -name '*.ts' -exec sed -i s/a/b/ {} +",
    'grep -rl foo src | xargs sed -i s/foo/bar/',
    'sed -i s/a/b/ *.py',
    'find packages -name config.yml -exec sed -i s/a/b/ {} +',
    // Names of installed programs, like those that `ls` lists there.
    "find /usr -name 'java*' -type f 2>/dev/null | head",
    'find /opt /usr/local -maxdepth 2 -type d -name jdk',
  ],
  high: [
    'find / -name report.txt',
    'find /home -name notes',
    "find /usr -name '*.pem'",
    'find /opt -name id_rsa',
    'find /usr -perm -4000',
    'find /opt -name a.conf -exec cat {} +',
    'find /opt -name a.conf | xargs cat',
    "grep -rh '' . --include=.env",
    "grep -rh '' . --include '*env'",
    "grep -r x . --include='.e*'",
    "grep -r x src --include='*.pem'",
    "grep -rh '' .",
    'grep -r . "$PWD"',
    "grep -rh '^' ./",
    "grep -rE 'a|' .",
    'grep -rv zzz .',
    'grep -rhe "" .',
    "grep -d recurse '' .",
    'grep -R = .',
    "cd src && grep -rh '' ..",
    "rg -. '' src/..",
    'rg -uu x ./',
    'rg --hidden -e x .',
    'rg --no-ignore x',
    "rg x -g '.e*'",
    "rg '' -g '*.pem'",
    'rg -uul x | xargs cat',
    'git ls-files -o | xargs cat',
    'git ls-files --others | xargs cat',
    'git ls-files -oi --exclude-standard | xargs cat',
    'grep -rl API . | xargs cat',
    'cat $(grep -rl API .)',
    'grep -Rl x | xargs head',
    "grep -rl x --include='.env*' . | xargs cat",
    'find . -name config -exec cat {} +',
    "find . -name 'conf*' -exec cat {} +",
    'find . -name HEAD -exec tee {} \\;',
    'find . -name tasks.json -exec cp a {} \\;',
    'find . -name settings.json -exec sed -i s/a/b/ {} +',
    'find . -name launch.json -exec tee {} \\;',
    "find . -name 'launch*' -exec tee {} \\;",
    'find . -iname TASKS.JSON -exec tee {} \\;',
    'find . -name release.yml -exec sed -i s/a/b/ {} +',
    'find . -name pre-commit -exec tee {} \\;',
    'find . -name tasks.json | xargs sed -i s/a/b/',
    'find . -name pre-push -delete',
    'find .v* -name tasks.json -exec tee {} \\;',
    'sed -i s/a/b/ .v*/t*.json',
  ],
};

describe('a command on files found by a search', () => {
  for (const [level, commands] of Object.entries(levels))
    for (const command of commands)
      it(`is ${level} risk: ${command}`, () => {
        const found = assessCommand(command);
        assert.equal(found.level, level, found.reasons.join(' '));
      });
  it('is compared with a sample for every path rule', () => {
    for (const { reason, pattern } of protectedWrites)
      assert.ok(
        [...protectedSamples, ...protectedPaths].some((name) => pattern.test(name.toLowerCase())),
        reason,
      );
    for (const { reason, pattern } of secretReads)
      assert.ok(
        [...secretSamples, ...secretPaths].some((name) => pattern.test(name.toLowerCase())),
        reason,
      );
  });
  it('is high risk if it may find a protected file', () => {
    for (const path of protectedPaths)
      assert.equal(assessCommand(`find . -name '${path.split('/').at(-1)!}' -exec tee {} \\;`).level, 'high', path);
  });
});
