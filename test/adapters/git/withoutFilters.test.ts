import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { GitTexts } from '../../../src/adapters/git/gitTexts';
import { git, withoutFilters } from '../../../src/adapters/git/safeGit';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const environment = ['GIT_CONFIG_COUNT', 'GIT_CONFIG_KEY_0', 'GIT_CONFIG_VALUE_0', 'PATH'] as const;

describe('Git without the filters of a repository', () => {
  let place: TemporaryWorkspace;
  const before = environment.map((name) => process.env[name]);
  const plainly = (folder: string, ...words: string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: place.at(folder),
      encoding: 'utf8',
      stdio: 'pipe',
    });
  /** Creates a repository with a file that a filter would read, as Git sees that the file may have changed. */
  const repository = (folder: string): void => {
    place.place(`${folder}/.gitattributes`, '* filter=evil\n');
    place.place(`${folder}/a.txt`, 'one\n');
    place.place(`${folder}/sub/b.txt`, 'one\n');
    plainly(folder, 'init', '-q');
    plainly(folder, 'add', '-A');
    plainly(folder, 'commit', '-qm', 'one');
  };
  const touch = (folder: string): void => fs.utimesSync(place.at(`${folder}/a.txt`), 1, 1);
  const ran = (): boolean => fs.existsSync(place.at('ran'));
  const filter = (): string => `[FILTER "evil"]\n\tclean = "touch '${place.at('ran')}'; cat"\n`;

  beforeEach(() => {
    place = temporaryWorkspace();
  });
  afterEach(() => {
    for (const [index, name] of environment.entries()) {
      if (before[index] === undefined) delete process.env[name];
      else process.env[name] = before[index];
    }
    place.stop();
  });

  /** Moves what is in the Git folder of a repository beside its files, where Git finds it, too. */
  const moveGitFolder = (folder: string): void => {
    fs.appendFileSync(place.at(`${folder}/.git/config`), `${filter()}[core]\n\tbare = false\n\tworktree = .\n`);
    for (const name of fs.readdirSync(place.at(`${folder}/.git`)))
      fs.renameSync(place.at(`${folder}/.git/${name}`), place.at(`${folder}/${name}`));
  };
  /** Puts a file in place of the Git folder, which gets another name. */
  const gitFileOf = (folder: string, name: string, end = '\n'): void => {
    fs.appendFileSync(place.at(`${folder}/.git/config`), filter());
    fs.renameSync(place.at(`${folder}/.git`), place.at(`${folder}/${name}`));
    place.place(`${folder}/.git`, `gitdir: ${name}${end}`);
  };
  /** Moves what worktrees share into a folder, and leaves plain settings. */
  const commonFolderOf = (folder: string, name: string, end = '\n'): void => {
    fs.appendFileSync(place.at(`${folder}/.git/config`), filter());
    fs.mkdirSync(place.at(`${folder}/.git/${name}`));
    for (const shared of ['config', 'objects', 'refs'])
      fs.renameSync(place.at(`${folder}/.git/${shared}`), place.at(`${folder}/.git/${name}/${shared}`));
    place.place(`${folder}/.git/config`, '[core]\n');
    place.place(`${folder}/.git/commondir`, `${name}${end}`);
  };

  /** Where settings of a repository are: what to write, and the folder in which Git then starts the filter. */
  const places: Readonly<Record<string, () => string>> = {
    'its configuration': () => {
      fs.appendFileSync(place.at('repository/.git/config'), filter());
      return 'repository';
    },
    'its configuration, from a folder in it': () => {
      fs.appendFileSync(place.at('repository/.git/config'), filter());
      return 'repository/sub';
    },
    'an included file': () => {
      place.place('repository/more', filter());
      fs.appendFileSync(place.at('repository/.git/config'), '[include]\n\tpath = ../more\n');
      return 'repository';
    },
    'a file included on a condition': () => {
      place.place('repository/more', filter());
      fs.appendFileSync(place.at('repository/.git/config'), '[includeIf "gitdir:**"]\n\tpath = ../more\n');
      return 'repository';
    },
    'the configuration of a worktree': () => {
      plainly('repository', 'config', 'extensions.worktreeConfig', 'true');
      place.place('repository/.git/config.worktree', filter());
      return 'repository';
    },
    'the configuration of the main repository, from a linked worktree': () => {
      plainly('repository', 'worktree', 'add', '-q', '--detach', place.at('tree'));
      fs.appendFileSync(place.at('repository/.git/config'), filter());
      touch('tree');
      return 'tree';
    },
    'an environment variable': () => {
      process.env['GIT_CONFIG_COUNT'] = '1';
      process.env['GIT_CONFIG_KEY_0'] = 'filter.evil.clean';
      process.env['GIT_CONFIG_VALUE_0'] = `touch '${place.at('ran')}'; cat`;
      return 'repository';
    },
    'the repository that a link leads into': () => {
      place.place('other/x.txt', 'x\n');
      plainly('other', 'init', '-q');
      fs.symlinkSync(place.at('repository/sub'), place.at('other/link'));
      fs.appendFileSync(place.at('repository/.git/config'), filter());
      return 'other/link';
    },
    'a repository around a damaged one': () => {
      fs.appendFileSync(place.at('repository/.git/config'), filter());
      place.place('repository/sub/.git/config', '[core]\n');
      return 'repository/sub';
    },
    'a bare repository beside a damaged one': () => {
      moveGitFolder('repository');
      place.place('repository/.git/HEAD', 'damaged\n');
      place.place('repository/.git/config', '[core]\n');
      fs.mkdirSync(place.at('repository/.git/objects'));
      fs.mkdirSync(place.at('repository/.git/refs'));
      return 'repository';
    },
    'a Git folder whose name has several lines': () => {
      gitFileOf('repository', 'two\nlines');
      place.place('repository/two/config', '[core]\n');
      return 'repository';
    },
    'a Git folder whose name begins with a space': () => {
      gitFileOf('repository', ' store');
      place.place('repository/store/config', '[core]\n');
      return 'repository';
    },
    'a Git folder in a long file, in another repository': () => {
      gitFileOf('repository', 'store', '\n'.repeat(100_000));
      plainly('.', 'init', '-q');
      return 'repository';
    },
    'a Git folder in a file with a zero byte, in another repository': () => {
      gitFileOf('repository', 'store', '\0');
      plainly('.', 'init', '-q');
      return 'repository';
    },
    'a common folder whose name begins with a space': () => {
      commonFolderOf('repository', ' other');
      place.place('repository/.git/other/config', '[core]\n');
      return 'repository';
    },
    'a common folder in a long file': () => {
      commonFolderOf('repository', 'other', '\n'.repeat(100_000));
      return 'repository';
    },
    'a common folder in a file with a zero byte': () => {
      commonFolderOf('repository', 'other', '\0');
      return 'repository';
    },
  };
  for (const [name, write] of Object.entries(places))
    it(`starts none that is named by ${name}`, async () => {
      repository('repository');
      touch('repository');
      const folder = write();
      const status = ['status', '--porcelain'];
      const arguments_ = await withoutFilters(place.at(folder));
      assert.notEqual(await git(place.at(folder), [...arguments_, ...status]), undefined);
      assert.equal(ran(), false);
      plainly(folder, ...status);
      assert.equal(ran(), true, 'Git itself starts it.');
    });

  it('starts none that a submodule names', async () => {
    repository('inner');
    repository('outer');
    plainly('outer', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../inner', 'inner');
    plainly('outer', 'config', '-f', '.gitmodules', 'submodule.inner.ignore', 'none');
    plainly('outer', 'add', '-A');
    plainly('outer', 'commit', '-qm', 'two');
    fs.appendFileSync(place.at('outer/.git/modules/inner/config'), filter());
    touch('outer/inner');
    const texts = await GitTexts.inFolder(place.at('outer'));
    assert.deepEqual(await texts!.changedFiles(10), []);
    assert.equal(await texts!.uncommittedChanges(), '');
    assert.equal(ran(), false);
    plainly('outer', 'status', '--porcelain');
    assert.equal(ran(), true, 'Git itself starts it.');
  });

  it('does not ask Git where the files of a repository are the whole truth', async () => {
    repository('repository');
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
    place.place('bin/git', `#!/bin/sh\necho started >> '${place.at('log')}'\nexec ${real} "$@"\n`);
    fs.chmodSync(place.at('bin/git'), 0o755);
    process.env['PATH'] = `${place.at('bin')}:${process.env['PATH']}`;
    assert.deepEqual(await withoutFilters(place.at('repository/sub')), []);
    assert.equal(fs.existsSync(place.at('log')), false);
    fs.appendFileSync(place.at('repository/.git/config'), filter());
    assert.deepEqual(await withoutFilters(place.at('repository/sub')), ['-c', 'filter.evil.clean=']);
    assert.equal(fs.existsSync(place.at('log')), true);
  });
});
