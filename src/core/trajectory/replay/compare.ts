import type { EventOf } from '../../../protocol/events/event';
import { sequence } from '../../text/alternatives';

type Observation = EventOf<'observation'>;

/** A difference between a result and the recorded one, on one line for people. */
export interface ReplayDifference {
  readonly what: 'outcome' | 'exit_code' | 'output' | 'files';
  readonly recorded: string;
  readonly replayed: string;
}

interface CompareOptions {
  /** Old and new path of the workspace, which do not count as a difference. */
  readonly folders: readonly string[];
  /** True if another program wrote the log and formats results in its own way. */
  readonly foreign: boolean;
}

/** Compares the result of an action with the recorded one. Returns an empty list if they are equal. */
export function differences(recorded: Observation, replayed: Observation, options: CompareOptions): ReplayDifference[] {
  const found: ReplayDifference[] = [];
  const now = replayed.details;
  const before = recorded.details ?? (options.foreign && now?.kind === 'command' ? endIn(recorded.content) : undefined);
  if (before?.kind === 'command' && now?.kind === 'command' && before.exitCode !== now.exitCode)
    found.push({ what: 'exit_code', recorded: ending(before), replayed: ending(now) });
  else if (recorded.outcome !== replayed.outcome && !options.foreign)
    found.push({ what: 'outcome', recorded: recorded.outcome, replayed: replayed.outcome });
  if (before?.kind === 'edit' && now?.kind === 'edit') {
    const [a, b] = [changesIn(before.changes), changesIn(now.changes)];
    if (a !== b) found.push({ what: 'files', ...firstDifference(a.split('\n'), b.split('\n')) });
    return found;
  }
  const [a, b] = [lines(recorded, options), lines(replayed, options)];
  if (a.join('\n') === b.join('\n')) return found;
  // Text that another program put around the output is indistinguishable from it.
  if (options.foreign && containsInOrder(a, b)) return found;
  return [...found, { what: 'output', ...firstDifference(a, b) }];
}

/** Returns the exit code in another program's text about a command, or undefined. */
function endIn(
  content: string,
): { readonly kind: 'command'; readonly exitCode: number; readonly end: string } | undefined {
  const fields = fieldsOf(content);
  const code =
    /<returncode>\s*(-?\d+)\s*<\/returncode>/.exec(content)?.[1] ?? fields?.['returncode'] ?? fields?.['exit_code'];
  const exitCode = typeof code === 'number' || typeof code === 'string' ? Number(code) : NaN;
  return Number.isInteger(exitCode) ? { kind: 'command', exitCode, end: 'exited' } : undefined;
}

/** Some programs write a result as JSON. */
function fieldsOf(content: string): Readonly<Record<string, unknown>> | undefined {
  if (!/^\s*\{/.test(content)) return undefined;
  try {
    return JSON.parse(content) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

const ending = ({ exitCode, end }: { exitCode: number | null; end: string }): string =>
  exitCode === null ? end : `exit code ${exitCode}`;

function changesIn(
  changes: readonly { path: string; kind: string; hunks: readonly { lines: readonly string[] }[] }[],
): string {
  return changes
    .flatMap(({ path, kind, hunks }) => [`${kind} ${path}`, ...hunks.flatMap((hunk) => hunk.lines)])
    .join('\n');
}

/** The order of search results is not significant. */
function lines({ content, details }: Observation, { folders, foreign }: CompareOptions): string[] {
  const own = details?.kind === 'command' && details.outputCharacters !== undefined;
  const fields = foreign && !own ? fieldsOf(content) : undefined;
  const texts = fields && Object.values(fields).filter((value) => typeof value === 'string');
  const printed = own ? content.slice(0, details.outputCharacters) : (texts?.join('\n') ?? content);
  const all = withPlaceholders(printed, folders).split('\n');
  return details?.kind === 'search' || details?.kind === 'list' ? all.sort() : all;
}

/** True if the first text contains all lines of the second, in order. */
function containsInOrder(whole: readonly string[], part: readonly string[]): boolean {
  let at = 0;
  return part.every((line) => {
    const found = whole.findIndex((each, index) => index >= at && each.includes(line));
    at = found + 1;
    return found >= 0;
  });
}

function firstDifference(
  recorded: readonly string[],
  replayed: readonly string[],
): Pick<ReplayDifference, 'recorded' | 'replayed'> {
  const at = recorded.findIndex((line, index) => line !== replayed[index]);
  const place = at < 0 ? recorded.length : at;
  const lineWords = (line: string | undefined): string =>
    line === undefined ? '(nothing more)' : `line ${place + 1}: ${line.slice(0, 300)}`;
  return { recorded: lineWords(recorded[place]), replayed: lineWords(replayed[place]) };
}

/**
 * Patterns of insignificant differences between runs, with their placeholders. Order matters: longer patterns precede
 * their parts.
 */
const volatile: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?)?/g, '<time>'],
  [
    // Mon, 23 Nov 2026 07:45:55 GMT and Mon Nov 23 07:45:55 UTC 2026
    sequence(
      [
        /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? /,
        /(?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*(?: {1,2}\d{1,2})?(?:,? \d{4})?/,
        /(?: \d\d:\d\d(?::\d\d)?)?(?: (?:GMT|UTC|[A-Z]{3,4}|[+-]\d{4}))?(?: \d{4})?/,
      ],
      'g',
    ),
    '<time>',
  ],
  [
    /\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d{1,2} {1,2}(?:\d\d:\d\d(?::\d\d)?|\d{4})\b/g,
    '<time>',
  ],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?\b/g, '<time>'],
  [/\b\d+m ?\d+(?:\.\d+)?s\b/g, '<duration>'],
  [/\b\d+(?:[.,]\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|milliseconds?|minutes?)\b/g, '<duration>'],
  [/(?<![a-z\d])((?:duration|elapsed|time)_m?s["']?[:= ] ?)\d+(?:\.\d+)?/gi, '$1<duration>'],
  [/(?:\/private)?\/(?:tmp|var\/tmp|var\/folders)\/[^\s'":;,)\]]+/g, '<temporary>'],
  [/\b(pid|process|PID)([ =:#]+)\d+\b/g, '$1$2<pid>'],
  [/^\[(\d+)\] \d+$/gm, '[$1] <pid>'],
  [/\b(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]):\d{1,5}\b/g, '$1:<port>'],
  [/\b0x[0-9a-f]{6,16}\b/gi, '<address>'],
  [/\bcommit [0-9a-f]{40}\b/g, 'commit <hash>'],
  [/^\[([^\]\r\n]* )[0-9a-f]{7,12}\]/gm, '[$1<hash>]'],
];

/**
 * Replaces what varies from run to run: times, durations, process ids and ports, temporary paths, and the workspace
 * path.
 */
export function withPlaceholders(text: string, folders: readonly string[]): string {
  const places = [...folders].filter((folder) => folder.length > 1).sort((a, b) => b.length - a.length);
  const placed = places.reduce(
    (words, folder) => replaceFolder(words, folder, '<workspace>'),
    text.replaceAll('\r\n', '\n'),
  );
  return volatile
    .reduce((words, [pattern, stands]) => words.replace(pattern, stands), placed)
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .trim();
}

/** Replaces a folder at the beginning of paths, but not in longer folder names. */
export function replaceFolder(text: string, folder: string, by: string): string {
  const escaped = folder.replace(/(?<![/\\])[/\\]+$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\w.-])${escaped}(?![\\w.-]*[\\w-])`, 'g'), () => by);
}
