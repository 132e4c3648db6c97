import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import type { Plant } from '../../../protocol/events/risk';
import type { History } from '../../log/projection';
import { addressIn, hostShape, tokensIn } from './tokens';
import { originOf, type WordOrigin } from './taint';

const maxPlants = 20;

/** Prose, images and data, which no program loads as code. */
const neverRuns = anyOf(
  [
    sequence([
      /\./,
      anyOf([
        'md mdx markdown txt rst adoc',
        /html?/,
        'css scss less svg png',
        /jpe?g/,
        'gif webp ico pdf csv tsv log lock snap po pot',
      ]),
      /$/,
    ]),
    /(^|\/)(package-lock\.json|license|changelog)$/,
  ],
  'i',
);

/** Returns whether a file may run later or decides what runs: code, settings, scripts, CI configuration. */
export const mayRunLater = (path: string): boolean => !neverRuns.test(path);

/** A line that downloads or installs something with shell programs. */
const fetchesInShell =
  /\b(curl|wget|aria2c|nc|ncat|netcat|socat|ssh|scp|sftp|rsync|ftp|iwr|irm|Invoke-\w+)\b|\|\s*(ba|z|da)?sh\b/i;
const installs = anyOf(
  [
    /\b(npx|bunx|uvx|pipx|dlx)\b/,
    /\b(npm|pnpm|yarn|bun|pip3?|uv|cargo|gem|go|brew|apt|apt-get|composer)['",\s]+(i|install|add|get|require|exec|x|create)\b/,
  ],
  'i',
);
const packageShape = /^@?[a-z][\w./@-]*$/;

/**
 * Returns the untrusted words in a text written to a file that would steer a program running the file: addresses, and
 * in lines that download or install something, also hosts and packages. `text` contains the lines written.
 */
export function plantedIn(path: string, text: string, history: History): Plant[] {
  const found = new Map<string, Plant>();
  for (const line of text.split('\n')) {
    const [inShell, installing] = [fetchesInShell.test(line), installs.test(line)];
    for (const { text: word, written } of tokensIn(line)) {
      const origin = originIn(word, { inShell, installing }, history);
      if (!origin || found.has(written)) continue;
      found.set(written, {
        path,
        word: written,
        source: origin.source,
        ...(origin.line !== undefined && { line: origin.line }),
        step: origin.step,
      });
      if (found.size >= maxPlants) return [...found.values()];
    }
  }
  return [...found.values()];
}

function originIn(
  word: string,
  { inShell, installing }: { inShell: boolean; installing: boolean },
  history: History,
): WordOrigin | undefined {
  const address = addressIn(word);
  if (address) {
    const ofHost = firstOrigin(hostsOf(address.host), history);
    // In a program, an address on a known host is nothing new. A command that downloads from it is.
    const origin = inShell ? (originOf(address.plain, history) ?? ofHost) : ofHost;
    // Links from a project's documentation commonly occur in its code.
    return origin && (origin.trust === 'others' || inShell) ? origin : undefined;
  }
  const host = word.split('/')[0]!;
  if (inShell && hostShape.test(host)) return originOf(word, history) ?? firstOrigin(hostsOf(host), history);
  return installing && packageShape.test(word) ? originOf(word, history) : undefined;
}

/** Returns the host and its parent domains. */
function hostsOf(host: string): string[] {
  const labels = host.replace(/^.*@/, '').replace(/:\d+$/, '').split('.');
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'));
}

const firstOrigin = (words: readonly string[], history: History): WordOrigin | undefined =>
  words.map((word) => originOf(word, history)).find((origin) => origin !== undefined);

/** Programs that run nothing from the workspace, whatever it contains. */
const inert = exactlyOneOf([
  'cat tac head tail less more nl grep egrep fgrep rg cut sort uniq wc tr jq ls tree stat file du',
  'df diff cmp basename dirname realpath readlink echo printf pwd cd true false test [',
  'column paste comm strings xxd od cp mv rm mkdir rmdir touch ln chmod chown tee sed date sleep',
  'which type whoami id uname ps kill curl wget tar zip unzip gzip gunzip base64 sha256sum md5sum',
  'export set unset git gh',
]);

/** Returns whether a program may run code, or obey settings, from the workspace. */
export const mayRunWorkspace = (program: string): boolean =>
  !inert.test(program.replace(/^\/(usr\/(local\/)?)?s?bin\//, ''));
