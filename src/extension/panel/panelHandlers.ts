import * as vscode from 'vscode';
import { settingsOf } from '../../core/log/history';
import type { Application } from '../window/application';
import type { ChangeView } from '../editor/changeView';
import { openLink } from '../common/links';
import { openFile } from './openFile';
import type { PanelHandlers } from './panelChannel';

/** What each message of the panel does. The session that is shown is meant, and where none is, nothing happens. */
export function panelHandlers(application: Application, changes: ChangeView): PanelHandlers {
  const current = () => application.whole();
  return {
    ready: () => {
      application.composing.tellEditor(true);
      return application.modelChanged();
    },
    complete: ({ text, id }) => application.composing.complete(text, id),
    send: async ({ type: _type, text, ...beside }) => {
      try {
        await application.say(text, beside);
      } catch (error) {
        application.giveBack(text, error); // the panel says why
        return application.note(error);
      }
      await application.keepDraft('');
    },
    decide: async ({ actionId, approved, comment, hash = '', outside = false, edited }) => {
      await application.consent.decide({ actionId, hash }, approved, comment, {
        outside,
        ...(edited !== undefined && { edited }),
      });
    },
    preview: ({ actionId }) => application.consent.preview({ actionId }),
    offer_rules: ({ actionId }) => application.consent.offerRules({ actionId }),
    always_allow: ({ actionId, hash = '', scope, keep }) =>
      application.consent.alwaysAllow({ actionId, hash }, scope, keep),
    answer: ({ actionId, text }) => application.answer(actionId, text),
    choose_candidate: (which) => application.continueFrom(which),
    stop: async () => (await current())?.stop(),
    pause: () => application.controls.pause(),
    step: () => application.controls.step(),
    resume: () => application.controls.resume(),
    set_mode: ({ mode, confirmation }) => application.controls.setMode(mode, confirmation),
    set_limits: ({ steps, cost, seconds }) => application.controls.setLimits({ steps, cost, seconds }),
    condense: () => application.controls.condense(),
    choose_model: async ({ offer }) => void (await application.chooseModel(offer)),
    new_session: () => application.show(undefined),
    salvage: () => application.salvage(),
    open_file: async ({ path, line }) => {
      const environment = await application.environment();
      if (environment) await openFile(environment, path, line);
    },
    open_diff: async ({ actionId, path }) => {
      const history = (await current())?.conversation.history;
      if (!history) return;
      const { cwd } = settingsOf(history)!;
      const proposed = await application.consent.proposedChange(actionId, path);
      if (proposed) await changes.showProposed(actionId, path, proposed, cwd);
      else await changes.show(history, actionId, path, cwd);
    },
    open_link: ({ url }) => openLink(url),
    open_session: async ({ id }) => {
      const { sessions } = application;
      if (!sessions.get(id) && !sessions.list().some((session) => session.id === id))
        throw new Error(vscode.l10n.t('This session is not here any more. It may have been deleted.'));
      await application.showStored(id);
    },
    inspect: async ({ seq }) => {
      const { shownId } = application;
      if (shownId !== undefined) await application.inspectors.showSession(shownId, application.sessions.stored, seq);
    },
    fork: async ({ seq }) =>
      void (
        application.shownId !== undefined &&
        (await vscode.commands.executeCommand('waymark.fork', application.shownId, { seq }))
      ),
    show_terminal: async () => void (await vscode.commands.executeCommand('waymark.showTerminal')),
    copy: async ({ text }) => vscode.env.clipboard.writeText(text),
    rename: async ({ title }) => {
      const { shownId } = application;
      if (shownId !== undefined && title.trim())
        await application.sessions.note(shownId, { type: 'settings_changed', title: title.trim() });
    },
    draft: ({ text, editor = false, others = false, pictures = 0 }) => {
      application.composing.beside = { editor, others, pictures };
      return application.keepDraft(text);
    },
    command: async ({ id }) => void (await vscode.commands.executeCommand(id)),
  };
}
