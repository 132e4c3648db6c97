import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import * as vscode from 'vscode';
import { diskFiles } from '../../../src/adapters/files/diskFiles';
import { textVersion } from '../../../src/adapters/files/textVersion';
import { createWorkspacePaths } from '../../../src/adapters/files/workspacePaths';
import { FileProblem, type Files } from '../../../src/core/ports/files';
import { editorFiles } from '../../../src/extension/editor/editorFiles';
import { formats as textFormats, linesIn } from '../../support/textFormats';
import { pause, until, workspace } from '../support/session';

describe('files through the editor', () => {
  let files: Files;
  const at = (name: string) => path.join(workspace(), 'editor-files', name);
  const uri = (name: string) => vscode.Uri.file(at(name));
  const put = (name: string, bytes: string | Buffer): string => {
    fs.writeFileSync(at(name), bytes);
    return `editor-files/${name}`;
  };
  const bytes = (name: string) => fs.readFileSync(at(name));
  const show = async (name: string) =>
    vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri(name)));
  const refused = (code: string) => (thrown: unknown) =>
    thrown instanceof FileProblem && thrown.code === code
      ? true
      : assert.fail(`expected a refusal "${code}", got ${String(thrown)}`);
  /** Reads, changes and writes a file. */
  const change = async (name: string, turn: (text: string) => string) => {
    const { text, version } = await files.read(name);
    return files.write([{ path: name, text: turn(text), expected: version }]);
  };

  before(() => {
    fs.mkdirSync(at('.'), { recursive: true });
    const folders = [workspace()];
    files = editorFiles(createWorkspacePaths(folders), diskFiles({ folders }));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('are read from the unsaved buffer, not from the disk', async () => {
    const name = put('unsaved.txt', 'on disk\n');
    const editor = await show('unsaved.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed, '));
    assert.equal(editor.document.isDirty, true);
    assert.equal((await files.read(name)).text, 'typed, on disk\n');
    assert.equal(bytes('unsaved.txt').toString(), 'on disk\n');
  });

  it('are written in the editor and saved, and one undo restores the old text', async () => {
    const name = put('undo.txt', 'one\ntwo\nthree\n');
    const editor = await show('undo.txt');
    const [after] = await change(name, (text) => text.replace('two', 'TWO').replace('three', 'THREE'));
    assert.equal(after!.text, 'one\nTWO\nTHREE\n');
    assert.equal(bytes('undo.txt').toString(), 'one\nTWO\nTHREE\n');
    assert.equal(editor.document.getText(), 'one\nTWO\nTHREE\n');
    assert.equal(editor.document.isDirty, false);
    await vscode.window.showTextDocument(editor.document);
    await vscode.commands.executeCommand('undo');
    await until('the text before', () => editor.document.getText() === 'one\ntwo\nthree\n');
  });

  it('are written without changing tabs, selection or focus', async () => {
    put('front.txt', 'the person is here\n');
    const editor = await show('front.txt');
    editor.selection = new vscode.Selection(0, 4, 0, 10);
    const name = put('behind.txt', 'a\n');
    const tabs = () =>
      vscode.window.tabGroups.all.map(({ tabs: all, isActive }) => ({
        isActive,
        tabs: all.map(({ label, isActive: active }) => ({ label, active })),
      }));
    const before = tabs();
    await change(name, () => 'b\n');
    await files.write([{ path: 'editor-files/made.txt', text: 'made\n', expected: null }]);
    await pause(300);
    assert.deepEqual(tabs(), before);
    assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, editor.document.uri.fsPath);
    assert.deepEqual([editor.selection.start.character, editor.selection.end.character], [4, 10]);
    assert.equal(bytes('behind.txt').toString(), 'b\n');
  });

  const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const formats: Record<string, [Buffer, Buffer]> = {
    'CRLF line ends': [Buffer.from('one\r\ntwo\r\nthree\r\n'), Buffer.from('one\r\nTWO\r\nextra\r\nthree\r\n')],
    'a byte order mark': [Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\nTWO\nextra\n')],
    'UTF-16': [utf16('one\ntwo\nthrée\n'), utf16('one\nTWO\nextra\nthrée\n')],
    'a missing newline at the end': [Buffer.from('one\ntwo'), Buffer.from('one\nTWO\nextra')],
    'trailing empty lines': [Buffer.from('two\n\n\n'), Buffer.from('TWO\nextra\n\n\n')],
  };
  for (const [what, [old, expected]] of Object.entries(formats)) {
    it(`keep ${what}, whether they are open or not`, async () => {
      for (const open of [true, false]) {
        const name = put(`format-${what.replace(/\W/g, '')}-${open}.txt`, old);
        if (open) await show(path.basename(name));
        const [after] = await change(name, (text) => text.replace('two', 'TWO\nextra'));
        assert.deepEqual(bytes(path.basename(name)), expected, open ? 'open' : 'not open');
        assert.equal((await files.read(name)).version, after!.version);
      }
    });
  }

  for (const format of textFormats) {
    it(`keep all unchanged bytes: ${format.name}`, async () => {
      const [sample] = fc.sample(linesIn(format), { numRuns: 1, seed: 42 });
      const { before, after, old, now } = sample!;
      for (const isOpen of [true, false]) {
        const name = put(`bytes-${textFormats.indexOf(format)}-${isOpen}.txt`, before);
        if (isOpen) await show(path.basename(name));
        await change(name, (text) => text.replace(old, now));
        assert.deepEqual(bytes(path.basename(name)), after, isOpen ? 'open' : 'not open');
      }
    });
  }

  it('are written exactly as given if save actions are off', async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/plain.txt' },
      { provideDocumentFormattingEdits: () => [vscode.TextEdit.insert(new vscode.Position(0, 0), '# formatted\n')] },
    );
    const configuration = vscode.workspace.getConfiguration('editor');
    await configuration.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    const folders = [workspace()];
    const plain = editorFiles(createWorkspacePaths(folders), diskFiles({ folders }), {
      runsSaveActions: () => false,
    });
    try {
      const name = put('plain.txt', 'one\n');
      const { version } = await plain.read(name);
      const [after] = await plain.write([{ path: name, text: 'two\n', expected: version }]);
      assert.deepEqual([after!.text, after!.wasFormatted], ['two\n', undefined]);
      assert.equal(bytes('plain.txt').toString(), 'two\n');
    } finally {
      await configuration.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
  });

  it('are moved and deleted unless they have unsaved changes', async () => {
    const name = put('to-move.txt', 'one\n');
    const { version } = await files.read(name);
    assert.equal(await files.move(name, 'editor-files/moved/here.txt', version), 'editor-files/moved/here.txt');
    assert.equal(bytes('moved/here.txt').toString(), 'one\n');
    assert.equal(await files.remove('editor-files/moved/here.txt', version), 'editor-files/moved/here.txt');
    assert.equal(fs.existsSync(at('moved/here.txt')), false);

    const open = put('open-move.txt', 'one\ntwo\n');
    const shown = await show('open-move.txt');
    shown.selection = new vscode.Selection(1, 0, 1, 0);
    const column = shown.viewColumn;
    await files.move(open, 'editor-files/open-there.txt', null);
    const names = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [path.basename(input.uri.fsPath)] : [])),
      );
    await until(
      'the tab of the new path',
      () => names().includes('open-there.txt') && !names().includes('open-move.txt'),
    );
    const active = vscode.window.activeTextEditor!;
    assert.equal(path.basename(active.document.uri.fsPath), 'open-there.txt');
    assert.deepEqual([active.viewColumn, active.selection.active.line], [column, 1]);

    const unsaved = put('unsaved-move.txt', 'one\n');
    const editor = await show('unsaved-move.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed '));
    await assert.rejects(files.move(unsaved, 'editor-files/elsewhere.txt', null), refused('not_permitted'));
    await assert.rejects(files.remove(unsaved, null), refused('not_permitted'));
    assert.equal(bytes('unsaved-move.txt').toString(), 'one\n');
  });

  it('are edited on top of unsaved changes', async () => {
    const name = put('mixed.txt', 'one\ntwo\n');
    const editor = await show('mixed.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed\n'));
    await change(name, (text) => text.replace('two', 'TWO'));
    assert.equal(bytes('mixed.txt').toString(), 'typed\none\nTWO\n');
  });

  it('are saved correctly while VS Code is saving them, as auto save does', async () => {
    const name = put('saving.txt', 'one\ntwo\n');
    const { document, edit } = await show('saving.txt');
    await edit((typed) => typed.insert(new vscode.Position(0, 0), 'typed\n'));
    let began: () => void;
    const isSaving = new Promise<void>((resolve) => (began = resolve));
    const slow = vscode.workspace.onWillSaveTextDocument((saving) => {
      saving.waitUntil(
        (async () => {
          began();
          await until('the edit', () => document.getText().includes('TWO'));
          await pause(300);
        })(),
      );
    });
    try {
      const other = document.save();
      await isSaving;
      await change(name, (text) => text.replace('two', 'TWO'));
      assert.equal(bytes('saving.txt').toString(), 'typed\none\nTWO\n');
      assert.equal(document.isDirty, false);
      await other;
    } finally {
      slow.dispose();
    }
  });

  it('are not written if the buffer changed since they were read', async () => {
    const name = put('typed.txt', 'one\n');
    const { version } = await files.read(name);
    const editor = await show('typed.txt');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed '));
    await assert.rejects(files.write([{ path: name, text: 'agent\n', expected: version }]), refused('changed'));
    assert.equal(editor.document.getText(), 'typed one\n');
    assert.equal(bytes('typed.txt').toString(), 'one\n');
  });

  it('are not written if the disk changed since they were read, even if an editor shows the old text', async () => {
    for (const open of [false, true]) {
      const name = put(`disk-${open}.txt`, 'one\n');
      if (open) await show(path.basename(name));
      const { version } = await files.read(name);
      fs.writeFileSync(at(path.basename(name)), 'another program\n');
      await assert.rejects(files.write([{ path: name, text: 'agent\n', expected: version }]), refused('changed'));
      assert.equal(bytes(path.basename(name)).toString(), 'another program\n');
    }
  });

  it('are created with their folders and deleted, unless they exist already or have changed', async () => {
    await files.write([{ path: 'editor-files/new/deep/file.txt', text: 'hello\n', expected: null }]);
    assert.equal(bytes('new/deep/file.txt').toString(), 'hello\n');
    await assert.rejects(
      files.write([{ path: 'editor-files/new/deep/file.txt', text: 'again\n', expected: null }]),
      refused('exists'),
    );
    await assert.rejects(
      files.write([{ path: 'editor-files/new/deep/file.txt', text: null, expected: textVersion('other') }]),
      refused('changed'),
    );
    assert.equal(bytes('new/deep/file.txt').toString(), 'hello\n');
    const { version } = await files.read('editor-files/new/deep/file.txt');
    assert.deepEqual(
      await files.write([{ path: 'editor-files/new/deep/file.txt', text: null, expected: version }]),
      [],
    );
    assert.equal(fs.existsSync(at('new/deep/file.txt')), false);
  });

  it('are written either all or not at all', async () => {
    const [first, second] = [put('all-1.txt', 'one\n'), put('all-2.txt', 'two\n')];
    const [one, two] = [await files.read(first), await files.read(second)];
    fs.writeFileSync(at('all-2.txt'), 'changed\n');
    const both = [
      { path: first, text: 'ONE\n', expected: one.version },
      { path: 'editor-files/all-3.txt', text: 'three\n', expected: null },
      { path: second, text: 'TWO\n', expected: two.version },
    ];
    await assert.rejects(files.write(both), refused('changed'));
    assert.deepEqual(
      [bytes('all-1.txt').toString(), fs.existsSync(at('all-3.txt')), bytes('all-2.txt').toString()],
      ['one\n', false, 'changed\n'],
    );
    fs.writeFileSync(at('all-2.txt'), 'two\n');
    await files.write(both);
    assert.deepEqual(
      ['all-1.txt', 'all-2.txt', 'all-3.txt'].map((name) => bytes(name).toString()),
      ['ONE\n', 'TWO\n', 'three\n'],
    );
  });

  it('are unchanged if the disk is full', async function () {
    fs.mkdirSync(at('full'));
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', at('full')], { stdio: 'ignore' }).status !== 0) {
      this.test!.title += ' (a disk cannot be mounted here)';
      this.skip();
    }
    try {
      const text = 'one\n'.repeat(5000);
      const name = put('full/a.txt', text);
      put('full/big', Buffer.alloc(40_000));
      await assert.rejects(
        change(name, (before) => `${before}${'two\n'.repeat(5000)}`),
        refused('no_space'),
      );
      await assert.rejects(
        files.write([{ path: 'editor-files/full/new.txt', text: text.repeat(2), expected: null }]),
        refused('no_space'),
      );
      assert.equal(bytes('full/a.txt').toString(), text);
      assert.deepEqual(fs.readdirSync(at('full')).sort(), ['a.txt', 'big']);
      fs.rmSync(at('full/big'));
      await change(name, () => 'now\n');
      assert.equal(bytes('full/a.txt').toString(), 'now\n');
    } finally {
      spawnSync('umount', [at('full')], { stdio: 'ignore' });
    }
  });

  it('return the formatted text', async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: '**/formatted.txt' },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(document.lineAt(document.lineCount - 1).range.end, '# formatted\n'),
        ],
      },
    );
    const configuration = vscode.workspace.getConfiguration('editor');
    await configuration.update('formatOnSave', true, vscode.ConfigurationTarget.Global);
    try {
      const name = put('formatted.txt', 'one\n');
      const [after] = await change(name, () => 'two\n');
      assert.equal(bytes('formatted.txt').toString(), 'two\n# formatted\n');
      assert.equal(after!.text, 'two\n# formatted\n');
      assert.equal(after!.wasFormatted, true);
      assert.equal((await files.read(name)).version, after!.version);
    } finally {
      await configuration.update('formatOnSave', undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
  });

  it('are separated from a hard link elsewhere, whose content stays', async () => {
    const outside = fs.mkdtempSync(path.join(path.dirname(workspace()), 'other-name-'));
    fs.writeFileSync(path.join(outside, 'kept.txt'), 'one\n');
    if (fs.existsSync(at('twin.txt'))) fs.rmSync(at('twin.txt'));
    fs.linkSync(path.join(outside, 'kept.txt'), at('twin.txt'));
    const [after] = await change('editor-files/twin.txt', () => 'two\n');
    assert.deepEqual(
      [after!.text, bytes('twin.txt').toString(), fs.readFileSync(path.join(outside, 'kept.txt'), 'utf8')],
      ['two\n', 'two\n', 'one\n'],
    );
  });

  it('outside the workspace are not read or written, by dots, by a link or by their full path', async () => {
    const outside = fs.mkdtempSync(path.join(path.dirname(workspace()), 'outside-'));
    fs.writeFileSync(path.join(outside, 'secret.txt'), 'secret\n');
    if (!fs.existsSync(at('link'))) fs.symlinkSync(outside, at('link'));
    for (const name of [
      `../${path.basename(outside)}/secret.txt`,
      'editor-files/link/secret.txt',
      path.join(outside, 'secret.txt'),
    ]) {
      await assert.rejects(files.read(name), refused('outside'));
      await assert.rejects(
        files.write([{ path: name, text: 'x', expected: textVersion('secret\n') }]),
        refused('outside'),
      );
    }
    await assert.rejects(
      files.write([{ path: 'editor-files/link/new.txt', text: 'x', expected: null }]),
      refused('outside'),
    );
    assert.deepEqual(
      [fs.readdirSync(outside), fs.readFileSync(path.join(outside, 'secret.txt'), 'utf8')],
      [['secret.txt'], 'secret\n'],
    );
  });
});
