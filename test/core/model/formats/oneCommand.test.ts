import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatFor } from '../../../../src/core/model/formats/formatFor';
import { replied } from './reply';

const never = (): boolean => false;
const fenced = formatFor({ kind: 'fenced', label: 'bash', tool: 'run' }, never);
const tagged = formatFor({ kind: 'tagged', tag: 'mswea_bash_command', tool: 'run' }, never);
const writes = {
  fenced: (command: string): string => `\`\`\`bash\n${command}\n\`\`\``,
  tagged: (command: string): string => `<mswea_bash_command>\n${command}\n</mswea_bash_command>`,
};

for (const [name, format, written] of [
  ['a fenced command', fenced, writes.fenced],
  ['a tagged command', tagged, writes.tagged],
] as const) {
  describe(name, () => {
    const commandIn = (text: string): unknown =>
      (format.read(replied(text)).groups[0]?.[0]?.input as { command: string } | undefined)?.command;

    it('is one call, with the words around it for people and the whole reply kept', () => {
      const text = `I look.\n\n${written('ls -la')}\nThen more.`;
      assert.deepEqual(format.read(replied(text)), {
        text: 'I look.\n\nThen more.',
        written: text,
        groups: [[{ id: '', tool: 'run', input: { command: 'ls -la' } }]],
      });
      assert.equal(format.sendsTools, false);
    });

    it('may have many lines, and stands as it was written', () => {
      const command = 'cat > a.html <<EOF\n<p>a &lt; b</p>\n`x`\n\n  <b>\nEOF';
      assert.equal(commandIn(written(command)), command);
      assert.equal(commandIn(written(command).replaceAll('\n', '\r\n')), command.replaceAll('\n', '\r\n'));
    });

    it('is needed once, and all that were found are kept', () => {
      const none = format.read(replied('Done.'));
      assert.deepEqual([none.groups, none.unreadCalls, none.text, none.written], [[], [], 'Done.', 'Done.']);
      assert.match(none.problem!, /contains no .*; exactly one is needed/);
      const two = format.read(replied(`${written('a')}\nor\n${written('b')}`));
      assert.deepEqual(
        [two.groups, two.unreadCalls],
        [
          [],
          [
            { tool: 'run', input: { command: 'a' } },
            { tool: 'run', input: { command: 'b' } },
          ],
        ],
      );
      assert.match(two.problem!, /contains 2 .*s/);
    });

    it('is not run when it is empty or not closed', () => {
      assert.match(format.read(replied(written(' '))).problem!, /is empty/);
      const open = written('ls').slice(0, -4);
      assert.deepEqual(format.read(replied(open)).groups, []);
      assert.match(format.read(replied(open)).problem!, /is incomplete/);
    });

    it('is not run when the reply was cut at the token limit', () => {
      for (const text of [written('ls'), written('ls').slice(0, -6), 'I think']) {
        const { groups, problem } = format.read(replied(text, 'length'));
        assert.deepEqual(groups, []);
        assert.match(problem!, /cut off at the token limit/);
      }
    });

    it('is one call or a problem, whatever the reply holds', () => {
      fc.assert(
        fc.property(
          fc.array(
            fc.constantFrom(
              '```bash\n',
              '```\n',
              '\n```',
              '````\n',
              'ls\n',
              ' ',
              '<mswea_bash_command>',
              '</mswea_bash_command>',
              '```js\n',
              '\r\n',
              '<',
            ),
            { maxLength: 12 },
          ),
          (pieces) => {
            const text = pieces.join('');
            const { groups, problem, written: kept } = format.read(replied(text));
            assert.equal(kept, text);
            assert.equal(groups.length === 1 && groups[0]!.length === 1, problem === undefined);
            if (problem === undefined) assert.ok(text.includes((groups[0]![0]!.input as { command: string }).command));
          },
        ),
        { numRuns: 1000 },
      );
    });

    it('comes back whole, whatever stands before and behind it', () => {
      const line = fc.string({ minLength: 1 }).filter((text) => !/[`\n\r]|mswea/.test(text) && text.trim() !== '');
      fc.assert(
        fc.property(line, line, line, (before, command, after) => {
          assert.equal(commandIn(`${before}\n${written(command)}\n${after}`), command.trim());
        }),
      );
    });
  });
}

describe('a fenced block', () => {
  const commandIn = (text: string): unknown =>
    (fenced.read(replied(text)).groups[0]?.[0]?.input as { command: string } | undefined)?.command;
  for (const [what, text, command] of [
    ['with another label does not count', `\`\`\`js\nx\n\`\`\`\n${writes.fenced('ls')}`, 'ls'],
    ['with a longer label does not count', '```bash_command\nls\n```', undefined],
    [
      'inside of a longer fence does not count',
      `\`\`\`\`md\n${writes.fenced('a')}\n\`\`\`\`\n${writes.fenced('b')}`,
      'b',
    ],
    ['may hold fences when its own is longer', '````bash\ncat <<E\n```\nx\n```\nE\n````', 'cat <<E\n```\nx\n```\nE'],
    ['may hold blocks with a label', '```bash\ncat <<E\n```js\nx\n```\nE\n```', 'cat <<E\n```js\nx\n```\nE'],
    ['may be indented a little', '  ```bash\n  ls\n  ```', 'ls'],
    ['may have blanks behind its fences', '```bash  \nls\n```  ', 'ls'],
    ['does not begin within a line', 'Use ```bash\nls\n```', undefined],
  ] as const) {
    it(what, () => assert.equal(commandIn(text), command));
  }
});
