import fs from 'node:fs';
import * as vscode from 'vscode';
import type { PanelChange, ToPanel } from '../../protocol/panel/panel';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { CommandAtWork } from '../../adapters/checkpoints/restoreConflict';
import { withoutProblems, type UndoChoice } from '../../core/changes/undoPlan';
import { betweenStepsWords, ChangesView } from './changesView';
import { cutShort, doubtsParagraph, paragraphsText } from './questionText';
import { ReviewComments } from './reviewComments';
import { ReviewEditors } from './reviewEditors';
import type { ReviewParts, SessionChanges } from './changeLists';
import { UndoRefused } from './reviewActions';
import { SessionReview, type ViewedState } from './sessionReview';
import type { SessionCheckpoints } from '../../adapters/checkpoints/recording/sessionCheckpoints';
import { reopenMoved } from '../editor/editorFiles';
import { inRealFolder } from '../../adapters/storage/diskPaths';

/** Maximum number of files listed in the panel, which also shows the total number. */
const maxFilesReported = 50;
/** Maximum number of files listed in a question. */
const maxFilesNamed = 15;
/** Maximum number of sessions whose last view is remembered; the last viewed ones are kept. */
const maxKeptLooks = 100;
const looksKey = 'waymark.lastLooks';

/** The review of sessions' changes: list, editors, comments and actions. */
export class WindowReview implements vscode.Disposable {
  readonly changes: SessionReview;
  readonly view: ChangesView;
  readonly editors: ReviewEditors;
  readonly comments: ReviewComments;
  readonly looks: LastLooks;
  private readonly saves: PersonSaves;
  private readonly moves: vscode.Disposable;
  private readonly onProblem: (problem: unknown) => void;
  private turns: Promise<unknown> = Promise.resolve();

  constructor(parts: ReviewParts) {
    this.onProblem = parts.onProblem;
    this.changes = new SessionReview(parts);
    this.view = new ChangesView(this.changes, parts.workspaceState);
    this.editors = new ReviewEditors(this.changes);
    this.comments = new ReviewComments(this.changes);
    this.looks = new LastLooks(parts.workspaceState);
    this.saves = new PersonSaves(parts.runs, parts.onProblem);
    this.moves = followMoves(this.changes);
  }

  /** Sends the changes to review to the views of the panel. */
  postChanges(post: (session: string, message: ToPanel) => void): void {
    for (const { session, isKept, files, displayPath } of this.changes.lists) {
      const described = files.slice(0, maxFilesReported).map((file) => describeChange(file, displayPath));
      post(session, { type: 'changes', session, kept: isKept, total: files.length, files: described });
    }
  }

  /** Shows the changes of a file, or nothing if there are none left. */
  async openFile(path: string): Promise<void> {
    const file = this.changes.files.find((each) => each.path === path);
    if (file) await this.editors.open(file);
  }

  /**
   * Undoes the chosen changes. If the user has changed the same lines since, undoes nothing, and offers the merge editor
   * and to undo the other changes.
   */
  async undo(choice: UndoChoice): Promise<void> {
    const isMeant = this.changes.ofShown();
    try {
      await this.changes.actions.undo(choice);
    } catch (error) {
      if (!isMeant()) throw error;
      if (error instanceof CommandAtWork) return this.undoLater(this.ofNow(choice));
      if (!(error instanceof UndoRefused)) throw error;
      const conflict = error.problems.find(({ kind }) => kind === 'conflict');
      const file = this.changes.files.find(({ reviews }) => reviews.some(({ path }) => path === conflict?.path));
      if (!conflict || !file) throw error;
      const others = this.changes.files.filter(({ isHeld }) => !isHeld);
      this.offerMerge(file, error.message, withoutProblems(others, choice, error.problems));
    }
  }

  /** Undoes all changes and discards held-back edits, unless the user refuses. */
  async undoAll(): Promise<void> {
    const { changes } = this;
    const { session } = changes;
    if (!(await this.agreesToUndoAll())) return;
    const isMore = changes.files.length > changes.heldFiles.length;
    if (changes.heldFiles.length > 0) await changes.actions.discardHeld({});
    if (!isMore) return;
    changes.assertStillShown(session);
    await this.undo({});
  }

  /** Replaces "everything" with the currently changed files: those that the agent changes later are not meant. */
  private ofNow(choice: UndoChoice): UndoChoice {
    if (choice.files !== undefined || choice.hunks !== undefined) return choice;
    return { files: this.changes.files.filter(({ isHeld }) => !isHeld).map(({ path }) => path) };
  }

  /** Undoes the changes when no command is working on these files, unless the user cancels that meanwhile. */
  private undoLater(choice: UndoChoice): void {
    const { session } = this.changes;
    let isWanted = true;
    const words = vscode.l10n.t('A command is changing these files. Waymark undoes the change when the command ends.');
    void vscode.window.showInformationMessage(words, vscode.l10n.t('Do Not Undo')).then((answer) => {
      if (answer !== undefined) isWanted = false;
    });
    const looked = this.changes.onDidChange(() => {
      const isMeant = isWanted && this.changes.session === session;
      if (isMeant && this.changes.isActing) return;
      looked.dispose();
      const left = isMeant ? this.stillThere(choice) : undefined;
      if (left) this.runQueued(() => this.undoOf(session, left)).catch((error: unknown) => this.onProblem(error));
    });
  }

  /** Another session may be on display when it is its turn. */
  private async undoOf(session: string | undefined, choice: UndoChoice): Promise<void> {
    this.changes.assertShown(session);
    await this.undo(choice);
  }

  /** Returns the choice without files that have no changes left, or undefined if none remain. */
  private stillThere(choice: UndoChoice): UndoChoice | undefined {
    if (!choice.files) return choice;
    const changed = new Set(this.changes.files.map(({ path }) => path));
    const files = choice.files.filter((file) => changed.has(file));
    return files.length > 0 ? { ...choice, files } : undefined;
  }

  /**
   * Asks before undoing changes that may not be the agent's, or not all of them. Throws an `Error` with a message for
   * people if another session is on display after the answer.
   */
  private async agreesToUndoAll(): Promise<boolean> {
    const { session } = this.changes;
    const agreed = new Set<string>();
    for (;;) {
      // Also ask about changes that were made while the user was reading the question.
      await this.changes.refresh();
      this.changes.assertShown(session);
      const foreign = this.changes.files.filter(({ isBetween }) => isBetween).map(({ path }) => path);
      const isAnyApplied = this.changes.files.some(({ isHeld }) => !isHeld);
      const doubts = isAnyApplied ? this.changes.doubts() : [];
      if ([...foreign, ...doubts].every((each) => agreed.has(each))) return true;
      if (!(await this.isUndoMeant(foreign, doubts))) return false;
      for (const each of [...foreign, ...doubts]) agreed.add(each);
    }
  }

  private async isUndoMeant(foreign: readonly string[], doubts: readonly string[]): Promise<boolean> {
    const named = foreign.map((path) => this.changes.displayPath(path));
    const detail = paragraphsText([
      named.length > 0 ? [betweenStepsWords(), ...cutShort(named, maxFilesNamed)] : [],
      doubtsParagraph(doubts),
    ]);
    const undo = vscode.l10n.t('Undo All');
    const question =
      foreign.length > 0
        ? vscode.l10n.t('Also undo these changes? Some may be yours or another program’s.')
        : vscode.l10n.t('Undo the changes that are known?');
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, undo)) === undo;
  }

  /** Opens the merge editor for the agent's lines that the user changed, or the diff if they cannot be merged. */
  async merge(file: FileChanges, hunks?: readonly ReviewedHunk[]): Promise<void> {
    if (!(await this.editors.merge(file, hunks))) await this.editors.open(file);
  }

  /** Not awaited: the user may ignore the question and continue to work. */
  private offerMerge(file: FileChanges, why: string, others: UndoChoice | undefined): void {
    const { session } = this.changes;
    const merge = vscode.l10n.t('Open Merge Editor');
    const undoOthers = vscode.l10n.t('Undo the Other Changes');
    void vscode.window.showWarningMessage(why, merge, ...(others ? [undoOthers] : [])).then((answer) => {
      if (answer === merge) return this.merge(file);
      if (answer === undoOthers && others)
        this.runQueued(() => this.undoOf(session, others)).catch((error: unknown) => this.onProblem(error));
      return undefined;
    });
  }

  /** Runs user actions one after the other. */
  runQueued<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.turns.then(work);
    this.turns = turn.catch(() => undefined);
    return turn;
  }

  dispose(): void {
    for (const part of [this.saves, this.moves, this.view, this.comments, this.editors, this.changes]) part.dispose();
  }
}

/**
 * Lets tabs follow files that a command moved, or that an undo or redo moved back. VS Code would show them as deleted.
 */
function followMoves(changes: SessionReview): vscode.Disposable {
  /** Where each moved file was, by where it is. */
  let known = new Map<string, string>();
  let following: Promise<unknown> = Promise.resolve();
  return changes.onDidChange(() => {
    const moved = new Map(
      changes.files.flatMap(({ from, path, isHeld }) => (from === undefined || isHeld ? [] : [[path, from] as const])),
    );
    const moves = [
      ...[...moved].filter(([path]) => !known.has(path)).map(([path, from]) => ({ from, to: path })),
      ...[...known].filter(([path]) => !moved.has(path)).map(([path, from]) => ({ from: path, to: from })),
    ];
    known = moved;
    for (const { from, to } of moves)
      if (!fs.existsSync(from) && fs.existsSync(to))
        following = following.then(() => reopenMoved(from, to)).catch(() => undefined); // the file moved, whether or not its tab follows
  });
}

function describeChange(
  { path, from, kind, isHeld, isText, added, removed }: FileChanges,
  shown: SessionChanges['displayPath'],
): PanelChange {
  const name = shown(path);
  return {
    path,
    shown: from === undefined ? name : `${shown(from)} → ${name}`,
    kind,
    ...(isHeld && { held: isHeld }),
    ...(isText && { added, removed }),
  };
}

/** `at` is absent in entries of earlier versions. */
type StoredLook = readonly [session: string, seq: number, at?: number];

/** How far the user has reviewed each session in the multi-diff editor. Survives a reload. */
class LastLooks {
  constructor(private readonly workspaceState: vscode.Memento) {}

  /** Returns the start of the session if it was never viewed. */
  lastLookAt(session: string): ViewedState {
    const [, seq = -1, viewedAt = 0] = this.all.find(([id]) => id === session) ?? [];
    return { session, seq, viewedAt };
  }

  async note({ session, seq, viewedAt }: ViewedState): Promise<void> {
    const others = this.all.filter(([id]) => id !== session);
    await this.workspaceState.update(looksKey, [...others, [session, seq, viewedAt]].slice(-maxKeptLooks));
  }

  private get all(): readonly StoredLook[] {
    return this.workspaceState.get<readonly StoredLook[]>(looksKey, []);
  }
}

/**
 * Tells the runs of this window which files the user saves or creates in editors while commands run, so that these
 * changes are not attributed to the commands. Writes of other programs cannot be told apart from those of a command.
 */
class PersonSaves implements vscode.Disposable {
  private readonly listening: vscode.Disposable;

  constructor(
    private readonly runs: () => readonly SessionCheckpoints[],
    private readonly onProblem: (problem: unknown) => void,
  ) {
    this.listening = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument((event) => {
        const looked = this.forEachRun(event.document.uri, (run, place) => run.beforePersonSaves(place));
        event.waitUntil(looked.then(() => []));
      }),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.saved(uri)),
      vscode.workspace.onDidCreateFiles(({ files }) => files.forEach((uri) => void this.saved(uri))),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => void this.saved(uri))),
      vscode.workspace.onDidRenameFiles(({ files }) =>
        files.forEach(({ oldUri, newUri }) => {
          void this.saved(oldUri);
          void this.saved(newUri);
        }),
      ),
    );
  }

  dispose(): void {
    this.listening.dispose();
  }

  private saved(uri: vscode.Uri): Promise<void> {
    return this.forEachRun(uri, (run, place) => run.afterPersonSaved(place));
  }

  /** Calls `handle` for each run, unless a tool is writing the file. Never rejects. */
  private async forEachRun(
    uri: vscode.Uri,
    handle: (run: SessionCheckpoints, place: string) => Promise<void>,
  ): Promise<void> {
    const runs = this.runs();
    if (uri.scheme !== 'file' || runs.length === 0) return;
    const place = inRealFolder(uri.fsPath);
    if (runs.some((run) => run.isEditing(place))) return;
    await Promise.all(runs.map((run) => handle(run, place).catch((problem: unknown) => this.onProblem(problem))));
  }
}
