import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { assessCommand } from '../../../../src/core/shell/assessCommand';
import { inBash } from './corpus';

const pieces = [
  'ls',
  'rm',
  '-rf',
  '~',
  '$x',
  '${x',
  '}',
  '$(',
  ')',
  '`',
  '"',
  "'",
  '\\',
  '|',
  '&&',
  ';',
  '\n',
  '<<E',
  'E',
  '<',
  '>',
  '{a,b}',
  '((',
  '))',
  '[[',
  ']]',
  'if',
  'then',
  'fi',
  'for',
  'do',
  'done',
  'case',
  'in',
  'esac',
  'f()',
  '=',
  '$((',
  '*',
  '?',
  '#',
  '!',
  '<(',
  "$'",
  'git',
  'sed',
  '-i',
  'awk',
  'find',
  '-exec',
  'npm',
  'run',
  'xargs',
  'env',
  '\u202e',
  '\0',
  '\r',
  'é',
  '🙂',
];
const judged = (text: string): void => assert.match(assessCommand(text).level, /^(low|medium|high)$/);

describe('the command analyzer', function () {
  this.timeout(60_000);
  it('returns a level for random text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), fc.constantFrom('', ' '), (parts, between) =>
        judged(parts.join(between)),
      ),
      { numRuns: 3000 },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), judged), { numRuns: 1000 });
  });
  it('returns a level for truncated, doubled and misspelled commands', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...inBash.map(({ command }) => command)),
        fc.nat(),
        fc.constantFrom(
          () => '',
          (command: string, place: number) => command.slice(place + 1),
          (command: string) => command,
        ),
        (command, at, rest) => {
          const place = at % (command.length + 1);
          judged(command.slice(0, place) + rest(command, place));
        },
      ),
      { numRuns: 3000 },
    );
  });
  it('returns a level for commands made to be slow', () => {
    const deep = (open: string, close: string, times: number): string =>
      open.repeat(times) + 'ls' + close.repeat(times);
    for (const text of [
      deep('(', ')', 4000),
      deep('$(', ')', 2500),
      deep('{ ', ';}', 2000),
      deep('bash -c "', '"', 700),
      '{a,b}'.repeat(1600),
      `echo ${'{a,b}'.repeat(40)}`,
      '!'.repeat(8000),
      'a|'.repeat(4000),
      'x='.repeat(4000),
      '['.repeat(8000),
      `${'if '.repeat(2000)}`,
      '"$('.repeat(2000),
      'ls '.repeat(100_000),
      `${'a=1 '.repeat(1900)}ls`,
    ])
      judged(text);
    assert.equal(assessCommand(`echo ${'{a,b}'.repeat(40)}`).level, 'high');
    assert.equal(assessCommand('ls '.repeat(100_000)).level, 'high');
  });
});
