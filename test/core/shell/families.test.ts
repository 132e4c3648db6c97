import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { eachNamed } from '../../../src/core/shell/calls/manual';
import { optionTable, type Options } from '../../../src/core/shell/calls/options';
import { families } from '../../../src/core/shell/programs/families';
import type { Manual } from '../../../src/core/shell/calls/manual';
import { gitThemes } from '../../../src/core/shell/programs/git/git';

const folder = path.join(process.env.REPOSITORY!, 'src/core/shell/programs');
const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

describe('a family of programs', () => {
  it('shares no program with another family', () => {
    const names = families.flatMap(({ programs }) => Object.keys(programs));
    const twice = names.filter((name, at) => names.indexOf(name) < at);
    assert.ok(names.length > 700, `Only ${names.length} programs were checked.`);
    assert.deepEqual(twice, []);
  });

  it('shares no card texts with another family', () => {
    const names = families.flatMap(({ claims = {} }) => Object.keys(claims));
    assert.ok(names.length > 100, `Only ${names.length} programs were checked.`);
    assert.deepEqual(
      names.filter((name, at) => names.indexOf(name) < at),
      [],
    );
  });

  it('of Git shares no verb and no card text with another theme', () => {
    for (const names of [
      gitThemes.flatMap(({ verbs }) => Object.keys(verbs)),
      gitThemes.flatMap(({ claims = {} }) => Object.keys(claims)),
    ]) {
      assert.ok(names.length > 20, `Only ${names.length} verbs were checked.`);
      assert.deepEqual(
        names.filter((name, at) => names.indexOf(name) < at),
        [],
      );
    }
  });

  it('is listed in families.ts, in its folder or above', () => {
    const listed = files
      .filter((name) => path.basename(name) === 'families.ts')
      .flatMap((name) => {
        const imports = fs.readFileSync(path.join(folder, name), 'utf8').matchAll(/from '\.\/([\w/]+)'/g);
        return Array.from(imports, ([, each]) => path.posix.join(path.dirname(name), each!));
      });
    const declared = files.flatMap((name) => {
      const text = fs.readFileSync(path.join(folder, name), 'utf8');
      return /export const \w+: Family =/.test(text) ? [name.replaceAll('\\', '/').replace(/\.ts$/, '')] : [];
    });
    assert.equal(declared.length, families.length);
    assert.deepEqual(
      declared.filter((name) => !listed.includes(name)),
      [],
    );
  });

  it('names options with their leading - or +', () => {
    const wrong: string[] = [];
    const check = (name: string, { options = [], verbs = {}, bare }: Manual): void => {
      const names = [...optionTable(options).keys()];
      wrong.push(...names.filter((option) => !/^[-+]/.test(option)).map((option) => `${name}: ${option}`));
      for (const [verb, manual] of Object.entries(verbs)) check(`${name} ${verb}`, manual);
      if (bare) check(name, bare);
    };
    for (const { programs } of families) for (const [name, manual] of Object.entries(programs)) check(name, manual);
    assert.deepEqual(wrong, []);
  });

  it('lets a later option replace an earlier one', () => {
    const options: Options = [
      { names: '-f --file', takes: 'next', role: 'write', level: 'low' },
      [{ names: '--file', takes: 'next', role: 'read', level: 'high' }],
    ];
    assert.deepEqual(
      [...optionTable(options).values()].map(({ name, role, level }) => [name, role, level]),
      [
        ['-f', 'write', 'low'],
        ['--file', 'read', 'high'],
      ],
    );
    assert.deepEqual(Object.keys(eachNamed('a  b\n c', 1)), ['a', 'b', 'c']);
  });
});
