import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import type { Effect } from '../effects/effect';
import type { Place } from '../syntax/place';
import type { Value } from '../syntax/value';

// Actions that no mode and no rule allows without approval, because they destroy the machine or turn it off. Each one
// needs a person's consent.

/** The root, system folders, and home folders. */
const vitalFolders = exactlyOneOf(
  [
    '/',
    sequence([
      /\//,
      anyOf([
        'bin boot dev etc home lib lib32 lib64 opt proc root sbin srv sys usr var System Library Users',
        'Applications private Volumes',
      ]),
    ]),
    /(?:\/|[a-z]:\/)(?:home|users)\/[^/]+/,
    /~[^/]*/,
    // What contains the workspace.
    /\.\.(?:\/\.\.)*/,
    /[a-z]:(?:\/(?:windows|program files(?: \(x86\))?|programdata|users)?)?/,
  ],
  'i',
);
const rawDisks = /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|loop\d|dm-\d|md\d|mapper\/)/;

/** Returns why an effect is below the floor, or undefined if it is not. */
export function belowFloor(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'deletes':
      return isVital(effect.place) ? 'Deletes the system or a home folder.' : undefined;
    case 'writes':
      return rawDisks.test(effect.place.path) ? 'Overwrites a disk.' : undefined;
    case 'other':
      return effect.floor ? effect.reason : undefined;
    default:
      return undefined;
  }
}

/** Returns whether a place is a vital folder or everything in one. */
const isVital = ({ where, path }: Place): boolean => where === 'outside' && isVitalFolder(path);
const isVitalFolder = (path: string): boolean => vitalFolders.test(path.replace(/\/(?:[.?]?\*+)?$/, '') || '/');

const queryOption = /^(?:-[hVc]|\/[a?]|--help|--version|--show|--usage)$/;

/** Returns why a program with these words (without its name) is below the floor, or undefined if it is not. */
export function programBelowFloor(name: string, words: readonly Value[]): string | undefined {
  const texts = words.map(({ text }) => text);
  const [first] = texts.filter((text) => !text.startsWith('-'));
  if (texts.length > 0 && texts.every((text) => queryOption.test(text))) return undefined;
  if (formatters.test(name) || formatterCalls.test([name, ...texts].join(' '))) return 'Formats a disk.';
  const overwrites = name === 'shred' ? texts : texts.flatMap((text) => (text.startsWith('of=') ? text.slice(3) : []));
  if (/^(?:dd|shred)$/.test(name) && overwrites.some((text) => rawDisks.test(text))) return 'Overwrites a disk.';
  if (name === 'rsync' && texts.some((text) => /^--del/.test(text)) && isVitalFolder(texts.at(-1)!))
    return 'Deletes the system or a home folder.';
  if (
    name === 'kill' &&
    (texts.slice(1).includes('-1') || (texts.length === 1 && first === undefined && texts[0] === '-1'))
  )
    return 'Ends every process.';
  if (endsEveryProcess(name, texts)) return 'Ends every process.';
  const restarts = 'Restarts the machine.';
  const turnsOff = 'Turns the machine off.';
  if (/^(?:reboot|restart-computer)$/.test(name)) return restarts;
  if (/^(?:shutdown|halt|poweroff|stop-computer)$/.test(name))
    return texts.some((text) => /^(?:[-/]r|--reboot)$/.test(text)) ? restarts : turnsOff;
  if (/^(?:init|telinit)$/.test(name) && (first === '0' || first === '6')) return first === '6' ? restarts : turnsOff;
  if (name === 'systemctl' && /^(?:reboot|kexec|soft-reboot)$/.test(first ?? '')) return restarts;
  if (name === 'systemctl' && /^(?:poweroff|halt)$/.test(first ?? '')) return turnsOff;
  return undefined;
}

const formatters =
  /^(?:mkfs(?:\..+)?|mke2fs|newfs(?:_.+)?|mkswap|blkdiscard|diskpart|format-volume|clear-disk|initialize-disk|remove-partition)$/;
const formatterCalls = anyOf(
  [
    /^wipefs .*-(?:a|-all)\b/,
    /^format(?:\.com)? .*\b[a-z]:/,
    /^parted .*\b(?:mklabel|mktable|rm)\b/,
    /^sgdisk .*-(?:[zo]|-zap|-clear)/,
    /^cryptsetup .*\bluksformat\b/,
    /^diskutil (?:secure)?(?:erase|partition|zero|random)/,
  ],
  'i',
);

/** A pattern that matches every name, or a user and no name. */
function endsEveryProcess(name: string, texts: readonly string[]): boolean {
  const names = texts.filter((text) => !/^[-/]/.test(text));
  if (name === 'killall5') return true;
  if (/^(?:pkill|killall)$/.test(name))
    return (
      names.some((text) => /^[.^]?[*.]?$/.test(text)) ||
      (names.length === 1 && texts.some((text) => /^(?:-[uU]|--(?:user|uid|euid))$/.test(text)))
    );
  return /^(?:taskkill|stop-process)$/.test(name) && names.includes('*');
}

/** Programs that run the words after them as a command, with their options that take a value. */
const carriers: Readonly<Record<string, RegExp>> = {
  sudo: /^-[ugpCrtUDRThcP]$|^--(?:user|group|prompt|chdir|chroot|host|role|type|other-user)$/,
  doas: /^-[uC]$/,
  pkexec: /^--user$/,
  runuser: /^-[ugGcs]$/,
  su: /^-[gGsw]$/,
  exec: /^-a$/,
  eval: /^$/,
};

/** Returns the words that a program runs as a command, for programs whose command the tables do not judge. */
export function wrappedCommand(name: string, words: readonly Value[]): readonly Value[] | undefined {
  const takes = carriers[name];
  if (!takes) return undefined;
  let at = 0;
  while (at < words.length && (/^-/.test(words[at]!.text) || /^\w+=/.test(words[at]!.text)))
    at += takes.test(words[at]!.text) ? 2 : 1;
  return words.slice(at);
}
