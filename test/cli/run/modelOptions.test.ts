import assert from 'node:assert/strict';
import fs from 'node:fs';
import { failure, reply, startModelServer, type ModelServer } from '../../support/modelServer';
import { ensureBuilt, onMachine } from '../support/commandLine';

describe('the model of the command line', () => {
  before(function () {
    this.timeout(60_000);
    ensureBuilt();
  });

  it('receives the rules, parameters, headers and extra fields of its provider', () =>
    onMachine(
      [reply('Done.')],
      async ({ server, start, workspace, log }) => {
        const { code, stderr } = await start(
          [
            'run',
            'Look.',
            '--provider',
            'mistral',
            '--base-url',
            server.baseUrl,
            '--model',
            'mistral-large',
            '--cwd',
            workspace.root,
            '--log',
            log,
            '--reasoning-effort',
            'low',
            '--temperature',
            '0.2',
            '--header',
            'X-Team: ${env:TEAM_OF_TEST}',
            '--header',
            'x-two:2',
            '--extra-body',
            '{"safe_prompt":true}',
          ],
          { MISTRAL_API_KEY: 'key-of-mistral', OPENAI_API_KEY: 'key-of-openai', TEAM_OF_TEST: 'team-1234567' },
        ).ended;
        assert.equal(code, 0, stderr);
        const { headers, body } = server.requests[0]!;
        assert.deepEqual(
          [headers.authorization, headers['x-team'], headers['x-two']],
          ['Bearer key-of-mistral', 'team-1234567', '2'],
        );
        assert.deepEqual(
          [body.reasoning_effort, body.temperature, body.safe_prompt, 'stream_options' in body],
          ['high', 0.2, true, false],
        );
      },
      { takes: ['safe_prompt'] },
    ));

  it('is not a script beside an invalid address', () =>
    onMachine([], async ({ start, workspace, log }) => {
      workspace.place('script.jsonl', '{"say":"Done."}\n');
      const run = ['run', 'Look.', '--script', 'script.jsonl', '--log', log];
      const refused = await start([...run, '--base-url', 'localhost-8080/v1']).ended;
      assert.equal(refused.code, 1);
      assert.match(
        refused.stderr,
        /^The address of the model server cannot be used\. “localhost-8080\/v1” is not an http/,
      );
      assert.ok(!fs.existsSync(log));
      const played = await start([...run, '--base-url', 'http://127.0.0.1:1/v1']).ended;
      assert.equal(played.code, 0, played.stderr);
    }));

  it('never receives the key of another provider', () =>
    onMachine([reply('Done.')], async ({ server, start, workspace, log }) => {
      const common = ['--base-url', server.baseUrl, '--model', 'm', '--cwd', workspace.root];
      await start(['run', 'Look.', '--provider', 'groq', ...common, '--log', log], { OPENAI_API_KEY: 'key-of-openai' })
        .ended;
      assert.equal(server.requests[0]!.headers.authorization, undefined);
    }));

  it('receives OPENAI_API_KEY, or the key that is named, if its server is unknown; an unknown fallback gets no key', () =>
    onMachine([failure(402, 'no credit'), failure(402, 'no credit')], async ({ server, start, workspace, log }) => {
      const fallback = await startModelServer([reply('Done.'), reply('Done.')]);
      const run = (name: string, ...options: string[]) =>
        start(
          [
            ...['run', 'Look.', '--base-url', server.baseUrl, '--model', 'm', '--cwd', workspace.root],
            ...['--fallback', `${fallback.baseUrl} other`, '--log', `${log}.${name}`, ...options],
          ],
          { OPENAI_API_KEY: 'key-of-openai', KEY_OF_TEAM: 'key-of-team' },
        ).ended;
      try {
        assert.equal((await run('usual')).code, 0);
        assert.equal((await run('named', '--api-key-env', 'KEY_OF_TEAM')).code, 0);
        const keysAt = ({ requests }: ModelServer) => requests.map(({ headers }) => headers.authorization);
        assert.deepEqual(keysAt(server), ['Bearer key-of-openai', 'Bearer key-of-team']);
        assert.deepEqual(keysAt(fallback), [undefined, undefined]);
      } finally {
        await fallback.stop();
      }
    }));

  it('is rejected with an explanation if something is missing or wrong', () =>
    onMachine([], async ({ start }) => {
      const fails = async (...options: string[]): Promise<string> => {
        const { code, stderr } = await start(['run', 'Look.', ...options]).ended;
        assert.equal(code, 1);
        return stderr;
      };
      assert.match(await fails('--provider', 'ollama'), /No model chosen\. Give --model, and --provider or --base-url/);
      assert.match(
        await fails('--model', 'x'),
        /does not know which server has the model x\. Give --provider or --base-url/,
      );
      assert.match(
        await fails('--provider', 'mistrall', '--model', 'x'),
        /There is no provider “mistrall”\. Name one of openai, anthropic/,
      );
      assert.match(
        await fails('--provider', 'azure', '--model', 'x'),
        /still contains the word RESOURCE\. Set --base-url/,
      );
      assert.match(
        await fails('--provider', 'groq', '--model', 'x', '--header', 'X-A: ${env:NOT_THERE}'),
        /environment variable NOT_THERE is not set/,
      );
      assert.match(
        await fails('--provider', 'anthropic', '--model', 'x'),
        /^Anthropic requires an API key, and none was found in the environment variable ANTHROPIC_API_KEY\. Set ANTHROPIC_API_KEY, or name another variable with --api-key-env\. You get a key at https:\/\/console\./,
      );
      assert.match(
        await fails('--base-url', 'https://generativelanguage.googleapis.com/v1beta/openai', '--model', 'x'),
        /none was found in the environment variables GEMINI_API_KEY and GOOGLE_API_KEY\. Set GEMINI_API_KEY/,
      );
      assert.match(
        await fails('--provider', 'openai', '--model', 'x', '--api-key-env', 'KEY_OF_TEAM'),
        /none was found in the environment variable KEY_OF_TEAM\. Set KEY_OF_TEAM/,
      );
      const listed = await start(['check-model', '--provider', 'groq', '--model', 'x']).ended;
      assert.match(listed.stderr, /Groq requires an API key/);
      assert.match(await fails('--header', 'nonsense'), /a name, a colon and a value/);
      assert.match(await fails('--extra-body', '[1]'), /must be a JSON object/);
      assert.match(await fails('--temperature', '3'), /a number from 0 to 2/);
    }));
});
