import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { gitFolder } from '../../../src/adapters/git/gitSettings';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

describe('the Git folder that Git uses', () => {
  let place: TemporaryWorkspace;
  beforeEach(() => {
    place = temporaryWorkspace();
    fs.mkdirSync(place.at('bare/.git/objects'), { recursive: true });
    fs.mkdirSync(place.at('bare/.git/refs'));
    fs.writeFileSync(place.at('bare/.git/HEAD'), 'ref: refs/heads/main\n');
    execFileSync('git', ['init', '-q', '--bare', place.at('bare')]);
  });
  afterEach(() => place.stop());

  const head = (text: string) => (): void => fs.writeFileSync(place.at('bare/.git/HEAD'), text, 'latin1');
  const refs = (mode: number) => (): void => {
    fs.rmdirSync(place.at('bare/.git/refs'));
    fs.writeFileSync(place.at('bare/.git/refs'), '', { mode });
  };
  /** Which Git uses of a bare repository and a `.git` in it. */
  const changes: Readonly<Record<string, readonly [string, () => void]>> = {
    'whose HEAD has a usual text': ['bare/.git', () => undefined],
    'whose HEAD has line breaks': ['bare/.git', head('ref:\n\nrefs/heads/main\n')],
    'whose HEAD is a commit in capitals': ['bare/.git', head(`${'A'.repeat(40)}\n`)],
    'whose HEAD just fits': ['bare/.git', head(`ref:${' '.repeat(246)}refs/heads/main\n`)],
    'whose HEAD is too long': ['bare', head(`ref:${' '.repeat(250)}refs/heads/main\n`)],
    'whose HEAD is in capitals': ['bare', head('REF: refs/heads/main\n')],
    'whose HEAD has a form feed': ['bare', head('ref:\frefs/heads/main\n')],
    'whose HEAD has a space that does not break': ['bare', head('ref:\u00a0refs/heads/main\n')],
    'whose refs are a file': ['bare', refs(0o644)],
    'whose refs are an executable file': ['bare/.git', refs(0o755)],
  };
  for (const [what, [expected, change]] of Object.entries(changes))
    it(`is ${expected} beside a .git ${what}`, async () => {
      change();
      const asked = { cwd: place.at('bare'), encoding: 'utf8' } as const;
      const used = execFileSync('git', ['rev-parse', '--absolute-git-dir'], asked).trim();
      assert.equal(fs.realpathSync(used), fs.realpathSync(place.at(expected)));
      assert.equal(await gitFolder(place.at('bare')), place.at(expected));
    });
});
