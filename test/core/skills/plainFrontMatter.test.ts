import assert from 'node:assert/strict';
import { readFrontMatter } from '../../../src/core/skills/frontMatter';
import { plainFields } from '../../../src/core/skills/plainFields';
import { seededRandom } from '../../../src/core/model/sampling/seededRandom';

const seed = Number(process.env['FILES_SEED'] ?? 20261123);
const rounds = 1500;

const names = [
  'name',
  'description',
  'Tools',
  'disable-model-invocation',
  'x',
  'true',
  'Null',
  '__proto__',
  '<<',
  'toString',
  '1',
  'a b',
  '"q"',
];
const pieces = [
  ...[
    'word',
    'Use',
    'when:',
    'https://x.org/a',
    'a:b',
    '#not',
    'C#',
    '# comment',
    '"quoted"',
    "it's",
    '[a]',
    '[a, b]',
    '{a: b}',
    '*',
  ],
  ...[
    '&a',
    '!tag',
    '@at',
    '`x`',
    '%',
    '|',
    '>',
    '- ',
    '-',
    '?',
    '~',
    'null',
    'True',
    'false',
    'NULL',
    'yes',
    '1.10',
    '0x1f',
    '.inf',
  ],
  ...['ünï', '日本', '\u00a0', '\u2028', '\ufeff', '😀', '\t', '\r', '  ', ',', ']', 'a,b', ''],
];

/** Returns each field, and the positions of the field and its value. */
function seen(text: string) {
  const { fields, written, rangeOf, valueAt, problems, present, firstLine, body } = readFrontMatter(text);
  const keys = [...Object.keys(fields), 'missing'];
  const places = keys.map((key) => [key, rangeOf(key), valueAt(key)]);
  return { fields, written, places, problems, present, firstLine, body };
}

describe('front matter of plain lines', function () {
  this.timeout(30_000);
  it('is read as the YAML parser reads it', () => {
    const random = seededRandom(seed);
    const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)]!;
    let plain = 0;
    for (let round = 0; round < rounds; round++) {
      const lines = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
        if (random() < 0.05) return '';
        const value = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
          random() < 0.7
            ? pick(['word', 'Use', 'https://x.org/a', 'a:b', "it's", 'ünï', '日本', '[a, b]'])
            : pick(pieces),
        ).join(' ');
        return `${random() < 0.02 ? '  ' : ''}${pick(names.slice(0, random() < 0.7 ? 5 : undefined))}:${random() < 0.97 ? ' ' : ''}${value}`;
      });
      const yaml = `${lines.join('\n')}\n`;
      if (!plainFields(yaml)) continue;
      plain++;
      const before = random() < 0.1 ? '\n' : '';
      // A trailing comment makes YAML read exactly the same lines.
      const comment = '# so\n';
      const [fast, whole] = ['', comment].map((more) => seen(`${before}---\n${yaml}${more}---\nBody.\n`));
      whole!.body = whole!.body.replace(comment, '');
      assert.deepEqual(fast, whole, `seed ${seed}, round ${round}: ${JSON.stringify(yaml)}`);
    }
    assert.ok(plain > rounds / 10, `Only ${plain} were plain.`);
  });
});
