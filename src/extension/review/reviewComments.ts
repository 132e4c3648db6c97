import * as vscode from 'vscode';
import type { FileChanges } from '../../core/changes/changesOf';
import type { ReviewedHunk } from '../../core/changes/fileReview';
import { ContextKeys } from '../common/contextKeys';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import { reviewScheme } from './reviewEditors';
import type { SessionReview } from './sessionReview';
import { shownName } from '../../core/text/shownName';
import { compareTexts } from '../../core/text/order';

const controllerId = 'waymark.review';
/** `contextValue` of unsent threads and comments, used in menus. */
const unsent = 'unsent';

class PersonComment implements vscode.Comment {
  readonly mode = vscode.CommentMode.Preview;
  readonly author = { name: vscode.l10n.t('You') };
  readonly contextValue = unsent;
  readonly body: vscode.MarkdownString;

  constructor(readonly text: string) {
    // Show typed text literally, without Markdown.
    this.body = new vscode.MarkdownString().appendText(text);
  }
}

/** A thread and the session whose changes it is about. */
interface Started {
  readonly thread: vscode.CommentThread;
  readonly session: string;
}

/** What sending comments needs from the window. */
export interface CommentWindow {
  readonly shown: Pick<ShownSession, 'openedSession'>;
  readonly sessions: Pick<OpenSessions, 'useChosenModel'>;
}

/** The user's comments on the agent's changes, which are collected and then sent together. */
export class ReviewComments implements vscode.Disposable {
  private readonly controller = vscode.comments.createCommentController(controllerId, vscode.l10n.t('Waymark Review'));
  private started: Started[] = [];
  private readonly listening: vscode.Disposable;
  private readonly keys = new ContextKeys();

  constructor(private readonly review: SessionReview) {
    this.controller.options = {
      prompt: vscode.l10n.t('Comment on this change'),
      placeHolder: vscode.l10n.t('What should the agent do here? It is sent with the other comments.'),
    };
    this.controller.commentingRangeProvider = {
      provideCommentingRanges: (document) =>
        this.fileOf(document.uri) ? [new vscode.Range(0, 0, Math.max(0, document.lineCount - 1), 0)] : [],
    };
    // Another session may be on display.
    this.listening = review.onDidChange(() => this.reportCount());
  }

  /** Number of unsent comments on changes of the session on display. */
  get count(): number {
    return this.waitingOf(this.review.session).reduce((sum, { comments }) => sum + comments.length, 0);
  }

  /** Adds typed text to a thread. */
  add({ thread, text }: vscode.CommentReply): void {
    const { session } = this.review;
    if (session === undefined || text.trim() === '') return;
    thread.comments = [...thread.comments, new PersonComment(text)];
    thread.contextValue = unsent;
    thread.label = vscode.l10n.t('Not sent yet');
    if (!this.started.some((each) => each.thread === thread)) this.started.push({ thread, session });
    this.reportCount();
  }

  /** Removes an unsent comment. */
  remove(comment: vscode.Comment): void {
    for (const { thread } of this.started) {
      if (!thread.comments.includes(comment)) continue;
      thread.comments = thread.comments.filter((each) => each !== comment);
      if (thread.comments.length === 0) this.forget(thread);
    }
    this.reportCount();
  }

  /**
   * Adds typed text, then sends all unsent comments. If the thread belongs to a session that is not on display, throws
   * an `Error` with a message for people and keeps the comment unsent.
   */
  async addAndSend(window: CommentWindow, reply: vscode.CommentReply): Promise<boolean> {
    this.add(reply);
    const of = this.started.find(({ thread }) => thread === reply.thread);
    if (of) this.review.assertShown(of.session);
    return this.send(window);
  }

  /**
   * Sends all unsent comments for the session on display as one message. Returns false if there are none or no model is
   * chosen.
   */
  async send({ shown, sessions }: CommentWindow): Promise<boolean> {
    const session = await shown.openedSession();
    if (!session || this.waitingOf(session.id).length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No comments to send.'));
      return false;
    }
    if (!session.writable) throw new Error(session.problem);
    if (session.settings?.mode === 'human')
      throw new Error(
        vscode.l10n.t('In human mode messages run as commands. Choose another mode to send comments to the agent.'),
      );
    if (!(await sessions.useChosenModel(session))) return false;
    // While choosing a model, the user may have selected another session or removed comments.
    this.review.assertShown(session.id);
    const threads = this.waitingOf(session.id);
    if (threads.length === 0) return false;
    session.conversation.say(commentsInWords(threads.flatMap((thread) => this.commentsOf(thread))));
    this.markAsSent(threads);
    return true;
  }

  /** Marks threads as sent. They stay readable and are not sent again. */
  private markAsSent(sent: readonly vscode.CommentThread[]): void {
    for (const thread of sent) {
      thread.label = vscode.l10n.t('Sent to the agent');
      thread.contextValue = 'sent';
      thread.canReply = false;
      thread.state = vscode.CommentThreadState.Resolved;
      thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
    }
    this.started = this.started.filter(({ thread }) => !sent.includes(thread));
    this.done.push(...sent);
    this.reportCount();
  }

  private readonly done: vscode.CommentThread[] = [];

  dispose(): void {
    for (const { thread } of this.started) thread.dispose();
    for (const thread of this.done) thread.dispose();
    this.controller.dispose();
    this.listening.dispose();
  }

  /** Returns the unsent threads of a session. */
  private waitingOf(of: string | undefined): readonly vscode.CommentThread[] {
    return this.started.flatMap(({ thread, session }) => (session === of ? [thread] : []));
  }

  private forget(thread: vscode.CommentThread): void {
    this.started = this.started.filter((each) => each.thread !== thread);
    thread.dispose();
  }

  private reportCount(): void {
    this.keys.set('waymark.commentsWait', this.count > 0);
  }

  /** Returns the changes of the file that a document shows, on either side of a diff. */
  private fileOf(uri: vscode.Uri): FileChanges | undefined {
    return this.review.fileAt(uri.scheme === reviewScheme ? uri.with({ scheme: 'file', query: '' }) : uri);
  }

  private commentsOf({ uri, range, comments }: vscode.CommentThread): ReviewComment[] {
    const file = this.fileOf(uri);
    const side = uri.scheme === reviewScheme ? 'before' : 'now';
    const from = range?.start.line ?? 0;
    const to = range?.end.line ?? from;
    const hunk = file?.hunks.find((each) => touches(each, side, from, to));
    return comments.map((comment) => ({
      path: this.review.displayPath(file?.path ?? uri.fsPath),
      from: from + 1,
      to: to + 1,
      side,
      ...(hunk && { hunk: { id: hunk.id, removed: hunk.removed.length, added: hunk.added.length } }),
      text: comment instanceof PersonComment ? comment.text : '',
    }));
  }
}

/**
 * Returns whether lines, 0-based and inclusive, overlap a hunk. A hunk that only removes lines covers the line where
 * the text continues.
 */
function touches({ kind, block }: ReviewedHunk, side: ReviewComment['side'], from: number, to: number): boolean {
  if (kind !== 'lines') return true;
  const [start, end] = side === 'now' ? [block.newFrom, block.newTo] : [block.oldFrom, block.oldTo];
  return from < Math.max(end, start + 1) && to >= start;
}

/** A comment of the user on lines of a diff. */
interface ReviewComment {
  /** Display name. */
  readonly path: string;
  /** First and last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** Side of the diff: the current file, or the file without the agent's changes. */
  readonly side: 'now' | 'before';
  /** The hunk that the lines belong to; absent if there is none. */
  readonly hunk?: { readonly id: string; readonly removed: number; readonly added: number };
  readonly text: string;
}

/**
 * Returns the comments as one message to the agent, each with its file, lines and hunk. Lines of files are not quoted:
 * the message counts as written by the user, and files may contain untrusted text.
 */
function commentsInWords(comments: readonly ReviewComment[]): string {
  const count = comments.length === 1 ? 'a comment' : `${comments.length} comments`;
  const sorted = [...comments].sort((a, b) => compareTexts(a.path, b.path) || a.from - b.from);
  return [`I reviewed your changes and have ${count}:`, ...sorted.map(commentInWords)].join('\n\n');
}

function commentInWords({ path, from, to, side, hunk, text }: ReviewComment): string {
  const lines = from === to ? `line ${from}` : `lines ${from}-${to}`;
  const when = side === 'before' ? ' before your change' : '';
  const change = hunk ? ` (hunk ${hunk.id}, +${hunk.added} −${hunk.removed})` : '';
  return `${shownName(path)}, ${lines}${when}${change}:\n${text.trim()}`;
}
