import path from 'node:path';
import * as vscode from 'vscode';
import { mentionOfPath } from '../../core/context/mentions';
import { linesSelected } from '../context/editorMentions';
import { realPathOfExistingPart } from '../editor/editorUri';
import type { ToPanel } from '../../protocol/panel/panel';
import type { WindowParts } from './windowParts';

type Entry = (window: WindowParts, ...args: never[]) => unknown;

const pictureKinds: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
};
/** Maximum size of an image, in bytes. Providers refuse larger ones. */
const maxImageBytes = 5_000_000;

/**
 * Commands that reach the agent from other places of VS Code. Each starts an ordinary task or adds to the message in
 * the composer, with the usual modes, risk assessment and approvals. The message mentions its subject but does not
 * quote it: text from files, tests and language servers is not the user's own.
 */
export const entryCommands = {
  'waymark.explainSelection': (window) => begin(window, vscode.l10n.t('Explain {0}.', selectionHere())),
  'waymark.fixProblems': (window, uri?: vscode.Uri, line?: number) =>
    begin(window, fixTask(uri ?? editorHere().document.uri, line)),
  'waymark.explainProblem': (window, uri?: vscode.Uri, line?: number) =>
    begin(window, explainTask(uri ?? editorHere().document.uri, line ?? 1)),
  'waymark.addSelection': (window) => add(window, `${selectionHere()} `),
  'waymark.addFile': (window, ...menuArguments: unknown[]) => addFiles(window, urisIn(menuArguments)),
  'waymark.addTerminal': (window) => add(window, '@terminal '),
  'waymark.explainTerminal': (window) =>
    begin(window, vscode.l10n.t('Explain the output of the terminal: {0}', '@terminal')),
  'waymark.explainChange': (window, ...menuArguments: unknown[]) => {
    const [uri] = urisIn(menuArguments);
    return uri && begin(window, vscode.l10n.t('Explain what changed in {0}: {1}', mentionOfFile(uri), '@git:diff'));
  },
  'waymark.fixTest': (window, testItem?: unknown) => begin(window, testTask(testItem)),
  'waymark.attachFiles': async (window) => {
    const chosen = await vscode.window.showOpenDialog({
      canSelectMany: true,
      openLabel: vscode.l10n.t('Attach'),
      title: vscode.l10n.t('Attach Files'),
    });
    if (chosen) await addFiles(window, chosen);
  },
} satisfies Readonly<Record<string, Entry>>;

/** The id of a command that leads to a task, such as "waymark.attachFiles". */
export type EntryName = keyof typeof entryCommands;

/** Adds files to the message in the composer: images as attachments, others as mentions. */
export async function addFiles(window: Pick<WindowParts, 'outlet'>, uris: readonly vscode.Uri[]): Promise<void> {
  const files = uris.filter(({ scheme }) => scheme === 'file' || scheme === 'vscode-remote');
  if (files.length === 0) return;
  const pictures = files.filter((uri) => pictureKind(uri) !== undefined);
  const mentions = files.filter((uri) => pictureKind(uri) === undefined).map((uri) => `${mentionOfFile(uri)} `);
  await add(window, mentions.join(''), await Promise.all(pictures.map(pictureOf)));
}

/** Returns the URIs of dropped files, which the panel passes as strings. */
export const droppedFiles = (addresses: readonly string[]): vscode.Uri[] =>
  addresses.flatMap((address) => {
    const uri = vscode.Uri.parse(address.trim());
    if (uri.scheme === 'vscode-remote') return [vscode.Uri.file(uri.path)];
    return uri.scheme === 'file' ? [uri] : [];
  });

const pictureKind = ({ path: name }: vscode.Uri): string | undefined => pictureKinds[path.extname(name).toLowerCase()];

async function pictureOf(
  uri: vscode.Uri,
): Promise<NonNullable<Extract<ToPanel, { type: 'insert' }>['images']>[number]> {
  const { size } = await vscode.workspace.fs.stat(uri);
  if (size > maxImageBytes)
    throw new Error(vscode.l10n.t('{0} was not attached: images can have at most 5 MB.', path.basename(uri.fsPath)));
  const bytes = await vscode.workspace.fs.readFile(uri);
  return { mediaType: pictureKind(uri)!, data: Buffer.from(bytes).toString('base64') };
}

function mentionOfFile(uri: vscode.Uri, range?: { readonly from: number; readonly to: number }): string {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const hasSeveralFolders = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const shown = folder ? vscode.workspace.asRelativePath(uri, hasSeveralFolders) : realPathOfExistingPart(uri.fsPath);
  return mentionOfPath(shown, range);
}

function editorHere(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error(vscode.l10n.t('No file is open in the editor. Open one first.'));
  return editor;
}

/** Returns a mention of the selected lines, or of the whole file if nothing is selected. */
function selectionHere(): string {
  const editor = editorHere();
  return mentionOfFile(editor.document.uri, editor.selection.isEmpty ? undefined : linesSelected(editor));
}

/** Returns a mention of the problems of a file. */
function problemsOf(uri: vscode.Uri): string {
  const shown = vscode.workspace.asRelativePath(uri);
  return `@problems:${/\s/.test(shown) ? `"${shown}"` : shown}`;
}

/** Returns the task to fix all problems of a file, or the one in a line. */
function fixTask(uri: vscode.Uri, line?: number): string {
  const listed = problemsOf(uri);
  if (line === undefined) return vscode.l10n.t('Fix the problems in {0}: {1}', mentionOfFile(uri), listed);
  const place = mentionOfFile(uri, { from: line, to: line });
  return vscode.l10n.t('Fix the problem in {0}. It is among these: {1}', place, listed);
}

function explainTask(uri: vscode.Uri, line: number): string {
  const place = mentionOfFile(uri, { from: line, to: line });
  return vscode.l10n.t('Explain the problem in {0}. It is among these: {1}', place, problemsOf(uri));
}

/**
 * Returns the task for a test, or for the failure message of one, as passed by test explorer menus. Its name is not
 * quoted: it comes from the folder and is not the user's own text.
 */
function testTask(testItem: unknown): string {
  const { test, uri, range } = (testItem ?? {}) as {
    test?: { uri?: vscode.Uri; range?: vscode.Range };
    uri?: vscode.Uri;
    range?: vscode.Range;
  };
  const file = test?.uri ?? uri;
  const at = test?.range ?? range;
  if (!file) throw new Error(vscode.l10n.t('This test has no file. Describe it in the message instead.'));
  if (!at) return vscode.l10n.t('Run the tests in {0}. Fix what fails, and run them again.', mentionOfFile(file));
  const place = mentionOfFile(file, { from: at.start.line + 1, to: at.end.line + 1 });
  return vscode.l10n.t('Run the test in {0}. If it fails, fix what it shows, and run it again.', place);
}

/** Returns the URIs passed by a menu: a file, all selected files, or source control resource states. */
function urisIn(menuArguments: readonly unknown[]): vscode.Uri[] {
  const asUri = (value: unknown): vscode.Uri[] => {
    if (value instanceof vscode.Uri) return [value];
    const { resourceUri } = (value ?? {}) as { resourceUri?: unknown };
    return resourceUri instanceof vscode.Uri ? [resourceUri] : [];
  };
  const all = menuArguments.flatMap((one) => (Array.isArray(one) ? one.flatMap(asUri) : asUri(one)));
  return [...new Map(all.map((uri) => [uri.toString(), uri])).values()];
}

/** Starts an ordinary task. Text that cannot be sent goes back to the composer. */
async function begin(window: WindowParts, task: string): Promise<{ sessionId: string } | undefined> {
  const session = await window.tasks.startOrGiveBack(task);
  return session && { sessionId: session.id };
}

async function add(
  { outlet }: Pick<WindowParts, 'outlet'>,
  text: string,
  images: Extract<ToPanel, { type: 'insert' }>['images'] = [],
): Promise<void> {
  await outlet.reveal();
  outlet.postWhenReady({ type: 'insert', text, ...(images.length > 0 && { images }) });
}
