import * as vscode from 'vscode';
import type { SessionInfo, Waymark } from '../../../api/waymark';
import { canonicalFolder } from '../../adapters/storage/canonicalFolder';
import { callingExtension, type ExtensionName } from '../contributed/callingExtension';
import type { Contributions } from '../contributed/contributions';
import { checkedTool, checkContributedModel, checkSkillSource } from '../contributed/checkContributions';
import type { TaskHost } from './runTask';

/** Version of the API in api/waymark.d.ts, which is independent of the extension's version. */
const apiVersion = '1.0.0';

/** Returns the API that other extensions get from `activate`. Its code is loaded on first use. */
export function waymarkApi(own: string, host: () => Promise<TaskHost>, contributions: Contributions): Waymark {
  return Object.freeze({
    version: apiVersion,
    runTask(task) {
      const by = caller(own);
      return Promise.all([host(), import('./runTask')]).then(([window, { runTask }]) =>
        runTask(window, task, by, contributions.events),
      );
    },
    async sessions() {
      const { sessions } = await host();
      return sessions.list().map(({ id, title, updatedAt, status }): SessionInfo => ({
        id,
        title,
        updatedAt,
        status,
        running: sessions.get(id)?.conversation.running ?? false,
      }));
    },
    onEvent(listener) {
      if (typeof listener !== 'function') throw new TypeError('onEvent must be a function, so no events are reported.');
      return contributions.events.listen(listener);
    },
    registerTool(tool) {
      const by = caller(own);
      return contributions.tools.add(
        by,
        checkedTool(
          tool,
          contributions.tools.all.map(({ value }) => value.name),
        ),
      );
    },
    registerModel(model) {
      const by = caller(own);
      checkContributedModel(
        model,
        contributions.models.all.filter((other) => other.by.id === by.id).map(({ value }) => value.id),
      );
      return contributions.models.add(by, model);
    },
    registerSkillSource(source) {
      const by = caller(own);
      checkSkillSource(source);
      const registration = contributions.skills.add(by, source);
      const listening = source.onDidChange?.(() => contributions.skills.changed());
      return vscode.Disposable.from(registration, ...(listening ? [listening] : []));
    },
  } satisfies Waymark);
}

/** Returns the extension that called the caller of this function. */
function caller(own: string): ExtensionName {
  const installed = vscode.extensions.all.map(({ id, extensionPath, packageJSON }) => {
    const { displayName } = packageJSON as { displayName?: unknown };
    return {
      id,
      name: typeof displayName === 'string' && displayName !== '' ? displayName : id,
      folders: [extensionPath, canonicalFolder(extensionPath)],
    };
  });
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 50;
  const { stack = '' } = new Error('Who calls?');
  Error.stackTraceLimit = stackTraceLimit;
  return callingExtension(stack, installed, own) ?? unknownExtension;
}

/** A caller that could not be identified. It is asked about each time, and no answer is remembered for it. */
const unknownExtension: ExtensionName = { id: '', name: '' };
