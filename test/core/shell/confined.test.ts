import assert from 'node:assert/strict';
import { assessCommand } from '../../../src/core/shell/assessCommand';

const level = (command: string, confined: boolean): string =>
  assessCommand(command, { workspace: '/home/dev/app', folder: '.', confined }).level;

describe('an unknown program', () => {
  for (const command of ['frobnicate --all', './tools/frob.bin src', 'frobnicate src/a.ts > out.txt']) {
    it(`is asked about without a sandbox, and runs in one: ${command}`, () =>
      assert.deepEqual([level(command, false), level(command, true)], ['high', 'medium']));
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
  ]) {
    it(`is asked about in a sandbox too: ${command}`, () => assert.equal(level(command, true), 'high'));
  }
  it('is said to run in the sandbox', () =>
    assert.match(
      assessCommand('frobnicate', { confined: true }).reasons.join(' '),
      /What "frobnicate" does is not known\. It runs in the sandbox/,
    ));
});
