import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { textVersion } from '../../adapters/files/textVersion';
import type { WorkspacePaths } from '../../adapters/files/workspacePaths';
import type {
  CodeLocation,
  CodePlace,
  CodeServices,
  CodeSymbol,
  LineRange,
  OfferedAction,
  PlannedWrite,
} from '../../core/ports/codeServices';
import { FileProblem, type Files } from '../../core/ports/files';
import { editorUri } from './editorUri';
import { problemsOf } from './editorProblems';
import { withUnixLineEnds } from './openFiles';
import { byPlace } from '../../core/text/order';

/** Timeout of a request, in ms. A language service may have to load a whole project first. */
const requestTimeoutMs = 25_000;
/** How long a service may take to report that it has read a project after one of its files was opened, in ms. */
const settleMs = 1_000;
/** Maximum number of code actions whose edit is computed. Services compute each edit separately. */
const maxResolved = 30;

type Parts = { readonly paths: WorkspacePaths; readonly files: Files };

/** Language features of VS Code for the files of the workspace. */
export function editorCode(paths: WorkspacePaths, files: Files): CodeServices {
  const parts = { paths, files };
  return {
    references: async (place, signal) =>
      locationsFrom(
        await findSymbol(parts, place),
        { command: 'vscode.executeReferenceProvider', what: 'uses' },
        parts,
        signal,
      ),
    definitions: async (place, signal) =>
      locationsFrom(
        await findSymbol(parts, place),
        { command: 'vscode.executeDefinitionProvider', what: 'declaration' },
        parts,
        signal,
      ),
    symbols: (path, signal) => symbolsOf(parts, path, signal),
    problems: (path, signal) => problemsOf(paths, path, signal),
    rename: (place, name, signal) => renameOf(parts, place, name, signal),
    actions: async (range, signal) => (await actionsFor(parts, range, signal)).map(toOfferedAction),
    applying: (range, title, signal) => editsOfAction(parts, range, title, signal),
  };
}

interface Placed {
  readonly document: vscode.TextDocument;
  readonly position: vscode.Position;
  readonly place: CodePlace;
  /** True if the language service has only just been told about the file. */
  readonly isNew: boolean;
}

/** Opens the file as a document, without a tab. */
async function openDocument({ paths }: Parts, spelled: string): Promise<vscode.TextDocument> {
  const { absolute, display } = paths.resolve(spelled, 'read');
  try {
    return await vscode.workspace.openTextDocument(editorUri(absolute));
  } catch {
    throw new FileProblem('missing', `VS Code cannot open ${display} as text.`);
  }
}

async function findSymbol(parts: Parts, place: CodePlace): Promise<Placed> {
  const openBefore = new Set(vscode.workspace.textDocuments);
  const document = await openDocument(parts, place.path);
  const isNew = !openBefore.has(document);
  const { path, line, symbol } = place;
  if (line > document.lineCount) throw new Error(`${path} has ${document.lineCount} lines; there is no line ${line}.`);
  const column = columnOf(document.lineAt(line - 1).text, symbol);
  if (column !== undefined) return { document, position: new vscode.Position(line - 1, column), place, isNew };
  const others = linesWith(document, symbol, line);
  const hint = others.length === 0 ? 'nor anywhere in the file' : `but in line ${others.join(', ')}`;
  throw new Error(`"${symbol}" is not in line ${line} of ${path}, ${hint}. Read the file for the line.`);
}

/** Returns the column of a name in a line, preferring a whole word. */
function columnOf(line: string, symbol: string): number | undefined {
  const isWordAt = (at: number): boolean =>
    !isWordSign(line[at - 1] ?? '') && !isWordSign(line[at + symbol.length] ?? '');
  for (let at = line.indexOf(symbol); at !== -1; at = line.indexOf(symbol, at + 1)) if (isWordAt(at)) return at;
  const first = line.indexOf(symbol);
  return first === -1 ? undefined : first;
}

const isWordSign = (sign: string): boolean => /^[\p{L}\p{N}_$]$/u.test(sign);

/**
 * Returns the answer of a command that searches the whole project. While TypeScript's service loads a project, it
 * answers references and renames from one file only. So first it gets a request that it answers only after loading.
 * `reachesOthers`: returns whether an answer includes other files; one that does not may have come too early.
 */
async function requestFromProject<Answer>(
  { document, position, isNew }: Placed,
  signal: AbortSignal,
  reachesOthers: (answer: Answer) => boolean,
  [command, ...args]: readonly [command: string, ...args: unknown[]],
): Promise<Answer | undefined> {
  await request(signal, document, 'vscode.prepareCallHierarchy', position).catch((thrown: unknown) => {
    signal.throwIfAborted();
    if (thrown instanceof NoAnswer) throw thrown;
  });
  const answer = await request<Answer>(signal, document, command, position, ...args);
  if (!isNew || (answer && reachesOthers(answer))) return answer;
  await pause(settleMs, undefined, { signal });
  return request<Answer>(signal, document, command, position, ...args);
}

/** Returns up to three lines that contain the name and are nearest to `near`, in document order. */
function linesWith(document: vscode.TextDocument, symbol: string, near: number): number[] {
  const lines = document.getText().split(/\r?\n/);
  const found = lines.flatMap((line, index) => (columnOf(line, symbol) === undefined ? [] : [index + 1]));
  const nearest = found.sort((a, b) => Math.abs(a - near) - Math.abs(b - near)).slice(0, 3);
  return nearest.sort((a, b) => a - b);
}

class NoAnswer extends Error {}

/** Runs a VS Code command and returns its answer. Rejects on timeout and when the signal is aborted. */
function request<Answer>(
  signal: AbortSignal,
  document: vscode.TextDocument,
  command: string,
  ...args: unknown[]
): Promise<Answer | undefined> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stopped);
    };
    const stopped = (): void => {
      end();
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      end();
      const name = languageOf(document);
      reject(
        new NoAnswer(
          `The language service for ${name} did not answer within ${requestTimeoutMs / 1000} s. Try again later.`,
        ),
      );
    }, requestTimeoutMs);
    signal.addEventListener('abort', stopped, { once: true });
    if (signal.aborted) return stopped();
    vscode.commands.executeCommand<Answer | undefined>(command, document.uri, ...args).then(
      (answer) => {
        end();
        resolve(answer);
      },
      (thrown: unknown) => {
        end();
        reject(thrown instanceof Error ? thrown : new Error(String(thrown)));
      },
    );
  });
}

const languageOf = ({ languageId }: vscode.TextDocument): string =>
  languageId === 'plaintext' ? 'this kind of file' : languageId;

/** VS Code gives the same answer if a language has no service and if its service found nothing. */
function nothingFound(document: vscode.TextDocument, what: string): Error {
  const language = languageOf(document);
  return new Error(
    `VS Code found no ${what}. Either no extension supports ${language}, or its language service found none here. A text search may find it.`,
  );
}

async function locationsFrom(
  placed: Placed,
  { command, what }: { readonly command: string; readonly what: string },
  { paths }: Parts,
  signal: AbortSignal,
): Promise<CodeLocation[]> {
  const { document, place } = placed;
  const isElsewhere = (found: vscode.Location | vscode.LocationLink): boolean =>
    uriOf(found).toString() !== document.uri.toString();
  const found = await requestFromProject<(vscode.Location | vscode.LocationLink)[]>(
    placed,
    signal,
    (all) => all.some(isElsewhere),
    [command],
  );
  const locations = (found ?? []).flatMap((each) => locationOf(each, paths) ?? []);
  if (locations.length === 0) throw nothingFound(document, `${what} of "${place.symbol}"`);
  return locations.sort(byPlace);
}

const uriOf = (found: vscode.Location | vscode.LocationLink): vscode.Uri =>
  'targetUri' in found ? found.targetUri : found.uri;

/** Returns undefined for locations the agent must not see: not a file, or excluded by .agentignore. */
function locationOf(found: vscode.Location | vscode.LocationLink, paths: WorkspacePaths): CodeLocation | undefined {
  const uri = uriOf(found);
  const range = 'targetUri' in found ? (found.targetSelectionRange ?? found.targetRange) : found.range;
  if (uri.scheme !== 'file') return undefined;
  const at = { line: range.start.line + 1, column: range.start.character + 1 };
  try {
    return { path: paths.resolve(uri.fsPath, 'read').display, ...at, isInside: true };
  } catch (thrown) {
    const isOutside = thrown instanceof FileProblem && thrown.code === 'outside';
    return isOutside ? { path: uri.fsPath, ...at, isInside: false } : undefined;
  }
}

async function symbolsOf(parts: Parts, path: string, signal: AbortSignal): Promise<CodeSymbol[]> {
  const document = await openDocument(parts, path);
  const found = await request<(vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    signal,
    document,
    'vscode.executeDocumentSymbolProvider',
  );
  if (!found || found.length === 0) throw nothingFound(document, `outline of ${path}`);
  return found.flatMap((symbol) => flattenSymbol(symbol, 0));
}

function flattenSymbol(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, depth: number): CodeSymbol[] {
  const range = 'location' in symbol ? symbol.location.range : symbol.range;
  const own: CodeSymbol = {
    name: symbol.name,
    kind: vscode.SymbolKind[symbol.kind].toLowerCase(),
    fromLine: range.start.line + 1,
    toLine: range.end.line + 1,
    depth,
  };
  const children = 'children' in symbol ? symbol.children : [];
  return [own, ...children.flatMap((child) => flattenSymbol(child, depth + 1))];
}

async function renameOf(parts: Parts, place: CodePlace, name: string, signal: AbortSignal): Promise<PlannedWrite[]> {
  const at = await findSymbol(parts, place);
  const reachesOthers = (edit: vscode.WorkspaceEdit): boolean => edit.size > 1;
  let edit: vscode.WorkspaceEdit | undefined;
  try {
    edit = await requestFromProject(at, signal, reachesOthers, ['vscode.executeDocumentRenameProvider', name]);
  } catch (thrown) {
    signal.throwIfAborted();
    throw new Error(`"${place.symbol}" was not renamed: ${(thrown as Error).message}`, { cause: thrown });
  }
  if (!edit || edit.entries().length === 0) throw nothingFound(at.document, `way to rename "${place.symbol}"`);
  return plannedWrites(edit, parts);
}

async function actionsFor(parts: Parts, range: LineRange, signal: AbortSignal): Promise<vscode.CodeAction[]> {
  const document = await openDocument(parts, range.path);
  if (range.toLine > document.lineCount)
    throw new Error(`${range.path} has ${document.lineCount} lines; there is no line ${range.toLine}.`);
  const lines = new vscode.Range(
    document.lineAt(range.fromLine - 1).range.start,
    document.lineAt(range.toLine - 1).range.end,
  );
  const found = await request<(vscode.CodeAction | vscode.Command)[]>(
    signal,
    document,
    'vscode.executeCodeActionProvider',
    lines,
    undefined,
    maxResolved,
  );
  const actions = (found ?? []).filter((each): each is vscode.CodeAction => typeof each.command !== 'string');
  if (actions.length === 0) throw nothingFound(document, `quick fix or refactoring for these lines of ${range.path}`);
  return actions;
}

const toOfferedAction = ({ title, kind, edit }: vscode.CodeAction): OfferedAction => ({
  title,
  kind: kind?.value ?? '',
  isEdit: edit !== undefined && edit.entries().length > 0,
});

async function editsOfAction(
  parts: Parts,
  range: LineRange,
  title: string,
  signal: AbortSignal,
): Promise<PlannedWrite[]> {
  const actions = await actionsFor(parts, range, signal);
  const named = actions.filter((action) => action.title === title);
  const chosen = named.find((action) => toOfferedAction(action).isEdit) ?? named[0];
  if (!chosen) {
    const titles = actions.slice(0, 20).map((action) => `"${action.title}"`);
    throw new Error(`VS Code offers no action "${title}" for these lines. It offers: ${titles.join(', ')}.`);
  }
  if (!toOfferedAction(chosen).isEdit)
    throw new Error(
      `"${title}" runs a VS Code command, and nobody can review its changes beforehand. Make the change with an edit.`,
    );
  return plannedWrites(chosen.edit!, parts);
}

/**
 * Returns the file contents that an edit would produce. The files are then written through the session's `Files`, like
 * every other edit.
 */
async function plannedWrites(edit: vscode.WorkspaceEdit, { paths, files }: Parts): Promise<PlannedWrite[]> {
  const planned: PlannedWrite[] = [];
  for (const [uri, edits] of edit.entries()) {
    if (edits.length === 0) continue;
    if (uri.scheme !== 'file')
      throw new FileProblem('outside', `It would change ${uri.toString()}, which is not a file.`);
    const { display } = paths.resolve(uri.fsPath, 'write');
    planned.push(await plannedWrite(uri, display, edits, files));
  }
  return planned;
}

async function plannedWrite(
  uri: vscode.Uri,
  path: string,
  edits: readonly vscode.TextEdit[],
  files: Files,
): Promise<PlannedWrite> {
  let known;
  try {
    known = await files.read(path);
  } catch (thrown) {
    const isNew = thrown instanceof FileProblem && thrown.code === 'missing';
    if (!isNew) throw thrown;
    return { path, text: withUnixLineEnds(edits.map(({ newText }) => newText).join('')), expected: null };
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const shown = document.getText();
  if (textVersion(withUnixLineEnds(shown)) !== known.version)
    throw new FileProblem('changed', `${path} changed a moment ago, so nothing was changed. Try again.`);
  return { path, text: withUnixLineEnds(withEdits(document, shown, edits)), expected: known.version };
}

function withEdits(document: vscode.TextDocument, text: string, edits: readonly vscode.TextEdit[]): string {
  const sorted = edits
    .map(({ range, newText }) => ({
      from: document.offsetAt(range.start),
      to: document.offsetAt(range.end),
      newText,
    }))
    .sort((a, b) => a.from - b.from || a.to - b.to);
  const pieces: string[] = [];
  let copied = 0;
  for (const { from, to, newText } of sorted) {
    pieces.push(text.slice(copied, from), newText);
    copied = Math.max(copied, to);
  }
  return [...pieces, text.slice(copied)].join('');
}
