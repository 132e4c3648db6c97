import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import type { Effect } from '../effects/effect';
import type { Place } from '../syntax/place';
import type { Value } from '../syntax/value';

// Actions that no mode and no rule allows without approval, because they destroy the machine or turn it off. Each one
// needs a person's consent.

/** The root, system folders, and home folders. */
const vitalFolders = exactlyOneOf([
  '/',
  sequence([
    /\//,
    anyOf([
      'bin boot dev etc home lib lib32 lib64 opt proc root sbin srv sys usr var System Library Users',
      'Applications private Volumes',
    ]),
  ]),
  /\/(?:home|Users)\/[^/]+/,
  /~[^/]*/,
]);
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
const isVital = ({ where, path }: Place): boolean =>
  where === 'outside' && vitalFolders.test(path.replace(/\/(?:[.?]?\*+)$/, '') || '/');

const queryOption = /^(?:-[hVc]|--help|--version|--show|--usage)$/;

/** Returns why a program with these words (without its name) is below the floor, or undefined if it is not. */
export function programBelowFloor(name: string, words: readonly Value[]): string | undefined {
  const texts = words.map(({ text }) => text);
  const [first] = texts.filter((text) => !text.startsWith('-'));
  if (texts.length > 0 && texts.every((text) => queryOption.test(text))) return undefined;
  if (/^(?:mkfs(?:\..+)?|mke2fs|newfs(?:_.+)?)$/.test(name)) return 'Formats a disk.';
  if (name === 'dd' && texts.some((text) => text.startsWith('of=') && rawDisks.test(text.slice(3))))
    return 'Overwrites a disk.';
  if (
    name === 'kill' &&
    (texts.slice(1).includes('-1') || (texts.length === 1 && first === undefined && texts[0] === '-1'))
  )
    return 'Ends every process.';
  const restarts = 'Restarts the machine.';
  const turnsOff = 'Turns the machine off.';
  if (name === 'reboot') return restarts;
  if (/^(?:shutdown|halt|poweroff)$/.test(name))
    return texts.some((text) => /^(?:-r|--reboot)$/.test(text)) ? restarts : turnsOff;
  if (/^(?:init|telinit)$/.test(name) && (first === '0' || first === '6')) return first === '6' ? restarts : turnsOff;
  if (name === 'systemctl' && /^(?:reboot|kexec|soft-reboot)$/.test(first ?? '')) return restarts;
  if (name === 'systemctl' && /^(?:poweroff|halt)$/.test(first ?? '')) return turnsOff;
  return undefined;
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
