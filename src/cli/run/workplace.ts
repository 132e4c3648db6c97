import { slowWorkCutOff } from '../../adapters/processes/cutOff';
import path from 'node:path';
import { prepareCommands } from '../../adapters/terminal/prepareCommands';
import { AgentTerminal } from '../../adapters/terminal/agentTerminal';
import type { Container } from '../../adapters/terminal/container';
import { ContainerTerminal } from '../../adapters/terminal/containerTerminal';
import { checkpointStore } from '../../adapters/checkpoints/checkpointStore';
import { HeldEdits, writingWith } from '../../adapters/checkpoints/heldEdits';
import { SessionCheckpoints } from '../../adapters/checkpoints/sessionCheckpoints';
import { documents } from '../../adapters/documents/documents';
import { lazyWeb } from '../../adapters/documents/lazyWeb';
import { diskFiles } from '../../adapters/files/diskFiles';
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
import type { Warn } from '../../core/log/warning';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import { givenSource, settingsFrom } from '../../core/session/settingsFrom';
import type { GivenSettings } from '../../core/settings/table';
import type { Environment } from '../../core/ports/environment';
import { ToolSources } from '../../core/tools/toolSources';

/** The copies of files from before the actions of runs; also for runs whose log is kept elsewhere. */
export const checkpointFolder = (): string => path.join(stateFolder(), 'checkpoints');

/** The sessions that were given no log of their own. */
export const storedSessions = (): Sessions => new Sessions(path.join(stateFolder(), 'sessions'));

/** The skills of a folder, as this person reviewed them. */
export const skillsIn = (root: string): SkillFiles =>
  new SkillFiles({ folders: [root] }, new SkillReviews(path.join(stateFolder(), 'skills')));

/** What a run has in common with the sessions that work for it. */
export interface SharedByRun {
  /** Found once, so that all of them learn the same. */
  readonly skills: SkillFiles;
  /** What MCP servers give. */
  readonly added: ToolSources;
  /** The container that all their commands run in; absent where they run here. */
  readonly container?: Container | undefined;
}

export const sharedByRun = (root: string, container?: Container): SharedByRun => ({
  skills: skillsIn(root),
  added: new ToolSources(),
  container,
});

/** What the command line says of the place where tools act. */
export interface PlaceOptions {
  readonly settings?: GivenSettings | undefined;
  /** Keeps notes and earlier sessions, in place of the folder where those of the person are. */
  readonly stateIn?: string | undefined;
  /** Places that commands in the sandbox cannot read; absolute. */
  readonly hidden?: readonly string[] | undefined;
}

/** Of a session that works for another one: the action of the outermost run that it works for. */
export interface WorkFor {
  readonly workFor?: string | undefined;
}

/** Of a session that goes on: the actions that its log says began. */
export interface GoneOnWith {
  readonly begun?: ReadonlySet<string>;
}

/** Where a run acts. */
export interface Workplace extends Environment {
  readonly checkpoints: SessionCheckpoints;
  readonly heldEdits: HeldEdits;
  processes(): Promise<number>;
  /**
   * Does, beside the first request of the model, what its first command would have to wait for. `startsShell`: also
   * starts the shell of its commands.
   */
  prepare(startsShell: boolean): void;
  dispose(): Promise<void>;
}

/**
 * What the tools of the session with the log `file` act on: the folder, and a shell of
 * its own that starts with the first command, or ahead of it (see `prepare`).
 */
export function workplace(
  root: string,
  file: string,
  warn: Warn,
  { skills, added, container }: SharedByRun,
  {
    settings: given = {},
    stateIn = stateFolder(),
    hidden = [],
    workFor,
    begun,
  }: PlaceOptions & WorkFor & GoneOnWith = {},
): Workplace {
  const outputFolder = `${file}.outputs`;
  const settings = settingsFrom(givenSource(given));
  const hereTerminal = (): AgentTerminal =>
    new AgentTerminal({
      cwd: root,
      folders: [root],
      wanted: settings.sandbox,
      limits: settings.sandboxLimits,
      allowedDomains: settings.allowedDomains,
      passEnvironment: settings.environment,
      hidden,
      outputFolder,
      onNotice: (text) => warn(text, 'sandbox_limited'),
      ...(settings.shell !== '' && { shell: settings.shell }),
    });
  const terminal = container ? new ContainerTerminal({ container, outputFolder }) : hereTerminal();
  learnDotenv([root]);
  // Secrets of nested folders are read in the background; a terminal waits for them.
  void learnDotenvBelow([root]);
  const places = { folders: [root], readableFolders: [outputFolder] };
  const paths = createWorkspacePaths([root]);
  // The logs of those that work for a run lie in a folder beside its own.
  const outermost = file.split(`.children${path.sep}`)[0]!;
  const checkpoints = new SessionCheckpoints({
    log: file,
    folders: [root],
    store: checkpointStore(checkpointFolder()),
    resolve: (spelled) => paths.resolve(spelled, 'write').absolute,
    onNotice: warn,
    hasProcesses: () => terminal.hasProcesses(),
    family: outermost,
    ...(begun && { begun }),
  });
  const files = diskFiles(places);
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
    // What asks before an action sees the files as the agent does.
    files: maskedFiles(heldEdits.over(files, 'none')),
    search: ripgrepSearch(places),
    scripts: diskScripts(root),
    cutOff: slowWorkCutOff(),
    skills,
    added,
    outputs: keptOutputs(outputFolder),
    documents,
    // Commands in a container have its network, and so nothing else may have another one.
    ...(!container && { web: lazyWeb({ privateHosts: settings.privateHosts }) }),
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
