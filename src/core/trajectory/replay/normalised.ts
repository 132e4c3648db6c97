import { sequence } from '../../text/alternatives';

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
export function normalised(text: string, folders: readonly string[]): string {
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
