import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { GitTexts } from '../../../src/adapters/git/gitTexts';
import { withoutSecretFiles } from '../../../src/core/context/withoutSecretFiles';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** Content of a message that mentions `@git`, in a folder with `private/` in its .agentignore. */
const shown = (text: string | undefined): string =>
  withoutSecretFiles(text ?? '', (name) => name.startsWith('private/'));

describe('a Git diff that a message refers to', function () {
  this.timeout(60_000);
  let place: TemporaryWorkspace;
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', '-c', 'commit.gpgsign=false', ...args],
      { cwd: place.root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
    );
  const commit = (files: Record<string, string>, words: string): void => {
    for (const [name, text] of Object.entries(files)) place.place(name, text);
    git('add', '-A', '-f');
    git('commit', '-q', '-m', words);
  };
  before(function () {
    try {
      execFileSync('git', ['--version']);
    } catch {
      this.skip();
    }
  });
  beforeEach(() => {
    place = temporaryWorkspace();
    git('init', '-q', '-b', 'main');
    commit(
      {
        'app/.env': 'A=old\n',
        'app/private/p.txt': 'old\n',
        'app/src/a.txt': 'old\n',
        'other/o.txt': 'old\n',
        'app/my file.txt': 'old\n',
      },
      'First',
    );
  });
  afterEach(() => place.stop());

  const changeAll = (word: string): void => {
    for (const name of ['app/.env', 'app/private/p.txt', 'app/src/a.txt', 'other/o.txt', 'app/my file.txt'])
      place.place(name, `${word} of ${name}\n`);
  };
  const holdsOnlyTheRest = (text: string, word: string): void => {
    assert.match(text, new RegExp(`${word} of app/src/a\\.txt`));
    assert.match(text, new RegExp(`${word} of app/my file\\.txt`));
    assert.doesNotMatch(text, new RegExp(`${word} of (app/\\.env|app/private|other)`));
  };

  for (const setting of [
    'core.bare=false',
    'diff.noprefix=true',
    'diff.mnemonicPrefix=true',
    'diff.srcPrefix=x/',
    'diff.relative=false',
  ]) {
    it(`covers only the folder, without secrets and files in .agentignore, if the repository sets ${setting}`, async () => {
      git('config', ...(setting.split('=') as [string, string]));
      changeAll('changed');
      const texts = (await GitTexts.inFolder(place.at('app')))!;
      holdsOnlyTheRest(shown(await texts.uncommittedChanges()), 'changed');
      git('add', '-A', '-f');
      git('commit', '-q', '-m', 'Second');
      holdsOnlyTheRest(shown(await texts.commit('HEAD')), 'changed');
    });
  }

  it('of a merge commit follows the same rules', async () => {
    git('switch', '-q', '-c', 'side');
    changeAll('side');
    commit({}, 'Side');
    git('switch', '-q', 'main');
    commit({ 'app/.env': 'A=main\n', 'app/src/a.txt': 'main\n' }, 'Main');
    try {
      git('merge', '-q', 'side');
    } catch {
      /* it conflicts, as it should */
    }
    changeAll('merged');
    git('add', '-A', '-f');
    git('commit', '-q', '-m', 'Merged');
    assert.equal(git('rev-list', '--parents', '-1', 'HEAD').trim().split(' ').length, 3);
    holdsOnlyTheRest(shown(await (await GitTexts.inFolder(place.at('app')))!.commit('HEAD')), 'merged');
  });
});
