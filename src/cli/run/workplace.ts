import { slowWorkCutOff } from '../../adapters/processes/cutOff';
import path from 'node:path';
import { prepareCommands } from '../../adapters/terminal/prepareCommands';
import { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import { unattendedRoomWaitMs } from '../../adapters/terminal/output/outputRoom';
import type { Container } from '../../adapters/terminal/container';
import { ContainerTerminal } from '../../adapters/terminal/containerTerminal';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { HeldEdits, writingWith } from '../../adapters/checkpoints/heldEdits/heldEdits';
import { SessionCheckpoints } from '../../adapters/checkpoints/recording/sessionCheckpoints';
import { documents } from '../../adapters/documents/documents';
import { lazyWeb } from '../../adapters/documents/lazyWeb';
import { proxiesOf } from '../../adapters/net/proxies';
import { diskFiles } from '../../adapters/files/diskFiles';
import { holdsHome } from '../../adapters/files/holdsHome';
import { existsOnlyForSandbox } from '../../adapters/sandbox/madePlaces';
import { diskScripts } from '../../adapters/scripts/diskScripts';
import { learnDotenv, learnDotenvBelow } from '../../adapters/secrets/dotenvSecrets';
import { keptOutputs } from '../../adapters/files/keptOutputs';
import { diskMemory } from '../../adapters/files/diskMemory';
import { pastSessions } from '../../adapters/sessions/pastSessions';
import { SkillFiles } from '../../adapters/skills/skillFiles';
import { SkillReviews } from '../../adapters/skills/skillReviews';
import { ripgrepSearch } from '../../adapters/search/ripgrep';
import { Sessions } from '../../adapters/sessions/sessions';
import { stateFolder } from '../../adapters/storage/stateFolder';
import { createWorkspacePaths } from '../../adapters/files/workspacePaths';
import type { Warn } from '../../core/log/eventFacts';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import { settingSource, settingsFrom } from '../../core/session/settingsFrom';
import type { UserSettings } from '../../core/settings/table';
import type { AgentEnvironment } from '../../core/ports/addedTools';
import { ToolSources } from '../../core/tools/toolSources';
import { isAttended } from '../consent/ask';

/** Folder for copies of files from before the actions of runs, including runs whose log is stored elsewhere. */
export const checkpointFolder = (): string => path.join(stateFolder(), 'checkpoints');

/** Sessions without a log file of their own. */
export const storedSessions = (): Sessions => new Sessions(path.join(stateFolder(), 'sessions'));

/** The skills of a folder, as reviewed by this user. */
export const skillsIn = (root: string): SkillFiles =>
  new SkillFiles({ folders: [root] }, new SkillReviews(path.join(stateFolder(), 'skills')));

/** What a run shares with its child sessions. */
export interface SharedByRun {
  /** Loaded once, so that all of them use the same skills. */
  readonly skills: SkillFiles;
  /** Tools of MCP servers. */
  readonly added: ToolSources;
  /** The container for all commands; absent if they run on this machine. */
  readonly container?: Container | undefined;
}

export const sharedByRun = (root: string, container?: Container): SharedByRun => ({
  skills: skillsIn(root),
  added: new ToolSources(),
  container,
});

/** Command line options for the place where tools act. */
export interface PlaceOptions {
  readonly settings?: UserSettings | undefined;
  /** Folder for notes and earlier sessions, instead of that of the user. */
  readonly stateIn?: string | undefined;
  /** Absolute paths that commands in the sandbox cannot read. */
  readonly hidden?: readonly string[] | undefined;
}

/** For a child session: the action of the outermost run that started it. */
export interface WorkFor {
  readonly workFor?: string | undefined;
}

/** For a continued session: the actions that began according to its log. */
interface ContinuedFrom {
  readonly begun?: ReadonlySet<string>;
}

/** Where a run acts. */
export interface Workplace extends AgentEnvironment {
  readonly checkpoints: SessionCheckpoints;
  readonly heldEdits: HeldEdits;
  processes(): Promise<number>;
  /**
   * Prepares what the first command would otherwise wait for, during the first request to the model. `startsShell`:
   * also starts the shell.
   */
  prepare(startsShell: boolean): void;
  dispose(): Promise<void>;
}

/**
 * Creates the environment for the tools of the session with the log `file`: the folder, and its own shell, which starts
 * with the first command or earlier (see `prepare`).
 */
export function workplace(
  { root, file, warn }: { readonly root: string; readonly file: string; readonly warn: Warn },
  { skills, added, container }: SharedByRun,
  {
    settings: userSettings = {},
    stateIn = stateFolder(),
    hidden = [],
    workFor,
    begun,
  }: PlaceOptions & WorkFor & ContinuedFrom = {},
): Workplace {
  const outputFolder = `${file}.outputs`;
  const settings = settingsFrom(settingSource(userSettings));
  const terminal = container
    ? new ContainerTerminal({ container, outputFolder })
    : localTerminal(root, outputFolder, settings, { hidden, warn });
  learnDotenv([root]);
  // Secrets of nested folders are read in the background; a terminal waits for them.
  void learnDotenvBelow([root]);
  const places = { folders: [root], readableFolders: [outputFolder] };
  const paths = createWorkspacePaths(places.folders, places.readableFolders);
  // The logs of child sessions are in a folder beside the log of the run.
  const outermost = file.split(`.children${path.sep}`)[0]!;
  const checkpoints = new SessionCheckpoints({
    log: file,
    folders: [root],
    store: checkpointStore(checkpointFolder()),
    resolve: (spelled) => paths.resolve(spelled, 'write').absolute,
    onNotice: warn,
    hasProcesses: () => terminal.hasProcesses(),
    wroteOnlyInside: () => terminal.wroteOnlyInside(),
    family: outermost,
    ...(begun && { begun }),
  });
  const files = diskFiles({ ...places, isUnlisted: existsOnlyForSandbox });
  const heldEdits = new HeldEdits({
    log: outermost,
    workFor,
    paths,
    files,
    writeAs: writingWith(checkpoints, () => files),
    isOn: () => settings.holdsEdits,
  });
  let isOver = false;
  const environment: Workplace = {
    root,
    checkpoints,
    heldEdits,
    terminal,
    // Checks before an action see the files as the agent does.
    files: maskedFiles(heldEdits.over(files, 'none')),
    search: ripgrepSearch(places),
    ...(holdsHome([root]) && { holdsHome: true }),
    scripts: diskScripts(root, { isCreatedHere: (place) => checkpoints.isCreatedHere(place) }),
    cutOff: slowWorkCutOff(),
    skills,
    added,
    outputs: keptOutputs(outputFolder),
    documents,
    // Commands in a container use its network, so web access from outside of it is not allowed.
    ...(!container && { web: lazyWeb({ privateHosts: settings.privateHosts, proxyFor: proxiesOf(process.env) }) }),
    memory: diskMemory(path.join(stateIn, 'memory')),
    pastSessions: pastSessions({
      sessions: new Sessions(path.join(stateIn, 'sessions')),
      cwd: root,
      except: path.basename(path.dirname(file)),
    }),
    processes: () => terminal.processes(),
    prepare(startsShell) {
      checkpoints.prepare();
      const warm = 'warm' in terminal && startsShell ? { warm: () => terminal.warm() } : {};
      void prepareCommands({ prepare: () => terminal.prepare(), ...warm }, () => isOver);
    },
    dispose: async () => {
      isOver = true;
      const terminalEnded = terminal.dispose();
      await Promise.all([terminalEnded, checkpoints.dispose(terminalEnded)]);
    },
  };
  return {
    ...environment,
    forAction: (action) => ({ ...environment, files: maskedFiles(heldEdits.over(files, action)) }),
  };
}

/** Returns the terminal for commands on this machine. `hidden`: see `PlaceOptions`. */
function localTerminal(
  root: string,
  outputFolder: string,
  settings: ReturnType<typeof settingsFrom>,
  { hidden, warn }: { readonly hidden: readonly string[]; readonly warn: Warn },
): AgentTerminal {
  return new AgentTerminal({
    cwd: root,
    folders: [root],
    wanted: settings.sandbox,
    limits: settings.sandboxLimits,
    allowedDomains: settings.allowedDomains,
    passEnvironment: settings.environment,
    hidden,
    outputFolder,
    ...(!isAttended() && { maxRoomWaitMs: unattendedRoomWaitMs }),
    onNotice: (text) => warn(text, 'sandbox_limited'),
    ...(settings.shell !== '' && { shell: settings.shell }),
  });
}
