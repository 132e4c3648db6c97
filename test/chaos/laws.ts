import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readEventLog } from '../../src/adapters/log/eventLog';
import { processesIn } from '../cli/support/commandLine';
import type { Place, Shown } from './place';
import { wholeFile } from './story';

type Line = Readonly<Record<string, unknown>>;

/** Parses a log as JSON without the code under test. A last line cut off by a crash is ignored. */
function linesOfLog(file: string): ReadonlyMap<number, Line> {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const found = new Map<number, Line>();
  for (const line of text.split('\n')) {
    const { frame: _frame, ...event } = parsed(line) ?? {};
    if (typeof event['seq'] === 'number') found.set(event['seq'], event);
  }
  return found;
}

function parsed(line: string): Line | undefined {
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

const nameOf = (event: Line): string => `${String(event['seq'])} ${String(event['type'])}`;

/** Returns events that a run showed as done but that are missing or different in the log. */
export function lostEvents(run: Shown, log: string): string[] {
  const kept = linesOfLog(log);
  return run.json ? lostLines(run, kept) : lostWords(run, kept);
}

function lostLines({ lines }: Shown, kept: ReadonlyMap<number, Line>): string[] {
  return lines.flatMap((line) => {
    const shown = parsed(line);
    if (!shown) return [`stdout has a line that is no JSON: ${line.slice(0, 80)}`];
    if (shown['child'] !== undefined) return [];
    const found = kept.get(shown['seq'] as number);
    if (!found) return [`shown and lost: ${nameOf(shown)}`];
    return isDeepStrictEqual(found, shown) ? [] : [`shown as ${nameOf(shown)}, kept as ${nameOf(found)}`];
  });
}

/** Checks the output for people: results with the numbers of the story, and the end. */
function lostWords({ lines }: Shown, kept: ReadonlyMap<number, Line>): string[] {
  const events = [...kept.values()];
  const has = (type: string, words: string): boolean =>
    events.some((event) => event['type'] === type && JSON.stringify(event).includes(words));
  return lines.flatMap((line) => {
    const printed = /^ {2}(printed-\d+)$/.exec(line)?.[1];
    if (printed !== undefined && !has('observation', `${printed}\\n`)) return [`shown and lost: the result ${printed}`];
    const summary = /^✓ (finished-\d+)/.exec(line)?.[1];
    if (summary !== undefined && !has('finished', summary)) return [`shown and lost: the end ${summary}`];
    if (line.startsWith('● ') && !has('task_started', '')) return ['shown and lost: the task'];
    return [];
  });
}

/** Returns numbers of events that two runs showed with different content. */
export function shownTwice(runs: readonly Shown[]): string[] {
  const first = new Map<number, Line>();
  const broken: string[] = [];
  for (const shown of runs.filter(({ json }) => json).flatMap(({ lines }) => lines.map(parsed))) {
    if (!shown || shown['child'] !== undefined) continue;
    const before = first.get(shown['seq'] as number);
    if (before && !isDeepStrictEqual(before, shown))
      broken.push(`shown twice: ${nameOf(before)}, then ${nameOf(shown)}`);
    first.set(shown['seq'] as number, before ?? shown);
  }
  return broken;
}

/** Returns effects that were done twice or are in the log but did not happen, and incomplete files. */
export function wrongEffects({ workspace, log }: Place): string[] {
  const file = path.join(workspace, 'effects.txt');
  const effects = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const twice = effects.filter((effect, index) => effects.indexOf(effect) !== index);
  const events = [...linesOfLog(log).values()];
  const done = events.filter((event) => event['type'] === 'observation' && event['outcome'] === 'ok');
  const claimed = done.flatMap((event) => [...(/printed-(\d+)/.exec(String(event['content']))?.slice(1) ?? [])]);
  const missing = claimed.filter((number) => !effects.includes(`effect-${number}`));
  const torn = fs.readdirSync(workspace).filter((name) => {
    const number = /^file-(\d+)\.txt$/.exec(name)?.[1];
    return number !== undefined && fs.readFileSync(path.join(workspace, name), 'utf8') !== wholeFile(Number(number));
  });
  return [
    ...twice.map((effect) => `done twice: ${effect}`),
    ...missing.map((number) => `in the log as done and not there: effect-${number}`),
    ...torn.map((name) => `half written: ${name}`),
  ];
}

/** Returns why the log cannot be resumed. */
export function unreadable(log: string): string[] {
  const { problem } = readEventLog(log);
  return problem === undefined ? [] : [`the log is not readable: ${problem}`];
}

const expected = /^(?:a\.txt|effects\.txt|file-\d+\.txt)$/;
const passing = /\.lock$|\.new$|\.tmp$|^waymark-|^\.waymark-/;

/** Returns leftover locks, drafts, temporary files, placeholders, mount points and processes. */
export function leftBehind({ workspace, home, temporary, log }: Place): string[] {
  const inWorkspace = fs
    .readdirSync(workspace)
    .filter((name) => !expected.test(name))
    .map((name) => `in the workspace: ${name}`);
  const inTemporary = fs.readdirSync(temporary).map((name) => `in the folder for temporary files: ${name}`);
  const kept = [home, path.dirname(log)].filter((folder) => fs.existsSync(folder));
  const inHome = kept
    .flatMap((folder) => fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    .filter((name) => passing.test(path.basename(name)))
    .map((name) => `beside the log or in the home folder: ${name}`);
  const mounts = fs.existsSync('/proc/self/mountinfo')
    ? fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
    : [];
  const mounted = mounts
    .filter((line) => [workspace, temporary].some((folder) => line.includes(` ${folder}/`)))
    .map((line) => `mounted: ${line}`);
  const processes = processesIn(workspace).map((pid) => `still at work: process ${pid}`);
  return [...new Set([...inWorkspace, ...inTemporary, ...inHome, ...mounted, ...processes])].map(
    (words) => `left behind ${words}`,
  );
}
