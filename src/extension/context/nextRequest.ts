import * as vscode from 'vscode';
import { surroundingsOf } from '../../adapters/sessions/surroundings';
import { firstEvents } from '../../core/session/firstEvents';
import { settingsOf } from '../../core/log/runSettings';
import { toolsOf } from '../../core/session/sessionAgent';
import { skillActivations } from '../../core/agent/thinking/skillActivations';
import { dialectNamed } from '../../core/tools/dialects/dialects';
import { type Dialect, offeredTools } from '../../core/tools/dialects/dialect';
import { toolsOffered } from '../../core/agent/toolsOffered';
import { requestParts, type RequestPart } from '../../core/context/requestParts';
import type { Skills } from '../../core/ports/skill';
import { allNeeds } from '../../core/ports/tool';
import type { Event, NewEvent } from '../../protocol/events/event';
import type { ModelService } from '../models/modelService';
import { ownProfile } from '../sessions/ownProfile';
import { readSettings } from '../common/settings';
import type { OpenSessions } from '../sessions/openSessions';
import type { ShownSession } from '../sessions/shownSession';
import type { WorkspaceSkills } from '../skills/workspaceSkills';
import type { Composed } from './composing';

/** Stands for a task that is not written yet. */
const placeholder = '…';

/** What the next request is computed from. */
export interface RequestSources {
  readonly sessions: OpenSessions;
  readonly shown: ShownSession;
  readonly models: ModelService;
}

/** A request, split into parts. `dialect`: the dialect of its tools; absent if the request has no tools. */
interface NextRequest {
  readonly parts: RequestPart[];
  readonly dialect?: Dialect;
}

/**
 * Returns every part of the request that would be sent if the user sent `draft` now. Starts, stores and sends nothing.
 * Throws an `Error` with a message for people if no folder is open or no model is chosen.
 */
export async function nextRequest(window: RequestSources, draft: Composed): Promise<NextRequest> {
  const session = await window.shown.openedSession();
  const history = session?.conversation.history ?? [];
  const settings = settingsOf(history);
  if (!session || !settings) return beforeTask(window, draft);
  const { environment, profile } = {
    environment: window.sessions.environmentOf(session.id)!,
    profile: await session.parts.profileOf(settings.profile),
  };
  const tools = session.tools.schemasSent(settings);
  const withDraft = draft.text === '' ? history : appendStamped([...history], [messageOf(draft)]);
  const parts = requestParts(
    appendStamped(
      [...withDraft],
      await skillActivations({ environment, tools: session.tools.toolsSent(settings), profile }, withDraft),
    ),
    tools,
  );
  return { parts, ...(tools.length > 0 && { dialect: dialectNamed(settings.dialect) }) };
}

async function beforeTask({ sessions, models }: RequestSources, draft: Composed): Promise<NextRequest> {
  const folders = (vscode.workspace.workspaceFolders ?? [])
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);
  const [root] = folders;
  const model = await models.choice.chosenModel();
  if (root === undefined || !model)
    throw new Error(vscode.l10n.t('Nothing to show: open a folder and choose a model first.'));
  const settings = readSettings();
  const trusted = vscode.workspace.isTrusted;
  const profile = await ownProfile(settings.profile, root);
  const available = { trusted, custom: settings.customToolsets, added: sessions.added.tools(), has: allNeeds };
  const chosen = toolsOf(settings, profile, available);
  const { memory, skills: known } = sessions.storesFor('', root);
  const skills = known && lookedAt(sessions.skills, known);
  const surroundings = surroundingsOf({
    root,
    otherFolders: folders.slice(1),
    shell: settings.shell || vscode.env.shell || 'sh',
    mayAct: trusted,
  });
  const begun = appendStamped(
    [],
    await firstEvents(draft.text || placeholder, { profile, model, tools: chosen, memory, skills }, surroundings, {
      ...settings,
      limits: { ...profile.limits, ...settings.limits },
      context: draft.context,
      images: draft.images ?? [],
    }),
  );
  const task = settingsOf(begun)!;
  const carried = profile.format.kind === 'tool_calls' ? toolsOf(task, profile, available) : [];
  const dialect = dialectNamed(task.dialect);
  const tools = offeredTools(toolsOffered(carried, task.mode, begun), dialect);
  const parts = requestParts(
    appendStamped(
      [...begun],
      await skillActivations({ environment: { root, ...(skills && { skills }) }, tools: chosen, profile }, begun),
    ),
    tools,
  );
  return { parts, ...(tools.length > 0 && { dialect }) };
}

/** The skills that would be used. A preview does not use them, so changed skills need no approval here. */
const lookedAt = ({ files }: WorkspaceSkills, skills: Skills): Skills => ({
  listUsed: async (model) =>
    ((await files?.listAll(model)) ?? []).filter(({ unused }) => unused === undefined).map(({ skill }) => skill),
  resources: (skill) => skills.resources(skill),
  resource: (skill, path) => skills.resource(skill, path),
});

const messageOf = ({ text, context, images = [] }: Composed): NewEvent => ({
  type: 'user_message',
  text,
  context: [...context],
  images: [...images],
});

function appendStamped(history: Event[], events: readonly NewEvent[]): Event[] {
  for (const event of events) history.push({ ...event, seq: history.length, at: Date.now() });
  return history;
}
