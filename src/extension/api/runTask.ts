import * as vscode from 'vscode';
import type { Result, Run, Task } from '../../../api/waymark';
import { childReport } from '../../core/session/childRuns';
import { statusOf } from '../../core/log/status';
import type { ModelService } from '../models/modelService';
import type { TaskStart } from '../panel/taskStart';
import type { OpenSessions } from '../sessions/openSessions';
import type { Teaching } from '../skills/teaching';
import type { LiveSession } from '../sessions/liveSession';
import { ownProfile } from '../sessions/ownProfile';
import { readSettings, type Settings } from '../common/settings';
import { canonicalFolder } from '../../adapters/storage/canonicalFolder';
import { extensionLabel, type ExtensionName } from '../contributed/callingExtension';
import { windowModels } from '../contributed/windowModels';
import type { SessionEvents } from '../contributed/sessionEvents';
import type { TaskConsent } from '../consent/taskConsent';

/** The parts of a window that `runTask` needs. */
export interface TaskHost {
  readonly sessions: OpenSessions;
  readonly models: ModelService;
  readonly teaching: Teaching;
  readonly tasks: TaskStart;
  readonly taskConsent: TaskConsent;
}

/**
 * Starts a task for another extension after the user allows it. Throws an `Error` with a message for the author of that
 * extension.
 */
export async function runTask(host: TaskHost, request: Task, by: ExtensionName, events: SessionEvents): Promise<Run> {
  const { task, inputs, folder, profile = readSettings().profile, model, mode = 'confirm' } = checkTask(request);
  if (!vscode.workspace.isTrusted)
    throw notStartedError(
      'this folder is not trusted',
      'Ask the user to trust it ("Workspaces: Manage Workspace Trust"), then call runTask again.',
    );
  const root = openFolder(folder);
  await ownProfile(profile, root);
  refuseOtherProvider(model);
  const chosen =
    model === undefined ? await host.models.choice.chosenModel() : await host.models.modelFromSetting(model);
  if (!chosen)
    throw notStartedError(
      'no model is chosen',
      'Ask the user to choose one ("Waymark: Choose Model…"), then call runTask again.',
    );
  if (!(await host.taskConsent.mayBegin(by, task)))
    throw notStartedError(
      'the user did not allow your extension to start it',
      'Do not ask again until the user does something that needs it.',
    );
  if (!(await host.teaching.settle()))
    throw notStartedError(
      'the user has not reviewed the changed skills and instructions',
      'Ask the user to review them ("Waymark: Review Changed Skills").',
    );
  // The user may be typing elsewhere: keep the focus there.
  await vscode.commands.executeCommand('waymark.conversation.focus', { preserveFocus: true });
  const settings = { ...leastPermissive(readSettings(), mode), profile, by: callerName(by), ...(inputs && { inputs }) };
  const session = await host.tasks.startPrepared({ text: task, model: chosen, settings }, root);
  session.conversation.append({ type: 'notice', level: 'info', text: `This task was started by ${callerName(by)}.` });
  return handleOf(session, host, events);
}

const callerName = (by: ExtensionName): string =>
  by.id === '' ? 'another extension' : `the extension ${extensionLabel(by)}`;

/**
 * Throws if the model belongs to another provider. Content that the run reads may only be sent to providers that the
 * user chose.
 */
function refuseOtherProvider(model: string | undefined): void {
  if (model === undefined) return;
  const { provider, modelName } = readSettings();
  const ownerOf = windowModels(provider)?.ownerOf;
  const isForeign = ownerOf !== undefined && ownerOf(model) !== ownerOf(modelName);
  if (/^\w+:\/\//.test(model.trim()) || isForeign)
    throw notStartedError(
      `the user did not choose the provider of the model "${model}"`,
      'Name a model of the chosen provider, or omit it.',
    );
}

/**
 * Another extension never starts a run that asks for less approval than by default. The user can change that in the
 * panel.
 */
function leastPermissive(settings: Settings, mode: 'confirm' | 'plan'): Settings {
  return { ...settings, mode, confirmation: settings.confirmation === 'always' ? 'always' : 'risky' };
}

function handleOf(session: LiveSession, { sessions }: TaskHost, events: SessionEvents): Run {
  const { id, conversation } = session;
  const result = new Promise<Result>((resolve) => {
    const resolveIfEnded = (): void => {
      if (conversation.running) return;
      const status = statusOf(conversation.history);
      if (sessions.get(id) === session && status !== 'idle' && status !== 'finished') return;
      watch.dispose();
      const report = childReport(id, '', conversation.history);
      const ended = status === 'idle' || status === 'finished';
      resolve({ status: ended && report.status !== 'not_run' ? report.status : 'closed', summary: report.summary });
    };
    const watch = events.watch(id, resolveIfEnded);
    // The session may have ended before the listener was added.
    queueMicrotask(resolveIfEnded);
  });
  return Object.freeze({
    session: id,
    result,
    onEvent: (listener: Parameters<Run['onEvent']>[0]) => {
      if (typeof listener !== 'function') throw new TypeError('onEvent must be a function, so no events are reported.');
      return events.listen(listener, id, conversation.savedHistory);
    },
    stop: async () => {
      await (sessions.get(id) ?? session).stop('Stopped by the extension that started it.');
    },
  });
}

function checkTask(value: unknown): Task {
  if (typeof value !== 'object' || value === null) throw notStartedError('no task was given', 'See api/waymark.d.ts.');
  const { task, inputs, folder, profile, model, mode } = value as Readonly<Record<string, unknown>>;
  if (typeof task !== 'string' || task.trim() === '')
    throw notStartedError('"task" is empty', 'Describe the task in it.');
  for (const [key, value] of Object.entries({ folder, profile, model }))
    if (value !== undefined && typeof value !== 'string')
      throw notStartedError(`"${key}" is not a string`, 'See api/waymark.d.ts.');
  if (inputs !== undefined && !isNamedTexts(inputs))
    throw notStartedError(
      '"inputs" is not an object of strings',
      'Use names of letters, digits and _, each with a string.',
    );
  if (mode !== undefined && mode !== 'confirm' && mode !== 'plan')
    throw notStartedError(
      `"mode" is ${JSON.stringify(mode)}`,
      'Use "confirm" or "plan". Only the user can let a run continue without approvals, in the panel.',
    );
  return { ...(value as Task), task: task.trim() };
}

const isNamedTexts = (inputs: unknown): boolean =>
  typeof inputs === 'object' &&
  inputs !== null &&
  Object.entries(inputs).every(([name, value]) => /^[A-Za-z_]\w{0,63}$/.test(name) && typeof value === 'string');

/** Returns the workspace folder that is meant, as VS Code spells its path. Throws if it is not open. */
function openFolder(folder: string | undefined): string {
  const open = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  if (open.length === 0)
    throw notStartedError('no folder is open', 'Open the folder that the agent should work in first.');
  if (folder === undefined) return open[0]!;
  const found = open.find((each) => canonicalFolder(each) === canonicalFolder(folder));
  if (found === undefined)
    throw notStartedError(
      `"${folder}" is not open in this window`,
      `Use one of these, or omit it: ${open.join(', ')}.`,
    );
  return found;
}

const notStartedError = (why: string, next: string): Error => new Error(`The task was not started: ${why}. ${next}`);
