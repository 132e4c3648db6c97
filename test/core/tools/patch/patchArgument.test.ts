import assert from 'node:assert/strict';
import { applyPatch } from '../../../../src/core/tools/native/applyPatch';
import { toolBench, type ToolBench } from '../../../support/toolBench';

const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch\n';
const heredoc = `apply_patch <<'EOF'\n${patch}EOF\n`;

/** The forms in which models of several agents send the same patch. */
const forms: Readonly<Record<string, unknown>> = {
  'the field patch': { patch },
  'the field input, as Codex has it': { input: patch },
  'the field patchText, as opencode has it': { patchText: patch },
  'the text alone': patch,
  'an argument list': ['apply_patch', patch],
  'an argument list in the field command': { command: ['apply_patch', patch] },
  'the other name of the command': { command: ['applypatch', patch] },
  'an argument list of a shell': { command: ['bash', '-lc', heredoc] },
  'a heredoc in the field command': { command: heredoc },
  'a heredoc alone': `<<'EOF'\n${patch}EOF`,
  'a heredoc for cat': `cat <<EOF\n${patch}EOF`,
  'a code fence': `\`\`\`\n${patch}\`\`\``,
};

describe('the argument of apply_patch', () => {
  let bench: ToolBench;
  beforeEach(() => {
    bench = toolBench();
    bench.place('a.txt', 'one\n');
  });
  afterEach(() => bench.stop());

  for (const [what, input] of Object.entries(forms)) {
    it(`may be ${what}`, async () => {
      assert.deepEqual(applyPatch.bind(input).touches.writes, ['a.txt']);
      assert.equal(applyPatch.bind(input).summary, 'Patch a.txt');
      const { content, failed } = await bench.use(applyPatch, input);
      assert.equal(failed, undefined, content);
      assert.equal(bench.text('a.txt'), 'two\n');
    });
  }

  it('is refused where it is another command', () => {
    const commands = [
      ['rm', '-rf', patch],
      ['bash', '-lc', `rm b; ${heredoc}`],
    ];
    const others = [...commands.map((command) => ({ command })), { path: 'a.txt' }, 7, null];
    for (const other of others) assert.throws(() => applyPatch.bind(other), /Invalid input for apply_patch/);
  });

  it('is refused where a command changes the folder first', async () => {
    const { content, failed } = await bench.use(applyPatch, { command: `cd sub && ${heredoc}` });
    assert.equal(failed, true);
    assert.match(content, /"cd" before the patch is not run/);
    assert.equal(bench.text('a.txt'), 'one\n');
  });

  it('is a unified diff where that comes first, whatever the files hold', async () => {
    bench.place('guide.md', '*** Begin Patch\nold\n');
    const lines = ['--- a/guide.md', '+++ b/guide.md', '@@ -1,2 +1,2 @@', ' *** Begin Patch', '-old', '+new', ''];
    const diff = lines.join('\n');
    assert.deepEqual(applyPatch.bind({ patch: diff }).touches.writes, ['guide.md']);
    await bench.use(applyPatch, { patch: diff });
    assert.equal(bench.text('guide.md'), '*** Begin Patch\nnew\n');
  });
});
