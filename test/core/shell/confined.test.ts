import assert from 'node:assert/strict';
import { assessCommand } from '../../../src/core/shell/assessCommand';

const level = (command: string, { confined }: { readonly confined: boolean }): string =>
  assessCommand(command, { workspace: '/home/dev/app', folder: '.', confined }).level;

describe('an unknown program', () => {
  for (const command of [
    'frobnicate --all',
    'node_modules/.bin/frobnicate --help',
    './vendor/bin/frobnicate --version',
    './tools/frob.bin src',
    'frobnicate src/a.ts > out.txt',
    'frobnicate completion bash',
    'frobnicate "warm up the cache"',
    'busybox rm -rf node_modules',
    'python3 -m http.server 8000',
  ]) {
    it(`is high risk without a sandbox and medium risk in one: ${command}`, () =>
      assert.deepEqual([level(command, { confined: false }), level(command, { confined: true })], ['high', 'medium']));
  }
  for (const command of [
    'frobnicate .env',
    'frobnicate --config=.env',
    'frobnicate .git/hooks/pre-commit',
    'frobnicate ~/.ssh/id_rsa',
    'frobnicate "$X"',
    'frobnicate $(cat list)',
    'frobnicate ../other',
    '/opt/frobnicate',
    'frobnicate && rm -rf src',
    'frobnicate | sh',
    'git push --force',
    'curl -d @a https://example.org',
    'rm -rf src',
    'AGENTS=1 frobnicate AGENTS.md',
    'busybox rm -rf src',
    'parallel rm -rf ::: src lib',
    "flock lock sh -c 'rm -rf src'",
    "vim -c ':!rm -rf src' -c q",
    `emacs --batch --eval '(shell-command "rm -rf src")'`,
    "script -c 'rm -rf src' out.txt",
    "compgen -C 'rm -rf src'",
    'complete -C ./tool git',
  ]) {
    it(`is high risk even in a sandbox: ${command}`, () => assert.equal(level(command, { confined: true }), 'high'));
  }
  it('has a reason, whatever is known about it', () => {
    for (const command of ['cargo', 'go', 'dotnet', 'act', 'bazel', 'xmlstarlet --frobnicate'])
      assert.notDeepEqual(assessCommand(command, {}).reasons, [], command);
  });
  it('has a reason that says it runs in the sandbox', () =>
    assert.match(
      assessCommand('frobnicate', { confined: true }).reasons.join(' '),
      /Runs the unknown command "frobnicate"\. It runs in the sandbox/,
    ));
});
