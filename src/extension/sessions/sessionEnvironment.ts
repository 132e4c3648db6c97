import { slowWorkCutOff } from '../../adapters/processes/cutOff';
import * as vscode from 'vscode';
import type { SessionHooks } from '../../adapters/hooks/sessionHooks';
import type { CheckpointStore } from '../../adapters/checkpoints/checkpointStore';
import { HeldEdits, writingWith } from '../../adapters/checkpoints/heldEdits';
import { SessionCheckpoints } from '../../adapters/checkpoints/sessionCheckpoints';
import { documents } from '../../adapters/documents/documents';
import { lazyWeb } from '../../adapters/documents/lazyWeb';
import { diskFiles } from '../../adapters/files/diskFiles';
import { shellNameFor } from '../../adapters/terminal/shells';
import { diskScripts } from '../../adapters/scripts/diskScripts';
import { learnDotenv, learnDotenvBelow } from '../../adapters/secrets/dotenvSecrets';
import { keptOutputs } from '../../adapters/files/keptOutputs';
import { ripgrepSearch } from '../../adapters/search/ripgrep';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import type { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import type { Warn } from '../../core/log/warning';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import type { Environment, Files, Terminal } from '../../core/ports/environment';
import type { Web } from '../../core/ports/web';
import { editorCode } from '../editor/editorCode';
import { editorDiagnostics, type AnsweringServices } from '../editor/editorDiagnostics';
import { editorFiles } from '../editor/editorFiles';
import { lazy } from '../common/lazy';
import { recordedFiles, recordedTerminal } from '../editor/recordedEnvironment';
import type { WindowProvenance } from '../editor/windowProvenance';
import { readSetting, type Settings } from '../common/settings';

type Shell = AgentTerminal;

/** What the tools of one session act on. The shell starts with its first command. */
export interface SessionEnvironment extends Environment {
  readonly checkpoints: SessionCheckpoints;
  readonly heldEdits: HeldEdits;
  /** Does, beside the first request of the model, what its first command would have to wait for. */
  prepare(): void;
  /** The shell, started if need be: for the terminal that shows it. */
  shell(): Promise<Shell>;
  /** How many processes of its commands live. */
  processes(): Promise<number>;
  /** Kills them all, and the shell. */
  endProcesses(): Promise<void>;
  dispose(): Promise<void>;
}

/** What the sessions of a window know together. */
export interface WindowMemory {
  /** Who wrote the lines of files. */
  readonly provenance: WindowProvenance;
  readonly answeringServices: AnsweringServices;
}

/** `session`: its id. What its actions do to files is kept as its doing. */
export function sessionEnvironment(
  session: string,
  folders: readonly string[],
  outputFolder: string,
  settings: Settings,
  stores: Pick<Environment, 'memory' | 'pastSessions' | 'skills' | 'added'>,
  warn: Warn,
  window: WindowMemory,
  copies: {
    readonly log: string;
    readonly store: CheckpointStore;
    readonly family: string;
    /** The log of the outermost session that it works for, or its own: where edits wait. */
    readonly familyLog: string;
    /** The action of that session which it works for. */
    readonly workFor: string | undefined;
    /** The actions that the log says began, as it was opened. */
    readonly begun: ReadonlySet<string>;
  },
): SessionEnvironment {
  const readableFolders = [outputFolder];
  learnDotenv(folders);
  // Secrets of nested folders are read in the background; a terminal waits for them.
  void learnDotenvBelow(folders);
  const paths = createWorkspacePaths(folders, readableFolders);
  let started = false;
  const shell = lazy(async () => {
    started = true;
    const { AgentTerminal } = await import('../../adapters/terminal/agentTerminal');
    return new AgentTerminal({
      cwd: paths.root,
      folders,
      wanted: settings.sandbox,
      allowedDomains: settings.allowedDomains,
      limits: settings.sandboxLimits,
      outputFolder,
      passEnvironment: settings.environment,
      onNotice: (text) => warn(text, 'sandbox_limited'),
      ...(settings.shell && { shell: settings.shell }),
    });
  });
  const terminal: Terminal = {
    // Known before it starts, because commands are judged first.
    shellName: shellNameFor(settings.shell, process.env, paths.root),
    confined: async () => vscode.workspace.isTrusted && (await shell()).confined(),
    hasOwnTemporary: async () => vscode.workspace.isTrusted && (await shell()).hasOwnTemporary(),
    place: async (types) =>
      vscode.workspace.isTrusted
        ? (await shell()).place(types)
        : { runs: 'nowhere', domains: [], why: 'this folder is not trusted' },
    run: async (command, options) => (await trusted(shell)).run(command, options),
    answer: async (text, options) => (await trusted(shell)).answer(text, options),
    hold: async () => (await trusted(shell)).hold(),
    dispose: async () => {
      if (started) await (await shell()).dispose();
    },
    outside: {
      run: async (command, options) => (await trusted(shell)).outside.run(command, options),
      answer: async (text, options) => (await trusted(shell)).outside.answer(text, options),
      dispose: () => terminal.dispose(),
    },
    looking: {
      run: async (command, options) => (await trusted(shell)).looking.run(command, options),
      answer: async (text, options) => (await trusted(shell)).looking.answer(text, options),
      dispose: () => terminal.dispose(),
    },
  };
  const prepareShell = async (): Promise<void> => {
    if (!vscode.workspace.isTrusted) return;
    const { prepareCommands } = await import('../../adapters/terminal/prepareCommands');
    await prepareCommands({ prepare: async () => (await shell()).prepare() });
  };
  const disk = diskFiles({ folders, readableFolders });
  const files = editorFiles(paths, disk, () => readSetting('edits.saveActions'));
  const { provenance } = window;
  const checkpoints = new SessionCheckpoints({
    ...copies,
    folders,
    resolve: (spelled) => paths.resolve(spelled, 'write').absolute,
    onNotice: warn,
    hasProcesses: async () => started && (await shell()).hasProcesses(),
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
    shell,
    terminal,
    // What asks before an action sees the files as the agent does.
    files: maskedFiles(heldEdits.over(files, 'none')),
    checkpoints,
    heldEdits,
    search: ripgrepSearch({ folders, readableFolders, editorRoot: vscode.env.appRoot }),
    outputs: keptOutputs(outputFolder),
    documents,
    web: trustedWeb(lazyWeb({ privateHosts: settings.privateHosts })),
    scripts: diskScripts(paths.root),
    cutOff: slowWorkCutOff(),
    code: editorCode(paths, files),
    diagnostics: editorDiagnostics(paths, window.answeringServices),
    prepare() {
      environment.checkpoints.prepare();
      void prepareShell().catch(() => undefined);
    },
    processes: async () => (started ? (await shell()).processes() : 0),
    endProcesses: async () => {
      if (started) await (await shell()).endProcesses();
    },
    dispose: async () => {
      const terminalEnded = terminal.dispose();
      await Promise.all([terminalEnded, environment.checkpoints.dispose(terminalEnded)]);
    },
  };
  return {
    ...environment,
    forAction(action) {
      // Language services say nothing of an edit that no file holds.
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

/** Reads pages only for a folder that is trusted at that moment. */
const trustedWeb = (web: Web): Web => ({
  read: (address, signal) =>
    vscode.workspace.isTrusted
      ? web.read(address, signal)
      : Promise.reject(new Error('This folder is not trusted, so no page is fetched for it.')),
});

function trusted(shell: () => Promise<Shell>): Promise<Shell> {
  if (!vscode.workspace.isTrusted)
    return Promise.reject(
      new Error(
        'This folder is not trusted, so nothing is run in it. Trust it in VS Code ("Manage Workspace Trust") and try again.',
      ),
    );
  return shell();
}

/**
 * The same environment, whose processes are also those that its hooks began: whatever ends the ones ends the others.
 */
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
