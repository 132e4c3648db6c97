import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { AgentTerminal, type AgentTerminalOptions } from '../../../src/adapters/terminal/agentTerminal';
import { watchControl, sendControl } from '../../../src/adapters/log/control';
import { openEventLog } from '../../../src/adapters/log/eventLog';
import { machineKey } from '../../../src/adapters/storage/machineKey';
import { guard } from '../../../src/adapters/sandbox/guardedPlaces';
import { findSandbox } from '../../../src/adapters/sandbox/findSandbox';
import { stateFolder } from '../../../src/adapters/storage/stateFolder';
import { processEntry } from '../../../src/adapters/processes/processTree';
import { observedCommand } from '../../../src/core/tools/native/commandResult';
import type { CommandResult } from '../../../src/core/ports/terminal';
import { processesIn } from '../../cli/support/commandLine';
import { commandOptions, temporaryFolder, until } from '../../contracts/terminal.contract';

describe('the terminal in a sandbox', () => {
  const opened: AgentTerminal[] = [];
  before(async function () {
    if ('none' in (await findSandbox([temporaryFolder()]))) this.skip();
  }); // this machine does not support a sandbox
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.dispose()));
  });

  const open = (
    cwd = temporaryFolder(),
    more: Partial<AgentTerminalOptions> = {},
  ): {
    terminal: AgentTerminal;
    cwd: string;
    inside(command: string): Promise<CommandResult>;
    outside(command: string): Promise<CommandResult>;
  } => {
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
      ...more,
    });
    opened.push(terminal);
    return {
      terminal,
      cwd,
      inside: (command) => terminal.run(command, commandOptions()),
      outside: (command) => terminal.outside.run(command, commandOptions()),
    };
  };
  const fails = async (running: Promise<CommandResult>, words: RegExp): Promise<CommandResult> => {
    const result = await running;
    assert.notEqual(result.exitCode, 0, result.output);
    assert.match(result.output, words);
    return result;
  };

  it('can write only the workspace', async () => {
    const elsewhere = temporaryFolder();
    const home = path.join(os.homedir(), '.waymark-sandbox-probe');
    const { cwd, inside } = open();
    assert.equal((await inside('echo in > file; mkdir -p deep; echo on > deep/er')).exitCode, 0);
    assert.equal(fs.readFileSync(path.join(cwd, 'deep/er'), 'utf8'), 'on\n');
    const { denied, sandbox } = await fails(inside(`echo out > '${home}'`), /Read-only file system/);
    assert.deepEqual([denied, sandbox], ['files', 'inside']);
    await fails(inside('touch /usr/waymark-probe'), /Read-only file system/);
    await inside(
      `mkdir -p '${elsewhere}'; echo out > '${elsewhere}/private'; echo out > /tmp/waymark-probe; cat /tmp/waymark-probe`,
    );
    assert.ok(!fs.existsSync(home));
    assert.deepEqual(fs.readdirSync(elsewhere), []);
    assert.ok(!fs.existsSync('/tmp/waymark-probe'));
  });

  it('cannot see the log key, even if its own outputs are beside it', async () => {
    assert.ok(machineKey());
    const outputFolder = path.join(stateFolder(), 'sessions', 'x', 'outputs');
    const { inside } = open(undefined, { outputFolder });
    const { exitCode, output, fullOutput } = await inside(`ls -A '${stateFolder()}'; seq 1 20000`);
    assert.equal(exitCode, 0, output);
    assert.match(output, /^sessions\n1\n/);
    assert.ok(fullOutput?.startsWith(outputFolder));
    assert.ok(fs.existsSync(path.join(stateFolder(), 'log.key')));
  });

  it('cannot replace the folder with the log key, even if the workspace contains it', async () => {
    const home = temporaryFolder();
    const state = path.join(home, '.local/state/waymark');
    fs.mkdirSync(state, { recursive: true });
    fs.writeFileSync(path.join(state, 'log.key'), 'canary-key');
    const token = path.join(home, '.cache/tool/token');
    fs.mkdirSync(token, { recursive: true });
    const { inside } = open(home, { hidden: [state, token] });
    for (const folder of ['.local/state/waymark', '.local/state', '.local', '.cache/tool', '.cache'])
      await fails(inside(`mv '${folder}' aside`), /busy/);
    await fails(inside('echo forged > .local/state/waymark/log.key'), /Read-only file system/);
    const beside = await inside('echo x > .local/state/other && mv .local/state/other .cache/tool/');
    assert.equal(beside.exitCode, 0, beside.output);
    assert.equal(fs.readFileSync(path.join(state, 'log.key'), 'utf8'), 'canary-key');
  });

  it('cannot send control messages to a run, even if it knows their path', async () => {
    const outputFolder = path.join(stateFolder(), 'sessions', 'x', 'outputs');
    const log = path.join(temporaryFolder(), 'session.jsonl');
    const control = path.join(stateFolder(), 'control');
    fs.mkdirSync(control, { recursive: true, mode: 0o700 });
    const earlier = fs.readdirSync(control);
    const opened = openEventLog(log);
    const heard: string[] = [];
    const stop = watchControl(log, (word) => void heard.push(word));
    try {
      opened.store!.append({ seq: 0, at: 1, type: 'resumed' });
      await opened.store!.durable();
      const folder = fs.readdirSync(control).find((name) => !earlier.includes(name));
      const sent = path.join(control, folder!, '000000000000001-forged.stop');
      const { inside, outside } = open(undefined, { outputFolder });
      await fails(inside(`echo > '${sent}'`), /No such file or directory|Read-only file system|Permission denied/);
      await inside(`mkdir -p '${path.dirname(sent)}'; touch '${sent}'; mv '${control}' '${control}.aside'`);
      assert.ok(fs.existsSync(path.dirname(sent)), 'the folder itself stays');
      await sendControl(log, 'pause');
      assert.deepEqual(heard, ['pause']);
      // Outside the sandbox, where only approved commands run, the same message would arrive.
      assert.equal((await outside(`touch '${sent}'`)).exitCode, 0);
      await until(() => heard.length === 2);
      assert.deepEqual(heard, ['pause', 'stop']);
    } finally {
      stop();
      await opened.store!.close();
    }
  });

  it('reaches no server, even on this machine, and no name server', async () => {
    let reached = 0;
    const tcp = net
      .createServer(() => {
        reached++;
      })
      .listen(0, '127.0.0.1');
    const udp = dgram
      .createSocket('udp4')
      .on('message', () => {
        reached++;
      })
      .bind(0, '127.0.0.1');
    await Promise.all([
      new Promise((resolve) => tcp.once('listening', resolve)),
      new Promise((resolve) => udp.once('listening', resolve)),
    ]);
    try {
      const { inside } = open();
      const node = `'${process.execPath}'`;
      await fails(
        inside(`${node} -e "require('net').connect(${(tcp.address() as net.AddressInfo).port}, '127.0.0.1')"`),
        /ECONNREFUSED/,
      );
      await fails(inside(`${node} -e "require('net').connect(80, '192.0.2.1')"`), /ENETUNREACH/);
      assert.equal(
        (
          await fails(
            inside(
              `${node} -e "require('dgram').createSocket('udp4').send('x', 53, '192.0.2.1', error => { if (error) throw error; })"`,
            ),
            /ENETUNREACH/,
          )
        ).denied,
        'network',
      );
      assert.equal(
        (
          await fails(
            inside(`${node} -e "require('dns').lookup('example.com', error => { if (error) throw error; })"`),
            /EAI_AGAIN|ENOTFOUND|EAI_FAIL/,
          )
        ).sandbox,
        'inside',
      );
      await inside(
        `${node} -e "require('dgram').createSocket('udp4').send('x', ${udp.address().port}, '127.0.0.1', () => process.exit())"`,
      );
      assert.equal(reached, 0);
    } finally {
      tcp.close();
      udp.close();
    }
  });

  it('cannot be left by remounting, even by root', async () => {
    const { inside } = open();
    await inside('mount -o remount,bind,rw / ; mount -o remount,rw / ; mount -t tmpfs none /usr');
    await fails(inside('touch /usr/waymark-probe'), /Read-only file system/);
    assert.match((await inside('grep CapEff /proc/self/status')).output, /CapEff:\s*0000000000000000\n/);
    assert.notEqual((await inside('unshare -Urm true && mount -o remount,bind,rw / 2>/dev/null')).exitCode, 0);
  });

  it('cannot create hooks or settings in a folder without them, and leaves nothing behind', async () => {
    const { terminal, cwd, inside } = open();
    await fails(inside('mkdir -p .git/hooks && echo evil > .git/hooks/pre-commit'), /Read-only file system/);
    await fails(inside('echo {} > .vscode/settings.json'), /Read-only file system/);
    await fails(inside('mv .git aside && mkdir -p .git/hooks'), /busy|Read-only/);
    await fails(inside('rm -r .vscode'), /busy|Read-only/);
    await terminal.dispose();
    assert.deepEqual(fs.readdirSync(cwd), []);
  });

  it('can commit in a repository, but cannot change hooks, settings or instructions', async function () {
    const { cwd, inside, outside } = open();
    if (
      (
        await outside(
          'git init -q . && git config user.email a@b.c && git config user.name A && echo rules > AGENTS.md && mkdir .github',
        )
      ).exitCode !== 0
    )
      this.skip(); // Git is not installed
    const again = open(cwd);
    assert.equal(
      (await again.inside('echo text > file && git add file && git commit -qm first && git log --oneline')).exitCode,
      0,
    );
    await fails(again.inside('echo evil > .git/hooks/pre-commit'), /Read-only file system/);
    await fails(again.inside('git config core.fsmonitor evil'), /busy|Read-only/);
    await fails(again.inside('echo evil >> .git/config'), /Read-only file system/);
    await fails(again.inside('mv .git aside'), /busy/);
    await fails(again.inside('echo obey >> AGENTS.md'), /Read-only file system/);
    await fails(again.inside('mkdir .github/workflows'), /Read-only file system/);
    assert.equal(fs.readFileSync(path.join(cwd, 'AGENTS.md'), 'utf8'), 'rules\n');
    await inside('true');
  });

  it('cannot make Git outside use other settings through commondir or worktree settings', async function () {
    const { cwd, outside } = open();
    if (
      (
        await outside(
          'git init -q . && git config user.email a@b.c && git config user.name A && git config extensions.worktreeConfig true && echo a > file && git add file && git commit -qm one && rm -rf .git/hooks .git/info',
        )
      ).exitCode !== 0
    )
      this.skip(); // Git is not installed
    const proof = path.join(temporaryFolder(), 'proof');
    const { terminal, inside } = open(cwd);
    const evil = `mkdir -p evil/objects evil/refs && cp .git/HEAD evil/HEAD && printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tfsmonitor = "touch ${proof};"\\n' > evil/config`;
    assert.equal((await inside(evil)).exitCode, 0);
    await fails(inside('echo ../evil > .git/commondir'), /Read-only/);
    await fails(inside('rm .git/commondir'), /busy|Read-only/);
    await fails(inside('mv evil/config .git/config.worktree'), /busy|Read-only|inter-device/);
    await fails(inside('mkdir -p .git/modules/x'), /Read-only/);
    await fails(inside('mkdir -p .git/worktrees/x'), /Read-only/);
    await fails(inside('echo "* filter=x" > .git/info/attributes'), /Read-only/);
    assert.equal(
      (
        await inside('echo b >> file && git commit -qam two && git stash list && git log --oneline | wc -l')
      ).output.trim(),
      '2',
    );
    const state = await open(cwd).outside(
      'git status --short; git rev-parse --git-common-dir --show-toplevel; git worktree list | wc -l; git fsck',
    );
    assert.equal(state.output, `?? evil/\n${fs.realpathSync(cwd)}/.git\n${fs.realpathSync(cwd)}\n1\n`);
    await terminal.dispose();
    await Promise.all(opened.splice(0).map((each) => each.dispose()));
    assert.deepEqual(
      fs
        .readdirSync(path.join(cwd, '.git'))
        .filter((name) => ['commondir', 'config.worktree', 'modules', 'worktrees', 'hooks', 'info'].includes(name)),
      [],
    );
    assert.ok(!fs.existsSync(proof));
  });

  it('makes a .git with links or its own worktree read-only', async function () {
    for (const odd of [
      'mv .git/hooks kept && ln -s ../kept .git/hooks',
      'git config core.worktree ..',
      'git config core.bare true',
    ]) {
      const { cwd, outside } = open();
      if ((await outside(`git init -q . && ${odd}`)).exitCode !== 0) this.skip(); // Git is not installed
      const { inside } = open(cwd);
      await fails(inside('rm -r .git/hooks'), /Read-only/);
      await fails(inside('echo ../evil > .git/commondir'), /Read-only/);
    }
  });

  it('reports a repository that a command created below the top', async function () {
    const { inside } = open();
    assert.match((await inside('mkdir -p sub/.git && echo x > sub/.git/config')).note ?? '', /sub\/\.git/);
    // If .git is not a repository, Git tries the folder itself.
    assert.match(
      (await inside('mkdir -p objects refs && echo ref: refs/heads/x > HEAD && echo x > config')).note ?? '',
      /created or changed: .*\/HEAD/,
    );
  });

  it('keeps empty folders that already existed, and removes those of a killed sandbox', async () => {
    const own = open();
    fs.mkdirSync(path.join(own.cwd, '.vscode'));
    await own.inside('true');
    await own.terminal.dispose();
    assert.deepEqual(fs.readdirSync(own.cwd), ['.vscode']);

    const { cwd } = open();
    // What a sandbox creates before it starts; a killed one leaves it behind.
    guard(cwd);
    assert.deepEqual(fs.readdirSync(cwd).sort(), ['.git', '.vscode']);
    fs.rmdirSync(path.join(cwd, '.vscode'));
    fs.mkdirSync(path.join(cwd, '.vscode'));
    fs.utimesSync(path.join(cwd, '.vscode'), 1, 1);
    const later = open(cwd);
    await later.inside('true');
    await later.terminal.dispose();
    assert.deepEqual(fs.readdirSync(cwd), ['.vscode']);
  });

  it('reports a created file that other programs obey', async () => {
    const { inside } = open();
    assert.match((await inside('echo x > .npmrc')).note ?? '', /\.npmrc/);
    assert.equal((await inside('echo x > plain')).note, undefined);
  });

  it('sees no secrets of the account and no sockets of the machine', async () => {
    const home = temporaryFolder();
    fs.mkdirSync(path.join(home, '.ssh'));
    fs.writeFileSync(path.join(home, '.ssh/id_rsa'), 'canary-key');
    fs.writeFileSync(path.join(home, '.netrc'), 'canary-netrc');
    fs.writeFileSync(path.join(home, 'real-npmrc'), 'canary-npmrc');
    fs.symlinkSync('real-npmrc', path.join(home, '.npmrc'));
    fs.writeFileSync(path.join(home, 'plain'), 'plain\n');
    const others = ['.claude', '.codex', '.gemini', '.continue', '.config/opencode', '.config/doctl'].map((name) =>
      path.join(home, name),
    );
    for (const place of others) {
      fs.mkdirSync(place, { recursive: true });
      fs.writeFileSync(path.join(place, 'auth.json'), 'canary-auth');
    }
    const found = await findSandbox([home], { environment: { ...process.env, HOME: home } });
    assert.ok('sandbox' in found);
    const cwd = path.join(home, 'work');
    fs.mkdirSync(cwd);
    const { PtyTerminal } = await import('../../../src/adapters/terminal/ptyTerminal');
    const terminal = new PtyTerminal({
      cwd,
      outputFolder: temporaryFolder(),
      shell: '/bin/bash',
      sandbox: async () => found.sandbox,
    });
    try {
      const { output } = await terminal.run(
        `cat ${home}/plain ${home}/.netrc ${home}/.npmrc ${home}/real-npmrc ${home}/.ssh/id_rsa; ls -A ${home}/.ssh; cat ${others.map((place) => `${place}/auth.json`).join(' ')}; cat /etc/shadow; ls -A /run`,
        commandOptions(),
      );
      assert.match(output, /^plain\n/);
      assert.doesNotMatch(output, /canary|root:/);
      assert.doesNotMatch(output, /docker|dbus|user/);
    } finally {
      await terminal.dispose();
    }
  });

  it('sees no outside process, and its own processes end with it', async () => {
    const { terminal, cwd, inside } = open();
    assert.equal((await inside(`ls /proc/${process.pid} 2>/dev/null; kill -0 ${process.pid}`)).exitCode, 1);
    await inside(
      `mkfifo pipe; (setsid setsid env -i bash -c 'exec -a waymark-grandchild sleep 300' </dev/null >/dev/null 2>&1 &); echo begun`,
    );
    const grandchildren = (): number[] =>
      fs
        .readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map(Number)
        .filter((pid) => {
          try {
            return (
              fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('waymark-grandchild') &&
              fs.readlinkSync(`/proc/${pid}/cwd`) === cwd
            );
          } catch {
            return false;
          }
        });
    await until(() => grandchildren().length === 1);
    const [pid] = grandchildren();
    await terminal.dispose();
    assert.ok((processEntry(pid!)?.state ?? 'Z') === 'Z');
  });

  it('names a background process by the number that the inner shell knows', async () => {
    const { inside } = open();
    const { note } = await inside('sleep 300 &');
    const number = /Process (\d+) keeps running/.exec(note ?? '')?.[1];
    assert.ok(number !== undefined);
    assert.equal((await inside(`kill ${number} && wait ${number}; test $? = 143`)).exitCode, 0);
  });

  it('says that a server in it cannot be reached from outside, and it cannot', async () => {
    const { inside, outside } = open();
    const server = `const s = require('net').createServer((c) => c.end('here')).listen(0, '127.0.0.1', () => console.log('port', s.address().port))`;
    const { note } = await inside(`node -e "${server}" > port.txt & until grep -q port port.txt; do sleep 0.05; done`);
    assert.match(note ?? '', /keeps running .*\. Only commands in the sandbox can reach ports that it opens\./);
    const read = 'exec 3<>/dev/tcp/127.0.0.1/$(cut -d" " -f2 port.txt) && cat <&3';
    assert.equal((await inside(read)).output, 'here');
    assert.notEqual((await outside(read)).exitCode, 0);
    assert.doesNotMatch((await outside('sleep 5 &')).note ?? '', /Only commands in the sandbox/);
  });

  it('does not read or write through a link that replaced an output file', async () => {
    const { inside } = open();
    const target = path.join(temporaryFolder(), 'kept');
    fs.writeFileSync(target, 'kept');
    const { output } = await inside(
      `for file in /proc/$$/fd/1; do :; done; out=$(readlink /proc/self/fd/2); rm "$out"; ln -s '${target}' "$out"; for n in $(seq 1 60); do ln -s '${target}' "$(dirname "$out")/$(basename "$out" -1.txt)-$n.txt" 2>/dev/null; done; true`,
    );
    assert.doesNotMatch(output, /kept/);
    const flood = await inside('seq 1 100000').catch((error: Error) => error);
    assert.doesNotMatch(flood instanceof Error ? flood.message : flood.output, /kept/);
    assert.equal(fs.readFileSync(target, 'utf8'), 'kept');
  });

  it('runs approved commands outside, in the same folder, and says what is not shared', async () => {
    const { cwd, inside, outside } = open();
    fs.mkdirSync(path.join(cwd, 'sub'));
    const { sandbox } = await inside('cd sub; export NODE_ENV=test PATH="/evil:$PATH"; local_only=1');
    assert.equal(sandbox, 'inside');
    const left = await outside('pwd; echo "$NODE_ENV|$local_only|${PATH%%:*}" ; export TOKEN_FILE=here; cd ..');
    assert.match(left.output, new RegExp(`^${cwd}/sub\ntest\\|\\|(?!/evil)`));
    assert.equal(left.sandbox, 'outside');
    assert.match(left.note ?? '', /outside the sandbox.*not shared.*Not passed to it: PATH/s);
    const back = await inside('pwd; echo "$TOKEN_FILE|${PATH%%:*}"');
    assert.equal(back.output, `${cwd}\nhere|/evil\n`);
    assert.equal((await outside('true')).note?.includes('not shared'), false);
    const target = path.join(temporaryFolder(), 'file');
    assert.equal((await outside(`echo out > '${target}'`)).exitCode, 0);
  });

  it('says where its shell is if a folder outside does not exist inside', async () => {
    const { terminal, cwd, inside, outside } = open();
    await inside('true');
    const { cwd: folder } = await outside(`cd '${temporaryFolder()}'`);
    const { end, note } = await terminal.run('pwd', commandOptions({ judgedFor: { folder, isUsed: true } }));
    assert.equal(end, 'not_run');
    assert.match(
      note!,
      new RegExp(`so this shell is in ${cwd}. The command was not run: .*${folder}.* is in ${cwd}.$`),
    );
  });

  it('in plan mode, runs nothing in a folder that is gone, and tells where the next command runs', async () => {
    const { terminal, cwd } = open();
    const run = (folder: string): Promise<CommandResult> =>
      terminal.readOnly.run('pwd', commandOptions({ judgedFor: { folder, isUsed: true } }));
    const gone = await run(path.join(cwd, 'gone'));
    assert.deepEqual([gone.end, gone.cwd], ['not_run', cwd]);
    assert.match(gone.note!, /the shell cannot change to it/);
    assert.equal((await run(gone.cwd)).output, `${cwd}\n`);
  });

  it('says that files in /tmp may be gone if it continues a session', async () => {
    const { terminal: first, cwd, inside } = open();
    await inside('echo noted > /tmp/notes');
    await first.dispose();
    const judgedFor = { folder: cwd, isUsed: true };
    const result = await open(cwd).terminal.run('cat /tmp/notes', commandOptions({ judgedFor }));
    const { content } = observedCommand(result, { folder: cwd, timedOut: '', waiting: '' });
    assert.match(content, /No such file or directory[^]*files in the \/tmp of their sandbox, may be gone/);
  });

  it('types into the waiting command, inside or outside', async () => {
    const { terminal, outside } = open();
    assert.equal(
      (await terminal.outside.run('read word; echo "got $word"', commandOptions({ tty: true }))).end,
      'waiting_for_input',
    );
    const { output, sandbox } = await terminal.answer('it\n', commandOptions());
    assert.match(output, /got it/);
    assert.equal(sandbox, 'outside');
    await outside('true');
  });

  it('started ahead protects guarded files created before the first command', async () => {
    const { terminal, cwd, inside } = open();
    fs.mkdirSync(path.join(cwd, '.git'));
    await terminal.warm();
    assert.ok(fs.existsSync(path.join(cwd, '.vscode')), 'the shell was started');
    fs.writeFileSync(path.join(cwd, '.envrc'), 'mine');
    await fails(inside('echo theirs >.envrc'), /Read-only|Permission denied|busy/i);
    assert.equal(fs.readFileSync(path.join(cwd, '.envrc'), 'utf8'), 'mine');
  });

  it('creates nothing in a folder without a repository before the first command', async () => {
    const { terminal, cwd, inside } = open();
    await terminal.warm();
    assert.deepEqual(fs.readdirSync(cwd), []);
    assert.equal((await inside('echo ran')).output, 'ran\n');
  });

  it('runs the tests of the first-run example', async () => {
    const cwd = temporaryFolder();
    fs.cpSync(path.join(process.env['REPOSITORY']!, 'examples/first-run'), cwd, { recursive: true });
    const { output, denied } = await open(cwd).inside('npm test');
    assert.match(output, /tests 8/);
    assert.match(output, /fail 5/);
    assert.equal(denied, undefined);
  });
});

describe('the terminal without a sandbox', () => {
  it('says so once, with what to do, and runs the command', async function () {
    if (process.platform !== 'linux') this.skip(); // other systems need none
    const notices: string[] = [];
    const cwd = temporaryFolder();
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'auto',
      outputFolder: temporaryFolder(),
      shell: '/bin/sh',
      onNotice: (text) => notices.push(text),
      find: async () => ({ none: 'bubblewrap is not installed', next: 'Install it.' }),
    });
    try {
      const result = await terminal.run('echo ran', commandOptions());
      assert.deepEqual([result.output, result.sandbox], ['ran\n', undefined]);
      await terminal.outside.run('exit 1', commandOptions());
      assert.equal((await terminal.run('pwd', commandOptions())).output, `${cwd}\n`);
      assert.equal(notices.length, 1);
      assert.match(notices[0]!, /without a sandbox.*bubblewrap is not installed.*Install it/);
    } finally {
      await terminal.dispose();
    }
  });

  it('reports problems of a shell started ahead with the first command', async function () {
    if (process.platform !== 'linux') this.skip();
    const notices: string[] = [];
    const cwd = temporaryFolder();
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'auto',
      outputFolder: temporaryFolder(),
      shell: '/nowhere/bash',
      onNotice: (text) => notices.push(text),
      find: async () => ({ none: 'bubblewrap is not installed', next: 'Install it.' }),
    });
    try {
      await terminal.warm();
      assert.equal(processesIn(cwd).length, 1);
      assert.deepEqual(notices, []);
      assert.equal((await terminal.run('pwd', commandOptions())).output.split('\n')[0], cwd);
      assert.match(notices.join('\n'), /without a sandbox[^]*\/nowhere\/bash/);
    } finally {
      await terminal.dispose();
    }
    await until(() => processesIn(cwd).length === 0);
  });

  it('leaves no unused shell behind', async () => {
    const cwd = temporaryFolder();
    const terminal = new AgentTerminal({ cwd, folders: [cwd], wanted: 'off', outputFolder: temporaryFolder() });
    await terminal.warm();
    assert.equal(processesIn(cwd).length, 1);
    await terminal.dispose();
    await until(() => processesIn(cwd).length === 0);
    const early = new AgentTerminal({ cwd, folders: [cwd], wanted: 'off', outputFolder: temporaryFolder() });
    const warming = early.warm();
    await early.dispose();
    await assert.rejects(warming, /closed/);
    assert.deepEqual(processesIn(cwd), []);
  });

  it('runs nothing if the setting requires a sandbox', async () => {
    const cwd = temporaryFolder();
    const terminal = new AgentTerminal({
      cwd,
      folders: [cwd],
      wanted: 'on',
      outputFolder: temporaryFolder(),
      find: async () => ({ none: 'bubblewrap is not installed', next: 'Install it.' }),
    });
    await assert.rejects(terminal.run('touch ran', commandOptions()), /waymark\.sandbox/);
    await terminal.dispose();
    assert.deepEqual(fs.readdirSync(cwd), []);
  });
});
