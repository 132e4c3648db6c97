import * as vscode from 'vscode';
import { statusOf } from '../../core/log/history';
import type { SessionSummary } from '../../adapters/sessions';
import type { Application } from './application';
import type { FoundStep } from '../provenance/stepLookup';
import { showStep } from './showStep';
import type { McpRow } from '../mcp/mcpView';
import type { NewSkill } from '../skills/newSkill';
import type { SkillRow } from '../skills/skillsView';
import { personaRow } from './teaching';
import type { WaitingAction } from '../consent/approvalsView';

type Run = (application: Application, ...args: never[]) => unknown;

/** ★ Every command of the palette, trees and keys: name → what it does. Titles and places are in package.json. */
const commands: Readonly<Record<string, Run>> = {
  'waymark.runTask': async (application, given?: { task?: string }) => {
    const task =
      given?.task ??
      (await vscode.window.showInputBox({
        title: vscode.l10n.t('Run Agent on Task'),
        prompt: vscode.l10n.t('What should be done?'),
        ignoreFocusOut: true,
      }));
    if (!task?.trim()) return undefined;
    const session = await application.startTask(task.trim()).catch((error: unknown) => {
      application.giveBack(task, error);
      throw error;
    });
    return session && { sessionId: session.id };
  },
  'waymark.runAsPersona': async (application) => {
    const personas = await application.teaching.personas(application.modelName);
    if (personas.length === 0)
      return void vscode.window.showInformationMessage(
        vscode.l10n.t('There are no personas here. "New Skill…" makes one.'),
      );
    const picked = await vscode.window.showQuickPick(
      personas.map((persona) => ({ ...personaRow(persona), persona })),
      { title: vscode.l10n.t('Persona'), matchOnDetail: true },
    );
    if (!picked) return undefined;
    const task = await vscode.window.showInputBox({
      title: vscode.l10n.t('Run Agent as {0}', picked.label),
      prompt: vscode.l10n.t('What should be done?'),
      ignoreFocusOut: true,
    });
    if (!task?.trim()) return undefined;
    const session = await application.startTask(task.trim(), picked.persona).catch((error: unknown) => {
      application.giveBack(task, error);
      throw error;
    });
    return session && { sessionId: session.id };
  },
  'waymark.newSkill': async (_application, given?: NewSkill) => (await import('../skills/newSkill')).newSkill(given),
  'waymark.reviewHooks': (application) => application.teaching.hooks.review(),
  'waymark.reviewSkills': (application, row?: SkillRow) =>
    application.teaching.review.review(row && 'skill' in row ? row.skill : undefined),
  'waymark.mcpServers': ({ teaching }) => teaching.servers.choose(),
  ...Object.fromEntries(
    (['start', 'stop', 'log', 'approve', 'revoke', 'file'] as const).map((action): [string, Run] => [
      `waymark.mcp.${action}`,
      ({ teaching }, row?: McpRow) => teaching.servers.run(action, row),
    ]),
  ),
  'waymark.newSession': (application) => application.show(undefined),
  'waymark.stop': async (application) => {
    const { sessions } = application;
    const current = await application.whole();
    // The one that is seen, whatever it waits for; where that has ended, those that are at work.
    const meant =
      current && !['empty', 'idle', 'finished'].includes(statusOf(current.conversation.history))
        ? [current]
        : sessions.all.filter(({ conversation }) => conversation.running);
    return Promise.all(meant.map((session) => session.stop()));
  },
  'waymark.stopEverything': async ({ sessions }) => (await import('./stopEverything')).stopEverything(sessions),
  'waymark.pause': (application) => application.controls.pause(),
  'waymark.step': (application) => application.controls.step(),
  'waymark.resume': (application) => application.controls.resume(),
  'waymark.leaveStepMode': (application) => application.controls.resume(),
  'waymark.chooseMode': async (application) => (await import('./options')).chooseMode(application),
  'waymark.setDefaultMode': async (application) => (await import('./options')).setDefaultMode(application),
  'waymark.chooseOptions': async (application) => (await import('./options')).chooseOptions(application),
  'waymark.showContext': (application) => application.composing.showContext(application),
  'waymark.condense': (application) => application.controls.condense(),
  'waymark.approve': (application, row?: Row) => application.consent.decide(named(application, row), true),
  'waymark.approveOutside': (application, row?: Row) => application.consent.decideOutside(named(application, row)),
  'waymark.refuse': (application, row?: Row) => application.consent.decide(named(application, row), false),
  'waymark.refuseWithNote': async (application, row?: Row) => {
    const first = application.consent.find(named(application, row));
    const prompt = first
      ? vscode.l10n.t('{0}: what the agent should know or do instead', first.action.summary)
      : vscode.l10n.t('What the agent should know or do instead');
    const note = await vscode.window.showInputBox({
      title: vscode.l10n.t('Refuse with a Note'),
      prompt,
      ignoreFocusOut: true,
    });
    return note === undefined
      ? false
      : application.consent.decide(
          first ? { sessionId: first.sessionId, actionId: first.action.id, hash: first.hash } : {},
          false,
          note,
        );
  },
  'waymark.showApproval': (application, row?: Row) => application.consent.show(named(application, row)),
  'waymark.openSession': async (application, which?: string | SessionSummary) => {
    const id = await sessionId(application, which);
    if (id === undefined) return;
    await application.showStored(id);
    await vscode.commands.executeCommand('waymark.conversation.focus');
  },
  'waymark.renameSession': async (application, which?: SessionSummary) => {
    const id = await sessionId(application, which);
    const known = application.sessions.list().find((session) => session.id === id);
    if (id === undefined || !known) return;
    const title = await vscode.window.showInputBox({ title: vscode.l10n.t('Rename Session'), value: known.title });
    if (title?.trim()) await application.sessions.note(id, { type: 'settings_changed', title: title.trim() });
    application.refresh();
  },
  'waymark.deleteSession': async (application, which?: SessionSummary) => {
    const id = await sessionId(application, which);
    if (id === undefined) return;
    const remove = vscode.l10n.t('Delete');
    const title = application.sessions.list().find((session) => session.id === id)?.title ?? id;
    const shared =
      application.sessions.stored.forksOf(id).length > 0
        ? vscode.l10n.t(
            'Other sessions go on from it: what they share with it stays on this machine until they are deleted, too.',
          )
        : undefined;
    if (
      (await vscode.window.showWarningMessage(
        vscode.l10n.t(
          'Delete "{0}"? Its log and saved outputs are removed from this machine. Files in the workspace stay as they are.',
          title,
        ),
        { modal: true, ...(shared && { detail: shared }) },
        remove,
      )) !== remove
    )
      return;
    if (application.shownId === id) await application.show(undefined);
    await application.sessions.delete(id);
    application.refresh();
  },
  'waymark.exportSession': async (application, which?: SessionSummary) => {
    const id = await sessionId(application, which ?? application.shownId);
    if (id === undefined) return;
    await (await import('./exportSession')).exportSession(application, id);
  },
  'waymark.exportTrajectory': async (application, named?: unknown) =>
    (await import('./exportSession')).exportTrajectory(application, named instanceof vscode.Uri ? named : undefined),
  'waymark.inspect': async (application, which?: SessionSummary | vscode.Uri) => {
    if (which && !(which instanceof vscode.Uri))
      return application.inspectors.showSession(which.id, application.sessions.stored);
    const uri =
      which ??
      (await (
        await import('../inspector/inspectTrajectory')
      ).pickTrajectory(application, vscode.l10n.t('Inspect Trajectory')));
    if (uri) await application.inspectors.show(uri);
  },
  /** `at`: an event of the step to go on from, and what to do; what is absent is asked for. */
  'waymark.fork': async (application, which?: string | SessionSummary, at?: { seq?: number; instruction?: string }) => {
    const id = await sessionId(application, which ?? application.shownId);
    return id === undefined ? undefined : (await import('./forkSession')).forkSession(application, id, at);
  },
  'waymark.replay': async (application, which?: SessionSummary | vscode.Uri | string, folder?: string) =>
    (await import('./replaySession')).replaySession(application, {
      ...(which instanceof vscode.Uri
        ? { uri: which }
        : which && { session: typeof which === 'string' ? which : which.id }),
      ...(typeof folder === 'string' && { folder }),
    }),
  /** `files`: two of them, or as the explorer says it: the one that was clicked, then all that are chosen. */
  'waymark.compare': async (application, ...files: unknown[]) =>
    (await import('../inspector/compareTrajectories')).compareTrajectories(
      application,
      (files.find(Array.isArray) ?? files).filter((file): file is vscode.Uri => file instanceof vscode.Uri),
    ),
  /** `session`: an id, or a file. `seq`: an event; its row is opened and focused. */
  'waymark.showStep': ({ inspectors, sessions }, session: string | vscode.Uri, seq?: number) =>
    typeof session === 'string' ? inspectors.showSession(session, sessions.stored, seq) : inspectors.show(session, seq),
  'waymark.showStepForLine': async (application, named?: unknown) =>
    showFound(application, await application.lines.stepAt(named)),
  'waymark.agentBlame': async (application) => showFound(application, await application.lines.blame()),
  'waymark.setApiKey': (application) => application.setApiKey(),
  'waymark.setHeaderSecret': (application) => application.setHeaderSecret(),
  /** `offer`: a provider or another way to a model, by its id; asked for when absent. */
  'waymark.chooseModel': (application, offer?: unknown) =>
    application.chooseModel(typeof offer === 'string' ? offer : undefined),
  'waymark.chooseOtherTools': (application) => application.otherTools.choose(),
  'waymark.checkModel': async (application) =>
    (await import('../models/checkModel')).checkChosenModel(application.choice),
  'waymark.explainCommand': async (_application, command?: string) =>
    (await import('./explainCommand')).explainCommand(command),
  'waymark.manageAllowRules': (application) => application.consent.manageRules(),
  'waymark.showTerminal': async (application) =>
    (await import('./terminalMirror')).showTerminal(
      (await application.whole())?.conversation.history,
      await application.environment(),
    ),
  'waymark.showSandbox': (application) => application.sandbox.show(),
  'waymark.showLog': (application) => application.output.show(),
  'waymark.openSettings': () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:waymark.waymark'),
  'waymark.manageTrust': () => vscode.commands.executeCommand('workbench.trust.manage'),
};

/** Registers all of them; the application is made with the first that runs. */
export function registerCommands(application: () => Promise<Application>): vscode.Disposable[] {
  return Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(name, async (...args: never[]) => {
      const app = await application();
      try {
        return await run(app, ...args);
      } catch (error) {
        app.report(error);
        return undefined;
      }
    }),
  );
}

/** The id that was given, or the one the person picks from the list. */
async function sessionId(application: Application, which?: string | SessionSummary): Promise<string | undefined> {
  if (which !== undefined) return typeof which === 'string' ? which : which.id;
  const sessions = application.sessions.list();
  const picked = await vscode.window.showQuickPick(
    sessions.map(({ id, title, updatedAt }) => ({
      label: title,
      description: new Date(updatedAt).toLocaleString(),
      id,
    })),
    { title: vscode.l10n.t('Session') },
  );
  return picked?.id;
}

async function showFound(
  application: Application,
  found: FoundStep | undefined,
): Promise<{ sessionId: string; actionId: string; seq: number } | undefined> {
  if (!found) return undefined;
  await showStep(application, found.sessionId, found.seq);
  return { sessionId: found.sessionId, actionId: found.action.id, seq: found.seq };
}

/** A row of the approvals list, or the word that its keys send for the row that has the focus. */
type Row = WaitingAction | 'selected';

function named(
  application: Application,
  row: Row | undefined,
): { sessionId?: string; actionId?: string; hash?: string } {
  const found = row === 'selected' ? application.selectedApproval : row;
  return found ? { sessionId: found.sessionId, actionId: found.action.id, hash: found.hash } : {};
}
