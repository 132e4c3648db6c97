import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/runSettings';
import { openLink } from '../common/openLink';
import type { ProblemReports } from '../common/problemReports';
import type { Consent, Waiting } from '../consent/consent';
import type { Composing } from '../context/composing';
import type { ChangeView } from '../editor/changeView';
import { uriNamed } from '../editor/editorUri';
import type { Inspectors } from '../inspector/inspectors';
import type { ModelService } from '../models/modelService';
import type { WindowReview } from '../review/windowReview';
import type { Controls } from '../sessions/controls';
import type { OpenSessions } from '../sessions/openSessions';
import type { SessionEnvironment } from '../sessions/sessionEnvironment';
import type { ShownSession } from '../sessions/shownSession';
import { decideOrGiveBack } from './decideOrGiveBack';
import type { PanelHandlers } from './panelChannel';
import { andBack, runWindowCommand, type PanelCommands } from './panelCommands';
import type { PanelOutlet } from './panelOutlet';
import type { PanelSession } from './panelSession';
import type { TaskStart } from './taskStart';

/** The parts of a place that panel messages use. */
export interface PanelReach {
  readonly panel: PanelSession;
  readonly outlet: PanelOutlet;
  readonly shown: ShownSession;
  readonly controls: Controls;
  readonly composing: Composing;
  readonly commands: PanelCommands;
  readonly tasks: TaskStart;
  /** Makes this place the current one. */
  makeCurrent(): void;
  /** Called when this place keeps a focus that the user may not have given to it. */
  keptFocus(): void;
  /** Adds dropped files to the message that is being written. */
  attach(addresses: readonly string[]): Promise<void>;
  /** Replaces an earlier message of a session and continues from there. Returns false if the user cancelled. */
  editMessage(session: string, seq: number, text: string): Promise<boolean>;
}

/** The parts of a window that panel messages use. */
export interface WindowReach {
  readonly sessions: OpenSessions;
  readonly models: ModelService;
  readonly consent: Consent;
  readonly inspectors: Inspectors;
  readonly changes: ChangeView;
  readonly problems: ProblemReports;
  readonly review: WindowReview;
}

/**
 * Returns the handlers of panel messages. They act on the session shown in the place, and do nothing if there is none.
 */
export function panelHandlers(place: PanelReach, window: WindowReach): PanelHandlers {
  return {
    ...placeHandlers(place, window),
    ...messageHandlers(place, window),
    ...approvalHandlers(place, window),
    ...runHandlers(place),
    ...viewHandlers(place, window),
    ...commandHandlers(place, window),
  };
}

/** The view itself: it is loaded, and has the focus. */
function placeHandlers(place: PanelReach, window: WindowReach) {
  const { outlet, shown, composing } = place;
  return {
    ready: () => {
      outlet.listening();
      composing.tellEditor({ anew: true });
      window.review.postChanges((session, message) => {
        if (session === shown.id) outlet.post(message);
      });
      // Changes of a session are not tracked while nobody sees it.
      window.review.changes.refreshSoon();
      if (shown.id === undefined) composing.tellStarters().catch((problem: unknown) => window.problems.note(problem));
      return window.models.refresh();
    },
    focused: ({ rests }) => (rests ? place.keptFocus() : place.makeCurrent()),
  } satisfies Partial<PanelHandlers>;
}

/** What the user writes: messages, answers and the draft. */
function messageHandlers(place: PanelReach, { problems }: WindowReach) {
  const { panel, outlet, shown, controls, composing } = place;
  return {
    complete: ({ text, id }) => composing.complete(text, id),
    send: async ({ type: _type, text, ...extras }) => {
      place.makeCurrent();
      const { refusals } = outlet;
      const { draft } = panel;
      try {
        if (extras.instead !== undefined || !(await place.commands.run(text))) await panel.say(text, extras);
      } catch (error) {
        outlet.giveBack(text, error); // the panel shows the reason
        return problems.note(error);
      }
      // What was typed since the message was sent is the next draft.
      if (outlet.refusals === refusals && panel.draft === draft) await panel.keepDraft('');
    },
    queue: (change) => panel.changeQueue(change),
    answer: ({ actionId, text }) => panel.answer(actionId, text),
    edit_message: async ({ session, seq, text }) => {
      place.makeCurrent();
      // The message belongs to the session in which editing began, even if another one is shown by now.
      if (session !== shown.id)
        return outlet.giveBack(text, new Error(vscode.l10n.t('Not sent: another session is shown now.')));
      try {
        if (!(await place.editMessage(session, seq, text)))
          outlet.giveBack(text, new Error(vscode.l10n.t('Not sent: the files were not restored.')));
      } catch (error) {
        outlet.giveBack(text, error);
        problems.note(error);
      }
    },
    implement_plan: async () => {
      await controls.setMode('confirm');
      await panel.say(vscode.l10n.t('Implement this plan.'));
    },
    attach: ({ uris }) => {
      place.makeCurrent();
      return place.attach(uris);
    },
    draft: ({ text, pastes, images, editor = false, others = false, pictures = 0 }) => {
      composing.attachments = { editor, others, pictures };
      return panel.keepDraft(text, pastes, images);
    },
    salvage: () => panel.salvage(),
  } satisfies Partial<PanelHandlers>;
}

/** Decisions about actions. `window.consent` is read later: it is created after the first place. */
function approvalHandlers(place: PanelReach, window: WindowReach) {
  /** Identifies the question of a card in this place. */
  const questionOf = async (actionId: string, hash?: string): Promise<Waiting> => {
    const session = await place.shown.openedSession();
    return { sessionId: session?.id ?? '', actionId, hash };
  };
  return {
    decide: async ({ actionId, approved, comment, hash = '', outside = false, edited }) => {
      place.makeCurrent();
      const more = { outside, ...(edited !== undefined && { edited }) };
      const question = await questionOf(actionId, hash);
      const decision = approved
        ? window.consent.approve(question, comment, more)
        : window.consent.refuse(question, comment);
      await (comment === undefined ? decision : decideOrGiveBack(comment, decision, place.outlet));
    },
    preview: async ({ actionId }) => window.consent.preview(await questionOf(actionId)),
    offer_rules: async ({ actionId }) => window.consent.offerRules(await questionOf(actionId)),
    always_allow: async ({ actionId, hash = '', scope, keep }) => {
      place.makeCurrent();
      await window.consent.alwaysAllow(await questionOf(actionId, hash), scope, keep);
    },
  } satisfies Partial<PanelHandlers>;
}

/** How the run continues, and with which settings. */
function runHandlers({ panel, shown, controls, tasks, outlet }: PanelReach) {
  return {
    stop: async () => (await shown.openedSession())?.stop(),
    pause: () => controls.pause(),
    step: () => controls.step(),
    resume: () => controls.resume(),
    retry_now: async () => (await shown.openedSession())?.conversation.retryNow(),
    condense: () => controls.condense(),
    set_mode: ({ mode, confirmation }) => controls.setMode(mode, confirmation),
    set_limits: ({ steps, cost, seconds }) => controls.setLimits({ steps, cost, seconds }),
    choose_model: ({ offer }) => andBack(outlet, () => panel.chooseModel(offer)),
    choose_candidate: (which) => panel.continueFrom(which),
    cancel_waiting: () => tasks.cancelWaiting(),
    choose_place: ({ place: chosen }) => tasks.place.choose(chosen),
  } satisfies Partial<PanelHandlers>;
}

/**
 * What opens elsewhere: files, diffs, sessions, the inspector. `window.review` is read later: it is created after the
 * first place.
 */
function viewHandlers(place: PanelReach, window: WindowReach) {
  const { shown, outlet } = place;
  const { sessions, inspectors, changes } = window;
  return {
    open_file: async ({ path, line }) => {
      const environment = await shown.environment();
      if (environment) await openFile(environment, path, line);
    },
    open_diff: async ({ actionId, path }) => {
      const session = await shown.openedSession();
      if (!session) return;
      const { history } = session.conversation;
      const { cwd } = settingsOf(history)!;
      const proposed = await window.consent.proposedChange({ sessionId: session.id, actionId }, path);
      if (proposed) await changes.showProposed({ sessionId: session.id, actionId }, path, proposed, cwd);
      else await changes.show(history, actionId, path, cwd);
    },
    open_change: async ({ path }) => {
      place.makeCurrent();
      // The review may show another place.
      await window.review.changes.refresh();
      await window.review.openFile(path);
    },
    past_changes: async () => {
      const { id } = shown;
      if (id === undefined) return;
      const files = await window.review.changes.pastChanges(id);
      if (shown.id === id) outlet.post({ type: 'past_changes', session: id, files });
    },
    open_link: ({ url }) => openLink(url),
    open_session: async ({ id }) => {
      if (!sessions.get(id) && !sessions.list().some((session) => session.id === id))
        throw new Error(vscode.l10n.t('This session was not found. It may have been deleted.'));
      await shown.showStored(id);
    },
    new_session: () => shown.show(undefined),
    inspect: async ({ seq }) => {
      if (shown.id !== undefined) await inspectors.showSession(shown.id, sessions.stored, seq);
    },
    show_terminal: async () => {
      place.makeCurrent();
      await vscode.commands.executeCommand('waymark.showTerminal');
    },
  } satisfies Partial<PanelHandlers>;
}

/** What the user does with a whole session, and commands of the window. */
function commandHandlers(place: PanelReach, { sessions }: WindowReach) {
  const { shown } = place;
  return {
    fork: async ({ seq }) => {
      place.makeCurrent();
      if (shown.id !== undefined) await vscode.commands.executeCommand('waymark.fork', shown.id, { seq });
    },
    restore: async ({ seq }) => {
      place.makeCurrent();
      if (shown.id !== undefined)
        await vscode.commands.executeCommand('waymark.restoreFiles', { session: shown.id, seq });
    },
    rename: async ({ title }) => {
      if (shown.id !== undefined && title.trim())
        await sessions.note(shown.id, { type: 'settings_changed', title: title.trim() });
    },
    copy: async ({ text }) => vscode.env.clipboard.writeText(text),
    command: async ({ id }) => {
      place.makeCurrent();
      await runWindowCommand(place.outlet, id);
    },
  } satisfies Partial<PanelHandlers>;
}

/**
 * Opens a file named in the conversation. Throws a `FileProblem` with a message for people if it is outside the
 * workspace or cannot be shown.
 */
async function openFile({ root, files }: SessionEnvironment, path: string, line = 1): Promise<void> {
  await files.read(path);
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uriNamed(path, root), {
    preview: true,
    selection: new vscode.Range(position, position),
  });
}
