import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/history';
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
import type { PanelHandlers } from './panelChannel';
import type { PanelCommands } from './panelCommands';
import type { PanelOutlet } from './panelOutlet';
import type { PanelSession } from './panelSession';
import type { TaskStart } from './taskStart';

/** What the messages of a panel reach in its place. */
export interface PanelReach {
  readonly panel: PanelSession;
  readonly outlet: PanelOutlet;
  readonly shown: ShownSession;
  readonly controls: Controls;
  readonly composing: Composing;
  readonly commands: PanelCommands;
  readonly tasks: TaskStart;
  /** The person works in it now. */
  used(): void;
  /** Adds dropped files to the message that is being written. */
  attach(addresses: readonly string[]): Promise<void>;
  /** Goes on from before a message of a session with other words. False where the person left it. */
  editMessage(session: string, seq: number, text: string): Promise<boolean>;
}

/** What they reach in the window. */
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
 * What each message of a panel does. The session that is shown in its place is meant, and where none is, nothing
 * happens.
 */
export function panelHandlers(place: PanelReach, window: WindowReach): PanelHandlers {
  const { panel, outlet, shown, controls, composing, tasks } = place;
  // Its consent and review are made after its first place.
  const { sessions, models, inspectors, changes, problems } = window;
  /** The question of a card here. */
  const asked = async (actionId: string, hash?: string): Promise<Waiting> => {
    const session = await shown.whole();
    return { sessionId: session?.id ?? '', actionId, hash };
  };
  return {
    ready: () => {
      outlet.listening();
      composing.tellEditor(true);
      window.review.tell((session, message) => {
        if (session === shown.id) outlet.post(message);
      });
      // Changes of a session that nobody saw were not looked at.
      window.review.changes.refreshSoon();
      if (shown.id === undefined) composing.tellStarters().catch((problem: unknown) => problems.note(problem));
      return models.refresh();
    },
    focused: () => place.used(),
    complete: ({ text, id }) => composing.complete(text, id),
    send: async ({ type: _type, text, ...beside }) => {
      place.used();
      const { refusals } = outlet;
      try {
        if (beside.instead !== undefined || !(await place.commands.run(text))) await panel.say(text, beside);
      } catch (error) {
        outlet.giveBack(text, error); // the panel says why
        return problems.note(error);
      }
      if (outlet.refusals === refusals) await panel.keepDraft('');
    },
    queue: (change) => panel.changeQueue(change),
    decide: async ({ actionId, approved, comment, hash = '', outside = false, edited }) => {
      place.used();
      const more = { outside, ...(edited !== undefined && { edited }) };
      await window.consent.decide(await asked(actionId, hash), approved, comment, more);
    },
    preview: async ({ actionId }) => window.consent.preview(await asked(actionId)),
    offer_rules: async ({ actionId }) => window.consent.offerRules(await asked(actionId)),
    always_allow: async ({ actionId, hash = '', scope, keep }) => {
      place.used();
      await window.consent.alwaysAllow(await asked(actionId, hash), scope, keep);
    },
    answer: ({ actionId, text }) => panel.answer(actionId, text),
    choose_candidate: (which) => panel.continueFrom(which),
    stop: async () => (await shown.whole())?.stop(),
    pause: () => controls.pause(),
    step: () => controls.step(),
    resume: () => controls.resume(),
    set_mode: ({ mode, confirmation }) => controls.setMode(mode, confirmation),
    choose_place: ({ place: chosen }) => tasks.place.choose(chosen),
    set_limits: ({ steps, cost, seconds }) => controls.setLimits({ steps, cost, seconds }),
    condense: () => controls.condense(),
    choose_model: async ({ offer }) => void (await panel.chooseModel(offer)),
    new_session: () => shown.show(undefined),
    salvage: () => panel.salvage(),
    open_file: async ({ path, line }) => {
      const environment = await shown.environment();
      if (environment) await openFile(environment, path, line);
    },
    open_diff: async ({ actionId, path }) => {
      const session = await shown.whole();
      if (!session) return;
      const { history } = session.conversation;
      const { cwd } = settingsOf(history)!;
      const proposed = await window.consent.proposedChange({ sessionId: session.id, actionId }, path);
      if (proposed) await changes.showProposed({ sessionId: session.id, actionId }, path, proposed, cwd);
      else await changes.show(history, actionId, path, cwd);
    },
    open_link: ({ url }) => openLink(url),
    open_session: async ({ id }) => {
      if (!sessions.get(id) && !sessions.list().some((session) => session.id === id))
        throw new Error(vscode.l10n.t('This session was not found. It may have been deleted.'));
      await shown.showStored(id);
    },
    inspect: async ({ seq }) => {
      if (shown.id !== undefined) await inspectors.showSession(shown.id, sessions.stored, seq);
    },
    edit_message: async ({ session, seq, text }) => {
      place.used();
      // The message is of the session in which it was begun to be edited, whichever is shown by now.
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
    retry_now: async () => (await shown.whole())?.conversation.retryNow(),
    fork: async ({ seq }) => {
      place.used();
      if (shown.id !== undefined) await vscode.commands.executeCommand('waymark.fork', shown.id, { seq });
    },
    restore: async ({ seq }) => {
      place.used();
      if (shown.id !== undefined)
        await vscode.commands.executeCommand('waymark.restoreFiles', { session: shown.id, seq });
    },
    open_change: async ({ path }) => {
      place.used();
      // The review may have been about another place.
      await window.review.changes.refresh();
      await window.review.openFile(path);
    },
    show_terminal: async () => {
      place.used();
      await vscode.commands.executeCommand('waymark.showTerminal');
    },
    attach: ({ uris }) => {
      place.used();
      return place.attach(uris);
    },
    copy: async ({ text }) => vscode.env.clipboard.writeText(text),
    rename: async ({ title }) => {
      if (shown.id !== undefined && title.trim())
        await sessions.note(shown.id, { type: 'settings_changed', title: title.trim() });
    },
    draft: ({ text, pastes, images, editor = false, others = false, pictures = 0 }) => {
      composing.beside = { editor, others, pictures };
      return panel.keepDraft(text, pastes, images);
    },
    command: async ({ id }) => {
      place.used();
      await vscode.commands.executeCommand(id);
    },
  };
}

/**
 * Opens a file that the conversation names. Throws a `FileProblem` in words for what lies outside or cannot be shown.
 */
async function openFile({ root, files }: SessionEnvironment, path: string, line = 1): Promise<void> {
  await files.read(path);
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(uriNamed(path, root), {
    preview: true,
    selection: new vscode.Range(position, position),
  });
}
