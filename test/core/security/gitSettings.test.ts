import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { gitSettingsIn } from '../../../src/core/security/gitSettings';
import { Chance } from '../../chaos/chance';
import { temporaryWorkspace } from '../../support/temporaryWorkspace';

const headings = ['[core]', '[a.b]', '[Diff "x"]', '[diff "a\\"[b] # c"]', '[diff\t "\\x\r"]'];
const gaps = ['', '', ' ', '\t', '\n', '\r\n', '\r', '# [x] \\\n', ';\n'];
const keys = ['fsmonitor', 'A-1', 'external'];
const values = [
  'x',
  './x.sh',
  ' ',
  '\t',
  '\\\n',
  '\\\r\n',
  '"',
  '" ',
  '\\"',
  '\\\\',
  '\\t',
  '#',
  ';',
  '=',
  '[core]',
  '\0',
  'é',
];

describe('the settings in a configuration file of Git', () => {
  const workspace = temporaryWorkspace();
  after(() => workspace.stop());

  /** Returns undefined if Git does not accept the file. */
  const asGitReads = (text: string): string[] | undefined => {
    workspace.place('config', text);
    const words = ['config', '-z', '--list', '--no-includes', '--file', workspace.at('config')];
    const { status, stdout } = spawnSync('git', words, { encoding: 'utf8' });
    return status === 0 ? stdout.split('\0').slice(0, -1) : undefined;
  };
  const randomText = (chance: Chance): string => {
    const setting = (): string => {
      const key = `${chance.oneOf(keys)}${chance.oneOf(['', ' '])}`;
      if (chance.happens(0.2)) return `${key}\n`;
      return `${key}=${Array.from({ length: chance.below(5) }, () => chance.oneOf(values)).join('')}\n`;
    };
    const part = (): string => chance.oneOf(gaps) + (chance.happens(0.5) ? setting() : chance.oneOf(headings));
    return '[core]' + Array.from({ length: 1 + chance.below(5) }, part).join('');
  };
  /** Git keeps the case of what is in quotes. Its versions differ in which white space of a value they keep. */
  const comparable = (name: string, value: string): string => `${name.toLowerCase()} ${value.replace(/[ \t\r]/g, ' ')}`;

  it('are those that Git reads', function () {
    this.timeout(60_000);
    const chance = new Chance(7);
    let valid = 0;
    for (let run = 0; run < 200; run++) {
      const text = randomText(chance);
      const expected = asGitReads(text);
      if (!expected) continue;
      valid++;
      assert.deepEqual(
        gitSettingsIn(text).map(({ name, value }) => comparable(name, value)),
        expected.map((line) => {
          const [name = '', ...value] = line.split('\n');
          return comparable(name, value.length === 0 ? 'true' : value.join('\n'));
        }),
        JSON.stringify(text),
      );
    }
    assert.ok(valid > 50, `${valid} texts are valid.`);
  });
});
