import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { FolderProvenance } from '../../../src/adapters/provenance/folderProvenance';
import { isStep, type Origin } from '../../../src/core/trajectory/provenance';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

const step = (action: string): { session: string; action: string } => ({ session: 'one', action });
const lines = (...texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');
const body = ['const first = 1;', 'const second = 2;', 'const third = 3;', 'const fourth = 4;', 'const fifth = 5;'];

describe('provenance of a folder', function () {
  this.timeout(30_000);
  let work: TemporaryWorkspace;
  let kept: TemporaryWorkspace;
  const open: FolderProvenance[] = [];
  beforeEach(() => {
    work = temporaryWorkspace();
    kept = temporaryWorkspace();
  });
  afterEach(async () => {
    for (const each of open.splice(0)) await each.settled();
    work.stop();
    kept.stop();
  });

  const provenance = (): FolderProvenance => {
    const made = new FolderProvenance(work.root, kept.at('provenance'), undefined, (problem) => {
      throw problem;
    });
    open.push(made);
    return made;
  };
  const text = (name: string): string => work.bytes(name)!.toString('utf8');
  const git = (...args: string[]): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@example.org', '-c', 'commit.gpgsign=false', ...args],
      { cwd: work.root, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } },
    );
  const commit = (date = '2020-01-01T00:00:00Z'): void => {
    git('add', '-A');
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.org', 'commit', '-qm', 'x'], {
      cwd: work.root,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_COMMITTER_DATE: date },
    });
  };
  /** "a a p ?": the action, a person, unknown. "-": the agent did not edit it. */
  const shown = async (from: FolderProvenance, name: string, given?: string): Promise<string> => {
    const marks = await from.marksOf(name, given ?? text(name), given !== undefined);
    return marks ? marks.origins.map(letterOf).join(' ') : '-';
  };
  const letterOf = (origin: Origin): string => {
    if (isStep(origin)) return origin.action;
    return origin === 'person' ? 'p' : '?';
  };
  const tool = async (to: FolderProvenance, name: string, after: string, action: string): Promise<void> => {
    const before = work.bytes(name)?.toString('utf8') ?? null;
    const done = to.writing(name);
    work.place(name, after);
    done({ before, after, by: step(action), typed: false });
    await to.settled();
  };
  /** A command that makes changes which are reported late. */
  const command = async (
    to: FolderProvenance,
    action: string,
    work: () => void,
    changed: readonly string[],
  ): Promise<void> => {
    const ended = await to.commandBegan(step(action));
    work();
    ended();
    await pause(30);
    for (const name of changed) to.fileChanged(name);
    await to.settled();
  };
  const begun = async (): Promise<FolderProvenance> => {
    const made = provenance();
    await made.begin();
    return made;
  };

  it('knows which lines a tool wrote, keeps them when the user saves, and survives a restart', async () => {
    work.place('a.ts', lines(...body));
    const first = provenance();
    await tool(first, 'a.ts', lines(body[0]!, 'agent();', ...body.slice(1)), 'c1');
    assert.equal(await shown(first, 'a.ts'), '? c1 ? ? ? ?');
    assert.equal(
      await shown(first, 'a.ts', lines('typed();', body[0]!, 'agent();', ...body.slice(1))),
      'p ? c1 ? ? ? ?',
      'not saved yet',
    );
    work.place('a.ts', lines('typed();', body[0]!, 'agent();', ...body.slice(1)));
    first.saved('a.ts', text('a.ts'));
    await first.settled();
    assert.equal(await shown(provenance(), 'a.ts'), 'p ? c1 ? ? ? ?');
  });

  it('stores nothing about files the agent did not touch, and no file text', async () => {
    work.place('mine.ts', lines(...body));
    const one = await begun();
    one.saved('mine.ts', text('mine.ts'));
    await tool(one, 'a.ts', lines('const password = readPassword();'), 'c1');
    assert.equal(await shown(one, 'mine.ts'), '-');
    assert.equal(kept.names().filter((name) => name.startsWith('provenance/files/')).length, 1);
    for (const name of kept.names())
      if (fs.statSync(kept.at(name)).isFile()) assert.doesNotMatch(fs.readFileSync(kept.at(name), 'utf8'), /password/i);
  });

  it('attributes lines of a command in committed, modified and new files', async () => {
    git('init', '-q');
    work.place('clean.ts', lines(...body));
    work.place('dirty.ts', lines(...body));
    work.place('.gitignore', lines('built.js'));
    commit();
    work.place('dirty.ts', lines('mine();', ...body));
    const one = await begun();
    await command(
      one,
      'c1',
      () => {
        work.place('clean.ts', lines(...body, 'added();'));
        work.place('dirty.ts', lines('mine();', ...body, 'added();'));
        work.place('new.ts', lines('created();'));
        work.place('built.js', lines('built();'));
      },
      ['clean.ts', 'dirty.ts', 'new.ts', 'built.js'],
    );
    assert.equal(await shown(one, 'clean.ts'), '? ? ? ? ? c1');
    assert.equal(await shown(one, 'dirty.ts'), '? ? ? ? ? ? c1');
    assert.equal(await shown(one, 'new.ts'), 'c1');
    assert.equal(await shown(one, 'built.js'), '-');
  });

  it('attributes lines of a command without a repository', async () => {
    work.place('a.ts', lines(...body));
    const one = await begun();
    await command(
      one,
      'c1',
      () => {
        work.place('a.ts', lines(...body, 'added();'));
        work.place('new.ts', lines('created();'));
      },
      ['a.ts', 'new.ts'],
    );
    assert.equal(await shown(one, 'a.ts'), '? ? ? ? ? c1');
    assert.equal(await shown(one, 'new.ts'), 'c1');
  });

  it('does not attribute to a command earlier or later changes, or a Git checkout', async () => {
    git('init', '-q');
    work.place('a.ts', lines(...body));
    work.place('b.ts', lines(...body));
    commit();
    git('checkout', '-qb', 'other');
    work.place('b.ts', lines(...body, 'fromTheBranch();'));
    commit();
    git('checkout', '-q', '-');
    const one = await begun();
    work.place('a.ts', lines('typedElsewhere();', ...body));
    one.fileChanged('a.ts');
    await one.settled();
    await pause(60);
    await command(
      one,
      'c1',
      () => {
        work.place('a.ts', lines('typedElsewhere();', ...body, 'added();'));
        git('checkout', '-q', 'other');
      },
      ['a.ts', 'b.ts'],
    );
    assert.equal(await shown(one, 'a.ts'), '? ? ? ? ? ? c1');
    assert.equal(await shown(one, 'b.ts'), '-');
    await pause(60);
    work.place('a.ts', lines('typedElsewhere();', ...body, 'added();', 'later();'));
    one.fileChanged('a.ts');
    await one.settled();
    assert.equal(await shown(one, 'a.ts'), '? ? ? ? ? ? c1 ?');
  });

  it('attributes to the user what they save in the editor while a command runs', async () => {
    work.place('a.ts', lines(...body));
    work.place('b.ts', lines(...body));
    const one = await begun();
    await tool(one, 'b.ts', lines(...body, 'agent();'), 'c1');
    await pause(60);
    await command(
      one,
      'c2',
      () => {
        for (const name of ['a.ts', 'b.ts']) {
          work.place(name, `typed();\n${text(name)}`);
          one.saved(name, text(name));
        }
        work.place('b.ts', `${text('b.ts')}byCommand();\n`);
      },
      ['a.ts', 'b.ts'],
    );
    assert.equal(await shown(one, 'a.ts'), '-');
    assert.equal(await shown(one, 'b.ts'), 'p ? ? ? ? ? c1 c2');
  });

  it('attributes lines that a command wrote and committed at once', async () => {
    git('init', '-q');
    work.place('a.ts', lines(...body));
    commit();
    const one = await begun();
    await command(
      one,
      'c1',
      () => {
        work.place('a.ts', lines(...body, 'added();'));
        commit(new Date(Date.now() + 1000).toISOString());
      },
      ['a.ts'],
    );
    assert.equal(await shown(one, 'a.ts'), '? ? ? ? ? c1');
  });

  it('restores the marks when branches are switched, even while it was not running', async () => {
    git('init', '-q');
    work.place('a.ts', lines(...body));
    commit();
    const one = await begun();
    await tool(one, 'a.ts', lines(...body, 'onMain();'), 'c1');
    commit();
    const main = text('a.ts');
    git('checkout', '-qb', 'other', 'HEAD~1');
    one.fileChanged('a.ts');
    await one.settled();
    assert.equal(await shown(one, 'a.ts'), '? ? ? ? ?');
    await tool(one, 'a.ts', lines('onOther();', ...body), 'c2');
    commit();
    git('checkout', '-q', '-');
    assert.equal(text('a.ts'), main);
    assert.equal(await shown(provenance(), 'a.ts'), '? ? ? ? ? c1');
    git('checkout', '-q', 'other');
    assert.equal(await shown(provenance(), 'a.ts'), 'c2 ? ? ? ? ?');
    git('merge', '-q', '-m', 'both', '-');
    assert.match(await shown(provenance(), 'a.ts'), /^c2 \? \? \? \? \? (c1|\?)$/);
  });

  it('follows a file renamed in the editor, by git mv, and together with a change', async () => {
    git('init', '-q');
    work.place('a.ts', lines(...body));
    commit();
    const one = await begun();
    await tool(one, 'a.ts', lines(...body, 'agent();'), 'c1');
    fs.renameSync(work.at('a.ts'), work.at('b.ts'));
    one.renamed('a.ts', 'b.ts');
    await one.settled();
    assert.equal(await shown(one, 'b.ts'), '? ? ? ? ? c1');
    git('add', '-A');
    git('mv', 'b.ts', 'c.ts');
    const later = await begun();
    assert.equal(await shown(later, 'c.ts'), '? ? ? ? ? c1', 'seen first under its new name');
    await command(
      later,
      'c2',
      () => {
        fs.renameSync(work.at('c.ts'), work.at('d.ts'));
        work.place('d.ts', lines('top();', ...body, 'agent();'));
      },
      ['c.ts', 'd.ts'],
    );
    assert.equal(await shown(later, 'd.ts'), 'c2 ? ? ? ? ? c1');
  });

  it('follows all files of a folder renamed in the editor, even very short ones', async () => {
    const one = await begun();
    await tool(one, 'old/a.ts', lines('agent();'), 'c1');
    await tool(one, 'old/deep/b.ts', lines('other();'), 'c2');
    fs.renameSync(work.at('old'), work.at('new'));
    one.renamed('old', 'new');
    await one.settled();
    assert.deepEqual([await shown(one, 'new/a.ts'), await shown(provenance(), 'new/deep/b.ts')], ['c1', 'c2']);
  });

  it('is shared by two windows on the folder: each knows the changes of the other’s agent', async () => {
    work.place('a.ts', lines(...body));
    work.place('b.ts', lines(...body));
    const one = await begun();
    const two = await begun();
    await tool(one, 'a.ts', lines(...body, 'byOne();'), 'c1');
    two.fileChanged('a.ts');
    await two.settled();
    assert.equal(await shown(two, 'a.ts'), '? ? ? ? ? c1');
    await tool(two, 'a.ts', lines('byTwo();', ...body, 'byOne();'), 'c2');
    assert.equal(await shown(one, 'a.ts'), 'c2 ? ? ? ? ? c1');
    // The other window receives the change of a command first.
    const ended = await one.commandBegan(step('c3'));
    work.place('a.ts', lines('byTwo();', ...body, 'byOne();', 'byCommand();'));
    await one.settledCommands();
    two.fileChanged('a.ts');
    await two.settled();
    ended();
    one.fileChanged('a.ts');
    await one.settled();
    for (const window of [one, two, provenance()]) assert.equal(await shown(window, 'a.ts'), 'c2 ? ? ? ? ? c1 c3');
    // An earlier claim by another program does not override the step.
    work.place('b.ts', lines(...body, 'late();'));
    two.fileChanged('b.ts');
    await two.settled();
    const done = one.writing('b.ts');
    done({ before: lines(...body), after: text('b.ts'), by: step('c4'), typed: false });
    await one.settled();
    assert.equal(await shown(two, 'b.ts'), '? ? ? ? ? c4');
  });

  it('survives a history that is truncated or damaged', async () => {
    const one = provenance();
    await tool(one, 'a.ts', lines(...body), 'c1');
    await tool(one, 'a.ts', lines(...body, 'more();'), 'c2');
    const [file] = kept.names().filter((name) => /provenance\/files\/.*jsonl$/.test(name));
    const whole = fs.readFileSync(kept.at(file!), 'utf8');
    fs.writeFileSync(kept.at(file!), `not json\n{"v":2}\n${whole.slice(0, -20)}`);
    const later = provenance();
    assert.equal(await shown(later, 'a.ts'), 'c1 c1 c1 c1 c1 ?');
    await tool(later, 'a.ts', lines(...body, 'more();', 'third();'), 'c3');
    assert.equal(await shown(provenance(), 'a.ts'), 'c1 c1 c1 c1 c1 ? c3');
  });

  it('stays small: a file edited a thousand times keeps its marks and its latest texts', async () => {
    const one = provenance();
    let now = lines(...body);
    for (let edit = 0; edit < 1000; edit++) {
      const done = one.writing('a.ts');
      const after = `${now}edit${edit}();\n`;
      done({ before: edit === 0 ? null : now, after, by: step(`c${edit}`), typed: false });
      now = after;
    }
    work.place('a.ts', now);
    await one.settled();
    assert.equal((await shown(one, 'a.ts')).split(' ').at(-1), 'c999');
    assert.equal((await shown(provenance(), 'a.ts')).split(' ')[10], 'c5');
    const [file] = kept.names().filter((name) => /provenance\/files\/.*jsonl$/.test(name));
    assert.ok(fs.readFileSync(kept.at(file!), 'utf8').split('\n').length < 300);
  });
});

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
