import { slowWorkCutOff } from '../processes/cutOff';
import fs from 'node:fs';
import path from 'node:path';
import type { History } from '../../core/log/projection';
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
import { ripgrepSearch } from '../search/ripgrep';
import type { SandboxSetting } from '../sandbox/sandbox';
import { keepTemporary, makeTemporary, removeTemporary } from '../sandbox/madePlaces';
import { Sessions } from './sessions';
import { createHash } from 'node:crypto';
import { GitTexts, type CommittedBlob } from '../git/gitTexts';

interface ReplayPlace {
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

interface ReplayPlaceOptions {
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

/** What was changed in a copy, as relative paths. */
interface Rewound {
  readonly commit: string;
  /** Files restored from the commit: they were changed or deleted since. */
  readonly restored: readonly string[];
  /** Files deleted from the copy: they were created since. */
  readonly leftOut: readonly string[];
}

interface RewindTo {
  readonly commit: string;
  /** When the run began, in ms since 1970: files not touched since are unchanged, committed or not. */
  readonly since: number;
  /** Files known to have been created by the run. */
  readonly made: ReadonlySet<string>;
}

/**
 * Resets a copy of `source` to a commit: restores files that were touched since and deletes those created since. Runs
 * no program that the repository names, and follows no link of the copy. Returns undefined if the folder is not in a
 * repository that contains the commit.
 */
async function rewind(copy: string, source: string, { commit, since, made }: RewindTo): Promise<Rewound | undefined> {
  const git = /^[0-9a-f]{40,64}$/.test(commit) ? await GitTexts.inFolder(source) : undefined;
  const then = await git?.files(commit);
  if (!git || !then) return undefined;
  const touched = [...then].filter(
    ([name, file]) =>
      isSafe(name) && isTouched(path.join(source, name), since) && !isUnchanged(path.join(source, name), file),
  );
  const contents = await git.contents(
    commit,
    touched.map(([name]) => name),
  );
  if (!contents) return undefined;
  const restored = touched.flatMap(([name, { mode }]) => {
    const bytes = contents.get(name);
    if (!bytes) return [];
    writeCommitted(copy, name, bytes, mode);
    return [name];
  });
  const committedSince =
    (await git.head()) === commit
      ? new Map<string, CommittedBlob>()
      : ((await git.files('HEAD')) ?? new Map<string, CommittedBlob>());
  const leftOut = [...new Set([...committedSince.keys(), ...(await git.untrackedFiles())])].filter((name) => {
    if (then.has(name) || !isSafe(name)) return false;
    const stat = fs.lstatSync(path.join(source, name), { throwIfNoEntry: false });
    const isNew =
      stat !== undefined &&
      stat.mtimeMs > since &&
      (committedSince.has(name) || made.has(name) || stat.birthtimeMs > since);
    return isNew && removeCommitted(copy, name);
  });
  if (fs.existsSync(path.join(copy, '.git')) && (await git.head()) !== commit)
    await (await GitTexts.inFolder(copy))?.pointTo(commit);
  return { commit, restored: restored.sort(), leftOut: leftOut.sort() };
}

/** A tree that was crafted by hand can contain any name. */
const isSafe = (name: string): boolean =>
  !path.isAbsolute(name) && name.split('/').every((part) => part !== '' && !/^\.{1,2}$|^\.git$|[\\:]/i.test(part));

function isTouched(file: string, since: number): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  return stat === undefined || stat.mtimeMs > since;
}

function isUnchanged(file: string, { mode, hash }: CommittedBlob): boolean {
  const stat = fs.lstatSync(file, { throwIfNoEntry: false });
  if (!stat || stat.isSymbolicLink() !== (mode === '120000') || !(stat.isFile() || stat.isSymbolicLink())) return false;
  const bytes = stat.isFile() ? fs.readFileSync(file) : Buffer.from(fs.readlinkSync(file));
  return (
    createHash(hash.length === 64 ? 'sha256' : 'sha1')
      .update(`blob ${bytes.length}\0`)
      .update(bytes)
      .digest('hex') === hash
  );
}

function writeCommitted(copy: string, name: string, bytes: Buffer, mode: string): void {
  let folder = copy;
  for (const part of name.split('/').slice(0, -1)) {
    folder = path.join(folder, part);
    if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    clear(folder);
    fs.mkdirSync(folder);
  }
  const file = path.join(copy, name);
  clear(file);
  if (mode === '120000') fs.symlinkSync(bytes.toString('utf8'), file);
  else fs.writeFileSync(file, bytes, { flag: 'wx', mode: mode === '100755' ? 0o755 : 0o644 });
}

/** Removes a link, not its target. */
function clear(place: string): void {
  const stat = fs.lstatSync(place, { throwIfNoEntry: false });
  if (stat?.isDirectory()) fs.rmSync(place, { recursive: true });
  else if (stat) fs.unlinkSync(place);
}

/** Returns false if there is a link in the path. */
function removeCommitted(copy: string, name: string): boolean {
  const folders = name
    .split('/')
    .slice(0, -1)
    .map((_part, index, all) => path.join(copy, ...all.slice(0, index + 1)));
  if (!folders.every((folder) => fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory())) return false;
  if (fs.lstatSync(path.join(copy, name), { throwIfNoEntry: false })?.isDirectory() !== false) return false;
  fs.unlinkSync(path.join(copy, name));
  for (const folder of folders.reverse())
    try {
      fs.rmdirSync(folder);
    } catch {
      break; /* not empty */
    }
  return true;
}
