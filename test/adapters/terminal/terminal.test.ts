import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import type { Sandbox } from '../../../src/adapters/sandbox/sandbox';
import { createTerminal, type PtyTerminal, type TerminalOptions } from '../../../src/adapters/terminal/ptyTerminal';
import { allProcesses, processEntry } from '../../../src/adapters/processes/processTree';
import type { CommandOptions, CommandResult } from '../../../src/core/ports/terminal';
import { commandOptions, temporaryFolder, until } from '../../contracts/terminal.contract';

for (const confined of [false, true])
  describe(`the terminal${confined ? ' with its shell in a sandbox' : ''}`, () => {
    before(async function () {
      if (confined && 'none' in (await findSandbox([temporaryFolder()]))) this.skip();
    }); // this machine does not support a sandbox
    const opened: PtyTerminal[] = [];
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((each) => each.dispose()));
    });

    const open = (
      more: Partial<TerminalOptions> = {},
    ): {
      terminal: PtyTerminal;
      cwd: string;
      run(command: string, more?: Partial<CommandOptions>): Promise<CommandResult>;
    } => {
      const cwd = temporaryFolder();
      const sandbox = async (): Promise<Sandbox | undefined> => {
        const found = await findSandbox([cwd]);
        return 'sandbox' in found ? found.sandbox : undefined;
      };
      const terminal = createTerminal({
        cwd,
        outputFolder: temporaryFolder(),
        shell: '/bin/bash',
        ...(confined && { sandbox }),
        ...more,
      });
      opened.push(terminal);
      return { terminal, cwd, run: (command, options) => terminal.run(command, commandOptions(options)) };
    };
    /** Empty folders that exist in the workspace as long as the sandbox does. */
    const guards = confined ? ['.git', '.vscode'] : [];
    /** Does something once when a command has printed this. */
    const once = (printed: RegExp, act: () => void): ((text: string) => void) => {
      let isDone = false;
      return (text) => {
        if (isDone || !printed.test(text)) return;
        isDone = true;
        act();
      };
    };
    const alive = (pid: number): boolean => (processEntry(pid)?.state ?? 'Z') !== 'Z';

    describe('on a pseudo-terminal', () => {
      it('is a terminal for commands that ask for one, and not for others', async () => {
        const { run } = open();
        assert.equal((await run('test -t 0 && test -t 1 && test -t 2', { tty: true })).exitCode, 0);
        assert.equal((await run('test -t 0 || test -t 1 || test -t 2')).exitCode, 1);
      });

      it('returns a progress bar as a user sees it', async () => {
        const { run } = open();
        const { output } = await run(
          `for i in 1 2 3 4 5; do printf '\\r%d/5 \\033[32m#####\\033[0m' $i; sleep 0.01; done; printf '\\ntop\\nold\\033[1A\\r\\033[Knew\\n'`,
          { tty: true },
        );
        assert.equal(output, '5/5 #####\nnew\nold\n');
      });

      it('loses no byte of 100 commands, even when the shell ends', async () => {
        const { run } = open();
        const expected = Array.from({ length: 300 }, (_, at) => `${at + 1}\n`).join('');
        for (let at = 0; at < 100; at++) assert.equal((await run('seq 1 300', { tty: true })).output, expected);
        const last = await run('seq 1 300; exit 2', { tty: true });
        assert.deepEqual([last.end, last.exitCode, last.output], ['shell_died', 2, expected]);
      });

      it('keeps the beginning and end of a flood, and all of it in a file', async () => {
        const { run } = open();
        const { output, outputBytes, fullOutput } = await run('seq 1 200000', { tty: true });
        assert.match(output, /^1\n2\n[^]*bytes omitted[^]*\n199999\n200000\n$/);
        assert.ok(output.length < 17_000);
        const whole = fs.readFileSync(fullOutput ?? '', 'utf8');
        assert.equal(whole.trimEnd().split('\n').length, 200_000);
        assert.ok(!whole.includes('\r'));
        assert.ok(outputBytes >= 1_288_895);
      });

      it('reports that a command waits for input, and types the answer', async () => {
        const { terminal, run } = open();
        const asked = await run('printf "Name? "; read name; printf "Age? "; read age; echo "$name is $age"', {
          tty: true,
        });
        assert.deepEqual([asked.end, asked.exitCode, asked.output], ['waiting_for_input', null, 'Name? ']);
        const again = await terminal.answer('Ada\n', commandOptions());
        assert.deepEqual([again.end, again.output], ['waiting_for_input', 'Name? Ada\nAge? ']);
        const done = await terminal.answer('36\n', commandOptions());
        assert.deepEqual([done.end, done.exitCode, done.output], ['exited', 0, 'Age? 36\nAda is 36\n']);
        await assert.rejects(terminal.answer('more\n', commandOptions()), /No command is waiting/);
      });

      it('detects a password prompt of a command whose input is empty', async () => {
        const { terminal, run } = open();
        const asked = await run(
          'printf "Password: " >/dev/tty; stty -echo </dev/tty; read word </dev/tty; stty echo </dev/tty; echo "length ${#word}"',
        );
        assert.equal(asked.end, 'waiting_for_input');
        assert.match(asked.output, /Password: $/);
        const done = await terminal.answer('hunter2\n', commandOptions());
        assert.match(done.output, /length 7/);
        assert.doesNotMatch(done.output, /hunter2/);
      });

      it('interrupts an interpreter that works for too long, and does not end it', async () => {
        const { terminal, run } = open();
        const options = commandOptions({ tty: true });
        assert.equal((await run('python3 -q', { tty: true })).end, 'waiting_for_input');
        await terminal.answer('x = 7; import time\n', options);
        const interrupted = await terminal.answer('time.sleep(100)\n', { ...options, timeoutMs: 500 });
        assert.deepEqual([interrupted.end, interrupted.exitCode], ['waiting_for_input', null]);
        assert.match(interrupted.note ?? '', /took too long and was interrupted; it waits for input again/);
        assert.match((await terminal.answer('print(x * 6)\n', options)).output, /42/);
        await terminal.answer('exit()\n', options);
      });

      it('interrupts a waiting command when another one runs', async () => {
        const { run } = open();
        assert.equal((await run('read never', { tty: true })).end, 'waiting_for_input');
        const { output, note } = await run('echo next');
        assert.equal(output, 'next\n');
        assert.match(note ?? '', /interrupted/);
      });

      it('never runs input that a program left unread as a command', async () => {
        const { terminal, cwd, run } = open();
        assert.equal((await run('read first; sleep 0.2', { tty: true })).end, 'waiting_for_input');
        await terminal.answer('one\ntouch stolen\ntouch half', commandOptions());
        await run('sleep 0.1', { tty: true });
        assert.deepEqual(
          fs.readdirSync(cwd).filter((name) => !guards.includes(name)),
          [],
        );
        const next = await run('read -t 0.2 second; echo "second is <$second>"', { tty: true });
        assert.match(next.output, /second is <>/);
      });

      it('runs a known terminal program on a terminal without being asked', async () => {
        const { cwd, run } = open();
        fs.writeFileSync(path.join(cwd, 'top'), '#!/bin/sh\ntest -t 1 && echo drawn\n', { mode: 0o755 });
        const { output, note } = await run('./top');
        assert.equal(output, 'drawn\n');
        assert.match(note ?? '', /top needs one/);
      });

      it('tells the model if a program needed a terminal', async () => {
        const { note } = await open().run('echo "the input device is not a TTY" >&2; false');
        assert.match(note ?? '', /tty: true/);
        const { note: empty } = await open().run('read -r answer', { ttyArgument: 'pty: true' });
        assert.match(empty ?? '', /run it with pty: true/);
      });

      it('restores a terminal that a program left raw', async () => {
        const { run } = open();
        await run('stty raw -echo', { tty: true });
        assert.match((await run('stty -a', { tty: true })).output, /[^-]icanon/);
      });

      it('can be resized to any size, even while a command runs', async () => {
        const { terminal, run } = open();
        const onOutput = once(/begun/, () => {
          for (const [columns, rows] of [
            [1, 1],
            [0, -5],
            [Number.NaN, 1e9],
            [90, 33],
          ] as const)
            terminal.resize(columns, rows);
          // The size reaches the shell when its promise is awaited, which is after this.
          setImmediate(() => terminal.write('go\r'));
        });
        const { output } = await run('echo begun; read -s word; stty size', { tty: true, onOutput });
        assert.match(output, /^33 90$/m);
      });
    });

    describe('shown to the user', () => {
      it('shows commands and output without sequences that act on the terminal', async () => {
        const { terminal, run } = open();
        let seen = '';
        const listening = terminal.onData((text) => {
          seen += text;
        });
        await run(`printf 'plain\\n'`);
        await run(
          `printf '\\033[31mred\\033]52;c;aGVsbG8=\\007\\033[6n\\033[c\\033[>c\\033P$qm\\033\\\\ \\033]0;title\\007\\033[0m'; sleep 0.1; printf '\\033]52;c'; sleep 0.05; printf ';aGVsbG8=\\007end\\n'`,
          { tty: true },
        );
        listening.dispose();
        await run('echo unseen');
        assert.match(seen, /\$ printf 'plain\\n'.*\r\nplain\r\n/);
        assert.ok(seen.includes('\x1b[31mred \x1b[0mend\r\n'), JSON.stringify(seen));
        assert.ok(!seen.includes('unseen'));
      });

      it('lets the user type into the running command, and only then', async () => {
        const { terminal, run } = open();
        await run('true', { tty: true });
        terminal.write('dropped\n');
        const onOutput = once(/begun/, () => terminal.write('typed\r'));
        const { output } = await run('echo begun; read word; echo "got $word"', { tty: true, onOutput });
        assert.match(output, /got typed/);
      });
    });

    describe('ending processes', () => {
      const leavesTree = (cwd: string): string =>
        `for how in "" nohup setsid "env -i setsid"; do $how sh -c 'echo $$ >> ${cwd}/pids; exec sleep 300' & done; ( (setsid sleep 300 & echo $! >> ${cwd}/pids) & ); echo started`;
      const pids = (cwd: string): number[] =>
        fs.existsSync(path.join(cwd, 'pids'))
          ? fs.readFileSync(path.join(cwd, 'pids'), 'utf8').split('\n').filter(Boolean).map(Number)
          : [];

      /**
       * Returns the living processes of `pids`. They have other ids inside a sandbox, so there they are found by
       * folder.
       */
      const living = (cwd: string): number[] =>
        confined
          ? allProcesses()
              .map(({ pid }) => pid)
              .filter(alive)
              .filter((pid) => {
                try {
                  return (
                    fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8') === 'sleep\x00300\x00' &&
                    fs.readlinkSync(`/proc/${pid}/cwd`) === cwd
                  );
                } catch {
                  return false;
                }
              })
          : pids(cwd).filter(alive);

      for (const pty of [true, false]) {
        it(`kills all processes of a timed-out command, ${pty ? 'on a terminal' : 'over pipes'}`, async () => {
          const { cwd, run } = open({ pty });
          const { end } = await run(`${leavesTree(cwd)}; sleep 300`, { timeoutMs: 1500 });
          assert.equal(end, 'timed_out');
          assert.equal(pids(cwd).length, 5);
          assert.deepEqual(living(cwd), []);
        });

        it(`leaves nothing behind when it is closed, ${pty ? 'on a terminal' : 'over pipes'}`, async () => {
          const { terminal, cwd, run } = open({ pty });
          await run(leavesTree(cwd));
          await until(() => pids(cwd).length === 5 && living(cwd).length === 5); // they outlive their command; one that has just started is not yet named sleep
          const running = run('touch begun; sleep 300; echo > never');
          await until(() => fs.existsSync(path.join(cwd, 'begun')));
          await terminal.dispose();
          assert.equal((await running).end, 'interrupted');
          assert.deepEqual(living(cwd), []);
          await assert.rejects(run('echo too late'), /closed/);
        });
      }

      it('spares processes of earlier commands when a later one is stopped', async () => {
        const { cwd, run } = open();
        await run(`sleep 300 & echo $! > ${cwd}/pids`);
        await until(() => living(cwd).length === 1);
        // The system reports start times in ticks of 10 ms: this process must start before the next command.
        await new Promise((resolve) => setTimeout(resolve, 30));
        await run('sleep 300', { timeoutMs: 100 });
        assert.equal(living(cwd).length, 1);
      });

      it('says that a process in the background was ended with its command', async () => {
        const { note } = await open().run('sleep 300 & sleep 301', { timeoutMs: 300 });
        assert.match(note ?? '', /^Process \d+, which it had started in the background, was ended as well\.$/);
      });

      it('says where a process in the background prints only if it prints there', async () => {
        const { cwd, run } = open();
        const { note, fullOutput } = await run('sleep 300 &');
        assert.match(note ?? '', /^Process \d+ keeps running in the background; its further output goes to \//);
        assert.ok(note!.endsWith(`${fullOutput}.`));
        const redirected = await run(`sleep 301 > ${cwd}/log 2>&1 &`);
        assert.match(redirected.note ?? '', /^Process \d+ keeps running in the background\.$/);
        assert.equal(redirected.fullOutput, undefined);
      });

      it('stops an endless flood at once when it is aborted', async () => {
        const abort = new AbortController();
        // Not after a fixed time: on a busy machine the shell may not have started by then.
        const onOutput = (text: string): void => {
          if (/y\ny\n/.test(text)) abort.abort();
        };
        const { end, output } = await open().run('yes', { tty: true, signal: abort.signal, onOutput });
        assert.equal(end, 'interrupted');
        assert.match(output, /^y\ny\n/);
      });

      it('leaves no zombies and no open descriptors after 500 commands', async () => {
        const { run } = open();
        await run('true');
        const count = (): number => fs.readdirSync('/proc/self/fd').length;
        const before = count();
        for (let at = 0; at < 500; at++)
          await run(at % 100 === 99 ? 'exit 1' : 'sh -c "echo x"', { tty: at % 50 === 0 });
        const zombies = () => allProcesses().filter((each) => each.state === 'Z' && each.parent === process.pid);
        // Leftover processes of the last command are closed a moment after it ended.
        const patientUntil = Date.now() + 20_000;
        while ((count() > before + 4 || zombies().length > 0) && Date.now() < patientUntil)
          await new Promise((resolve) => setTimeout(resolve, 20));
        assert.ok(count() <= before + 4, `${before} descriptors became ${count()}`);
        assert.deepEqual(zombies(), []);
      });
    });

    describe('before the first command', () => {
      it('works without node-pty and says so once', async () => {
        const notices: string[] = [];
        const { terminal, run } = open({ pty: false, onNotice: (text) => notices.push(text) });
        const { output, note } = await run('test -t 1 || echo none', { tty: true });
        await run('exit 1');
        await run('echo again');
        assert.equal(output, 'none\n');
        assert.match(note ?? '', /without a terminal/);
        assert.match(terminal.fallback ?? '', /pseudo-terminal/);
        assert.equal(notices.length, 1);
      });

      it('uses another shell if the configured one is missing or unknown, and says so', async () => {
        for (const shell of ['fish', '/nowhere/bash']) {
          const notices: string[] = [];
          const { run } = open({ shell, onNotice: (text) => notices.push(text) });
          assert.equal((await run('echo works')).output, 'works\n');
          assert.match(notices.join(), new RegExp(shell));
        }
      });

      it('starts only one shell if warmed and used at the same time', async () => {
        const { terminal, run } = open();
        const [first] = await Promise.all([run('echo $$'), terminal.warm()]);
        assert.equal((await run('echo $$')).output, first.output);
      });

      it('passes no key, token or editor handle to programs', async () => {
        const canary = 'ztest_9f2c41';
        const environment = {
          ...process.env,
          ...Object.fromEntries(
            [
              'OPENAI_API_KEY',
              'NPM_TOKEN',
              'GITHUB_TOKEN',
              'MY_KEY',
              'DB_PASSWORD',
              'VSCODE_IPC_HOOK_CLI',
              'ELECTRON_RUN_AS_NODE',
              'NODE_OPTIONS',
              'LD_PRELOAD',
              'SSH_AUTH_SOCK',
              'BASH_ENV',
              'AWS_PROFILE',
              'UNKNOWN_NAME',
              'WANTED',
            ].map((name) => [name, `${canary}${name}`]),
          ),
          HTTPS_PROXY: `http://me:${canary}@proxy:1`,
        };
        const { run } = open({ environment, passEnvironment: ['WANTED', 'NPM_TOKEN', 'NODE_OPTIONS'] });
        const { output } = await run('env; set; cat /proc/$$/environ | tr "\\0" "\\n"');
        assert.deepEqual([...new Set(output.match(/ztest_9f2c41\w*/g))], ['ztest_9f2c41WANTED']);
        assert.equal(
          (await run('echo "$PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT $TERM"')).output,
          'cat cat 0 xterm-256color\n',
        );
      });

      it('needs no editor to continue a rebase, and opens the user’s on a terminal', async () => {
        const { cwd, run } = open();
        const git = (...words: string[]): string =>
          execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.c', ...words], { cwd, encoding: 'utf8' });
        git('init', '-q', '-b', 'main');
        for (const [key, value] of [
          ['user.name', 'A'],
          ['user.email', 'a@b.c'],
          ['core.editor', "sed -i '1s/.*/edited/'"],
        ] as const)
          git('config', key, value);
        const commit = (content: string): void => {
          fs.writeFileSync(path.join(cwd, 'file'), content);
          git('add', 'file');
          git('commit', '-qm', content);
        };
        commit('one');
        git('checkout', '-qb', 'topic');
        commit('topic');
        git('checkout', '-q', 'main');
        commit('two');
        git('checkout', '-q', 'topic');
        assert.equal((await run('git rebase main')).exitCode, 1);
        const continued = await run('echo both > file; git add file; git rebase --continue; git log -1 --format=%s');
        assert.match(continued.output, /\ntopic\n$/);
        const listed = await run('git rebase -i HEAD~1');
        assert.match(listed.output, /A terminal is required to edit the list of commits/);
        assert.match(listed.note ?? '', /tty: true/);
        await run('git commit -q --amend', { tty: true });
        assert.equal((await run('git log -1 --format=%s')).output, 'edited\n');
      });

      it('continues after its private folder was deleted', async () => {
        const { run } = open();
        assert.match(
          (await run('rm -rf "$(dirname "$BASH_SOURCE")"; echo gone')).output,
          confined ? /Read-only[^]*gone\n$/ : /^gone\n$/,
        );
        assert.equal((await run('echo back')).output, 'back\n');
      });

      it('starts in its first folder if the last one is gone', async () => {
        const { cwd, run } = open();
        await run('mkdir gone && cd gone');
        await run('rmdir ../gone; exit 0');
        const { output, note } = await run('pwd');
        assert.equal(output, `${cwd}\n`);
        assert.match(note ?? '', /gone/);
      });
    });
  });
