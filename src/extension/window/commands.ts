import * as vscode from 'vscode';
import { dateAndTime } from '../common/dateAndTime';
import { askText, pickOne } from '../common/quickInput';
import { statusOf } from '../../core/log/status';
import type { SessionSummary } from '../../adapters/sessions/sessions';
import type { WindowParts } from './windowParts';
import type { EntryName } from './entryPoints';
import { openSettings } from '../common/openSettings';
import type { FoundStep } from '../provenance/stepLookup';
import type { McpRow } from '../mcp/mcpView';
import type { NewSkill } from '../skills/newSkill';
import type { SkillRow } from '../skills/skillsView';
import { personaRow } from '../skills/teaching';
import { forgetDraft } from '../panel/draft';
import { decideOrGiveBack } from '../panel/decideOrGiveBack';
import { worktreeCommands } from './worktreeCommands';
import { reviewCommands } from '../review/reviewCommands';
import { batchCommands } from '../batch/batchCommands';
import type { ApprovalArgument } from '../consent/approvalsView';

/** Handles a command; its arguments come from VS Code or another extension. */
type Run = (window: WindowParts, ...args: never[]) => unknown;

const entryNames: readonly EntryName[] = [
  'waymark.explainSelection',
  'waymark.fixProblems',
  'waymark.explainProblem',
  'waymark.addSelection',
  'waymark.addFile',
  'waymark.addTerminal',
  'waymark.explainTerminal',
  'waymark.explainChange',
  'waymark.fixTest',
  'waymark.attachFiles',
];

/** Commands that lead to a task. Their implementation is loaded on first use. */
const entryCommands: Readonly<Record<string, Run>> = Object.fromEntries(
  entryNames.map((name): [string, Run] => [
    name,
    async (window, ...commandArguments) =>
      (await import('./entryPoints')).entryCommands[name](window, ...commandArguments),
  ]),
);

/** ★ All commands of the palette, trees and keys: command ID → handler. Titles and menus are in package.json. */
const commands: Readonly<Record<string, Run>> = {
  'waymark.runTask': async (window, options?: { task?: string }) => {
    const task =
      options?.task ??
      (await askText({
        title: vscode.l10n.t('Run Agent on Task'),
        prompt: vscode.l10n.t('What should Waymark do?'),
      }));
    if (!task?.trim()) return undefined;
    const session = await window.tasks.startOrGiveBack(task.trim());
    return session && { sessionId: session.id };
  },
  'waymark.runAsPersona': async (window) => {
    const personas = await window.teaching.personas(window.models.name);
    if (personas.length === 0)
      return void vscode.window.showInformationMessage(vscode.l10n.t('No personas yet. Create one with “New Skill…”.'));
    const picked = await pickOne(
      personas.map((persona) => ({ ...personaRow(persona), persona })),
      { title: vscode.l10n.t('Persona'), matchOnDetail: true },
    );
    if (!picked) return undefined;
    const task = await askText({
      title: vscode.l10n.t('Run Agent as {0}', picked.label),
      prompt: vscode.l10n.t('What should Waymark do?'),
    });
    if (!task?.trim()) return undefined;
    const session = await window.tasks.startOrGiveBack(task.trim(), { persona: picked.persona });
    return session && { sessionId: session.id };
  },
  'waymark.newSkill': async (_window, skill?: NewSkill) => (await import('../skills/newSkill')).newSkill(skill),
  'waymark.reviewHooks': (window) => window.teaching.hooks.review(),
  'waymark.reviewSkills': (window, row?: SkillRow) =>
    window.teaching.review.review(row && 'skill' in row ? row.skill : undefined),
  'waymark.mcpServers': ({ teaching }) => teaching.servers.choose(),
  ...Object.fromEntries(
    (['start', 'stop', 'log', 'approve', 'revoke', 'file'] as const).map((action): [string, Run] => [
      `waymark.mcp.${action}`,
      ({ teaching }, row?: McpRow) => teaching.servers.run(action, row),
    ]),
  ),
  'waymark.newSession': async (window) => {
    // First, because letters that are typed now reach the composer only once it has the focus.
    const focused = focusComposer(window);
    await window.places.sidebar.shown.show(undefined);
    await focused;
  },
  'waymark.focusComposer': (window) => focusComposer(window),
  'waymark.stop': (window) => stopShownOrRunning(window),
  'waymark.stopEverything': async ({ sessions }) => (await import('./stopEverything')).stopEverything(sessions),
  'waymark.pause': (window) => window.controls.pause(),
  'waymark.step': (window) => window.controls.step(),
  'waymark.resume': (window) => window.controls.resume(),
  'waymark.leaveStepMode': (window) => window.controls.resume(),
  'waymark.chooseMode': async (window) => (await import('./options')).chooseMode(window),
  'waymark.setDefaultMode': async (window) => (await import('./options')).setDefaultMode(window),
  'waymark.chooseOptions': async (window) => (await import('./options')).chooseOptions(window),
  'waymark.showContext': (window) => window.contextView.show(window, window.panel.draft),
  'waymark.condense': (window) => window.controls.condense(),
  'waymark.approve': async (window, ...row: ApprovalArgument[]) =>
    window.consent.approve(await namedAction(window, row)),
  'waymark.approveOutside': async (window, ...row: ApprovalArgument[]) =>
    window.consent.approveOutside(await namedAction(window, row)),
  'waymark.refuse': async (window, ...row: ApprovalArgument[]) => window.consent.refuse(await namedAction(window, row)),
  'waymark.refuseWithNote': (window, ...row: ApprovalArgument[]) => refuseWithNote(window, row),
  'waymark.showApproval': async (window, ...row: ApprovalArgument[]) => {
    if (row.length > 0 && window.status.approvals.opensNothing()) return;
    await window.consent.show(await namedAction(window, row));
  },
  'waymark.openSession': async (window, which?: string | SessionSummary) => {
    const id = await sessionId(window, which);
    if (id === undefined) return;
    const { sidebar } = window.places;
    await sidebar.shown.showStored(id);
    await sidebar.outlet.reveal();
  },
  'waymark.showConversation': (window) => window.outlet.reveal(),
  'waymark.openInEditor': (window, which?: string | SessionSummary) => openInEditor(window, which),
  'waymark.openInNewWindow': async (window, which?: string | SessionSummary) => {
    await openInEditor(window, which);
    await vscode.commands.executeCommand('workbench.action.moveEditorToNewWindow');
  },
  'waymark.newSessionInEditor': (window) => window.tabs.open(undefined),
  'waymark.renameSession': async (window, which?: SessionSummary) => {
    const id = await sessionId(window, which);
    const stored = window.sessions.list().find((session) => session.id === id);
    if (id === undefined || !stored) return;
    const title = await askText({ title: vscode.l10n.t('Rename Session'), value: stored.title });
    if (title?.trim()) await window.sessions.note(id, { type: 'settings_changed', title: title.trim() });
    window.status.refresh();
  },
  'waymark.pinSession': async (window, which?: SessionSummary) => {
    const id = which?.id ?? window.shown.id ?? (await sessionId(window));
    if (id !== undefined) await window.pins.pin(id);
  },
  'waymark.unpinSession': async (window, which?: SessionSummary) => {
    const { ids } = window.pins;
    const id = which?.id ?? (await pickSession(window.sessions.list().filter((session) => ids.includes(session.id))));
    if (id !== undefined) await window.pins.unpin(id);
  },
  'waymark.deleteSession': (window, which?: SessionSummary) => deleteSession(window, which),
  'waymark.exportSession': async (window, which?: SessionSummary) => {
    const id = await sessionId(window, which ?? window.shown.id);
    if (id === undefined) return;
    await (await import('./exportSession')).exportSession(window, id);
  },
  'waymark.exportTrajectory': async (window, named?: unknown) =>
    (await import('./exportSession')).exportTrajectory(window, named instanceof vscode.Uri ? named : undefined),
  'waymark.inspect': async (window, which?: SessionSummary | vscode.Uri) => {
    if (which && !(which instanceof vscode.Uri)) return window.inspectors.showSession(which.id, window.sessions.stored);
    const uri =
      which ??
      (await (await import('../inspector/pickTrajectory')).pickTrajectory(window, vscode.l10n.t('Inspect Trajectory')));
    if (uri) await window.inspectors.show(uri);
  },
  /** `at`: an event of the step to continue from, and what to do; missing parts are asked for. */
  'waymark.fork': async (
    window,
    which?: string | SessionSummary,
    at?: { seq?: number; instruction?: string; restore?: boolean },
  ) => {
    const id = await sessionId(window, which ?? window.shown.id);
    return id === undefined ? undefined : (await import('./forkSession')).forkSession(window.showing(id), id, at);
  },
  'waymark.replay': async (window, which?: SessionSummary | vscode.Uri | string, folder?: string) =>
    (await import('./replaySession')).replaySession(window, {
      ...(which instanceof vscode.Uri
        ? { uri: which }
        : which && { session: typeof which === 'string' ? which : which.id }),
      ...(typeof folder === 'string' && { folder }),
    }),
  /** `files`: two files, or the arguments of an explorer command: the clicked file, then all selected ones. */
  'waymark.compare': async (window, ...files: unknown[]) =>
    (await import('../inspector/compareTrajectories')).compareTrajectories(
      window,
      (files.find(Array.isArray) ?? files).filter((file): file is vscode.Uri => file instanceof vscode.Uri),
    ),
  /** `session`: an ID or a file. `seq`: an event whose row is expanded and focused. */
  'waymark.showStep': ({ inspectors, sessions }, session: string | vscode.Uri, seq?: number) =>
    typeof session === 'string' ? inspectors.showSession(session, sessions.stored, seq) : inspectors.show(session, seq),
  'waymark.showStepForLine': async (window, named?: unknown) => showStep(window, await window.lines.stepAt(named)),
  'waymark.agentBlame': async (window) => showStep(window, await window.lines.blame()),
  ...reviewCommands,
  ...worktreeCommands,
  'waymark.followAgent': async () => (await import('../common/settings')).writeSetting('followAgent', true),
  'waymark.stopFollowing': async () => (await import('../common/settings')).writeSetting('followAgent', false),
  ...batchCommands,
  ...entryCommands,
  'waymark.setApiKey': (window) => window.models.choice.setApiKey(),
  'waymark.setHeaderSecret': (window) => window.models.choice.setHeaderSecret(),
  /** `offer`: ID of a provider or another kind of model; asked for if absent. */
  'waymark.chooseModel': (window, offer?: unknown) =>
    window.panel.chooseModel(typeof offer === 'string' ? offer : undefined),
  'waymark.chooseOtherTools': (window) => window.otherTools.choose(),
  'waymark.checkModel': async (window) => (await import('../models/checkModel')).checkChosenModel(window.models.choice),
  'waymark.explainCommand': async (_window, command?: string) =>
    (await import('./showExplanation')).showExplanation(command),
  'waymark.manageAllowRules': (window) => window.consent.manageRules(),
  'waymark.showTerminal': async (window) =>
    (await import('./terminalMirror')).showTerminal(await window.shown.openedSession(), window.sessions),
  'waymark.showSandbox': (window) => window.sandbox.show(),
  'waymark.getStarted': (window) => window.status.showWalkthrough(),
  /** `page`: path below docs/; by default the list of all pages. */
  'waymark.openDocs': (window, page?: unknown) => openDocs(window, typeof page === 'string' ? page : 'README.md'),
  'waymark.showLog': (window) => window.output.show(),
  /** `query`: search text of the settings editor; by default all of Waymark's settings. */
  'waymark.openSettings': (_window, query?: unknown) =>
    openSettings(typeof query === 'string' ? query : '@ext:waymark.waymark'),
  'waymark.searchSessions': async (window) => (await import('./searchSessions')).searchSessions(window),
  'waymark.playTutorial': async (window) => {
    if (await window.panel.chooseModel('tutorial'))
      await window.tasks.prepareAndStart(vscode.l10n.t('Repair the ferry times. The tests show what is wrong.'));
  },
  'waymark.manageTrust': () => vscode.commands.executeCommand('workbench.trust.manage'),
};

/** Buttons of the side bar view act on its session, even if the user last worked in another place. */
const sidebarCommands: Readonly<Record<string, Run>> = {
  ...Object.fromEntries(
    ['showTerminal', 'exportSession', 'fork', 'condense', 'openInEditor', 'openInNewWindow'].map(
      (name): [string, Run] => [
        `waymark.sidebar.${name}`,
        (window) => commands[`waymark.${name}`]!(window.inSidebar()),
      ],
    ),
  ),
  'waymark.sidebar.stop': (window) => stopShown(window.inSidebar()),
};

/** Registers all commands. The parts of the window are created when the first one runs. */
export function registerCommands(window: () => Promise<WindowParts>): vscode.Disposable[] {
  return Object.entries({ ...commands, ...sidebarCommands }).map(([name, run]) =>
    vscode.commands.registerCommand(name, async (...args: never[]) => {
      const parts = await window();
      try {
        return await run(parts, ...args);
      } catch (error) {
        parts.problems.report(error);
        return undefined;
      }
    }),
  );
}

/** Shows the side bar with the focus in the composer. */
async function focusComposer({ places }: WindowParts): Promise<void> {
  const { outlet } = places.sidebar;
  // Not after it is revealed: until then, the user may have moved the focus elsewhere.
  outlet.postWhenReady({ type: 'focus', what: 'composer' });
  await outlet.reveal();
}

/** Shows a page of the documentation shipped with this version. Its links lead to the other pages. */
async function openDocs({ extension }: WindowParts, page: string): Promise<void> {
  if (!/^(?:\w[\w-]*\/)*\w[\w-]*\.md$/.test(page))
    throw new Error(vscode.l10n.t('The documentation has no page “{0}”.', page));
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.joinPath(extension, 'docs', page));
}

/** Stops the session of a place, even while it waits. Returns false if there is nothing to stop. */
async function stopShown({ shown }: WindowParts): Promise<boolean> {
  const session = await shown.openedSession();
  if (!session || ['empty', 'idle', 'finished'].includes(statusOf(session.conversation.history))) return false;
  await session.stop();
  return true;
}

/** Stops the session shown in a place, or another running session. */
async function stopShownOrRunning(window: WindowParts): Promise<void> {
  if (await stopShown(window)) return;
  // The session has ended or does not exist. Another one is only stopped if it is clear which.
  const { sessions } = window;
  const running = sessions.all.filter(({ id, conversation }) => conversation.running && !sessions.isAtWork(id));
  const ids = new Set(running.map(({ id }) => id));
  const listed = sessions.list().filter(({ id }) => ids.has(id));
  const idToStop = running.length > 1 ? await pickSession(listed) : running[0]?.id;
  if (idToStop !== undefined) await sessions.get(idToStop)?.stop();
}

/** Refuses an action and says why. Resolves to false if nothing was decided. */
async function refuseWithNote(window: WindowParts, row: readonly ApprovalArgument[]): Promise<boolean> {
  const waiting = window.consent.find(await namedAction(window, row));
  const prompt = waiting
    ? vscode.l10n.t('{0}: what should the agent do instead?', waiting.action.summary)
    : vscode.l10n.t('What should the agent do instead?');
  const note = await askText({
    title: vscode.l10n.t('Refuse with a Note'),
    prompt,
  });
  if (note === undefined) return false;
  const target = waiting ? { sessionId: waiting.sessionId, actionId: waiting.action.id, hash: waiting.hash } : {};
  const isDecided = await decideOrGiveBack(note, window.consent.refuse(target, note), window.outlet);
  if (!isDecided) await window.outlet.reveal();
  return isDecided;
}

/** Deletes a session, after asking. */
async function deleteSession(window: WindowParts, which: SessionSummary | undefined): Promise<void> {
  const id = await sessionId(window, which);
  if (id === undefined) return;
  const remove = vscode.l10n.t('Delete');
  const title = window.sessions.list().find((session) => session.id === id)?.title ?? id;
  const forksNote =
    window.sessions.stored.forksOf(id).length > 0
      ? vscode.l10n.t(
          'Other sessions were forked from it. The shared part stays on this machine until they are deleted, too.',
        )
      : undefined;
  const { listWorktrees } = await import('../../adapters/sessions/worktrees');
  const log = window.sessions.stored.logOf(id);
  const worktreeNote = listWorktrees().some((worktree) => worktree.log === log)
    ? vscode.l10n.t('Its worktree is deleted, with all changes that were not brought back.')
    : undefined;
  const notes = [forksNote, worktreeNote].filter((note) => note !== undefined).join('\n\n');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Delete “{0}”? Its log and saved outputs are removed from this machine. Files in the workspace stay as they are.',
      title,
    ),
    { modal: true, ...(notes !== '' && { detail: notes }) },
    remove,
  );
  if (answer !== remove) return;
  await window.places.leave(id);
  await window.sessions.delete(id);
  await forgetDraft(window.workspaceState, id);
  await window.pins.unpin(id);
  window.status.refresh();
}

/** Opens a session in the editor area: the given one, the one of the place, or a new one. */
const openInEditor = ({ tabs, shown }: WindowParts, which?: string | SessionSummary): Promise<void> =>
  tabs.open(typeof which === 'object' ? which.id : (which ?? shown.id));

/** Returns the given ID, or asks the user for a session. */
async function sessionId(window: WindowParts, which?: string | SessionSummary): Promise<string | undefined> {
  if (which !== undefined) return typeof which === 'string' ? which : which.id;
  return pickSession(window.sessions.list());
}

async function pickSession(sessions: readonly SessionSummary[]): Promise<string | undefined> {
  const picked = await pickOne(
    sessions.map(({ id, title, updatedAt }) => ({
      label: title,
      description: dateAndTime(updatedAt),
      id,
    })),
    { title: vscode.l10n.t('Session') },
  );
  return picked?.id;
}

/** Shows a step in the inspector. Throws an `Error` with a message for people if its session was deleted. */
async function showStep(
  window: WindowParts,
  step: FoundStep | undefined,
): Promise<{ sessionId: string; actionId: string; seq: number } | undefined> {
  if (!step) return undefined;
  const { sessions, inspectors } = window;
  const { sessionId: id, seq, action } = step;
  if (!sessions.get(id) && !sessions.list().some((session) => session.id === id))
    throw new Error(vscode.l10n.t('The session of this step was not found. It may have been deleted.'));
  await inspectors.show(vscode.Uri.file(sessions.stored.logOf(id)), seq);
  return { sessionId: id, actionId: action.id, seq };
}

/** Returns which action a command is about; an empty object means the one on display. */
async function namedAction(
  { status }: WindowParts,
  rowArguments: readonly ApprovalArgument[],
): Promise<{ sessionId?: string; actionId?: string; hash?: string }> {
  const row = await status.approvals.targetRow(rowArguments);
  return row ? { sessionId: row.sessionId, actionId: row.action.id, hash: row.hash } : {};
}
