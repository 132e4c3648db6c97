import { slowWorkCutOff } from '../processes/cutOff';
import fs from 'node:fs';
import path from 'node:path';
import type { History } from '../../core/log/history';
import { isVouchedFor } from '../../core/log/foreignLog';
import { maskedFiles } from '../../core/secrets/maskedFiles';
import type { Environment } from '../../core/ports/environment';
import { changedSinceStart, filesAtStart } from '../../core/trajectory/replay/filesAtStart';
import type { RecordedChild, ReplayParts } from '../../core/trajectory/replay/replay';
import type { ReplayStart } from '../../core/trajectory/replay/replayLines';
import { AgentTerminal } from '../terminal/agentTerminal';
import { unattendedRoomWaitMs } from '../terminal/output/outputRoom';
import { copyWorkspace } from './copyWorkspace';
import { diskFiles } from '../files/diskFiles';
import { documents } from '../documents/documents';
import { diskMemory } from '../files/diskMemory';
import { diskScripts } from '../scripts/diskScripts';
import { learnDotenv } from '../secrets/dotenvSecrets';
import { logName, readEventLogInTurns } from '../log/eventLog';
import { pastSessions } from './pastSessions';
import { rewind } from './rewind';
import { ripgrepSearch } from '../search/ripgrep';
import type { SandboxSetting } from '../sandbox/sandbox';
import { keepTemporary, makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { Sessions } from './sessions';

export interface ReplayPlace {
  readonly environment: Environment;
  /** What the user should know about it, in words. */
  readonly notes: readonly string[];
  /** How its state compares to the folder as the run found it. */
  readonly start: ReplayStart;
  /** Finds the results of child sessions of the log `file`. */
  childrenOf(file: string): NonNullable<ReplayParts['child']>;
  /** Ends everything running there, and deletes the copy unless `keep` is set. */
  dispose(keep?: boolean): Promise<void>;
}

export interface ReplayPlaceOptions {
  readonly inPlace?: boolean;
  /** If set, the copy keeps the current state of the folder, even if the log names the run's starting commit. */
  readonly asItIs?: boolean;
  /** Overrides the commit in the log. */
  readonly commit?: string | undefined;
  readonly sandbox?: SandboxSetting;
  onNotice(text: string): void;
}

/**
 * Prepares the place to replay a run: a copy of `folder`, reset to the run's starting commit if known, or the folder
 * itself unchanged. The user's notes and sessions are neither read nor changed there. Throws an `Error` with a message
 * for people.
 */
export async function replayPlace(
  folder: string,
  recorded: History,
  { inPlace = false, asItIs = false, commit, sandbox = 'auto', onNotice }: ReplayPlaceOptions,
): Promise<ReplayPlace> {
  const copy = inPlace ? undefined : await copyWorkspace(folder);
  const root = copy?.root ?? fs.realpathSync(folder);
  const beside = copy?.parent ?? makeTemporary('waymark-replay-');
  const outputFolder = path.join(beside, 'outputs');
  const places = { folders: [root], readableFolders: [outputFolder] };
  const files = maskedFiles(diskFiles(places));
  const environment = (): Environment => ({
    root,
    files,
    search: ripgrepSearch(places),
    scripts: diskScripts(root),
    cutOff: slowWorkCutOff(),
    documents,
    terminal: new AgentTerminal({
      cwd: root,
      folders: [root],
      wanted: sandbox,
      outputFolder,
      maxRoomWaitMs: unattendedRoomWaitMs,
      onNotice,
    }),
    memory: diskMemory(path.join(beside, 'memory')),
    pastSessions: pastSessions({ sessions: new Sessions(path.join(beside, 'sessions')), cwd: root, except: '' }),
  });
  const drop = (): void => removeTemporary(beside);
  try {
    const started = recorded.find((event) => event.type === 'task_started');
    const wanted = commit ?? started?.commit;
    const made = new Set([...filesAtStart(recorded)].flatMap(([name, version]) => (version === null ? [name] : [])));
    const rewound =
      copy && started && wanted !== undefined && !asItIs
        ? await rewind(root, fs.realpathSync(folder), { commit: wanted, since: started.at, made })
        : undefined;
    if (commit !== undefined && !rewound)
      throw new Error(
        `The copy was not reset to ${commit}: ${folder} is not in a Git repository that contains this commit. Give the full hash of a commit that it contains, or omit the commit.`,
      );
    learnDotenv([root]);
    const own = environment();
    const notes = [
      ...(copy?.notes ?? []),
      ...(wanted !== undefined && !rewound && !asItIs && !inPlace
        ? [
            `The run began at commit ${wanted.slice(0, 10)}, which is not in the repository of this folder, so the copy has the current files of the folder.`,
          ]
        : []),
    ];
    return {
      notes,
      environment: own,
      start: { ...(rewound ?? { restored: [], leftOut: [] }), differs: await changedSinceStart(recorded, files) },
      childrenOf: (file) => childrenOf(file, environment),
      async dispose(keep = false) {
        await own.terminal.dispose();
        if (!keep || inPlace) drop();
        else keepTemporary(beside);
      },
    };
  } catch (error) {
    drop();
    throw error;
  }
}

/** Logs of child sessions are beside the log, or beside its folder. */
const childrenOf =
  (file: string, environment: () => Environment): NonNullable<ReplayParts['child']> =>
  async (session, actionId): Promise<RecordedChild | undefined> => {
    if (!/^[\w-][\w.-]*$/.test(session)) return undefined;
    const log = [
      path.join(`${file}.children`, `${session}.waymark.jsonl`),
      path.join(path.dirname(path.dirname(file)), session, logName),
    ].find((each) => fs.existsSync(each));
    if (log === undefined) return undefined;
    const { events, problem, foreign } = await readEventLogInTurns(log);
    const began = events.find((event) => event.type === 'task_started');
    if (began?.parent?.actionId !== actionId) return undefined;
    const place = environment();
    return {
      history: events,
      vouched: problem === undefined && isVouchedFor(events, foreign),
      environment: place,
      child: childrenOf(log, environment),
      dispose: () => place.terminal.dispose(),
    };
  };
