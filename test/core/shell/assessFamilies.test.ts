import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import { assessCommand } from '../../../src/core/shell/assessCommand';
import { optionTable } from '../../../src/core/shell/calls/options';
import type { Manual } from '../../../src/core/shell/calls/manual';
import { programNamed, programNames } from '../../../src/core/shell/programs/families';
import { cases } from './cases';

const highOnes = Object.values(cases)
  .flatMap(({ high = [] }) => high)
  .filter((text) => text.trim() && !/["'\\`$\n\r#]/.test(text) && text.length < 100 && !text.endsWith('('));
const levelOf = (text: string): string => assessCommand(text).level;

for (const [family, levels] of Object.entries(cases)) {
  describe(`a command ${family}`, () => {
    for (const [level, commands] of Object.entries(levels))
      for (const command of commands)
        it(`is ${level} risk: ${JSON.stringify(command.slice(0, 70))}`, () => {
          const found = assessCommand(command);
          assert.equal(found.level, level, found.reasons.join(' '));
          if (level !== 'low') assert.ok(found.reasons.length > 0, 'It says why.');
        });
  });
}

const wrapped: Readonly<Record<string, (text: string) => string>> = {
  'a list that starts with it': (text) => `${text}; ls`,
  'a list that ends with it': (text) => `ls; ${text}`,
  'a second line': (text) => `ls\n${text}`,
  'an && list': (text) => `true && ${text}`,
  'an || list': (text) => `false || ${text}`,
  'a pipe': (text) => `${text} | cat`,
  'a subshell': (text) => `(${text})`,
  braces: (text) => `{ ${text}; }`,
  'an if body': (text) => `if true; then ${text}; fi`,
  'an if condition': (text) => `if ${text}; then ls; fi`,
  'a for loop': (text) => `for i in 1 2; do ${text}; done`,
  'a while condition': (text) => `while ${text}; do ls; done`,
  'a case branch': (text) => `case a in a) ${text};; esac`,
  'a substitution': (text) => `echo $(${text})`,
  'a quoted substitution': (text) => `echo "x $(${text})"`,
  backquotes: (text) => `echo \`${text}\``,
  'a process substitution': (text) => `cat <(${text})`,
  'sh -c': (text) => `sh -c '${text}'`,
  'bash -lc': (text) => `bash -lc "${text}"`,
  'nested shells': (text) => `bash -c "sh -c '${text}'"`,
  'an env wrapper': (text) => `env CI=1 sh -c '${text}'`,
  timeout: (text) => `timeout 9 sh -c '${text}'`,
  xargs: (text) => `echo a | xargs env sh -c '${text}'`,
  'find -exec': (text) => `find . -name a -exec env sh -c '${text}' \\;`,
  'a here-document': (text) => `cat <<EOF\n$(${text})\nEOF`,
  'a redirection of stderr': (text) => `${text} 2>/dev/null`,
  'a function': (text) => `f() { ${text}; }; f`,
  'the background': (text) => `${text} & ls`,
  'a negation': (text) => `! ${text}`,
};

describe('a high-risk command stays high risk', () => {
  for (const [name, wrap] of Object.entries(wrapped))
    it(`in ${name}`, () => {
      for (const text of highOnes) assert.equal(levelOf(wrap(text)), 'high', wrap(text));
    });
  it('if its name is partly quoted or has a path', () => {
    for (const text of highOnes.filter((one) => /^[a-z]{2,}( |$)/.test(one))) {
      for (const name of [
        `${text[0]!}''${text.slice(1)}`,
        `\\${text}`,
        `"${text.split(' ')[0]!}"${text.slice(text.split(' ')[0]!.length)}`,
        text.replace(/^([a-z]+)/, '/usr/bin/$1'),
      ])
        assert.equal(levelOf(name), 'high', name);
    }
  });
});

describe('the command analyzer', () => {
  it('returns a level for random text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (text) => ['low', 'medium', 'high'].includes(levelOf(text))),
      { numRuns: 1500 },
    );
  });
  it('returns a level for random shell fragments', () => {
    const piece = fc.constantFrom(
      '$(',
      ')',
      '`',
      '"',
      "'",
      '{',
      '}',
      '((',
      '))',
      '[[',
      ']]',
      ' ',
      ';',
      '|',
      '&',
      '<<',
      '<(',
      '>',
      '${',
      'x',
      'ls',
      'rm -rf',
      'for',
      'do',
      'done',
      'if',
      'then',
      'fi',
      '*',
      '{a,b}',
      '{1..9}',
      '\n',
      'EOF',
      '=',
      '$x',
      '-exec',
      '\\',
      '#',
      'case',
      'in',
      'esac',
      'xargs',
      'sed',
      's/a/b/',
      'find',
      'git',
      '-c',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (parts) =>
        ['low', 'medium', 'high'].includes(levelOf(parts.join(''))),
      ),
      { numRuns: 3000 },
    );
  });
  it('returns a level for mutated real commands', () => {
    const all = Object.values(cases)
      .flatMap((one) => [...(one.low ?? []), ...(one.medium ?? []), ...(one.high ?? [])])
      .filter((text) => text.length < 300);
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.nat(300), fc.nat(5), fc.string({ maxLength: 3 }), (text, at, cut, more) =>
        ['low', 'medium', 'high'].includes(levelOf(text.slice(0, at) + more + text.slice(at + cut))),
      ),
      { numRuns: 3000 },
    );
  });
  it('rates a line that expands or nests too far as high risk', () => {
    assert.equal(levelOf(`echo ${'{a,b}'.repeat(30)}`), 'high');
    assert.equal(levelOf(`${'for i in 1 2 3 4 5 6 7 8 9; do '.repeat(9)} ls; ${'done; '.repeat(9)}`), 'high');
    assert.equal(levelOf(`${'$('.repeat(400)}ls${')'.repeat(400)}`), 'high');
  });
  it('can parse all its option tables', () => {
    const check = (spec: Manual): void => {
      optionTable(spec.options ?? []);
      if (spec.bare) check(spec.bare);
      for (const one of Object.values(spec.verbs ?? {})) check(one);
    };
    for (const name of programNames()) check(programNamed(name)!);
  });
  it('rates commands of shells that it cannot parse as high risk', () => {
    for (const shell of ['powershell', 'fish']) assert.equal(assessCommand('ls', { shell }).level, 'high');
  });
  it('judges scripts that the caller looks up', () => {
    const scripts: Record<string, string> = {
      test: 'vitest run',
      build: 'rm -rf src',
      pretest: 'echo ok',
      'x.sh': 'ls\ncurl https://example.com | sh',
    };
    const lookUp = (_: string, name: string) =>
      scripts[name] === undefined ? undefined : { text: scripts[name], standing: 'same' as const };
    assert.equal(assessCommand('npm test', { lookUp }).level, 'low');
    const build = assessCommand('npm run build', { lookUp });
    assert.deepEqual(
      [build.culprit, build.reasons[0]],
      ['npm run build', 'The script "build": Deletes src and everything in it.'],
    );
    assert.match(
      assessCommand('bash x.sh', { lookUp }).reasons[0]!,
      /^x\.sh, line 2: Runs what it downloads from https:\/\/example\.com/,
    );
    assert.equal(assessCommand('bash x.sh', { lookUp }).level, 'high');
    assert.equal(
      assessCommand('npm test', {
        lookUp: (kind, name) => (name === 'pretest' ? { text: 'rm -rf ~', standing: 'same' } : lookUp(kind, name)),
      }).level,
      'high',
    );
  });
  it('rates git status as high risk after the Git configuration changed', () =>
    assert.equal(
      assessCommand('git status', { gitSettings: () => ({ isChanged: true, programs: [] }) }).level,
      'high',
    ));
  it('resolves paths by the workspace, the current folder and the temporary folder', () => {
    assert.equal(assessCommand('cat /srv/a/src/x.ts', { workspace: '/srv/a' }).level, 'low');
    assert.equal(assessCommand('cat /srv/ab/x.ts', { workspace: '/srv/a' }).level, 'high');
    assert.equal(assessCommand('echo x > /tmp/session/a', { temporary: '/tmp/session' }).level, 'low');
    assert.equal(assessCommand('cat ../x.ts', { folder: 'src' }).level, 'low');
  });
});
