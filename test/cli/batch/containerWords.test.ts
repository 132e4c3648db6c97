import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { engineOnHost, type EngineCall, type EngineOnHost } from '../../support/containers/engineOnHost';
import { finish, jsonLines, onBatchMachine, step, type BatchMachine } from './support';

/** Settings of DockerEnvironmentConfig in mini-swe-agent 2. */
interface MiniSettings {
  readonly image: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly forward_env: readonly string[];
  readonly run_args: readonly string[];
  readonly container_timeout: string;
  readonly interpreter: readonly string[];
}

/** The arguments that mini-swe-agent passes to its engine, as in its docker.py. */
function wordsOfMini(settings: MiniSettings, environment: NodeJS.ProcessEnv) {
  const { image, cwd, env, forward_env, run_args, container_timeout, interpreter } = settings;
  const forwarded = forward_env.filter((name) => environment[name] !== undefined);
  const variables = [...forwarded.map((name) => `${name}=${environment[name]}`)];
  variables.push(...Object.entries(env).map(([name, value]) => `${name}=${value}`));
  return {
    run: ['run', '-d', '--name', 'minisweagent-1', '-w', cwd, ...run_args, image, 'sleep', container_timeout],
    exec: ['exec', '-w', cwd, ...variables.flatMap((each) => ['-e', each]), 'minisweagent-1', ...interpreter, 'true'],
  };
}

const optionsOf = ({ options }: EngineCall, ...names: string[]): string[] =>
  options.filter(([name]) => names.includes(name)).map(([name, value]) => (value === '' ? name : `${name} ${value}`));

/** A machine with an engine on its PATH that runs everything on the machine itself. */
const withEngine = (use: (machine: BatchMachine, engine: EngineOnHost) => Promise<void>): Promise<void> =>
  onBatchMachine(async (machine) => {
    const engine = engineOnHost(machine.at('bin'));
    machine.environment['PATH'] = `${machine.at('bin')}${path.delimiter}${process.env['PATH']}`;
    await use(machine, engine);
  });

describe('the arguments that waymark batch passes to a container engine', function () {
  this.timeout(240_000);

  it('match those of mini-swe-agent with the same settings', async () => {
    await withEngine(async (machine, engine) => {
      machine.write('bin/image/testbed/notes.txt', 'of the image\n');
      machine.write('script.jsonl', jsonLines([step('echo "$GREETING $COLOUR" >> notes.txt'), finish()]));
      machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.', image: 'docker.io/library/python:3.12' }]));
      Object.assign(machine.environment, { COLOUR: 'green-here', GREETING: 'never' });
      const settings: MiniSettings = {
        image: 'docker.io/library/python:3.12',
        cwd: '/testbed',
        env: { GREETING: 'hello' },
        // Values of env take precedence, and variables that are not set here are omitted.
        forward_env: ['COLOUR', 'GREETING', 'MISSING_HERE'],
        run_args: ['--rm', '--memory', '1g', '--network', 'none'],
        container_timeout: '3h',
        interpreter: ['bash', '-lc'],
      };
      const { code, stderr } = await machine.batch(
        ...['--script', 'script.jsonl', '--environment-class', 'docker', '--container-cwd', settings.cwd],
        ...['--container-env', 'GREETING=hello', ...settings.forward_env.flatMap((name) => ['--forward-env', name])],
        ...['--container-run-args', settings.run_args.join(' '), '--container-timeout', settings.container_timeout],
      );
      assert.equal(code, 0, stderr);
      const [row] = machine.results();
      assert.match(row!.patch, /\n of the image\n\+hello green-here\n/, row!.reason);

      const words = wordsOfMini(settings, machine.environment);
      const mini = { run: engine.reads(words.run, {}), exec: engine.reads(words.exec, {}) };
      const calls = engine.calls();
      const run = calls.findLast(({ command }) => command === 'run')!;
      const exec = calls.find(({ words: [shell, ...more] }) => shell === 'bash' && more.includes('-l'))!;
      assert.equal(run.target, mini.run.target, 'the image');
      const given = ['rm', 'memory', 'network'];
      assert.deepEqual(optionsOf(run, ...given), optionsOf(mini.run, ...given), 'run_args, in their order');
      assert.equal(run.words.at(-1), mini.run.words.at(-1), 'container_timeout');
      const mounted = optionsOf(run, 'mount').some((mount) => mount.endsWith(`,target=${settings.cwd}`));
      assert.ok(mounted, 'cwd is where the container sees the folder');
      assert.deepEqual(optionsOf(run, 'workdir'), optionsOf(exec, 'workdir'), 'commands begin in the folder');
      const { COLOUR, GREETING, ...others } = exec.variables;
      assert.deepEqual({ GREETING, COLOUR }, mini.exec.variables, 'env and forward_env');
      assert.deepEqual(
        Object.keys(others).sort(),
        ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0', 'WAYMARK_SHELL'],
        'and nothing else of this machine',
      );
      // The value of a forwarded variable is in no argument that other users of the machine can see.
      assert.doesNotMatch(JSON.stringify(calls.map((call) => [call.options, call.words])), /green-here/);
      assert.equal(`${exec.words[0]} -lc`, mini.exec.words.slice(0, 2).join(' '), 'the interpreter: a login shell');
      assert.deepEqual(machine.leftovers(), []);
      assert.deepEqual(running(machine), [], 'no container is left');
    });
  });

  it('name the image that SWE-bench publishes, and one container for each task and for each of its checks', async () => {
    await withEngine(async (machine, engine) => {
      machine.write('bin/image/testbed/value.txt', 'wrong\n');
      machine.write('script.jsonl', jsonLines([step('echo right > value.txt'), finish()]));
      const instance = {
        problem_statement: 'Make it right.',
        base_commit: 'HEAD',
        FAIL_TO_PASS: '["grep -q right value.txt"]',
        PASS_TO_PASS: '[]',
      };
      const ids = ['Org__one-1', 'org__two-2'];
      machine.write('tasks.json', JSON.stringify(ids.map((id) => ({ ...instance, instance_id: id }))));
      const place = ['--environment', 'docker', '--container-cwd', '/testbed', '--confirm', 'never'];
      const words = ['eval', 'tasks.json', '--out', 'out', '--script', 'script.jsonl', '--num-workers', '1', ...place];
      const { code, stdout, stderr } = await machine.start(...words).ended;
      assert.equal(code, 0, stderr);
      assert.match(
        stdout,
        /2\/2 \(100\.0%\)/,
        machine
          .results()
          .map(({ reason }) => reason)
          .join('\n'),
      );
      const images = engine.calls().flatMap(({ command, target }) => (command === 'run' ? [target] : []));
      assert.deepEqual(
        [...new Set(images)],
        [
          'docker.io/swebench/sweb.eval.x86_64.org_1776_one-1:latest',
          'docker.io/swebench/sweb.eval.x86_64.org_1776_two-2:latest',
        ],
      );
      const names = engine
        .calls()
        .filter(({ command }) => command === 'run')
        .flatMap((call) => optionsOf(call, 'name'));
      assert.equal(new Set(names).size, names.length, 'a container of its own each time');
      assert.deepEqual(running(machine), []);
    });
  });

  it('lead to a clear message if the engine does not answer', async () => {
    await withEngine(async (machine) => {
      machine.write('tasks.jsonl', jsonLines([{ id: 'a', prompt: 'Do.' }]));
      machine.write('script.jsonl', jsonLines([finish()]));
      const scripted = ['--script', 'script.jsonl', '--environment', 'docker', '--image', 'python:3.12'];
      machine.write('bin/docker', '#!/bin/sh\necho "Cannot connect to the Docker daemon." >&2\nexit 1\n');
      const silent = await machine.batch(...scripted);
      assert.equal(silent.code, 1);
      assert.match(
        silent.stderr,
        /docker is installed but does not answer: Cannot connect to the Docker daemon\. Start it, or omit --environment\./,
      );
      assert.equal(fs.existsSync(machine.at('out')), false, 'nothing was begun');
    });
  });
});

const running = (machine: BatchMachine): string[] =>
  fs.readdirSync(machine.at('bin')).filter((name) => name.startsWith('running-'));
