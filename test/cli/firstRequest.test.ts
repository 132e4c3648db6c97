// The first request to the model: every session pays for its size, and its wording decides whether the first calls are
// correct.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { toolCall } from '../support/modelServer';
import { ensureBuilt, onMachine } from './support/commandLine';

const mostBytes = 6100;
const finishing = toolCall('finish', { summary: 'Done.' });

describe('the first request of a normal run', function () {
  this.timeout(60_000);
  before(ensureBuilt);

  for (const model of ['some-model', 'gpt-5', 'claude-opus-4', 'gemini-2.5-pro']) {
    it(`has at most ${mostBytes.toLocaleString('en')} bytes for ${model}`, () =>
      onMachine([finishing], async ({ run, server }) => {
        assert.equal((await run('Fix the bug.', '--confirm', 'never', '--model', model)).code, 0);
        const [first] = server.requests;
        assert.equal(first!.body.model, model);
        assert.ok(first!.body.tools!.length >= 10, 'the tools were offered');
        const bytes = Buffer.byteLength(first!.text);
        assert.ok(bytes <= mostBytes, `${bytes} bytes`);
      }));
  }

  it('contains date, platform, shell and Git status in one line', () =>
    onMachine([finishing], async ({ run, workspace, server }) => {
      execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: workspace.root });
      workspace.place('a.txt', 'a\n');
      assert.equal((await run('Fix the bug.', '--confirm', 'never')).code, 0);
      const line = String(server.requests[0]!.body.messages[0]!['content'])
        .split('\n')
        .find((each) => each.startsWith('Date:'));
      assert.match(
        line ?? '',
        /^Date: \d{4}-\d\d-\d\d\. System: linux, shell bash\. Git at the start: branch main, 1 changed file\. Paths are relative to \S+\.$/,
      );
    }));

  it('is followed by a request with the picture that a tool call read', () =>
    onMachine([toolCall('read_file', { path: 'dot.gif' }), finishing], async ({ run, workspace, server }) => {
      const gif = 'R0lGODlhAwACAIAAAP8AAAAAACH5BAAAAAAALAAAAAADAAIAAAIDhI9WADs=';
      workspace.place('dot.gif', Buffer.from(gif, 'base64'));
      assert.equal((await run('What is it?', '--confirm', 'never')).code, 0);
      const { messages } = server.requests[1]!.body;
      assert.equal(
        messages.find(({ role }) => role === 'tool')!['content'],
        'dot.gif: a picture, image/gif, 3 × 2 pixels, 44 bytes. It is shown after the results.',
      );
      const last = messages.at(-1)!;
      assert.equal(last['role'], 'user');
      assert.deepEqual(last['content'][0], { type: 'image_url', image_url: { url: `data:image/gif;base64,${gif}` } });
    }));
});
