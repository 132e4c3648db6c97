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

/**
 * Host ⇄ webview. The panel gets a page of the log, then events and deltas; it never gets state, so a message's size
 * does not depend on the length of the run.
 */

/** Where a run stands, computed from its log. `idle`: the agent has answered and a person may go on. */
export type Status =
  'empty' | 'ready' | 'waiting_for_confirmation' | 'waiting_for_answer' | 'idle' | 'paused' | 'finished';

/**
 * Where a task runs: in the workspace; in a worktree of its own that begins with the last commit, with or without
 * uncommitted changes; or several times, each in a worktree, and the best result is chosen.
 */
export const TaskPlace = z.enum(['workspace', 'worktree', 'worktree_uncommitted', 'best_of']);
export type TaskPlace = z.infer<typeof TaskPlace>;

/** How the next task will be worked on, as the settings say. `toolsets` is empty where the profile decides. */
export interface NextTask {
  profile: string;
  mode: Mode;
  candidates: number;
  verifier: 'first_valid' | 'llm' | 'reward_model';
  toolsets: readonly string[];
  disabledToolsets: readonly string[];
}

/** State outside the log: the panel does not keep it across a reload. */
export interface PanelFacts {
  /** Whether the loop is at work in this window; `ready` without it is a run that was cut off and can be resumed. */
  running: boolean;
  status: Status;
  /** Of a finished run: whether it handed in its work. */
  submitted?: boolean;
  /** Absent until a model was chosen; then nothing can be started. */
  model?: { name: string; provider: string; scripted: boolean; contextWindow: number | null };
  confirmation: ConfirmationMode;
  mode: Mode;
  /** The agent profile by name. */
  profile: string;
  limits: Limits;
  /** Whether the run halts at every checkpoint. */
  stepping: boolean;
  /** Whether it will halt at the next one. */
  pauseRequested: boolean;
  next: NextTask;
  trusted: boolean;
  /** False where pictures are left out of what the model reads. */
  sees?: boolean;
  /** Whether commands run in a sandbox, and why or why not in words for a person. Absent while it is not known. */
  sandbox?: { on: boolean; words: string };
  /** No other window or process holds this session. */
  writable: boolean;
  /** Why it can only be read, in words for a person. */
  problem?: string;
  /**
   * Why events wait that are not shown: its log cannot be written, in words for a person. Absent while all is on disk.
   */
  unkept?: string;
  /** Whether a new session can go on from what is whole of it. */
  salvageable?: boolean;
  spent: Spent;
  /** How full the model's window is; null before there is anything to say to it. */
  context: ContextFill | null;
  /** "Fix the test" → shown in the header. */
  title: string;
  sessionId?: string;
  /** Where the next task works. `problem`: why it cannot have a worktree, in words for a person. */
  place?: { chosen: TaskPlace; problem?: string };
  /** Set where the session works in a worktree: the folder that its changes are brought back to. */
  worktree?: string;
}

/** A task that is offered for this folder. */
export interface Starter {
  /** A codicon by name. */
  icon: string;
  label: string;
  /** What is put into the message; nothing begins before the person sends it. */
  task: string;
}

export interface RecentSession {
  id: string;
  title: string;
  /** When it was worked on last and how it stands, in words. */
  detail: string;
}

/** A way to get a model, offered on first start in this order. */
export interface ModelOffer {
  /**
   * The id of a provider in the list of providers, or one of the other ways:
   * vscode, extension, local, endpoint, tutorial.
   */
  id: string;
  /** Under which heading it is offered; `other` when absent. */
  group?: 'provider' | 'machine';
  label: string;
  /** For a provider: whether a key is there already, or nothing. */
  detail: string;
  available: boolean;
}

/**
 * How far a standing permission reaches: this very call; the same command with other plain words;
 * whatever is done here for the same reasons.
 */
export const RuleScope = z.enum(['exact', 'similar', 'kind']);
export type RuleScope = z.infer<typeof RuleScope>;

/** Why nothing may be allowed for ever. */
export type RuleRefusal = 'floor' | 'guarded' | 'tainted' | 'secret' | 'network' | 'unfit';

/** A file that the agent changed and that waits for review, with its net change. */
export interface PanelChange {
  /** Its absolute path, by which it is opened. */
  path: string;
  /** As people are shown it; of a renamed file with the name before. */
  shown: string;
  kind: 'created' | 'modified' | 'deleted' | 'renamed' | 'mode';
  /** No file is changed yet. */
  held?: true;
  /** Lines; absent for what is no text. */
  added?: number;
  removed?: number;
}

/** Something that completion offers for the composer. */
export interface Completion {
  label: string;
  detail: string;
  /** The text in the message when it is accepted. */
  insert: string;
  /** A codicon by name. */
  icon: string;
  /** More is to be typed after it. */
  goesOn?: boolean;
}

/** A standing permission that may be given, with what it would let run. */
export interface RuleOffer {
  scope: RuleScope;
  /** The command, with "…" where other words may stand, or the files. */
  shown: string;
  /** What it also covers, and what it does not, as examples. */
  covers: string[];
  asks: string[];
  level: RiskLevel;
  /** All that what it covers may do. */
  reasons: readonly string[];
  /** How many scripts must stay as they are. */
  scripts: number;
  cwd?: string;
  effect?: Action['effect'];
}

/** Parts of a step that stream and are not in the log yet. `discard` takes back all that streamed. */
export type Delta =
  | { kind: 'text' | 'reasoning'; text: string }
  /** A call that is being written, the `call`th of the reply. `path`: the file that it is about, once that is known. */
  | { kind: 'tool'; tool: string; bytes: number; call?: number; path?: string }
  /** What the call writes into the file, as far as it arrived. */
  | { kind: 'written'; call: number; text: string }
  /** Of several candidates for the reply, or of their scores, this many are here. */
  | { kind: 'progress'; doing: 'sampling' | 'judging'; done: number; of: number }
  /** `cut`: its beginning is not there any more. */
  | { kind: 'output'; actionId: string; text: string; cut?: boolean }
  /** The state of a session that an action started. `words`: what it does or waits for. */
  | { kind: 'child'; actionId: string; session: string; title: string; status: Status; words: string }
  /** A request is under way: the model reads all that a person said before event `upTo`. */
  | { kind: 'reading'; upTo: number }
  | { kind: 'discard' };

/** What can be undone of an action that has not begun. */
export interface UndoOutlook {
  /** Whether copies are kept of the files that it may change. */
  readonly isCopied: boolean;
  /** Kinds of effects that stay, as the ledger names them. */
  readonly lasting: readonly LastingKind[];
}

export type ToPanel =
  /** The events `from … from + events.length` of a log of `total` events. `fresh` replaces what was shown before. */
  | {
      type: 'page';
      from: number;
      total: number;
      fresh: boolean;
      events: Event[];
      facts: PanelFacts;
      /** What was typed and not sent, and the long texts and pictures that were pasted beside it. */
      draft?: string;
      pastes?: readonly string[];
      pictures?: readonly Image[];
    }
  | { type: 'events'; from: number; events: Event[]; facts: PanelFacts }
  | { type: 'deltas'; deltas: Delta[] }
  | { type: 'facts'; facts: PanelFacts }
  /**
   * What an approval card shows beside the log about the question of that hash. `changes`: what an edit would change
   * if it ran now; `refused`: why it would change nothing. Neither is there for what edits no file. `canAllow`:
   * whether a standing permission can be given. `undo`: absent where nothing is known.
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
  /** What may be allowed for ever about the question of that hash. */
  | { type: 'rule_offers'; actionId: string; hash: string; offers: RuleOffer[]; refusal?: RuleRefusal }
  /** What may be meant by the last `length` characters before the cursor; `id` is that of the question. */
  | { type: 'completions'; id: number; length: number; items: Completion[] }
  /**
   * What is open or selected in the editor and goes with the next message, in words; absent:
   * nothing. `others`: the files of the other tabs.
   */
  | { type: 'editor'; label?: string; others?: string[] }
  | { type: 'welcome'; offers: ModelOffer[]; facts: PanelFacts }
  /** What of the session waits for review: the first files of `total`. `kept`: whether its changes are known at all. */
  | { type: 'changes'; session: string; kept: boolean; total: number; files: PanelChange[] }
  /** What was asked about one step; see inspector.ts. */
  | Extract<ToInspector, { type: 'details' | 'request' | 'message' }>
  | { type: 'focus'; what: 'composer' | 'approval' | 'stop' | 'search' | 'help'; actionId?: string }
  /** What goes into the message that is being written, at its end, beside whatever is there. */
  | { type: 'insert'; text: string; images?: { mediaType: string; data: string }[] }
  /** What a person could begin with while nothing is there. `recent`: sessions of this workspace, newest first. */
  | { type: 'starters'; tasks: Starter[]; recent: RecentSession[] }
  /** Text for the composer: a refused message comes back so that nothing typed is lost. */
  | { type: 'compose'; text: string; problem?: string };

/** At most 6 MB in base64: more is refused by providers. */
const PastedImage = z.object({
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  data: z
    .string()
    .max(8_000_000)
    .regex(/^[A-Za-z0-9+/]+=*$/),
});

export const FromPanel = z.discriminatedUnion('type', [
  /** `cursor` is how many events of `sessionId` the view already holds. */
  z.object({ type: z.literal('ready'), sessionId: z.string().optional(), cursor: z.number().int().nonnegative() }),
  /** The person works in this view now. */
  z.object({ type: z.literal('focused') }),
  z.object({ type: z.literal('earlier'), before: z.number().int().nonnegative() }),
  /**
   * `steer`: with the next result of a tool; otherwise before the next reply. `editor`: with the open editor, `others`:
   * with the names of other open editors.
   */
  z.object({
    type: z.literal('send'),
    text: z.string().max(1_000_000),
    delivery: z.literal('steer').optional(),
    editor: z.boolean().optional(),
    others: z.boolean().optional(),
    images: z.array(PastedImage).max(8).optional(),
    /** The message of that session that waited and that this one replaces. */
    instead: z.object({ session: z.string().max(200), message: z.number().int().nonnegative() }).optional(),
  }),
  /** A message that waits: held while it is edited, put back as it was, taken back, or moved before another or last. */
  z.object({
    type: z.literal('queue'),
    session: z.string().max(200),
    message: z.number().int().nonnegative(),
    change: z.enum(['held', 'put_back', 'taken_back', 'moved']),
    before: z.number().int().nonnegative().optional(),
  }),
  /** `text`: what stands before the cursor, at least its last line. */
  z.object({ type: z.literal('complete'), id: z.number().int(), text: z.string().max(2000) }),
  /**
   * `hash`: of the question that the card shows. An answer to any other question is refused. `outside`: it may run
   * outside the sandbox. `edited`, with `approved`: the command that runs in its place; `outside` then means that one.
   */
  z.object({
    type: z.literal('decide'),
    actionId: z.string(),
    approved: z.boolean(),
    comment: z.string().max(100_000).optional(),
    hash: z.string().max(200).optional(),
    outside: z.boolean().optional(),
    edited: z.string().max(100_000).optional(),
  }),
  /** Asks for what the card of a question shows beside the log. */
  z.object({ type: z.literal('preview'), actionId: z.string(), hash: z.string().max(200).optional() }),
  /** What could be allowed for ever; nothing is allowed by it. */
  z.object({ type: z.literal('offer_rules'), actionId: z.string(), hash: z.string().max(200).optional() }),
  /** Runs it, and allows it from now on as far as `scope` says. */
  z.object({
    type: z.literal('always_allow'),
    actionId: z.string(),
    hash: z.string().max(200).optional(),
    scope: RuleScope,
    keep: z.enum(['session', 'workspace']),
  }),
  z.object({ type: z.literal('answer'), actionId: z.string(), text: z.string().max(1_000_000) }),
  /** Goes on, in a session of its own, from another candidate of the step that is event `seq`. */
  z.object({
    type: z.literal('choose_candidate'),
    seq: z.number().int().nonnegative(),
    index: z.number().int().nonnegative(),
  }),
  ...stepQuestions,
  /** Opens the session in the inspector, at this event. */
  z.object({ type: z.literal('inspect'), seq: z.number().int().nonnegative() }),
  /** In place of a message that was sent before: another session goes on from there, with its files. */
  z.object({
    type: z.literal('edit_message'),
    session: z.string().max(200),
    seq: z.number().int().nonnegative(),
    text: z.string().max(1_000_000),
  }),
  /** Leaves plan mode and has the plan carried out. */
  z.object({ type: z.literal('implement_plan') }),
  /** Asks the model again at once instead of waiting. */
  z.object({ type: z.literal('retry_now') }),
  /** Asks what a new session should do that goes on after the step of this event, and begins it. */
  z.object({ type: z.literal('fork'), seq: z.number().int().nonnegative() }),
  /**
   * Puts files back to where they were after the step of this event; after what a
   * person said, to before the agent read it.
   */
  z.object({ type: z.literal('restore'), seq: z.number().int().nonnegative() }),
  /** Shows what waits for review of a file, in the diff editor. */
  z.object({ type: z.literal('open_change'), path: z.string().max(10_000) }),
  z.object({ type: z.literal('pause') }),
  z.object({ type: z.literal('step') }),
  z.object({ type: z.literal('stop') }),
  z.object({ type: z.literal('resume') }),
  z.object({ type: z.literal('choose_model'), offer: z.string().regex(/^[a-z]{1,40}$/) }),
  z.object({ type: z.literal('set_mode'), mode: Mode, confirmation: ConfirmationMode.optional() }),
  /** Where the next task works. */
  z.object({ type: z.literal('choose_place'), place: TaskPlace }),
  /** What the run that reached its limits may use from now on. */
  z.object({
    type: z.literal('set_limits'),
    steps: z.number().nonnegative(),
    cost: z.number().nonnegative(),
    seconds: z.number().nonnegative(),
  }),
  z.object({ type: z.literal('condense') }),
  z.object({ type: z.literal('new_session') }),
  /** Goes on from what is whole of a log that can only be read. */
  z.object({ type: z.literal('salvage') }),
  z.object({ type: z.literal('open_file'), path: z.string(), line: z.number().int().positive().optional() }),
  /** Shows the change of a file in the diff editor; of an edit that waits for approval, the change it would make. */
  z.object({ type: z.literal('open_diff'), actionId: z.string(), path: z.string() }),
  z.object({ type: z.literal('open_link'), url: z.string().max(10_000) }),
  z.object({ type: z.literal('open_session'), id: z.string().max(200) }),
  z.object({ type: z.literal('show_terminal') }),
  /** Files that were dropped on the composer, by their addresses. */
  z.object({ type: z.literal('attach'), uris: z.array(z.string().max(10_000)).max(100) }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  z.object({ type: z.literal('rename'), title: z.string().max(500) }),
  /**
   * `pastes`, `images`: long texts and pictures that were pasted, where they changed. `editor`, `others`, `pictures`:
   * what would go with it.
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
      /** Back to the editor. */
      'workbench.action.focusActiveEditorGroup',
    ]),
  }),
]);
export type FromPanel = z.infer<typeof FromPanel>;

export type FromPanelHandlers = {
  [Type in FromPanel['type']]: (message: Extract<FromPanel, { type: Type }>) => void | Promise<void>;
};
