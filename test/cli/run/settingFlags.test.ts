import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { settingFlags } from '../../../src/core/settings/flags';
import { failure, reply, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';

describe('the flags for settings', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  it('are all in the help, in groups', () => {
    const cli = path.join(process.env.REPOSITORY!, 'dist/cli.js');
    const { stdout } = spawnSync(process.execPath, [cli, 'run', '--help'], { encoding: 'utf8' });
    const missing = settingFlags.filter(({ name }) => !new RegExp(`^ +(-\\w, )?${name}[ \\n]`, 'm').test(stdout));
    assert.deepEqual(missing, []);
    for (const group of new Set(settingFlags.map((flag) => flag.group)))
      assert.match(stdout, new RegExp(`^${group}:$`, 'm'));
  });

  it('are checked before anything runs, and errors name the flag', () =>
    onMachine([], async ({ run, server }) => {
      const fails = async (...options: string[]): Promise<string> => {
        const { code, stderr } = await run('Look.', ...options);
        assert.equal(code, 1, options.join(' '));
        return stderr;
      };
      assert.match(await fails('--prices', '{"m":{"input":1}}'), /--prices is invalid\. “m\.output” must be a number/);
      assert.match(await fails('--prices', 'cheap'), /--prices.*must be a JSON object/);
      assert.match(await fails('--stuck-window', 'some'), /--stuck-window.*a whole number of 0 or more/);
      assert.match(await fails('--critic', 'everything'), /--critic.*Allowed choices are profile, off/);
      assert.match(await fails('--verifier-similarity', '-1'), /--verifier-similarity.*a number of 0 or more/);
      assert.equal(server.requests.length, 0);
    }));

  it('can name a fallback model', () =>
    onMachine([failure(402, 'no credit'), reply('Done.')], async ({ run, server }) => {
      const { code, stderr } = await run('Look.', '--fallback', 'the-second');
      assert.equal(code, 0, stderr);
      assert.deepEqual(server.requests.map(({ body }) => body.model).at(-1), 'the-second');
    }));

  it('can set prices, so that a cost limit works', () =>
    onMachine(
      [toolCall('list_files', { path: '.' }), toolCall('list_files', { path: '.' }), reply('Done.')],
      async ({ run, events, server }) => {
        const prices = JSON.stringify({ unheard: { input: 1_000_000, output: 1_000_000 } });
        const { code } = await run('Look.', '--model', 'unheard', '--prices', prices, '--max-cost', '0.01');
        assert.equal(code, 2);
        assert.equal(server.requests.length, 1);
        assert.ok(events().some((event) => event.type === 'agent_response' && (event.usage?.cost ?? 0) > 0));
      },
    ));

  it('can set the temperature of candidates and the model that judges them', () =>
    onMachine(
      [
        toolCall('run_command', { command: 'touch one' }),
        toolCall('run_command', { command: 'echo completely different words > two.txt' }),
        reply('The best is 2.'),
        toolCall('finish', { summary: 'Done.' }),
        toolCall('finish', { summary: 'Done.' }),
      ],
      async ({ run, server, workspace }) => {
        const { code, stderr } = await run(
          'Make a file.',
          ...['--candidates', '2', '--sampling-temperature', '1', '--sampling-parallel', '1'],
          ...['--verifier', 'llm', '--verifier-model', 'the-judge', '--mode', 'auto'],
        );
        assert.equal(code, 0, stderr);
        assert.equal(server.requests[0]!.body.temperature, 1);
        assert.equal(server.requests[2]!.body.model, 'the-judge');
        assert.deepEqual(workspace.names(), ['two.txt']);
      },
    ));

  it('can pass a variable to commands that would otherwise not see it', () =>
    onMachine(
      [toolCall('run_command', { command: 'echo "<$COLOUR_OF_TEST>"' }), reply('Done.')],
      async ({ start, args, events }) => {
        const { code } = await start(args('Look.', '--mode', 'auto', '--pass-environment', 'COLOUR_OF_TEST'), {
          COLOUR_OF_TEST: 'blue',
        }).ended;
        assert.equal(code, 0);
        assert.match(JSON.stringify(events()), /<blue>/);
      },
    ));

  it('can define toolsets, and --toolsets selects from them', () =>
    onMachine([reply('Done.')], async ({ run, server }) => {
      const custom = JSON.stringify({ look: ['read_file', 'search_text'] });
      const { code, stderr } = await run('Look.', '--custom-toolsets', custom, '--toolsets', 'look');
      assert.equal(code, 0, stderr);
      const offered = server.requests[0]!.body.tools!.map((tool) => tool['function'].name as string);
      assert.ok(offered.includes('read_file') && !offered.includes('run_command'));
    }));
});
