import { strict as assert } from 'node:assert';
import { failure, reply, response, toolCall } from '../../support/modelServer';
import { ensureBuilt, onMachine, type Machine } from '../support/commandLine';

const right = toolCall('report_word', { word: 'lighthouse' });
const check = ({ start, server }: Machine, ...options: string[]) =>
  start(['check-model', '--base-url', server.baseUrl, '--model', 'gpt-5', ...options], {
    OPENAI_API_KEY: 'sk-test-123456',
  }).ended;

describe('waymark check-model', () => {
  before(ensureBuilt);

  it('prints what the model supports, one line per feature', () =>
    onMachine([right, reply('red')], async (machine) => {
      const { code, stdout, stderr } = await check(machine, '--images');
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(
        stdout,
        /^gpt-5 · openai-compatible at 127\.0\.0\.1:\d+\n {2}✓ answers +test-model answered\.\n {2}✓ tools +It called the tool correctly\.\n[\s\S]*\n {2}\? reasoning [\s\S]*\n {2}✓ pictures +test-model saw the red square\.\n {2}✓ usage /,
      );
      assert.equal(machine.server.requests[0]!.headers.authorization, 'Bearer sk-test-123456');
    }));

  it('uses the Responses API and prints JSON on request', () =>
    onMachine([response('lighthouse, it is')], async (machine) => {
      const { code, stdout } = await check(machine, '--protocol', 'responses', '--json');
      const { model, findings } = JSON.parse(stdout) as { model: string; findings: { item: string; state: string }[] };
      assert.deepEqual(
        [code, model, findings.find(({ item }) => item === 'tools')?.state, machine.server.requests[0]!.path],
        [0, 'gpt-5', 'no', '/v1/responses'],
      );
    }));

  for (const [tokens, finding] of [
    [32_768, /✓ context window It reads up to 32,768 tokens\.$/m],
    [4_096, /✗ context window It reads only 4,096 tokens, which is too little\. .*OLLAMA_CONTEXT_LENGTH/],
  ] as const) {
    it(`reads a context window of ${tokens} from the list of a server with one model`, () =>
      onMachine(
        [right],
        async ({ start, server }) => {
          const { stdout } = await start(['check-model', '--base-url', server.baseUrl, '--model', 'mine'], {
            OPENAI_API_KEY: 'sk-test-123456',
          }).ended;
          assert.match(stdout, finding);
        },
        { models: [{ id: 'mine.gguf', object: 'model', owned_by: 'llamacpp', meta: { n_ctx: tokens } }] },
      ));
  }

  for (const tokens of [12, 1e300]) {
    it(`takes ${tokens} for no context window`, () =>
      onMachine(
        [right],
        async ({ start, server }) => {
          const { stdout } = await start(['check-model', '--base-url', server.baseUrl, '--model', 'mine']).ended;
          assert.match(stdout, /\? context window Its context window is unknown\./);
        },
        { models: [{ id: 'mine', meta: { n_ctx: tokens } }] },
      ));
  }

  it('escapes control characters of a server and shows no key that it repeats', () =>
    onMachine([reply('Your key is sk-test-123456.', { model: '\u001b]0;title\u0007red\u202e' })], async (machine) => {
      const { stdout } = await check(machine);
      assert.doesNotMatch(stdout, /[^\P{Cc}\n]|\u202e|sk-test-123456/u);
      assert.match(stdout, /\\u\{1b\}\]0;title\\u\{7\}red\\u\{202e\} answered\./);
    }));

  it('says why a model does not answer, and fails', () =>
    onMachine([failure(401, 'no such key sk-test-123456')], async (machine) => {
      const { code, stdout } = await check(machine);
      assert.equal(code, 1);
      assert.match(stdout, /✗ answers +The model server did not accept the key\./);
      assert.ok(!stdout.includes('sk-test-123456'));
      assert.match(
        stdout,
        /environment variable OPENAI_API_KEY to a valid key, or name another variable with --api-key-env/,
      );
      assert.doesNotMatch(stdout, /Waymark: |waymark\./);
    }));

  it('requires an address and a model name', () =>
    onMachine([], async ({ start }) => {
      const nothing = await start(['check-model']).ended;
      assert.deepEqual([nothing.code, /Give --model, and --provider or --base-url/.test(nothing.stderr)], [1, true]);
      const { code, stderr } = await start(['check-model', '--model', 'x']).ended;
      assert.equal(code, 1);
      assert.match(stderr, /does not know which server has the model x\. Give --provider or --base-url/);
    }));
});
