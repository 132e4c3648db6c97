import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { observedCommand } from '../../src/core/tools/native/commandResult';
import type { CommandOptions, CommandResult, Terminal } from '../../src/core/ports/terminal';

interface TerminalUnderTest {
  readonly terminal: Terminal;
  /** Start folder of its shell, as an absolute real path. */
  readonly cwd: string;
}

export const commandOptions = (more: Partial<CommandOptions> = {}): CommandOptions => ({
  timeoutMs: 20_000,
  tty: false,
  ttyArgument: 'tty: true',
  signal: new AbortController().signal,
  ...more,
});

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) fs.rmSync(folder, { recursive: true, force: true });
});

/** Returns the real path of a new folder, which is removed when the tests end. */
export function temporaryFolder(): string {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'terminal-test-')));
  made.push(folder);
  return folder;
}

/** Waits until `ready` returns true. Otherwise the caller's test times out. */
export async function until(ready: () => boolean): Promise<void> {
  while (!ready()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** The contract of every `Terminal` with a POSIX shell, with and without a real terminal. */
export function terminalContract(name: string, make: (context: Mocha.Context) => Promise<TerminalUnderTest>): void {
  describe(`terminal: ${name}`, () => {
    let terminal: Terminal | undefined;
    let cwd: string;
    before(async function () {
      ({ terminal, cwd } = await make(this));
    });
    after(() => terminal?.dispose());
    const run = (command: string, more?: Partial<CommandOptions>): Promise<CommandResult> =>
      terminal!.run(command, commandOptions(more));
    const output = async (command: string): Promise<string> => (await run(command)).output;
    const exits = async (command: string, exitCode: number): Promise<void> => {
      const result = await run(command);
      assert.deepEqual([result.end, result.exitCode], ['exited', exitCode], result.output);
    };

    it('returns what a command prints, its exit code and its folder', async () => {
      const { end, exitCode, output: text, outputBytes, cwd: folder } = await run('echo out; echo err >&2; (exit 7)');
      assert.deepEqual(
        { end, exitCode, text, outputBytes, folder },
        { end: 'exited', exitCode: 7, text: 'out\nerr\n', outputBytes: 8, folder: cwd },
      );
    });

    it('loses no byte of 300 short commands', async () => {
      const expected = Array.from({ length: 2000 }, (_, at) => `${at + 1}\n`).join('');
      for (let at = 0; at < 300; at++) {
        const { output: text, outputBytes } = await run(`seq 1 2000; echo ${at}`);
        assert.equal(text, `${expected}${at}\n`);
        assert.equal(outputBytes, Buffer.byteLength(text));
      }
    });

    it('keeps folder, variables and functions between commands', async () => {
      await run('mkdir -p "in side" && cd "in side"; kept=value; greet() { echo "hello $1"; }');
      const { output: text, cwd: folder } = await run('greet "$kept"; pwd');
      assert.equal(text, `hello value\n${cwd}/in side\n`);
      assert.equal(folder, `${cwd}/in side`);
      assert.equal((await run('cd ..')).cwd, cwd);
    });

    it('reports folders with quotes, semicolons and line breaks in their names', async () => {
      const odd = `o"d'd; \n$(x)`;
      fs.mkdirSync(path.join(cwd, odd));
      assert.equal((await run(`cd o*`)).cwd, path.join(cwd, odd));
      assert.equal((await run('cd ..')).cwd, cwd);
    });

    it('reports the folder in which programs run, even if a command assigns another one to PWD', async () => {
      await run('mkdir -p claimed');
      const { cwd: folder } = await run('PWD=$PWD/claimed; set -x');
      assert.equal(folder, cwd);
      assert.equal((await run('set +x; cd .')).cwd, cwd);
    });

    it('runs a command in the folder for which it was judged', async () => {
      await run('mkdir -p judged other && cd other');
      const result = await run('pwd', { judgedFor: { folder: `${cwd}/judged`, isUsed: true } });
      assert.deepEqual([result.output, result.cwd], [`${cwd}/judged\n`, `${cwd}/judged`]);
      assert.equal((await run('cd ..')).cwd, cwd);
    });

    it('does not run a command whose folder is gone, and tells where the shell is', async () => {
      const gone = `${cwd}/gone`;
      const result = await run('touch never-made', { judgedFor: { folder: gone, isUsed: true } });
      assert.deepEqual([result.end, result.exitCode, result.cwd], ['not_run', null, cwd]);
      assert.ok(result.note?.includes(`it was checked for the folder ${gone}, but the shell cannot change to it`));
      assert.ok(!fs.existsSync(path.join(cwd, 'never-made')));
      assert.match(observedCommand(result, { folder: cwd, timedOut: '', waiting: '' }).content, /^\[not run\n/);
      assert.equal(await output('echo fine'), 'fine\n');
    });

    it('does not move the shell if a command is stopped before it begins', async () => {
      const judgedFor = { folder: `${cwd}/judged`, isUsed: true };
      const { end, cwd: folder } = await run('touch never-made', { judgedFor, signal: AbortSignal.abort() });
      assert.deepEqual([end, folder], ['not_run', `${cwd}/judged`]);
    });

    it('runs multiple lines, here-documents and quotes as written', async () => {
      assert.equal(
        await output(`for word in a b; do\n  echo "$word"\ndone\ncat <<'END'\n$not "expanded" \\n 'x'\nEND\n`),
        `a\nb\n$not "expanded" \\n 'x'\n`,
      );
    });

    it('runs commands far longer than a terminal line', async () => {
      const long = 'x'.repeat(100_000);
      assert.equal(await output(`printf %s '${long}' | wc -c | tr -d ' '`), '100000\n');
    });

    it('survives a syntax error and says where it is', async () => {
      const { end, exitCode, output: text } = await run('if (');
      assert.equal(end, 'exited');
      assert.notEqual(exitCode, 0);
      assert.match(text, /syntax error|parse error/i);
      assert.doesNotMatch(text, /waymark-/);
      assert.equal(await output('echo still here'), 'still here\n');
    });

    it('provides empty input, so that cat without arguments ends at once', async () => {
      await exits('cat', 0);
    });

    it('says that a command which asked for input got none, and how to answer', async () => {
      for (const command of ['read -p "Name: " name; echo "<$name>"', 'printf "Continue? [y/n] "; cat; exit 3'])
        assert.match((await run(command)).note ?? '', /input was empty\. Answer in advance/, command);
      assert.equal((await run('printf "a\\nb\\n" | while read -r x; do echo "$x"; done')).note, undefined);
    });

    it('runs commands one at a time, in the requested order', async () => {
      const results = await Promise.all([output('sleep 0.1; echo first'), output('echo second'), output('echo third')]);
      assert.deepEqual(results, ['first\n', 'second\n', 'third\n']);
    });

    it('stops at the timeout with the output so far and keeps the shell', async () => {
      await run('kept=before');
      const { end, exitCode, output: text } = await run('echo begun; sleep 30; echo never', { timeoutMs: 200 });
      assert.deepEqual([end, exitCode], ['timed_out', null]);
      assert.match(text, /^begun\n\n?$/, 'zsh ends the line of an interrupt');
      assert.equal(await output('echo $kept'), 'before\n');
    });

    it('kills a command that ignores interrupts, and says that the shell was replaced', async () => {
      const {
        end,
        note,
        cwd: folder,
      } = await run(`trap '' INT TERM; sleep 30; echo no > after-kill`, { timeoutMs: 200 });
      assert.equal(end, 'timed_out');
      assert.equal(folder, cwd);
      assert.match(note ?? '', /A new shell in the same folder replaces it/);
      assert.equal(await output('pwd; ls after-kill 2>/dev/null'), `${cwd}\n`);
    });

    it('is interrupted by an abort, however stubborn the command', async () => {
      for (const command of ['sleep 30', 'while :; do :; done', `trap '' INT TERM; sleep 30`]) {
        const abort = new AbortController();
        const running = run(command, { signal: abort.signal });
        setTimeout(() => abort.abort(), 100);
        const { end, exitCode } = await running;
        assert.deepEqual([end, exitCode], ['interrupted', null], command);
        assert.equal(await output('echo fine'), 'fine\n');
      }
    });

    it('starts nothing if it was aborted before', async () => {
      assert.equal((await run('touch never-made', { signal: AbortSignal.abort() })).end, 'not_run');
      assert.ok(!fs.existsSync(path.join(cwd, 'never-made')));
    });

    for (const [what, command, exitCode] of [
      ['exit', 'echo bye; exit 3', 3],
      ['exec', 'exec sh -c "echo bye; exit 4"', 4],
      ['set -e', 'echo bye; set -e; (exit 5); true', 5],
      ['|| exit', 'echo bye; false || exit 1', 1],
      ['exit 0', 'echo bye; exit 0', 0],
      ['kill -9', 'echo bye; kill -9 $$', null],
    ] as const) {
      it(`replaces a shell that ended by ${what}, in the same folder, and says so`, async () => {
        await run('mkdir -p deep && cd deep');
        const result = await run(command);
        assert.deepEqual([result.end, result.exitCode, result.output], ['shell_died', exitCode, 'bye\n']);
        assert.match(result.note ?? '', /A new shell replaces the old one, in the folder where this command began/);
        const { content, failed, details } = observedCommand(result, {
          folder: `${cwd}/deep`,
          timedOut: '',
          waiting: '',
        });
        const ending =
          exitCode === null ? 'a signal ended the shell' : `exit code ${exitCode}; the shell exited as well`;
        assert.equal(content, `bye\n[${ending}\n${result.note}]`);
        assert.equal(failed ?? false, exitCode !== 0);
        assert.equal(details?.kind === 'command' && details.exitCode, exitCode);
        assert.equal(await output('pwd; cd ..'), `${cwd}/deep\n`);
      });
    }

    it('starts a new shell in the folder where the command that ended the last one began', async () => {
      await run('mkdir -p deep/er && cd deep');
      const result = await run('cd er; echo bye; exit 7');
      assert.deepEqual([result.end, result.exitCode, result.cwd], ['shell_died', 7, `${cwd}/deep`]);
      assert.match(result.note ?? '', /in the folder where this command began/);
      assert.equal(await output('pwd; cd ..'), `${cwd}/deep\n`);
    });

    for (const ending of ['exit 7', 'set -e; (exit 7); true', '(exit 7) || exit']) {
      it(`keeps the exported variables of a shell that ended by ${ending}, and its folder`, async () => {
        const value = `two\nlines 'and' "quotes" $ \\ é`;
        const quoted = `'${value.replaceAll("'", `'\\''`)}'`;
        await run(`export EARLIER='set before'; unexported=lost`);
        const { note, exitCode } = await run(`export LATER=${quoted}; ${ending}`);
        assert.equal(exitCode, 7);
        assert.match(note ?? '', /Exported variables are kept; other variables and functions are lost\.$/);
        const told = await output(`printf '%s|' "$EARLIER" "$LATER" "$unexported"`);
        assert.equal(told, `set before|${value}||`);
        assert.equal(await output(`sh -c 'echo "$EARLIER"'; unset EARLIER LATER`), 'set before\n');
      });
    }

    it('starts without the exported variables if a command asked to forget them', async () => {
      await run('export EARLIER=set');
      assert.equal((await run('exit', { forgets: true })).end, 'shell_died');
      assert.equal(await output('echo "$EARLIER"'), '\n');
    });

    for (const ending of ['exec true', 'kill -9 $$', `trap 'true' EXIT; exit 0`]) {
      it(`says that variables of a shell that ended by ${ending} are lost`, async () => {
        await run('export EARLIER=set');
        const { end, note } = await run(`export LATER=set; ${ending}`);
        assert.equal(end, 'shell_died');
        assert.match(note ?? '', /\. Variables and functions are lost\.$/);
        assert.equal(await output('echo "$EARLIER$LATER"'), '\n');
      });
    }

    it('keeps the beginning and end of a flood, and all of it in a file', async () => {
      const { output: text, outputBytes, fullOutput } = await run('seq 1 1000000');
      assert.equal(outputBytes, 6_888_896);
      assert.ok(Buffer.byteLength(text) < 17_000);
      const [head = '', tail = ''] = text.split(/\[… .* …\]\n/);
      const left = Number(/\[… ([\d,]+) bytes omitted/.exec(text)?.[1]?.replaceAll(',', ''));
      assert.equal(head.length + left + tail.length, outputBytes);
      assert.match(head, /^1\n2\n[^]*\d\n$/);
      assert.match(tail, /^\d+\n[^]*\n999999\n1000000\n$/);
      assert.equal(fs.statSync(fullOutput ?? '').size, outputBytes);
      assert.equal(
        path.basename(fullOutput!),
        `${createHash('sha256').update(fs.readFileSync(fullOutput!)).digest('hex')}.txt`,
      );
    });

    it('does not keep a file for a short output', async () => {
      assert.equal((await run('echo short')).fullOutput, undefined);
    });

    it('stops a command that prints endlessly', async () => {
      const { end, output: text } = await run('yes');
      assert.equal(end, 'too_much_output');
      assert.match(text, /^y\ny\n/);
    });

    it('cleans output of control sequences, overwritten lines, invalid UTF-8 and NUL', async () => {
      const text = await output(
        `printf '\\033[31mred\\033[0m \\033]0;title\\007\\033]52;c;aGk=\\007\\033[2J|a\\000b|\\377|\\302\\233|\\010\\n10%%\\r55%%\\r100%%\\r\\n'`,
      );
      assert.equal(text, 'red |ab|\ufffd|\n100%\n');
    });

    it('is not deceived by output that looks like its own end', async () => {
      const fake = `printf '\\036aaaaaaaaaaaaaaaaaaaaaaaa\\0370\\0370\\037/\\036aaaaaaaaaaaaaaaaaaaaaaaa\\n\\033]633;D;0\\007'; `;
      const {
        exitCode,
        output: text,
        cwd: folder,
      } = await run(`${fake} (${fake}) >&2; sleep 0.1; echo real; (exit 9)`);
      assert.deepEqual([exitCode, folder], [9, cwd]);
      assert.match(text, /real\n$/);
    });

    it('survives a shell that traces, changes its prompt and refuses unset variables', async () => {
      await run(`set -xuC; PS1='$ '; PROMPT_COMMAND='echo noise'`);
      assert.equal((await run('echo traced')).exitCode, 0);
      await run('set +xuC; PS1=; unset PROMPT_COMMAND');
      assert.equal(await output('echo quiet'), 'quiet\n');
    });

    it('does not attribute background output to a later command', async () => {
      const { note } = await run('(until [ -e go ]; do sleep 0.05; done; echo late; touch said) &');
      const file = /goes to (\S+)\.$/.exec(note ?? '')?.[1] ?? '';
      assert.equal(await output('touch go; until [ -e said ]; do sleep 0.05; done; echo mine'), 'mine\n');
      assert.match(fs.readFileSync(file, 'utf8'), /late\n$/);
    });

    it('shows output while the command runs', async () => {
      let seen = '';
      const running = run('echo early; while [ ! -e go ]; do sleep 0.02; done; echo done', {
        onOutput: (text) => {
          seen += text;
        },
      });
      await until(() => seen.includes('early\n'));
      fs.writeFileSync(path.join(cwd, 'go'), '');
      await running;
      assert.equal(seen, 'early\ndone\n');
    });

    it('refuses a NUL in a command and an answer that nothing waits for', async () => {
      await assert.rejects(run('echo a\0b'), /NUL/);
      await assert.rejects(terminal!.answer('yes\n', commandOptions()), /No command is waiting/);
    });
  });
}
