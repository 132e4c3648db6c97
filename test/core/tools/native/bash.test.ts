import assert from 'node:assert/strict';
import { createTerminal, type PtyTerminal } from '../../../../src/adapters/terminal/ptyTerminal';
import { bash } from '../../../../src/core/tools/native/bash';
import { commandOptions, temporaryFolder } from '../../../contracts/terminal.contract';
import { toolBench, type ToolBench } from '../../../support/toolBench';

for (const shell of ['/bin/bash', '/bin/sh']) {
  describe(`bash in ${shell}`, () => {
    let terminal: PtyTerminal;
    let bench: ToolBench;
    before(() => {
      terminal = createTerminal({ cwd: temporaryFolder(), outputFolder: temporaryFolder(), shell });
      bench = toolBench(terminal, "a folder's name");
    });
    after(async () => {
      await terminal.dispose();
      bench.stop();
    });
    const run = async (command: string) => {
      const { content, details, failed, timedOut } = await bench.use(bash, { command });
      assert.ok(details?.kind === 'command' && details.outputCharacters !== undefined);
      return {
        printed: content.slice(0, details.outputCharacters),
        rest: content.slice(details.outputCharacters),
        details,
        failed,
        timedOut,
      };
    };

    it('runs in the workspace folder and tells output and exit code apart', async () => {
      const { printed, rest, details, failed } = await run('pwd; echo problem >&2; exit 3');
      assert.equal(printed, `${bench.root}\nproblem\n`);
      assert.equal(rest, '[exit code 3]');
      assert.deepEqual([details.exitCode, failed], [3, true]);
    });

    it('lets nothing stay: no folder, no variable, no function', async () => {
      await run('mkdir -p sub && cd sub && export KEPT=yes && kept() { echo kept; }; cd /');
      assert.equal(
        (await run('echo "${KEPT-gone}"; pwd; kept 2>/dev/null || echo no kept')).printed,
        `gone\n${bench.root}\nno kept\n`,
      );
      assert.equal((await terminal.run('echo "${KEPT-gone}"', commandOptions())).output, 'gone\n');
    });

    const scripts: readonly (readonly [string, string, string])[] = [
      [
        'a here-document',
        "cat <<'END' > here.txt\n$HOME 'quoted' \"too\" `and` \\ this\nEND\ncat here.txt",
        '$HOME \'quoted\' "too" `and` \\ this\n',
      ],
      [
        'quotes of all kinds',
        `echo 'it'"'"'s' "a \\"word\\"" $'' \\'`,
        shell === '/bin/bash' ? `it's a "word"  '\n` : '',
      ],
      ['several lines, a comment last', 'for i in 1 2; do\n  echo $i\ndone # end', '1\n2\n'],
      ['a pipe and a group', '(echo b; echo a) | sort', 'a\nb\n'],
    ];
    for (const [what, command, expected] of scripts) {
      if (expected === '') continue;
      it(`takes ${what}`, async () => {
        const { printed } = await run(command);
        assert.ok(printed.endsWith(expected), printed);
      });
    }

    it('answers a syntax error as the result of that command alone', async () => {
      for (const command of [
        'echo "open',
        'if true; then',
        'echo a )',
        'echo b ); export ESCAPED=yes; ( true',
        "echo 'x",
      ]) {
        const { failed, details, printed } = await run(command);
        assert.equal(failed, true, command);
        assert.ok(details.exitCode !== null && details.exitCode > 0, command);
        assert.match(printed, /syntax|unexpected|quot/i, command);
      }
      assert.equal((await run('echo ${ESCAPED-no}')).printed, 'no\n');
    });

    it('obeys set -e', async () => {
      const { printed, failed } = await run('set -e; echo one; false; echo two');
      assert.deepEqual([printed, failed], ['one\n', true]);
    });

    it('has no input to wait for', async () => {
      assert.equal((await run('cat; echo done')).printed, 'done\n');
    });
  });
}

describe('bash and time', () => {
  it('ends a command after 30 seconds and keeps what it printed', async function () {
    this.timeout(90_000);
    const terminal = createTerminal({ cwd: temporaryFolder(), outputFolder: temporaryFolder(), shell: '/bin/bash' });
    const bench = toolBench(terminal);
    try {
      const { content, details, timedOut, failed } = await bench.use(bash, {
        command: 'echo begun; sleep 600; echo never',
      });
      assert.deepEqual([timedOut, failed], [true, true]);
      assert.ok(details?.kind === 'command' && details.end === 'timed_out' && details.exitCode === null);
      assert.match(content, /^begun\n\[stopped after 30 s/);
      assert.match((await bench.use(bash, { command: 'echo again' })).content, /^again\n\[exit code 0\]/);
    } finally {
      await terminal.dispose();
      bench.stop();
    }
  });

  it('is judged and allowed by the exact command', () => {
    const call = bash.bind({ command: 'npm test\necho done' });
    assert.deepEqual(
      [call.summary, call.touches.command, call.allowKey],
      ['Run npm test … (2 lines)', 'npm test\necho done', 'npm test\necho done'],
    );
    assert.throws(() => bash.bind({}), /Invalid input/);
  });
});
