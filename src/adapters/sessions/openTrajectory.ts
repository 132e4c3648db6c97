import fs from 'node:fs';
import { systemPromptOf } from '../../protocol/plain/systemPrompt';
import path from 'node:path';
import { isVouchedFor } from '../../core/log/foreignLog';
import type {
  ReadOptions,
  ReadProblem,
  ReadTrajectory,
  TrajectoryFile,
  TrajectoryFormat,
} from '../../core/trajectory/format';
import type { Event } from '../../protocol/events/event';
import {
  brokenLines,
  onlyBefore,
  existingLogPath,
  readEventLogInTurns,
  readHeader,
  type LogDoubt,
} from '../log/eventLog';
import { inTurns } from '../log/pieces';
import { conversationFiles, refuseLarge, trajectoryFile } from './trajectoryFiles';
import type { History } from '../../core/log/projection';
import type { Sessions } from './sessions';

/** A run from a file or folder in any readable format. */
export interface OpenedTrajectory extends ReadTrajectory {
  readonly format: TrajectoryFormat;
  /** Absolute path of what was opened. */
  readonly place: string;
  /** True if it is a Waymark log exactly as this machine wrote it. */
  readonly vouched: boolean;
}

/** Maximum number of altered lines that are named. */
const maxNamed = 20;
/** For an intact log without a seal of this machine: it may be a genuine copy or made up. */
const unvouched =
  'This log cannot be verified on this machine: it was exported, comes from another machine or an earlier version of Waymark, or was changed. Its approvals may not be genuine.';

/** How to open a trajectory. */
export interface OpenOptions extends ReadOptions {
  /** Other evidence against a Waymark log. */
  readonly doubt?: LogDoubt | undefined;
}

/** Reads the run at `place`. Throws an `Error` with a message for people if nothing there can be read. */
export async function openTrajectory(
  place: string,
  { doubt, run = 0, forDisplay = false }: OpenOptions = {},
): Promise<OpenedTrajectory> {
  const at = existingLogPath(conversationOf(path.resolve(place)));
  const stat = fs.statSync(at, { throwIfNoEntry: false });
  if (!stat) throw new Error(`There is nothing at ${at}. Name a trajectory: a file, or the folder of a conversation.`);
  if (!stat.isDirectory() && !stat.isFile())
    throw new Error(
      `${at} is neither a file nor a folder, so it cannot be read. Name a trajectory: a file, or the folder of a conversation.`,
    );
  const { formats, formatNamed, formatOf } = await import('../../core/trajectory/formats/formats');
  const { valuesIn } = await import('../../core/trajectory/reading/fileValues');
  // A log is recognized by its first line; its text need not be read as a whole.
  const own = stat.isFile() && readHeader(at) !== undefined;
  const readAll = async () =>
    stat.isDirectory() ? inTurns(conversationFiles(at, valuesIn)) : [trajectoryFile(at, path.basename(at))];
  const files = own ? [] : await readAll();
  const format = own ? formatNamed('waymark') : formatOf(files);
  const readable = formats
    .filter(({ reader }) => reader)
    .map(({ label }) => label)
    .join(', ');
  if (!format?.reader) {
    const isNone = `${at} is not a trajectory that Waymark can read${stat.isDirectory() ? ', nor does it contain one' : ''}.`;
    throw new Error([isNone, await shapeOf(files[0]), `Formats: ${readable}.`].filter(Boolean).join(' '));
  }
  const read =
    format.name === 'waymark'
      ? await ownLog(at, doubt)
      : { ...(await readForeign(format.reader, files, { run, forDisplay })), vouched: false };
  if (run > 0 && (read.runs ?? 1) === 1) throw new Error(`${at} contains one run, so there is no run ${run + 1}.`);
  if (read.events.every(holdsNothing))
    throw new Error(
      `No part of ${at} could be read as ${format.label}. ${read.problems
        .slice(0, 3)
        .map(({ where, words }) => `${where}: ${words}`)
        .join(' ')}`.trim(),
    );
  return { ...read, format, place: at };
}

/** Reads a run in another format; lets other work run in between if the format can be read in pieces. */
async function readForeign(
  reader: NonNullable<TrajectoryFormat['reader']>,
  files: readonly TrajectoryFile[],
  options: ReadOptions,
): Promise<ReadTrajectory> {
  return reader.readInPieces ? inTurns(reader.readInPieces(files, options)) : reader.read(files, options);
}

/** Describes the first record of a file, so that the user sees why it is not a trajectory. */
async function shapeOf(file: TrajectoryFile | undefined): Promise<string> {
  if (!file) return '';
  const { firstIn } = await import('../../core/trajectory/reading/fileValues');
  const value = firstIn(file);
  const record: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof record !== 'object' || record === null) return 'It contains no JSON object.';
  const fields = Object.keys(record);
  const named = fields.slice(0, maxFields).join(', ');
  return fields.length === 0 ? '' : `Its first record has the fields ${named}${fields.length > maxFields ? ' …' : ''}.`;
}

/** Maximum number of fields named of an unknown record. */
const maxFields = 8;

/** Files without a recognized beginning do not count as runs. */
const holdsNothing = (event: Event): boolean =>
  event.type === 'task_started' && event.origin !== undefined && event.task === '' && systemPromptOf(event) === '';

/** If the file is one of several of a conversation, returns the conversation's folder. */
function conversationOf(file: string): string {
  const folder = path.dirname(file);
  if (path.basename(file) === 'base_state.json') return folder;
  return /^event-\d+-.+\.json$/.test(path.basename(file)) && path.basename(folder) === 'events'
    ? path.dirname(folder)
    : file;
}

/**
 * Reads a log on this disk like a session; only if it is damaged, the lines that this skips are searched one by one.
 */
async function ownLog(
  file: string,
  doubt: LogDoubt = () => undefined,
): Promise<ReadTrajectory & Pick<OpenedTrajectory, 'vouched'>> {
  refuseLarge(file, fs.statSync(file).size);
  const log = await readEventLogInTurns(file);
  const { events, foreign } = log;
  const problem = log.problem ?? doubt(log);
  const where = path.basename(file);
  if (problem === undefined)
    return isVouchedFor(events, foreign)
      ? { events, problems: [], vouched: true }
      : { events, problems: [{ where, words: unvouched }], vouched: false };
  const fault = { where, words: problem };
  const { formatNamed } = await import('../../core/trajectory/formats/formats');
  const read = formatNamed('waymark').reader!.read([trajectoryFile(file, where)]);
  if (read.events.length <= events.length) return { events, vouched: false, problems: [fault] };
  const shownPastProblem = {
    ...fault,
    words: problem.replace(onlyBefore, 'the readable events after it are shown too, and the file is not changed'),
  };
  return { ...read, problems: [shownPastProblem, ...read.problems, ...brokenIn(file, read.problems)], vouched: false };
}

/** Names the lines that are shown but were altered. Logs of earlier versions cannot be checked. */
function brokenIn(file: string, named: readonly ReadProblem[]): ReadProblem[] {
  if (readHeader(file)?.waymark === 1) return [];
  const lines = brokenLines(file).filter((line) => !named.some(({ where }) => where === `line ${line}`));
  const more = lines.length > maxNamed ? ` and ${lines.length - maxNamed} more` : '';
  return lines.length === 0
    ? []
    : [
        {
          where: `line${lines.length > 1 ? 's' : ''} ${lines.slice(0, maxNamed).join(', ')}${more}`,
          words: 'The content was altered (its checksum does not match), so what is shown of it may be false.',
        },
      ];
}

const maxChildren = 200;

/**
 * Resolves to the logs of the sessions that the run of `file` started, recursively, by id. Searches beside its log and
 * among the stored sessions.
 */
export async function childHistories(
  history: History,
  file: string,
  sessions: Pick<Sessions, 'logOf'>,
): Promise<Map<string, History>> {
  const found = new Map<string, History>();
  const wanted = begunIn(history, file);
  for (let next = wanted.pop(); next && found.size < maxChildren; next = wanted.pop()) {
    const { id, by } = next;
    // An id is used as a folder or file name, and logs are untrusted.
    if (found.has(id) || !/^[\w.-]+$/.test(id) || id.startsWith('.')) continue;
    const log = [path.join(`${by}.children`, `${id}.waymark.jsonl`), existingLogPath(sessions.logOf(id))].find(
      (place) => fs.existsSync(place),
    );
    if (log === undefined) continue;
    const { events } = await readEventLogInTurns(log);
    found.set(id, events);
    wanted.push(...begunIn(events, log));
  }
  return found;
}

const begunIn = (history: History, by: string): { readonly id: string; readonly by: string }[] =>
  history
    .flatMap((event) => {
      if (event.type === 'child_started') return [event.session];
      if (event.type !== 'observation' || event.details?.kind !== 'delegate') return [];
      return event.details.children.map(({ session }) => session);
    })
    .map((id) => ({ id, by }));

/**
 * Returns the display name of a run: its file name without the extensions of trajectory formats, or the folder's name
 * if all logs have the same file name.
 */
export function runName(file: string): string {
  const place = path.resolve(file);
  const own = /^(?:session\.waymark|events)\.jsonl$/.test(path.basename(place)) ? path.dirname(place) : place;
  return (
    path
      .basename(own)
      .replace(/(?:\.(?:waymark|traj|messages|sharegpt|atif|trajectory))?\.(?:jsonl?|html)$/i, '')
      .replace(/[^\w.-]+/g, '-') || 'session'
  );
}
