import * as vscode from 'vscode';
import type { SessionSummary } from '../../adapters/sessions/sessions';
import { mentionOfPath } from '../../core/context/mentions';
import { showInvisibleInLine } from '../../protocol/plain/invisible';
import type { RecentSession, Starter } from '../../protocol/panel/panel';
import { realPathOfExistingPart } from '../editor/editorUri';
import { sessionFactWords, sessionStateWords } from '../sessions/sessionWords';
import type { ContextSources } from './contextSources';
import { mayShareFile } from './editorMentions';

const maxRecent = 3;

/** Returns suggested tasks for the open folder. Runs nothing, and reads nothing in an untrusted workspace. */
export async function startersFor(sources: ContextSources): Promise<Starter[]> {
  if (!vscode.workspace.isTrusted) return [];
  const facts = { names: await sources.names(), errors: errorsHere(), open: openFile(sources) };
  const withoutSearch = starterTasks(facts);
  if (withoutSearch.length === maxStarters || facts.names.length === 0) return withoutSearch.map(starterFor);
  return starterTasks({ ...facts, todoIn: await sources.fileWithTodo() }).map(starterFor);
}

function starterFor(task: StarterKind): Starter {
  switch (task.kind) {
    case 'errors':
      return {
        icon: 'error',
        label: vscode.l10n.t('Fix the problems that the editor reports'),
        task: vscode.l10n.t('Fix the problems that the editor reports: {0}', '@problems'),
      };
    case 'tests':
      return {
        icon: 'beaker',
        label: vscode.l10n.t('Run the tests and fix what fails'),
        task: vscode.l10n.t('Run the tests. Fix what fails, and run them again.'),
      };
    case 'todos':
      return {
        icon: 'checklist',
        label: vscode.l10n.t('List the TODO comments'),
        task: vscode.l10n.t('List the TODO comments of this project with their files, and say which to do first.'),
      };
    case 'open':
      return {
        icon: 'file-code',
        label: vscode.l10n.t('Explain {0}', task.file),
        task: vscode.l10n.t('Explain {0}.', mentionOfPath(task.file)),
      };
    case 'readme':
      return {
        icon: 'book',
        label: vscode.l10n.t('Explain this project'),
        task: vscode.l10n.t(
          'Explain this project from {0} and its code: what it does, and where to start.',
          mentionOfPath(task.file),
        ),
      };
    case 'overview':
      return {
        icon: 'book',
        label: vscode.l10n.t('Explain this project'),
        task: vscode.l10n.t('Explain this project from its code: what it does, and where to start.'),
      };
    case 'create':
      return {
        icon: 'new-file',
        label: vscode.l10n.t('Start a small project'),
        task: vscode.l10n.t('Create a small command-line program with one test. Ask me first in which language.'),
      };
  }
}

/** Returns the sessions used last, without sub-agent sessions. */
export const recentSessions = (
  sessions: readonly SessionSummary[],
  running: (id: string) => boolean,
): RecentSession[] =>
  sessions
    .filter(({ parent }) => parent === undefined)
    .slice(0, maxRecent)
    .map((session) => ({
      id: session.id,
      title: showInvisibleInLine(session.title),
      detail: [
        sessionStateWords(session, running(session.id)),
        new Date(session.updatedAt).toLocaleString(undefined, { dateStyle: 'short', timeStyle: 'short' }),
        ...sessionFactWords(session),
      ].join(' · '),
    }));

function errorsHere(): number {
  const ofFiles = vscode.languages.getDiagnostics().filter(([uri]) => vscode.workspace.getWorkspaceFolder(uri));
  return ofFiles.flatMap(([, found]) => found).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error)
    .length;
}

function openFile({ activeEditor, paths }: ContextSources): string | undefined {
  const editor = activeEditor();
  if (!editor || editor.document.uri.scheme !== 'file') return undefined;
  if (!vscode.workspace.getWorkspaceFolder(editor.document.uri)) return undefined;
  const shown = paths.display(realPathOfExistingPart(editor.document.uri.fsPath));
  return mayShareFile(editor.document.uri, shown, paths) ? shown : undefined;
}

/** Facts about a folder from which tasks are suggested. */
interface FolderFacts {
  /** Display names of the files that are not ignored. */
  readonly names: readonly string[];
  /** Number of errors reported by language servers. */
  readonly errors: number;
  /** A file with a TODO comment. */
  readonly todoIn?: string | undefined;
  /** The file that is open in the editor. */
  readonly open?: string | undefined;
}

/** A suggested task. `file`: the file that it is about. */
type StarterKind =
  | { readonly kind: 'errors' | 'tests' | 'todos' | 'overview' | 'create' }
  | { readonly kind: 'readme' | 'open'; readonly file: string };

const maxStarters = 4;
const testFile = /(?:^|\/)(?:tests?|__tests__|spec)\/|[._-](?:test|spec)\.\w+$|(?:^|\/)test_[^/]+\.py$|_test\.go$/i;
const readme = /^readme(?:\.\w+)?$/i;

/** Returns at most four suggested tasks for the folder, errors first. */
function starterTasks({ names, errors, todoIn, open }: FolderFacts): StarterKind[] {
  if (names.length === 0) return [{ kind: 'create' }];
  const tasks: StarterKind[] = [];
  if (errors > 0) tasks.push({ kind: 'errors' });
  if (names.some((name) => testFile.test(name))) tasks.push({ kind: 'tests' });
  if (todoIn !== undefined) tasks.push({ kind: 'todos' });
  if (open !== undefined) tasks.push({ kind: 'open', file: open });
  const about = names.find((name) => readme.test(name));
  tasks.push(about === undefined ? { kind: 'overview' } : { kind: 'readme', file: about });
  return tasks.slice(0, maxStarters);
}
