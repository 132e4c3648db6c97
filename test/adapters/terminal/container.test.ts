import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { isImageName, defaultContainer, type ContainerSettings } from '../../../src/core/ports/containerSettings';
import type { CommandOptions } from '../../../src/core/ports/terminal';
import { Container, needEngine } from '../../../src/adapters/terminal/container';
import { ContainerTerminal } from '../../../src/adapters/terminal/containerTerminal';
import { withContainerEngine, type ContainerEngine } from '../../support/containers/containerEngine';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const usual = (more: Partial<CommandOptions> = {}): CommandOptions => ({
  timeoutMs: 60_000,
  tty: false,
  signal: new AbortController().signal,
  ...more,
});

describe('a container', function () {
  this.timeout(240_000);
  let engine: ContainerEngine;
  let workspace: TemporaryWorkspace;
  const environmentBefore = { ...process.env };
  const settings = (more: Partial<ContainerSettings> = {}): ContainerSettings => ({
    ...defaultContainer,
    executable: engine.executable,
    image: engine.image,
    ...more,
  });
  /** Does something in a container with these settings, and stops it. */
  const within = async (
    more: Partial<ContainerSettings>,
    use: (terminal: ContainerTerminal, container: Container) => Promise<void>,
  ): Promise<void> => {
    const container = new Container(settings(more), [workspace.root]);
    const terminal = new ContainerTerminal({ container, outputFolder: workspace.at('outputs') });
    try {
      await use(terminal, container);
    } finally {
      await terminal.dispose();
      await container.stop();
    }
  };

  withContainerEngine((found) => {
    engine = found;
    Object.assign(process.env, found.environment);
  });
  after(() => {
    for (const name of Object.keys(engine?.environment ?? {})) {
      if (environmentBefore[name] === undefined) delete process.env[name];
      else process.env[name] = environmentBefore[name];
    }
  });
  beforeEach(() => {
    workspace = temporaryWorkspace();
  });
  afterEach(() => workspace.stop());

  it('keeps folder, variables and functions between commands, and shares only the folder', async () => {
    fs.writeFileSync(workspace.at('notes.txt'), 'one\n');
    await within({ env: { COLOUR: 'green' }, forwardEnv: ['HOME', 'MISSING_HERE'] }, async (terminal) => {
      const { output, exitCode, cwd, sandbox } = await terminal.run(
        'cat notes.txt; echo two >> notes.txt; greet() { echo "hello $1"; }; export KEPT=v; mkdir -p sub; cd sub; (exit 7)',
        usual(),
      );
      const folder = path.join(workspace.root, 'sub');
      assert.deepEqual(
        { output, exitCode, cwd, sandbox },
        { output: 'one\n', exitCode: 7, cwd: folder, sandbox: 'inside' },
      );
      const next = await terminal.run(
        'greet "$KEPT $COLOUR $FROM_PROFILE"; ls /; echo "[$HOME] [$MISSING_HERE]"',
        usual(),
      );
      assert.match(next.output, /^hello v green yes\n/);
      assert.match(next.output, new RegExp(`\\[${process.env['HOME']}\\] \\[\\]`));
      assert.doesNotMatch(next.output, /^(?:home|usr|var)$/m, 'nothing else of this machine is there');
      assert.equal(fs.readFileSync(workspace.at('notes.txt'), 'utf8'), 'one\ntwo\n');
      const network = await terminal.run('cat /proc/net/dev', usual());
      assert.doesNotMatch(network.output, /eth|enp|wl/);
      assert.match((await terminal.place()).words!, /no network/);
    });
    assert.deepEqual(engine.containers(), []);
  });

  it('continues a session in the folder for which its command was judged, or runs nothing', async () => {
    fs.mkdirSync(workspace.at('sub'));
    const judgedFor = (name: string) => ({ judgedFor: { folder: path.join(workspace.root, name), isUsed: true } });
    await within({}, async (terminal) => {
      const first = await terminal.run('pwd', usual(judgedFor('sub')));
      assert.deepEqual([first.output, first.isNewShell], [`${workspace.root}/sub\n`, true]);
      assert.match(first.note!, /The container is new/);
      const gone = await terminal.run('touch never-made', usual(judgedFor('gone')));
      assert.deepEqual([gone.end, gone.cwd, gone.isNewShell], ['not_run', workspace.at('sub'), undefined]);
      assert.deepEqual(fs.readdirSync(workspace.at('sub')), []);
    });
  });

  it('ends a timed-out command with all its processes and continues in the same shell', async () => {
    await within({}, async (terminal) => {
      await terminal.run('export KEPT=v', usual());
      const late = await terminal.run('echo begun; sleep 600; echo never', usual({ timeoutMs: 2000 }));
      assert.deepEqual([late.end, late.exitCode, late.output], ['timed_out', null, 'begun\n']);
      const deaf = await terminal.run(`bash -c 'trap "" INT; while :; do sleep 1; done'`, usual({ timeoutMs: 2000 }));
      assert.equal(deaf.end, 'timed_out');
      const { output } = await terminal.run('echo "$KEPT"; cat /proc/[0-9]*/cmdline | tr "\\000" " "', usual());
      assert.match(output, /^v\n/);
      assert.doesNotMatch(output, /sleep (?:600|1) /);
      const aborting = new AbortController();
      const running = terminal.run('sleep 600', usual({ signal: aborting.signal, onOutput: () => undefined }));
      setTimeout(() => aborting.abort(), 500);
      assert.equal((await running).end, 'interrupted');
      const gone = await terminal.run('exit 3', usual());
      assert.deepEqual([gone.end, gone.exitCode], ['shell_died', 3]);
      assert.equal((await terminal.run('pwd', usual())).output, `${workspace.root}\n`);
    });
  });

  it('saves long outputs completely in a file that can be read', async () => {
    await within({}, async (terminal) => {
      const { output, outputBytes, fullOutput } = await terminal.run('seq 1 20000', usual());
      assert.match(output, /omitted/);
      const whole = fs.readFileSync(fullOutput!, 'utf8');
      assert.equal(whole.length, outputBytes);
      assert.ok(whole.endsWith('19999\n20000\n'));
      assert.equal(path.dirname(fullOutput!), workspace.at('outputs'));
    });
  });

  it('does not let programs write its command folder or redirect its outputs through links', async () => {
    await within({}, async (terminal, container) => {
      fs.writeFileSync(workspace.at('secret'), 'not for you\n');
      const planted = `cd ${container.outputs} && for f in *; do rm $f; ln -s ${workspace.at('secret')} $f; done`;
      const { output } = await terminal.run(`${planted}; echo x > ${container.commands}/planted`, usual());
      assert.equal(output, '');
      assert.equal(fs.existsSync(path.join(container.commands, 'planted')), false);
    });
  });

  it('gives files created by its root to the folder’s owner, without opening them to others', async function () {
    if (process.getuid!() !== 0) return this.skip();
    const [owner, group] = [12_345, 12_346];
    workspace.place('secret.env', 'KEY=value\n');
    fs.chmodSync(workspace.at('secret.env'), 0o600);
    for (const place of [workspace.root, workspace.at('secret.env')]) fs.chownSync(place, owner, group);
    await within({}, async (terminal) => {
      const { exitCode } = await terminal.run(
        'mkdir made; echo x > made/file; chmod 700 made; ln -s / made/l',
        usual(),
      );
      assert.equal(exitCode, 0);
    });
    for (const name of ['made', 'made/file', 'made/l', 'secret.env']) {
      const { uid, gid } = fs.lstatSync(workspace.at(name));
      assert.deepEqual([uid, gid], [owner, group], name);
    }
    assert.equal(fs.statSync(workspace.at('secret.env')).mode & 0o777, 0o600);
    assert.equal(fs.statSync(workspace.at('made')).mode & 0o777, 0o700);
  });

  it('does not pass on this machine’s proxy, whose URL may contain a password', async () => {
    const before = process.env['https_proxy'];
    process.env['https_proxy'] = 'http://user:proxy-password@proxy.invalid';
    try {
      await within({}, async (terminal) => {
        assert.doesNotMatch((await terminal.run('env', usual())).output, /proxy\.invalid/);
      });
      await within({ forwardEnv: ['https_proxy'] }, async (terminal) => {
        assert.match((await terminal.run('env', usual())).output, /proxy\.invalid/, 'where a person forwards it');
      });
    } finally {
      if (before === undefined) delete process.env['https_proxy'];
      else process.env['https_proxy'] = before;
    }
  });

  it('ends when the process that started it is killed', async () => {
    const script = [
      "import { spawn } from 'node:child_process';",
      'const [executable, ...words] = process.argv.slice(1);',
      "const child = spawn(executable, words, { stdio: ['pipe', 'pipe', 'inherit'] });",
      "child.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'));",
    ].join('\n');
    const container = new Container(settings(), [workspace.root]);
    const words = container.startingWords;
    spawnSync(process.execPath, ['--input-type=module', '-e', script, engine.executable, ...words], {
      stdio: 'ignore',
    });
    const end = Date.now() + 60_000;
    while (engine.containers().length > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 100));
    assert.deepEqual(engine.containers(), []);
    await container.stop();
  });

  it('reports why it did not start', async () => {
    await assert.rejects(
      within({ image: 'localhost/waymark-missing:1' }, async (terminal) => void (await terminal.run('true', usual()))),
      /^Error: The container of localhost\/waymark-missing:1 did not start: .*(?:waymark-missing|from daemon: .*)/,
    );
    assert.throws(
      () => new Container(settings({ image: '--privileged' }), [workspace.root]),
      /not the name of an image/,
    );
    assert.deepEqual(engine.containers(), []);
  });
});

describe('a container engine', () => {
  const settings: ContainerSettings = { ...defaultContainer, executable: 'docker', image: 'python:3.11' };

  it('that is missing or does not answer is reported', async () => {
    await assert.rejects(
      needEngine({ ...settings, executable: 'no-such-engine' }),
      /There is no no-such-engine on the PATH, so no container can be started\. Install Docker or Podman/,
    );
    await assert.rejects(needEngine({ ...settings, executable: '/bin/false' }), /is installed but does not answer/);
    const folder = temporaryWorkspace();
    try {
      folder.place('engine', '#!/bin/sh\necho "Is the daemon running?" >&2\nexit 1\n');
      fs.chmodSync(folder.at('engine'), 0o755);
      await assert.rejects(
        needEngine({ ...settings, executable: folder.at('engine') }),
        /does not answer: Is the daemon running\. Start it/,
      );
    } finally {
      folder.stop();
    }
  });

  it('accepts only images from registries', () => {
    for (const name of ['python', 'python:3.11', 'docker:24-dind', 'localhost:5000/a/b:1', 'ghcr.io/a/b@sha256:00'])
      assert.equal(isImageName(name), true, name);
    for (const name of ['--privileged', '-v', '', 'a b', 'dir:/srv', 'oci-archive:/a.tar', 'docker://a', '/srv', 'a;b'])
      assert.equal(isImageName(name), false, name);
  });

  /** Where a container with these arguments runs commands without approval, and how a card describes it. */
  const placeOf = async (runArgs: string, { inCopies }: { readonly inCopies: boolean }) => {
    const container = new Container({ ...settings, executable: '/bin/true', runArgs: runArgs.split(' ') }, ['/srv/a'], {
      inCopies,
    });
    const terminal = new ContainerTerminal({ container, outputFolder: '/srv/outputs' });
    const { words } = await terminal.place();
    return { confined: await terminal.isConfined(), ownTemporary: await terminal.hasOwnTemporary(), words: words! };
  };

  it('counts as confining only in a copy, without network and without more access to this machine', async () => {
    const usualWords = '--rm --network none';
    const inCopy = await placeOf(`${usualWords} --memory 1g --cpus=2 --pids-limit 100`, { inCopies: true });
    assert.deepEqual([inCopy.confined, inCopy.ownTemporary], [true, true]);
    assert.match(inCopy.words, /^Runs in a container of python:3\.11: .* can write only this workspace, no network\.$/);
    // In a folder that users work in, nothing keeps a program from files that Git and editors obey.
    assert.equal((await placeOf(usualWords, { inCopies: false })).confined, false);
    for (const words of ['--rm', '--network none --network host', '--net=bridge', '--label --network=none']) {
      const { confined, words: told } = await placeOf(words, { inCopies: true });
      assert.equal(confined, false, words);
      assert.match(told, /the network of the container engine/, words);
    }
    for (const more of ['-v /:/host', '--privileged', '--volume=/tmp:/tmp', '--pid host', '--mount type=bind']) {
      const place = await placeOf(`${usualWords} ${more}`, { inCopies: true });
      assert.deepEqual([place.confined, place.ownTemporary], [false, false], more);
      assert.doesNotMatch(place.words, /only this workspace/);
      assert.ok(place.words.includes(more), place.words);
    }
  });

  it('runs nothing in plan mode', async () => {
    const container = new Container({ ...settings, executable: '/bin/true' }, ['/srv/a']);
    const { readOnly } = new ContainerTerminal({ container, outputFolder: '/srv/outputs' });
    await assert.rejects(readOnly.run('ls', usual()), /In plan mode, commands do not run in a container/);
  });

  it('can be stopped while an image loads', async function () {
    this.timeout(60_000);
    const workspace = temporaryWorkspace();
    // Prints nothing for an hour, like an engine that loads an image.
    workspace.place('engine', '#!/bin/sh\n[ "$1" = run ] && exec sleep 3600\nexit 0\n');
    fs.chmodSync(workspace.at('engine'), 0o755);
    const slow = { ...settings, executable: workspace.at('engine'), pullSeconds: 3600 };
    const container = new Container(slow, [workspace.root]);
    const terminal = new ContainerTerminal({ container, outputFolder: workspace.at('outputs') });
    try {
      const aborting = new AbortController();
      const running = terminal.run('true', usual({ signal: aborting.signal }));
      setTimeout(() => aborting.abort(), 100);
      assert.equal((await running).end, 'not_run');
      await terminal.dispose();
      await container.stop();
      await assert.rejects(container.start(), /did not start: It was ended before/);
    } finally {
      workspace.stop();
    }
  });

  it('gets arguments that the Docker command line accepts', function () {
    const hasDocker = spawnSync('docker', ['--version'], { stdio: 'ignore' }).status === 0;
    if (!hasDocker) {
      console.log('      skipped: this machine has no command line of Docker');
      return this.skip();
    }
    const workspace = temporaryWorkspace();
    const container = new Container({ ...settings, env: { A: 'b' }, forwardEnv: ['PATH'] }, [workspace.root]);
    try {
      const started = container.wordsFor(['bash', '-l'], 'mark').arguments;
      for (const words of [container.startingWords, started]) {
        // It parses its arguments before it connects to its service, which does not run at this address.
        const { stderr } = spawnSync('docker', ['--host', 'tcp://127.0.0.1:1', ...words], { encoding: 'utf8' });
        assert.doesNotMatch(stderr, /unknown|invalid|flag|requires|usage/i);
        assert.match(stderr, /connect/i);
      }
    } finally {
      void container.stop();
      workspace.stop();
    }
  });
});
