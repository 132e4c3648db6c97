// Mentions of unusual names, files, folders and logs: the content is what the user sees, or the refusal has a helpful
// message.
import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { fileNames } from '../../../src/adapters/search/fileNames';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { mentionOfPath, mentionsIn } from '../../../src/core/context/mentions';
import { maskedFiles } from '../../../src/core/secrets/maskedFiles';
import { contextSources, type ContextSources } from '../../../src/extension/context/contextSources';
import { mentionKinds } from '../../../src/extension/context/mentionKinds';
import { TerminalOutputs } from '../../../src/extension/context/terminalOutputs';
import { editorFiles } from '../../../src/extension/editor/editorFiles';
import { editorUri } from '../../../src/extension/editor/editorUri';
import { until } from '../support/session';

describe('a message with unusual mentions', () => {
  let folder: string;
  let one: ContextSources;
  let sessions: Sessions;
  const ends: { dispose(): unknown }[] = [];
  const put = (name: string, text: string | Buffer): string => {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
    return file;
  };
  const sourcesOf = (...names: string[]): ContextSources => {
    const folders = names.map((name) => path.join(folder, name));
    const paths = createWorkspacePaths(folders);
    return {
      ...contextSources(sessions, ends[0] as TerminalOutputs)!,
      folders,
      paths,
      files: maskedFiles(editorFiles(paths, diskFiles({ folders }))),
      names: () => fileNames(paths, { folders, editorRoot: vscode.env.appRoot }),
    };
  };
  const given = async (text: string, from = one) => {
    const [mention] = mentionsIn(text);
    return mention && mentionKinds[mention.kind].resolve(mention, from);
  };
  before(() => {
    folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'waymark-odd-')));
    sessions = new Sessions(path.join(folder, 'sessions'));
    ends.push(new TerminalOutputs());
    for (const [name, text] of Object.entries({
      'w/src/a.ts': 'one\ntwo\nthree\n',
      'w/.agentignore': 'private/\n',
      'w/private/p.ts': 'x\n',
      'w/.env': 'A=1\n',
      'w/README': 'r\n',
      'v/src/a.ts': 'of v\n',
      'deep/w/src/a.ts': 'of deep\n',
      'outside.txt': 'out there\n',
    }))
      put(name, text);
    put('w/data.bin', Buffer.from([0, 1, 2, 0, 255]));
    put('w/shot.png', Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 0]));
    fs.truncateSync(put('w/large.txt', 'x'), 11 * 1024 * 1024);
    one = sourcesOf('w');
  });
  after(() => {
    for (const end of ends) end.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('reads a number after a colon as lines, unless a file has that name', async () => {
    assert.match((await given('@src/a.ts:2:3'))!.label, /lines 2-2 of 3 of src\/a\.ts$/);
    put('w/odd:2', 'all of it\n');
    put('w/odd', 'first\nsecond\n');
    assert.match((await given('@"odd:2"'))!.text, /all of it/);
    assert.match((await given('@"odd":1'))!.text, /first/);
  });

  for (const name of [
    'with blank.ts',
    'a "quote".ts',
    "it's.ts",
    'C#/a#b.cs',
    '[id].ts',
    'über/naïve.ts',
    '資料，一.ts',
    '@scope.ts',
    'ends.',
    '-x.ts',
    'url',
    'a:b.ts',
  ]) {
    it(`finds ${name} as completion writes it`, async () => {
      put(`w/names/${name}`, `in ${name}\n`);
      put(`w/${name}`, `in ${name}\n`);
      for (const shown of [`names/${name}`, name])
        assert.match((await given(`See ${mentionOfPath(shown)}, please.`))!.text, /in /, shown);
    });
  }

  it('gives the existing lines of a range', async () => {
    assert.match((await given('@src/a.ts:2-999'))!.label, /lines 2-3 of 3 of src\/a\.ts/);
    await assert.rejects(given('@src/a.ts:99'), /src\/a\.ts has only 3 lines, no line 99\./);
  });

  const refused: [text: string, why: RegExp][] = [
    ['@gone.ts', /File “gone\.ts” not found\. Correct the name, or write it without the @\./],
    ['@src/gone.ts', /File .* not found/],
    ['@folder:nowhere', /Folder “nowhere” not found\. Correct/],
    ['@private/p.ts', /private\/p\.ts is excluded by \.agentignore and cannot be attached\. Change/],
    ['@.env', /\.env usually contains secrets/],
    ['@data.bin', /data\.bin is not text.*without the @/],
    ['@shot.png', /shot\.png is an image\. Paste it/],
    ['@large.txt', /large\.txt is larger than 10 MB.*without the @/],
    ['@../outside.txt', /outside\.txt is outside the workspace.*absolute path/],
    ['@git:diff', /not a Git repository/],
    ['@session:nonesuch', /Session “nonesuch” not found/],
    ['@resource:none:x', /No MCP server/],
    ['@url:ftp://example.org', /cannot be fetched/],
  ];
  for (const [text, why] of refused)
    it(`says why ${text} cannot be given, and what to do`, () => assert.rejects(given(text), why));

  it('leaves words alone that only look like files', async () => {
    for (const text of ['@types/node', '@app.get', '@Component', '@LICENSE', '@ada'])
      assert.equal(await given(text), undefined, text);
  });

  /** Reverts typed text. Another editor may be active meanwhile, and the editor may have saved by itself. */
  const taken = (document: vscode.TextDocument, before: string): Promise<boolean> =>
    until('the editor to be as the file was', async () => {
      if (fs.readFileSync(document.fileName, 'utf8') !== before) fs.writeFileSync(document.fileName, before);
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      return !document.isDirty && document.getText() === before;
    });

  it('gives a file outside the workspace as untrusted text, and an unsaved one as in the editor', async () => {
    const file = path.join(folder, 'outside.txt');
    const found = (await given(`@${file}`))!;
    assert.deepEqual([found.trust, /out there/.test(found.text)], ['others', true]);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    const textOutside = editor.document.getText();
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed, '));
    assert.match((await given(`@${file}`))!.text, /typed, out there/);
    await taken(editor.document, textOutside);
    const inside = await vscode.window.showTextDocument(vscode.Uri.file(path.join(folder, 'w/src/a.ts')));
    const textInside = inside.document.getText();
    await inside.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed, '));
    assert.match((await given('@src/a.ts:1'))!.text, /typed, one/);
    await taken(inside.document, textInside);
  });

  it('lists the first entries of a very large folder', async () => {
    fs.mkdirSync(path.join(folder, 'w/many'));
    for (let n = 0; n < 3000; n++) fs.writeFileSync(path.join(folder, 'w/many', `f${n}.txt`), '');
    const { label, text } = (await given('@many/'))!;
    assert.match(label, /300\+ entries/);
    assert.equal(text.split('\n').length, 300);
  });

  it('distinguishes files with the same path in several folders', async () => {
    const several = sourcesOf('w', 'v', 'deep/w');
    const offers = (await mentionKinds.file.complete!('a.ts', several))
      .map(({ insert }) => insert)
      .filter((insert) => /src\/a\.ts/.test(insert));
    const texts = await Promise.all(
      offers.map(async (insert) => (await given(insert, several))!.text.replace(/\s*\d+\t/g, ' ')),
    );
    assert.deepEqual(
      texts.sort().map((text) => text.trim()),
      ['of deep', 'of v', 'one two three'],
    );
  });

  it('gives the Git changes of every folder, even before the first commit or without a branch', async () => {
    const git = (name: string, ...words: string[]): string =>
      execFileSync(
        'git',
        ['-C', path.join(folder, name), '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...words],
        { encoding: 'utf8' },
      );
    for (const name of ['g1', 'g2']) {
      put(`${name}/a.txt`, `added to ${name}\n`);
      git(name, 'init', '-q');
      git(name, 'add', '.');
    }
    const both = sourcesOf('w', 'g1', 'g2');
    const unborn = (await given('@git:diff', both))!.text;
    assert.match(unborn, /In the folder g1:[^]*\+added to g1[^]*In the folder g2:[^]*\+added to g2/);
    await assert.rejects(given('@git:HEAD', both), /Commit “HEAD” not found/);
    git('g2', 'commit', '-q', '-m', 'Of g2');
    git('g2', 'checkout', '-q', '--detach');
    put('g2/a.txt', 'changed in g2\n');
    assert.match((await given('@git', both))!.text, /\+added to g1[^]*\+changed in g2/);
    assert.match((await given('@git:HEAD', both))!.text, /Of g2/);
    assert.deepEqual(
      (await mentionKinds.git.complete!('of', both)).map(({ detail }) => detail),
      ['Of g2'],
    );
  });

  it('reports a session with a broken log', async () => {
    const id = sessions.newId();
    const { store } = sessions.open(id);
    await store!.close();
    fs.writeFileSync(sessions.logOf(id), 'no log at all\n');
    await assert.rejects(given(`@session:${id}`), /Cannot read the session|not found/);
  });

  it('does not wait for a language server that hangs', async function () {
    this.timeout(180_000);
    ends.push(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) => (query === 'never_there' ? new Promise<never>(() => undefined) : []),
      }),
    );
    await assert.rejects(given('@symbol:never_there'), /Symbol “never_there” not found[^]*Try again/);
  });

  it('finds the URI of a file if the workspace was opened through a link', function () {
    const link = path.join(folder, 'link');
    try {
      fs.symlinkSync(path.join(folder, 'w'), link, 'dir');
    } catch {
      return this.skip();
    }
    const linked = [{ uri: vscode.Uri.file(link) }];
    assert.equal(editorUri(path.join(folder, 'w/src/a.ts'), linked).fsPath, path.join(link, 'src/a.ts'));
    assert.equal(editorUri(path.join(folder, 'v/src/a.ts'), linked).fsPath, path.join(folder, 'v/src/a.ts'));
  });
});
