import fs from 'node:fs';
import path from 'node:path';
import type { CommandResult } from '../../core/ports/terminal';
import { anyOf } from '../../core/text/alternatives';
import { shownName } from '../../core/text/shownName';
import { namesIn } from '../storage/lenientReads';
import { isWithin } from '../storage/diskPaths';
import { memoryFolders } from './limits';
import type { Guards } from './sandbox';

const network = anyOf(
  [
    'ENETUNREACH EAI_AGAIN',
    /Network is unreachable/,
    /Temporary failure in name resolution/,
    /Could not resolve host/,
    /Name or service not known/,
    'getaddrinfo',
    /unable to resolve host/,
    /network is down/,
    /Failed to establish a new connection/,
    /dial (?:tcp|udp)/,
    /blocked by network allowlist/,
    'blocked-by-allowlist',
    /CONNECT tunnel failed, response 403/,
    /HTTP code 403 from proxy/,
    /tunneling socket could not be established, statusCode=403/,
    /Tunnel connection failed: 403/,
    /Proxy tunneling failed/,
  ],
  'i',
);
const files = /EROFS|Read-only file system/i;
/** On macOS a sandbox refuses both with the same message. */
const filesOnMac = /EPERM|Operation not permitted/i;

/** Said of a guarded file that a program would replace by another one, because something is mounted on it. */
const replacing = /EBUSY|Device or resource busy/i;
const lastPart = 8000;

/**
 * Returns what a command that failed inside a sandbox was denied; undefined if its last output shows another reason.
 */
export function denialIn(
  { end, exitCode, output }: CommandResult,
  platform: NodeJS.Platform = process.platform,
): 'network' | 'files' | undefined {
  if (end !== 'exited' && end !== 'timed_out') return undefined;
  if (end === 'exited' && exitCode === 0) return undefined;
  const last = output.slice(-lastPart);
  if (files.test(last)) return 'files';
  if (network.test(last)) return 'network';
  return platform === 'darwin' && filesOnMac.test(last) ? 'files' : undefined;
}

/** A line of a search result, which may quote anything: path, line number, text. */
const foundLine = /^[^\s:]+[:-]\d+[:-]/;
/** Narrower than `network`, because a command that succeeded may print anything. */
const saysUnreachable =
  /ENETUNREACH|EAI_AGAIN|could not resolve host|failure in name resolution|network is unreachable/i;

/**
 * Returns what the model should know about a command that succeeded as a whole although a part of it missed the
 * network, as in `npm install | tail`. That is no denial: the output may only quote such an error.
 */
export function hiddenNetworkWords({ end, exitCode, output }: CommandResult): string {
  if (end !== 'exited' || exitCode !== 0) return '';
  const lines = output.slice(-lastPart).split('\n');
  if (!lines.some((line) => saysUnreachable.test(line) && !foundLine.test(line))) return '';
  return 'The sandbox has no network except for allowed domains. If something failed for that reason, run only that command, without hiding its exit code.';
}

/**
 * Returns the guarded places that a command tried to write according to the end of its output, even if the command as a
 * whole succeeded.
 */
export function refusedPlaces({ end, output, cwd }: CommandResult, { readOnly }: Guards): string[] {
  if (end !== 'exited' && end !== 'timed_out') return [];
  const refusals = [files, replacing, ...(process.platform === 'darwin' ? [filesOnMac] : [])];
  const lines = output
    .slice(-lastPart)
    .split('\n')
    .filter((line) => refusals.some((refusal) => refusal.test(line)));
  if (lines.length === 0) return [];
  return readOnly.filter((place) => isWithin(cwd, place) || lines.some((line) => isNamed(place, line, cwd)));
}

/** Returns whether a text names a place, absolutely or relative to `folder`, or something in it. */
function isNamed(place: string, text: string, folder: string): boolean {
  return [place, path.relative(folder, place)].filter(Boolean).some((name) => {
    for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
      const before = text.slice(Math.max(0, at - 3), at).replace(/(?<!\.)\.\/$/, '');
      if (!/[\w.\-/]$/.test(before) && !/[\w-]/.test(text.charAt(at + name.length))) return true;
    }
    return false;
  });
}

const absent = /No such file|not a git repository|ENOENT|cannot (?:access|find|open)|does not exist|not found/i;
const absolutePath = /(?<![\w.\-/~])\/[\w.\-/+@]+/g;
const maxLooked = 20;

/** Message about a program that keeps running: the sandbox has a network of its own, also for servers. */
export const portWords =
  "Only commands in the sandbox can reach ports that it opens. The user's browser cannot: to open it there, the user must start it.";

/**
 * Returns what the model should know about temporary files that a command did not find, because a sandbox has its own
 * temporary folders. `folders`: those that it shares with this machine.
 */
export function temporaryWords({ output }: CommandResult, folders: readonly string[]): string {
  const lines = output
    .slice(-lastPart)
    .split('\n')
    .filter((line) => absent.test(line));
  const named = lines.flatMap((line) => line.match(absolutePath) ?? []).map((name) => name.replace(/(?<!\.)\.+$/, ''));
  const found = [...new Set(named)]
    .filter((place) => Object.keys(memoryFolders).some((own) => isWithin(place, own) && place !== own))
    .filter((place) => !folders.some((folder) => isWithin(place, folder)))
    .slice(0, maxLooked)
    .filter((place) => fs.existsSync(place));
  if (found.length === 0) return '';
  return `The sandbox has its own, initially empty ${Object.keys(memoryFolders).join(', ')}, so commands in it do not see ${inWords(found)}. To use that, ask the user to copy it into the workspace.`;
}

/** Returns whether something was put in the place of a placeholder, which only programs outside the sandbox can do. */
export const isFilled = (placeholder: string): boolean => namesIn(placeholder).length > 0;

/**
 * Returns what the model should know about guarded places after a command: which of them it tried to write, and which
 * of those that it saw are not the user's. `created`: folders in which it created repositories, as far as is known.
 * `known`: placeholders that were mentioned before.
 */
export function guardWords(
  result: CommandResult,
  {
    guards,
    refused,
    created,
    knownPaths: known,
  }: {
    readonly guards: Guards;
    readonly refused: readonly string[];
    readonly created: readonly string[];
    knownPaths: Set<string>;
  },
): string {
  const { output, cwd } = result;
  const empty = guards.placeholders.filter((place) => fs.existsSync(place) && !isFilled(place));
  const without = empty.filter((place) => created.some((folder) => place === path.join(folder, '.git')));
  const missed = empty.filter((place) => refused.includes(place) || without.includes(place));
  const seen = empty.filter((place) => !known.has(place) && isNamed(place, output, cwd));
  for (const place of [...missed, ...seen]) known.add(place);
  const kept = refused.filter((place) => !missed.includes(place));
  return [
    kept.length > 0 && `The sandbox keeps ${inWords(kept)} read-only, because other programs obey what is there.`,
    missed.length > 0 &&
      `${inWords(missed)} was not created: other programs obey what is there, so the sandbox keeps an empty, read-only folder in its place.`,
    missed.length > 0 &&
      refused.length === 0 &&
      'To have the user asked whether it may be created outside the sandbox, first run only that command, without hiding its errors.',
    missed.length === 0 &&
      seen.length > 0 &&
      `${inWords(seen)}: ${seen.length > 1 ? 'these are empty folders' : 'this is an empty folder'} of the sandbox, which ${seen.length > 1 ? 'do' : 'does'} not belong to the user and will be deleted.`,
  ]
    .filter(Boolean)
    .join(' ');
}

const maxNamed = 5;
const inWords = (places: readonly string[]): string =>
  places.slice(0, maxNamed).map(shownName).join(', ') +
  (places.length > maxNamed ? ` and ${places.length - maxNamed} more` : '');
