import { strict as assert } from 'node:assert';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = process.env['REPOSITORY']!;
const read = (page: string): string => fs.readFileSync(path.join(root, 'docs/architecture', page), 'utf8');

/** Returns the first fenced block of a page, without its indentation in a list. */
function block(page: string): string {
  const [, indent, text] = /^( *)```(?:ts|text)\n([\s\S]*?)^ *```/m.exec(read(page))!;
  return text!.replace(new RegExp(`^${indent}`, 'gm'), '');
}

/** Adds the example of each guide to a copy of the repository. */
class Copy {
  readonly folder = fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-guides-'));

  constructor() {
    for (const part of ['package.json', 'tsconfig.json', 'scripts', 'src', 'test/support'])
      fs.cpSync(path.join(root, part), path.join(this.folder, part), { recursive: true });
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(this.folder, 'node_modules'));
  }

  add(file: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(this.folder, file)), { recursive: true });
    fs.writeFileSync(path.join(this.folder, file), text, { flag: 'wx' });
  }

  change(file: string, place: string, text: string): void {
    const before = fs.readFileSync(path.join(this.folder, file), 'utf8');
    assert.ok(before.includes(place), `${file} has no ${place}`);
    fs.writeFileSync(
      path.join(this.folder, file),
      before.replace(place, () => text),
    );
  }
}

/** Rows of the table of the guide: command, level and the reason on the card. */
const rows = [...read('adding-a-program.md').matchAll(/^\| `(pijul [^`]+)` \| (\w+) \| (.*?) ?\|$/gm)].map(
  ([, command, level, reason]) => ({ command: command!, level: level!, reason: reason! }),
);

describe('the examples of the architecture guides', function () {
  this.timeout(300_000);
  let copy: Copy;
  before(() => {
    copy = new Copy();
    copy.add('src/core/shell/programs/pijul.ts', block('adding-a-program.md'));
    const families = 'src/core/shell/programs/families.ts';
    const list = 'export const families: readonly Family[] = [';
    copy.change(
      families,
      list,
      `${list}
  pijulFamily,`,
    );
    copy.change(families, 'import ', "import { pijulFamily } from './pijul';\nimport ");
    copy.add('src/core/profiles/careful.ts', block('adding-a-profile.md'));
    copy.change(
      'src/core/profiles/profiles.ts',
      '  workgraphJsonProfile,\n];',
      '  workgraphJsonProfile,\n  carefulProfile,\n];',
    );
    copy.change('src/core/profiles/profiles.ts', 'import ', "import { carefulProfile } from './careful';\nimport ");
    copy.change(
      'src/core/model/providers/providers.ts',
      "  {\n    id: 'groq',",
      `${block('adding-a-provider.md')}  {\n    id: 'groq',`,
    );
    copy.change(
      'src/core/settings/groups/limits.ts',
      "  'stuck.window':",
      `${block('adding-a-setting.md')}  'stuck.window':`,
    );
  });
  after(() => fs.rmSync(copy.folder, { recursive: true, force: true }));

  it('compile', () => {
    const project = { extends: './tsconfig.json', include: ['src/core', 'src/protocol'] };
    copy.add('tsconfig.guides.json', JSON.stringify(project));
    const tsc = path.join(root, 'node_modules/typescript7/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', 'tsconfig.guides.json'], {
      cwd: copy.folder,
      encoding: 'utf8',
    });
    assert.equal(stdout, '');
  });

  it('do what the guides say', () => {
    assert.ok(rows.length > 5);
    copy.add(
      'test/core/guides.test.ts',
      `import { strict as assert } from 'node:assert';
      import { assessCommand } from '../../src/core/shell/assessCommand';
      import { profileNamed } from '../../src/core/profiles/profiles';
      import { providers } from '../../src/core/model/providers/providers';
      import { settings } from '../../src/core/settings/table';
      describe('an example', () => {
        for (const { command, level, reason } of ${JSON.stringify(rows)})
          it('judges ' + command, () => {
            const found = assessCommand(command);
            assert.deepEqual([found.level, found.reasons[0] ?? ''], [level, reason]);
          });
        it('is a profile', () => assert.equal(profileNamed('careful').limits.steps, 50));
        it('is a provider', () => assert.ok(providers.some(({ id }) => id === 'harbour')));
        it('is a setting with a flag', () => assert.equal(settings['limits.replies'].flag.keptInLog, true));
      });`,
    );
    const output = execFileSync(process.execPath, [path.join(copy.folder, 'scripts/unit.mjs'), 'core/guides.test.ts'], {
      cwd: copy.folder,
      encoding: 'utf8',
      env: { ...process.env, MOCHA_REPORTER: 'spec' },
    });
    assert.match(output, new RegExp(`${rows.length + 3} passing`));
  });
});
