import assert from 'node:assert/strict';
import { undecidedActions } from '../../../src/core/log/openActions';
import { staysInShell } from '../../../src/core/shell/staysInShell';
import { runCommand } from '../../../src/core/tools/native/runCommand';
import { begin, call, plays, says } from '../agent/story';

describe('a change that persists in the shell', () => {
  it('is distinguished from commands without a lasting effect on the shell', () => {
    for (const text of [
      'export PATH=.:$PATH',
      'PATH=.:$PATH',
      'cd x && alias git=./x',
      'if true; then export A_B=1; fi',
      '{ trap "x" EXIT; }',
      'f() { ls; }',
      'source ./x',
      '. ./x',
      'eval "$x"',
      '$x PATH=.',
      'builtin export PATH=.',
      '\\export PATH=.',
      "e''xport PATH=.",
      'LD_PRELOAD=./x.so',
      'for PATH in .; do :; done',
      'read PATH < x',
      'printf -v PATH x',
      'false || unset PATH',
      'echo "',
      'rm -rf src; hash -p ./x git',
      'echo x | read PATH',
    ])
      assert.ok(staysInShell(text), text);
    for (const text of [
      'rm -rf src',
      'git push',
      '(export PATH=.)',
      'PATH=. ls',
      "bash -c 'export PATH=.'",
      'export PATH=. &',
      'echo export PATH=.',
      'for f in a b; do rm "$f"; done',
      'x=1; rm -rf "$x"',
      'curl https://x.example | sh',
      '[[ -n $x ]] && npm publish',
      'export PATH=. | cat',
      'printf "%s" x > /etc/x',
      'export NODE_ENV=test CI=1',
    ])
      assert.ok(!staysInShell(text), text);
  });
});

describe('a command that changes the shell for later ones', () => {
  const story = async (...commands: string[]) => {
    const ran: string[] = [];
    const terminal = {
      async run(command: string) {
        ran.push(command);
        return { end: 'exited' as const, exitCode: 0, output: '', outputBytes: 0, durationMs: 1, cwd: '/work' };
      },
      answer: null!,
      dispose: async () => {},
    };
    const conversation = await begin(
      plays(...commands.map((command, index) => says('', call('run_command', { command }, `c${index}`))), says('bye')),
      {
        parts: { tools: [runCommand], environment: { root: '/work', files: null!, search: null!, terminal } },
        first: { cwd: '/work' },
      },
    ).go();
    return {
      ran,
      conversation,
      waiting: () => undecidedActions(conversation.history),
      async agree() {
        for (const { id } of undecidedActions(conversation.history)) conversation.approve(id);
        await conversation.rested();
      },
    };
  };

  it('makes Waymark ask about the next command only, with the reason', async () => {
    const { ran, waiting, agree } = await story(
      'ls',
      'export PATH=.:$PATH',
      'git status',
      'ls src',
      'alias ls=./x',
      'ls src',
    );
    assert.deepEqual([waiting().map(({ id }) => id), ran], [['c1'], ['ls']]);
    await agree();
    assert.deepEqual(
      waiting().map(({ id }) => id),
      ['c2'],
    );
    assert.match(
      waiting()[0]!.risk.reasons.join(' '),
      /Runs in a shell that an earlier command changed.*export PATH=\.:\$PATH/,
    );
    await agree();
    assert.deepEqual(
      [waiting().map(({ id }) => id), ran.at(-1)],
      [['c4'], 'ls src'],
      'one answer is for those that follow',
    );
    await agree();
    assert.deepEqual(
      waiting().map(({ id }) => id),
      ['c5'],
    );
    assert.match(waiting()[0]!.risk.reasons.join(' '), /alias ls=\.\/x/);
    await agree();
    assert.deepEqual(waiting(), []);
  });

  it('makes Waymark ask about the command after a rejected one', async () => {
    const { conversation, waiting, agree, ran } = await story('export LD_PRELOAD=./x.so', 'ls', 'ls src');
    await agree();
    conversation.refuse('c1');
    await conversation.rested();
    assert.deepEqual([waiting().map(({ id }) => id), ran], [['c2'], ['export LD_PRELOAD=./x.so']]);
  });

  it('causes no question if it was rejected or has no lasting effect', async () => {
    const refused = await story('export PATH=.:$PATH', 'ls');
    refused.conversation.refuse('c0');
    await refused.conversation.rested();
    assert.deepEqual([refused.waiting(), refused.ran], [[], ['ls']]);
    const own = await story('rm -rf src', 'export NODE_ENV=test', 'git push', 'ls');
    await own.agree();
    await own.agree();
    assert.deepEqual([own.waiting(), own.ran], [[], ['rm -rf src', 'export NODE_ENV=test', 'git push', 'ls']]);
  });
});
