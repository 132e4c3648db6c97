import { slowWorkCutOff } from '../../adapters/processes/cutOff';
import * as vscode from 'vscode';
import type { SessionHooks } from '../../adapters/hooks/sessionHooks';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { HeldEdits, writingWith } from '../../adapters/checkpoints/heldEdits/heldEdits';
import { SessionCheckpoints } from '../../adapters/checkpoints/recording/sessionCheckpoints';
import { documents } from '../../adapters/documents/documents';
import { lazyWeb } from '../../adapters/documents/lazyWeb';
import { diskFiles } from '../../adapters/files/diskFiles';
import { holdsHome } from '../../adapters/files/holdsHome';
import { existsOnlyForSandbox } from '../../adapters/sandbox/madePlaces';
import { workspaceScripts } from '../../adapters/scripts/workspaceScripts';
import { learnDotenv, learnDotenvBelow } from '../../adapters/secrets/dotenvSecrets';
import { keptOutputs } from '../../adapters/files/keptOutputs';
import { ripgrepSearch } from '../../adapters/search/ripgrep';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import type { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import type { AgentEnvironment } from '../../core/ports/addedTools';
import type { Files } from '../../core/ports/files';
import type { Web } from '../../core/ports/web';
import { editorCode } from '../editor/editorCode';
import { editorDiagnostics } from '../editor/editorDiagnostics';
import type { AnsweringServices } from '../editor/languageAnswers';
import { editorFiles } from '../editor/editorFiles';
import { recordedFiles, recordedTerminal } from '../editor/recordedEnvironment';
import type { WindowProvenance } from '../editor/windowProvenance';
import { readSetting } from '../common/settings';
import { SessionShell, type SessionShellOptions } from './sessionShell';

/** The environment of one session's tools. The shell starts with the first command. */
export interface SessionEnvironment extends AgentEnvironment {
  readonly checkpoints: SessionCheckpoints;
  readonly heldEdits: HeldEdits;
  /**
   * Prepares checkpoints and the shell during the first model request, so that the first command does not wait for
   * them.
   */
  prepare(): void;
  /** Returns the shell, for the terminal that shows it. Starts it if necessary. */
  shell(): Promise<AgentTerminal>;
  /** Returns the number of live processes of its commands. */
  processes(): Promise<number>;
  /** Kills all processes and the shell. */
  endProcesses(): Promise<void>;
  dispose(): Promise<void>;
}

/** State shared by the sessions of a window. */
export interface WindowMemory {
  /** Authors of the lines of files. */
  readonly provenance: WindowProvenance;
  readonly answeringServices: AnsweringServices;
}

/** What the environment of a session is made from. */
interface SessionEnvironmentOptions extends SessionShellOptions {
  /** Id of the session, under which file changes of its actions are recorded. */
  readonly session: string;
  readonly stores: Pick<AgentEnvironment, 'memory' | 'pastSessions' | 'skills' | 'added'>;
  readonly window: WindowMemory;
  readonly copies: {
    readonly log: string;
    readonly store: CheckpointStore;
    readonly family: string;
    /** Log of the outermost session, where held-back edits are stored. */
    readonly familyLog: string;
    /** The action of the outermost session that it works for. */
    readonly workFor: string | undefined;
    /** Actions that had started according to the log when it was opened. */
    readonly begun: ReadonlySet<string>;
  };
}

/** Creates the files, terminal, search and other ports of one session. The caller disposes it. */
export function sessionEnvironment(options: SessionEnvironmentOptions): SessionEnvironment {
  const { session, folders, outputFolder, settings, stores, warn, window, copies } = options;
  const readableFolders = [outputFolder];
  learnDotenv(folders);
  // Secrets in nested folders are read in the background; a terminal waits for them.
  void learnDotenvBelow(folders);
  const paths = createWorkspacePaths(folders, readableFolders);
  const shell = new SessionShell({ ...options, folders: paths.folders });
  const { terminal } = shell;
  const disk = diskFiles({ folders, readableFolders, isUnlisted: existsOnlyForSandbox });
  const files = editorFiles(paths, disk, {
    runsSaveActions: () => readSetting('edits.saveActions'),
    onUnsavedSaved: (path, typed) => checkpoints.editedUnsaved(path, typed),
  });
  const { provenance } = window;
  const checkpoints = new SessionCheckpoints({
    ...copies,
    folders,
    resolve: (spelled) => paths.resolve(spelled, 'write').absolute,
    onNotice: warn,
    hasProcesses: () => shell.hasProcesses(),
    wroteOnlyInside: () => shell.wroteOnlyInside(),
  });
  const recorded = (action: string): Files => recordedFiles(files, paths, provenance, { session, action });
  const heldEdits = new HeldEdits({
    log: copies.familyLog,
    workFor: copies.workFor,
    paths,
    files,
    writeAs: writingWith(checkpoints, recorded),
    isOn: () => readSetting('edits.apply') === 'afterReview',
  });
  const environment: SessionEnvironment = {
    ...stores,
    root: paths.root,
    ...(paths.folders.length > 1 && { otherFolders: paths.folders.slice(1) }),
    shell: () => shell.startedShell(),
    terminal,
    // Assessments before an action see the same files as the agent.
    files: maskedFiles(heldEdits.over(files, 'none')),
    checkpoints,
    heldEdits,
    search: ripgrepSearch({ folders, readableFolders, editorRoot: vscode.env.appRoot }),
    outputs: keptOutputs(outputFolder),
    documents,
    web: trustedWeb(lazyWeb({ privateHosts: settings.privateHosts })),
    ...(holdsHome(folders) && { holdsHome: true }),
    scripts: workspaceScripts(paths.folders, { isCreatedHere: (place) => checkpoints.isCreatedHere(place) }),
    cutOff: slowWorkCutOff(),
    code: editorCode(paths, files),
    diagnostics: editorDiagnostics(paths, window.answeringServices),
    prepare() {
      environment.checkpoints.prepare();
      void shell.prepare().catch(() => undefined);
    },
    processes: () => shell.processes(),
    endProcesses: () => shell.endProcesses(),
    dispose: async () => {
      const terminalEnded = terminal.dispose();
      await Promise.all([terminalEnded, environment.checkpoints.dispose(terminalEnded)]);
    },
  };
  return {
    ...environment,
    forAction(action) {
      // Language services report nothing about held-back edits, which are not in any file.
      const { diagnostics, ...rest } = environment;
      return {
        ...rest,
        ...(diagnostics && !heldEdits.isOn && { diagnostics }),
        files: maskedFiles(heldEdits.over(recorded(action), action)),
        terminal: recordedTerminal(terminal, provenance, { session, action }),
      };
    },
  };
}

/** Fetches pages only while the workspace is trusted. */
const trustedWeb = (web: Web): Web => ({
  mayRead: (address) => web.mayRead(address),
  read: (address, signal) =>
    vscode.workspace.isTrusted
      ? web.read(address, signal)
      : Promise.reject(new Error('This folder is not trusted, so Waymark fetches no pages for it.')),
});

/** Adds the processes of hooks to those of an environment, so that they are counted and ended together. */
export function withHookProcesses(
  environment: SessionEnvironment,
  hooks: SessionHooks | undefined,
): SessionEnvironment {
  if (!hooks) return environment;
  return {
    ...environment,
    processes: async () => (await environment.processes()) + hooks.processes(),
    endProcesses: async () => {
      await Promise.all([environment.endProcesses(), hooks.endProcesses()]);
    },
    dispose: async () => {
      await Promise.all([environment.dispose(), hooks.dispose()]);
    },
  };
}
