import { strict as assert } from 'node:assert';
import { describeAction } from '../../../src/cli/consent/decide';
import { changeLines, firstChangeLines } from '../../../src/cli/output/changeLines';
import { escapeForTerminal } from '../../../src/cli/output/escapeForTerminal';
import type { Paint } from '../../../src/cli/output/paint';
import { fileChange } from '../../../src/core/tools/files/fileChange';
import type { Action } from '../../../src/protocol/events/event';

const plain: Paint = (_style, text) => escapeForTerminal(text);
const count = (lines: number): string => Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join('');

describe('the lines of a change at a terminal', () => {
  it('hide nothing of an edit that a person is asked about, except for known secrets', async () => {
    const text = ': -----BEGIN PRIVATE KEY-----; touch x\nsh://a:;touch${IFS}y;@b\n';
    const shown = changeLines([await fileChange('a.sh', null, text)], plain);
    assert.deepEqual(shown, [
      'a.sh (new)  +2 −0',
      '    1 + : -----BEGIN PRIVATE KEY-----; touch x',
      '    2 + sh://a:;touch${IFS}y;@b',
    ]);
  });

  it('are not shown instead of the input if they are not all known', async () => {
    const action = {
      summary: 'Write a.txt',
      tool: 'create_file',
      effect: 'writes',
      risk: { level: 'low', reasons: [] },
    };
    const describedFor = async (lines: number): Promise<string> => {
      const content = count(lines);
      const input = { path: 'a.txt', content };
      const preview = { changes: [await fileChange('a.txt', null, content)], written: [] };
      return describeAction({ ...action, input } as unknown as Action, undefined, preview);
    };
    assert.match(await describedFor(1000), / 1000 \+ line 1000\nRisk low/);
    assert.match(await describedFor(1001), /│ line 1001\n/);
  });

  it('are counted also if they are not all known', async () => {
    const lines = firstChangeLines([await fileChange('a.txt', null, count(1500))], plain, 12);
    assert.deepEqual([lines.length, lines[11], lines[12]], [13, '   12 + line 12', '… 1488 more lines']);
    assert.equal(firstChangeLines([await fileChange('a.txt', null, count(13))], plain, 12).length, 13);
  });

  it('are cut after an edit was made if they are very long', async () => {
    const [line = '', ...others] = firstChangeLines([await fileChange('a.js', null, 'x'.repeat(5000))], plain, 12);
    assert.deepEqual([line, others], [`    1 + ${'x'.repeat(200)}…`, []]);
  });

  it('show no private key', async () => {
    const key = [
      '-----BEGIN PRIVATE KEY-----',
      'MIIEvgIBADANBgkqhkiG9w0BAQEFAASC',
      'AAAAvgIBADANBg==',
      '-----END PRIVATE KEY-----',
    ];
    const removed = await fileChange('k.pem', `${key.join('\n')}\nafter\n`, null);
    for (const shown of [changeLines([removed], plain), firstChangeLines([removed], plain, 12)]) {
      assert.doesNotMatch(shown.join('\n'), /MIIE/);
      assert.match(shown.join('\n'), /5 - after$/);
    }
  });

  it('name a file on one line', async () => {
    const [name] = changeLines([await fileChange('a\n    1 + b', null, 'c\n')], plain);
    assert.equal(name, '"a\\n    1 + b" (new)  +1 −0');
  });
});
