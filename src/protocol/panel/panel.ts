import type { Spent, ContextFill } from '../events/figures';
import * as z from 'zod';
import type { FileChange, LastingKind } from '../events/details';
import {
  type Action,
  ConfirmationMode,
  type Limits,
  Mode,
  type Event,
  type Image,
  type RiskLevel,
} from '../events/event';
import { stepQuestions, type ToInspector } from '../inspector/inspector';
import { maxMessageCharacters } from '../plain/messageLength';

/**
 * Messages between extension host and webview. The panel receives a page of the log, then events and deltas. It never
 * receives the whole state, so the size of messages does not depend on the length of the run.
 */

/** Status of a run, computed from its log. `idle`: the agent has answered and a person may continue. */
export type Status =
  'empty' | 'ready' | 'waiting_for_confirmation' | 'waiting_for_answer' | 'idle' | 'paused' | 'finished';

/**
 * Where a task runs: in the workspace; in a new worktree at the last commit, with or without uncommitted changes; or
 * several times, each in its own worktree, keeping the best result.
 */
export const TaskPlace = z.enum(['workspace', 'worktree', 'worktree_uncommitted', 'best_of']);
export type TaskPlace = z.infer<typeof TaskPlace>;

/** Settings for the next task. `toolsets` is empty if the profile decides. */
export interface NextTask {
  profile: string;
  mode: Mode;
  candidates: number;
  verifier: 'first_valid' | 'llm' | 'reward_model';
  toolsets: readonly string[];
  disabledToolsets: readonly string[];
}

/** State outside the log. The panel does not keep it across a reload. */
export interface PanelFacts {
  /** True while the loop runs in this window. A run that is `ready` but not running was cut off and can be resumed. */
  running: boolean;
  status: Status;
  /** For a finished run: whether it submitted its work. */
  submitted?: boolean;
  /** Absent until a model is chosen. Nothing can be started before that. */
  model?: { name: string; provider: string; scripted: boolean; textOnly: boolean; contextWindow: number | null };
  confirmation: ConfirmationMode;
  mode: Mode;
  /** Name of the agent profile. */
  profile: string;
  limits: Limits;
  /** True if the run pauses at every checkpoint. */
  stepping: boolean;
  /** True if it will pause at the next one. */
  pauseRequested: boolean;
  next: NextTask;
  trusted: boolean;
  /** False if images are omitted from what the model reads. */
  sees?: boolean;
  /** Whether commands run in a sandbox, with the reason for people. Absent until known. */
  sandbox?: { on: boolean; words: string };
  /** True if no other window or process has the session open for writing. */
  writable: boolean;
  /** Reason why it is read-only, for people. */
  problem?: string;
  /** True if another window or program writes the log. The panel shows what it does. */
  elsewhere?: boolean;
  /** True while the session is being opened. The person can type, but not send. */
  loading?: boolean;
  /**
   * Why the log cannot be written, for people. Events that are not displayed are waiting for it. Absent while
   * everything is on disk.
   */
  unkept?: string;
  /** True if a new session can continue from the intact part of the log. */
  salvageable?: boolean;
  spent: Spent;
  /** How full the model's context window is; null before there is any context. */
  context: ContextFill | null;
  /** Title in the header: "Fix the test". */
  title: string;
  sessionId?: string;
  /** Where the next task runs. `problem`: why it cannot have a worktree, for people. */
  place?: { chosen: TaskPlace; problem?: string };
  /** First words of the task that starts here when a model is chosen. */
  waitsForModel?: string;
  /** Set if the session works in a worktree: the folder that its changes are brought back to. */
  worktree?: string;
}

/** A suggested task for this folder. */
export interface Starter {
  /** Name of a codicon. */
  icon: string;
  label: string;
  /** Text to put into the composer. Nothing starts until the person sends it. */
  task: string;
}

/** An earlier session, as listed on the welcome page. */
export interface RecentSession {
  id: string;
  title: string;
  /** Time of the last activity and status, in words. */
  detail: string;
}

/** A way to connect a model, offered on first start in this order. */
export interface ModelOffer {
  /** Id of a provider in the list of providers, or one of: vscode, extension, local, endpoint, tutorial. */
  id: string;
  /** Heading under which it is offered; `other` if absent. */
  group?: 'provider' | 'machine';
  label: string;
  /** For a provider: whether a key is already stored; else empty. */
  detail: string;
  available: boolean;
}

/**
 * Scope of a permanent permission: this exact call; the same command with other plain words; or anything done here for
 * the same reasons.
 */
export const RuleScope = z.enum(['exact', 'similar', 'kind']);
export type RuleScope = z.infer<typeof RuleScope>;

/** Why something cannot be allowed permanently. */
export type RuleRefusal = 'floor' | 'guarded' | 'tainted' | 'secret' | 'network' | 'unfit';

/** A file that the agent changed, waiting for review, with its net change. */
export interface PanelChange {
  /** Absolute path, used to open it. */
  path: string;
  /** Path for display; for a renamed file, with the previous name. */
  shown: string;
  kind: 'created' | 'modified' | 'deleted' | 'renamed' | 'mode';
  /** Set if the edit is held and the file is not changed yet. */
  held?: true;
  /** Number of lines; absent for binary files. */
  added?: number;
  removed?: number;
}

/** A file that an action changed, whether or not that was kept or undone since. */
export interface PastChange {
  /** Id of the action. */
  action: string;
  /** Path for display. */
  shown: string;
  kind: 'created' | 'modified' | 'deleted';
  /** Set if a command changed it, so that the log does not name it. */
  byCommand?: true;
  /** Set if the file is now as it was before the action. */
  reverted?: true;
}

/** A completion item of the composer. */
export interface Completion {
  label: string;
  detail: string;
  /** Text to insert when it is accepted. */
  insert: string;
  /** Name of a codicon. */
  icon: string;
  /** Set if more has to be typed after it. */
  goesOn?: boolean;
}

/** A permanent permission that can be granted, with what it would allow. */
export interface RuleOffer {
  scope: RuleScope;
  /** The command, with "…" for variable words, or the files. */
  shown: string;
  /** Examples of what it also covers; `asks` lists what it does not cover. */
  covers: string[];
  asks: string[];
  level: RiskLevel;
  /** Everything that covered actions may do. */
  reasons: readonly string[];
  /** Number of scripts that must stay unchanged. */
  scripts: number;
  cwd?: string;
  effect?: Action['effect'];
}

/** Streamed parts of a step that are not in the log yet. `discard` removes everything streamed so far. */
export type Delta =
  | { kind: 'text' | 'reasoning'; text: string }
  /** A call that is being written; `call` is its index in the reply. `path`: the file that it is about, once known. */
  | { kind: 'tool'; tool: string; bytes: number; call?: number; path?: string }
  /** Text that the call writes to the file, as far as received. */
  | { kind: 'written'; call: number; text: string }
  /** Number of candidates, or of their scores, received so far. */
  | { kind: 'progress'; doing: 'sampling' | 'judging'; done: number; of: number }
  /** `cut`: the beginning was dropped. */
  | { kind: 'output'; actionId: string; text: string; cut?: boolean }
  /** State of a child session. `words`: what it does or waits for. */
  | { kind: 'child'; actionId: string; session: string; title: string; status: Status; words: string }
  /** A request is in progress: the model reads all messages before event `upTo`. */
  | { kind: 'reading'; upTo: number }
  | { kind: 'discard' };

/** What can be undone of an action that has not started. */
export interface UndoOutlook {
  /** True if the files that it may change are backed up. */
  readonly isCopied: boolean;
  /** Kinds of lasting effects, as the ledger names them. */
  readonly lasting: readonly LastingKind[];
}

/** Messages from the host to the panel. */
export type ToPanel =
  /** Events `from` to `from + events.length` of a log of `total` events. `fresh` replaces everything displayed. */
  | {
      type: 'page';
      from: number;
      total: number;
      fresh: boolean;
      events: Event[];
      facts: PanelFacts;
      /** Unsent text, with pasted long texts and images. */
      draft?: string;
      pastes?: readonly string[];
      pictures?: readonly Image[];
    }
  | { type: 'events'; from: number; events: Event[]; facts: PanelFacts }
  | { type: 'deltas'; deltas: Delta[] }
  | { type: 'facts'; facts: PanelFacts }
  /**
   * Additional content of the approval card for the question with this hash. `changes`: what an edit would change if it
   * ran now; `refused`: why it would change nothing. Both are absent for actions that edit no file. `canAllow`: whether
   * a permanent permission is possible. `undo`: absent if unknown.
   */
  | {
      type: 'preview';
      actionId: string;
      hash: string;
      canAllow: boolean;
      changes?: FileChange[];
      refused?: string;
      undo?: UndoOutlook;
    }
  /** Permanent permissions that can be granted for the question with this hash. */
  | { type: 'rule_offers'; actionId: string; hash: string; offers: RuleOffer[]; refusal?: RuleRefusal }
  /** Completions for the last `length` characters before the cursor; `id` is that of the request. */
  | { type: 'completions'; id: number; length: number; items: Completion[] }
  /**
   * Editor context that is sent with the next message, in words; absent if there is none. `others`: files in other
   * tabs.
   */
  | { type: 'editor'; label?: string; others?: string[] }
  | { type: 'welcome'; offers: ModelOffer[]; facts: PanelFacts }
  /**
   * Changes of the session that wait for review: the first files of `total`. `kept`: whether its changes are tracked at
   * all.
   */
  | { type: 'changes'; session: string; kept: boolean; total: number; files: PanelChange[] }
  /** The latest files that actions of the session changed, oldest first. The answer to `past_changes`. */
  | { type: 'past_changes'; session: string; files: PastChange[] }
  /** Answers to queries about one step; see inspector.ts. */
  | Extract<ToInspector, { type: 'details' | 'request' | 'message' }>
  | { type: 'focus'; what: 'composer' | 'approval' | 'stop' | 'search' | 'help'; actionId?: string }
  /** Content to append to the composer without replacing its text. */
  | { type: 'insert'; text: string; images?: { mediaType: string; data: string }[] }
  /** Suggestions for an empty panel. `recent`: sessions of this workspace, newest first. */
  | { type: 'starters'; tasks: Starter[]; recent: RecentSession[] }
  /** Text for the composer. A refused message is returned so that it is not lost. */
  | { type: 'compose'; text: string; problem?: string };

/** At most 8 million characters of base64 (6 MB), the limit of providers. */
const PastedImage = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z
    .string()
    .max(8_000_000)
    .regex(/^[A-Za-z0-9+/]+=*$/),
});

/** What a person typed and pasted. */
const Message = z.string().max(maxMessageCharacters);

/** A message from the panel to its host. */
export const FromPanel = z.discriminatedUnion('type', [
  /** `cursor` is the number of events of `sessionId` that the view already has. */
  z.object({ type: z.literal('ready'), sessionId: z.string().optional(), cursor: z.number().int().nonnegative() }),
  /**
   * The person pressed a key or a pointer in this view, for the first time since it received the focus. `rests`: they
   * did not, but it still has the focus a moment later.
   */
  z.object({ type: z.literal('focused'), rests: z.literal(true).optional() }),
  z.object({ type: z.literal('earlier'), before: z.number().int().nonnegative() }),
  /**
   * `steer`: deliver with the next tool result, otherwise before the next reply. `editor`: include the open editor.
   * `others`: include the names of other open editors.
   */
  z.object({
    type: z.literal('send'),
    text: Message,
    delivery: z.literal('steer').optional(),
    editor: z.boolean().optional(),
    others: z.boolean().optional(),
    images: z.array(PastedImage).max(8).optional(),
    /** The waiting message of that session to replace. */
    instead: z.object({ session: z.string().max(200), message: z.number().int().nonnegative() }).optional(),
  }),
  /**
   * Changes a waiting message: held while it is edited, put back unchanged, taken back, sent with the next tool result,
   * or moved before another one or to the end.
   */
  z.object({
    type: z.literal('queue'),
    session: z.string().max(200),
    message: z.number().int().nonnegative(),
    change: z.enum(['held', 'put_back', 'taken_back', 'sent_now', 'moved']),
    before: z.number().int().nonnegative().optional(),
  }),
  /** `text`: text before the cursor, at least its last line. */
  z.object({ type: z.literal('complete'), id: z.number().int(), text: z.string().max(2000) }),
  /**
   * `hash`: the question on the card; an answer to any other question is refused. `outside`: may run outside the
   * sandbox. `edited`, with `approved`: command to run instead; `outside` then refers to that one.
   */
  z.object({
    type: z.literal('decide'),
    actionId: z.string(),
    approved: z.boolean(),
    comment: Message.optional(),
    hash: z.string().max(200).optional(),
    outside: z.boolean().optional(),
    edited: z.string().max(100_000).optional(),
  }),
  /** Requests the additional content of an approval card. */
  z.object({ type: z.literal('preview'), actionId: z.string(), hash: z.string().max(200).optional() }),
  /** Requests the possible permanent permissions. Grants nothing. */
  z.object({ type: z.literal('offer_rules'), actionId: z.string(), hash: z.string().max(200).optional() }),
  /** Runs the action and grants a permanent permission with this `scope`. */
  z.object({
    type: z.literal('always_allow'),
    actionId: z.string(),
    hash: z.string().max(200).optional(),
    scope: RuleScope,
    keep: z.enum(['session', 'workspace']),
  }),
  z.object({ type: z.literal('answer'), actionId: z.string(), text: Message }),
  /** Continues in a new session from another candidate of the step of event `seq`. */
  z.object({
    type: z.literal('choose_candidate'),
    seq: z.number().int().nonnegative(),
    index: z.number().int().nonnegative(),
  }),
  ...stepQuestions,
  /** Opens the session in the inspector at this event. */
  z.object({ type: z.literal('inspect'), seq: z.number().int().nonnegative() }),
  /** Replaces a sent message: another session continues from there, with the files at that point. */
  z.object({
    type: z.literal('edit_message'),
    session: z.string().max(200),
    seq: z.number().int().nonnegative(),
    text: Message,
  }),
  /** Leaves plan mode and starts implementing the plan. */
  z.object({ type: z.literal('implement_plan') }),
  /** Retries the model call immediately. */
  z.object({ type: z.literal('retry_now') }),
  /** Asks for the task of a new session and forks it after the step of this event. */
  z.object({ type: z.literal('fork'), seq: z.number().int().nonnegative() }),
  /**
   * Restores files to their state after the step of this event or, for a person's message, before the agent read it.
   */
  z.object({ type: z.literal('restore'), seq: z.number().int().nonnegative() }),
  /** Opens the diff editor with the pending changes of a file. */
  z.object({ type: z.literal('open_change'), path: z.string().max(10_000) }),
  /** Requests what actions of the session changed, for a list that is on display. */
  z.object({ type: z.literal('past_changes') }),
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('step') }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('choose_model'), offer: z.string().regex(/^[a-z]{1,40}$/) }),
  z.object({ type: z.literal('set_mode'), mode: Mode, confirmation: ConfirmationMode.optional() }),
  /** Sets where the next task runs. */
  z.object({ type: z.literal('choose_place'), place: TaskPlace }),
  /** New limits for a run that reached its limits. */
  z.object({
    type: z.literal('set_limits'),
    steps: z.number().nonnegative(),
    cost: z.number().nonnegative(),
    seconds: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('condense') }),
  /** Cancels the task that waits for a model. Its text returns to the composer. */
  z.object({ type: z.literal('cancel_waiting') }),
  z.object({ type: z.literal('new_session') }),
  /** Continues from the intact part of a log that is read-only. */
  z.object({ type: z.literal('salvage') }),
  z.object({ type: z.literal('open_file'), path: z.string(), line: z.number().int().positive().optional() }),
  /** Opens the diff editor for a changed file. For an edit that waits for approval, shows the proposed change. */
  z.object({ type: z.literal('open_diff'), actionId: z.string(), path: z.string() }),
  z.object({ type: z.literal('open_link'), url: z.string().max(10_000) }),
  z.object({ type: z.literal('open_session'), id: z.string().max(200) }),
  z.object({ type: z.literal('show_terminal') }),
  /** URIs of files that were dropped on the composer. */
  z.object({ type: z.literal('attach'), uris: z.array(z.string().max(10_000)).max(100) }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  z.object({ type: z.literal('rename'), title: z.string().max(500) }),
  /**
   * `pastes`, `images`: pasted long texts and images, if they changed. `editor`, `others`, `pictures`: additional
   * context to include.
   */
  z.object({
    type: z.literal('draft'),
    text: z.string().max(1_000_000),
    pastes: z.array(z.string().max(1_000_000)).max(100).optional(),
    images: z.array(PastedImage).max(8).optional(),
    editor: z.boolean().optional(),
    others: z.boolean().optional(),
    pictures: z.number().int().nonnegative().optional(),
  }),
  z.object({
    type: z.literal('command'),
    id: z.enum([
      'waymark.setApiKey',
      'waymark.chooseModel',
      'waymark.chooseOptions',
      'waymark.openSettings',
      'waymark.showLog',
      'waymark.reviewChanges',
      'waymark.manageTrust',
      'waymark.showSandbox',
      'waymark.showContext',
      'waymark.attachFiles',
      /** returns to the editor */
      'workbench.action.focusActiveEditorGroup',
    ]),
  }),
]);
export type FromPanel = z.infer<typeof FromPanel>;

/** One handler for each type of message from the panel. */
export type FromPanelHandlers = {
  [Type in FromPanel['type']]: (message: Extract<FromPanel, { type: Type }>) => void | Promise<void>;
};
