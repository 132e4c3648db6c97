import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import type { Effect } from '../effects/effect';
import type { Place } from '../syntax/place';
import { matchesGlob } from '../syntax/globs';
import { literal, type Value } from '../syntax/value';

// Actions that no mode and no rule allows without approval, because they destroy the machine or turn it off. Each one
// needs a person's consent.

const systemNames =
  'bin boot dev etc home lib lib32 lib64 media mnt nix opt proc root run sbin srv sys usr var System Library Users Applications private Volumes';

/** The root, system folders, and home folders. */
const vitalFolders = exactlyOneOf(
  [
    '/',
    sequence([/\//, anyOf([systemNames])]),
    /(?:\/|[a-z]:\/)(?:home|users)\/[^/]+/,
    /~[^/]*/,
    // What contains the workspace.
    /\.\.(?:\/\.\.)*/,
    // Drives, and their names in the Subsystem for Linux.
    /(?:[a-z]:|\/mnt\/[a-z])(?:\/(?:windows(?:\/system32)?|program[ _]files(?:[ _]\(x86\))?|programdata|users)?)?/,
  ],
  'i',
);
const rawDisks =
  /^\/dev\/(?:sd[a-z]|hd[a-z]|vd[a-z]|xvd[a-z]|nvme\d|mmcblk\d|r?disk\d|disk\/by-|loop\d|dm-\d|md\d|mapper\/)/;

/** Returns why an effect is below the floor, or undefined if it is not. */
export function belowFloor(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'deletes':
      return isVital(effect.place) ? 'Deletes the system or a home folder.' : undefined;
    case 'writes':
      if (effect.place.path === '/proc/sysrq-trigger') return 'Turns the machine off.';
      return rawDisks.test(effect.place.path) ? 'Overwrites a disk.' : undefined;
    case 'other':
      return effect.floor ? effect.reason : undefined;
    default:
      return undefined;
  }
}

/** Returns whether a place is a vital folder or everything in one. */
const isVital = ({ where, path, glob }: Place): boolean => where === 'outside' && isVitalFolder(path, { glob });

/** Returns whether a path is a vital folder or everything in one. `glob`: the shell expands it. */
export function isVitalFolder(path: string, { glob = false }: { readonly glob?: boolean } = {}): boolean {
  const plain =
    path
      .replace(/\/{2,}/g, '/')
      .replace(/^\/[?.]\/(?=[a-z]:)/i, '')
      .replace(/\/(?:\*\*\/)?(?:[.?]?\*+(?:\.\*)?)?$/, '') || '/';
  if (vitalFolders.test(plain)) return true;
  // `/[a-z]*` and `/???` match system folders.
  const pattern = glob ? /^\/([^/]+)$/.exec(plain)?.[1] : undefined;
  return pattern !== undefined && systemNames.split(' ').some((name) => matchesGlob(pattern, name));
}

const queryOption = /^(?:-[hVc]|\/[a?]|--help|--version|--show|--usage)$/;

/** Returns why a program with these words (without its name) is below the floor, or undefined if it is not. */
export function programBelowFloor(name: string, words: readonly Value[]): string | undefined {
  const texts = words.map(({ text }) => text);
  const [first] = texts.filter((text) => !text.startsWith('-'));
  if (texts.length > 0 && texts.every((text) => queryOption.test(text))) return undefined;
  const calls = [name, ...texts].join(' ');
  if (formatters.test(name) || formatterCalls.test(calls)) return 'Formats a disk.';
  if (/^(?:fdisk|sfdisk|cfdisk|gdisk)$/.test(name) && texts.some((text) => rawDisks.test(text)))
    return texts.some((text) => /^-(?:[lsdVJx]|-list|-dump|-json|-verify|-show-size)/.test(text))
      ? undefined
      : 'Changes the partitions of a disk.';
  const overwrites = name === 'shred' ? texts : texts.flatMap((text) => (text.startsWith('of=') ? text.slice(3) : []));
  if (/^(?:dd|dcfldd|dc3dd|shred)$/.test(name) && overwrites.some((text) => rawDisks.test(text)))
    return 'Overwrites a disk.';
  if (name === 'ddrescue' && rawDisks.test(texts.filter((text) => !text.startsWith('-'))[1] ?? ''))
    return 'Overwrites a disk.';
  if (losesVitalFolder(name, words)) return 'Deletes the system or a home folder.';
  if (changesRightsOfVitalFolder(name, words)) return 'Changes the rights of the system or of a home folder.';
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
  if (/^(?:systemctl|loginctl)$/.test(name)) {
    const [verb = '', unit = ''] = texts.filter((text) => !text.startsWith('-'));
    const what = /^(?:start|isolate)$/.test(verb) ? unit.replace(/\.target$/, '') : verb;
    if (/^(?:reboot|kexec|soft-reboot)$/.test(what)) return restarts;
    if (/^(?:poweroff|halt|shutdown)$/.test(what)) return turnsOff;
  }
  return windowsBelowFloor(name, texts, calls);
}

/** The parts of the registry that Windows needs to start, but not the keys of single programs. */
const vitalKeys = sequence(
  [
    /^reg delete "?(?:\\\\[^\\ ]+\\)?/,
    anyOf(['hklm hkey_local_machine hkcr hkey_classes_root hku hkey_users']),
    /(?:[\\/]+(?:system|sam|security|software))?/,
    /(?:[\\/]+(?:classes|microsoft(?:[\\/]+windows(?:[ _]nt)?(?:[\\/]+currentversion)?)?))?/,
    /(?:[\\/]+currentcontrolset(?:[\\/]+(?:control|services))?)?/,
    /[\\/]*"?(?: |$)/,
  ],
  'i',
);

/** The same for programs of Windows that do not judge it themselves. */
function windowsBelowFloor(name: string, texts: readonly string[], calls: string): string | undefined {
  if (vitalKeys.test(calls)) return 'Deletes the registry of Windows.';
  if (name === 'wmic') {
    if (/\b(?:reboot|win32shutdown\W+(?:2|6)\b)/i.test(calls)) return 'Restarts the machine.';
    if (/\bcall\W+(?:win32)?shutdown/i.test(calls)) return 'Turns the machine off.';
    return /^wmic (?:logicaldisk|volume|diskdrive|partition)\b.* (?:format|delete)\b/i.test(calls)
      ? 'Formats a disk.'
      : undefined;
  }
  if (!/^(?:powershell|pwsh)$/.test(name)) return undefined;
  const at = texts.findIndex((text) => /^[-/](?:c|command|e|ec|enc\w*)$/i.test(text));
  const command = texts.slice(at + 1).join(' ');
  const isEncoded = at >= 0 && /^[-/]e/i.test(texts[at]!);
  return textBelowFloor(isEncoded ? decodedCommand(command) : command.replace(/^["']|["']$/g, ''));
}

/** Decodes the text after `-EncodedCommand`, UTF-16 in Base64. Returns an empty text if it is not Base64. */
function decodedCommand(encoded: string): string {
  try {
    return atob(encoded.replace(/["']/g, '')).replaceAll('\0', '');
  } catch {
    return '';
  }
}

/** Options of rsync whose value is the next word. */
const rsyncValues = exactlyOneOf([
  '-e -f -T -B -M --exclude --include --filter --rsh --exclude-from --include-from --backup-dir --bwlimit --chmod',
  '--chown --log-file --max-size --min-size --partial-dir --suffix --temp-dir --timeout',
]);

const isVitalWord = ({ kind, text }: Value): boolean =>
  kind !== 'unknown' && isVitalFolder(text, { glob: kind === 'glob' });

/** Returns whether a program that is not `rm` deletes or moves a vital folder. */
function losesVitalFolder(name: string, words: readonly Value[]): boolean {
  const texts = words.map(({ text }) => text);
  if (name === 'rsync' && texts.some((text) => /^--del/.test(text))) {
    const target = words
      .filter(({ text }, at) => !text.startsWith('-') && !rsyncValues.test(texts[at - 1] ?? ''))
      .at(-1);
    return target !== undefined && isVitalWord(target);
  }
  if (/^(?:mv|move|move-item|mi)$/.test(name)) return words.slice(0, -1).some(isVitalWord);
  if (name === 'userdel') return texts.some((text) => /^-\w*r|^--remove/.test(text));
  return name === 'deluser' && texts.some((text) => /^--remove-(?:home|all-files)/.test(text));
}

const changesRightsOfVitalFolder = (name: string, words: readonly Value[]): boolean =>
  (/^(?:chmod|chown|chgrp|setfacl|chattr)$/.test(name)
    ? words.some(({ text }) => /^-[a-zA-Z]*R|^--recursive$/.test(text))
    : /^(?:icacls|takeown)$/.test(name) && words.some(({ text }) => /^\/[tr]$/i.test(text))) &&
  words.some((word) => !word.text.startsWith('-') && isVitalWord(word));

const formatters = exactlyOneOf([
  /mkfs(?:\..+)?/,
  /newfs(?:_.+)?/,
  'mke2fs mkswap blkdiscard pvremove vgremove lvremove',
  'diskpart format-volume clear-disk initialize-disk remove-partition',
]);
const formatterCalls = anyOf(
  [
    /^wipefs .*-(?:a|-all)\b/,
    /^format(?:\.com)? .*\b[a-z]:/,
    /^parted .*\b(?:mklabel|mktable|rm)\b/,
    /^sgdisk .*-(?:[zo]|-zap|-clear)/,
    /^cryptsetup .*\bluksformat\b/,
    /^diskutil (?:secure)?(?:erase|partition|zero|random)/,
    /^mdadm .*--zero-superblock\b/,
    /^zpool .*\b(?:destroy|labelclear)\b/,
    /^hdparm .*--security-erase/,
    /^nvme (?:format|sanitize)\b/,
    /^badblocks .*-\w*w/,
  ],
  'i',
);

/** A pattern that matches every name, or a user and no name. */
function endsEveryProcess(name: string, texts: readonly string[]): boolean {
  const names = texts.filter((text) => !/^[-/]/.test(text)).map((text) => text.replace(/^\*\.exe$/i, '*'));
  if (name === 'killall5') return true;
  if (/^(?:pkill|killall)$/.test(name))
    return (
      names.some((text) => /^[.^]?[*.]?$/.test(text)) ||
      (names.length === 1 && texts.some((text) => /^(?:-[uU]|--(?:user|uid|euid))$/.test(text)))
    );
  return /^(?:taskkill|stop-process)$/.test(name) && names.includes('*');
}

/** Variables of PowerShell that name what must not be deleted. */
const vitalVariables: readonly (readonly [RegExp, string])[] = [
  [/\$\{?(?:HOME|env:(?:USERPROFILE|HOMEPATH))\}?/gi, '~'],
  [/\$\{?env:(?:SystemDrive|HOMEDRIVE)\}?/gi, 'C:'],
  [/\$\{?env:(?:SystemRoot|windir)\}?/gi, 'C:/Windows'],
  [/\$\{?env:ProgramFiles\}?/gi, 'C:/Program Files'],
];
const removal = sequence(
  [
    /(?<![\w-])/,
    anyOf(['remove-item ri rm del rd rmdir erase', /\[(?:system\.)?io\.directory\]::delete/]),
    /['"]?(?=[\s(])([^;|}\n]*)/,
  ],
  'gi',
);
/** A program that a text starts: at its beginning, after `&`, and in a text that is run. */
const started = sequence(
  [
    anyOf([/^/, /[;&|({]/, /(?:\s-c(?:ommand)?|iex|invoke-expression|&)\s*['"]/]),
    /\s*(?:[\w.]+\/(?=\w+-\w))?([a-z][\w.-]*)(?=[\s'"]|$)['"]?([^;|}\n]*)/,
  ],
  'gi',
);
const allProcesses = /(?:get-process|gps|ps)(?:\s+(?:-name\s+)?['"]?\*['"]?)?/.source;
const endsAllProcesses = new RegExp(
  `(?<![\\w-])(?:${allProcesses}\\s*\\|[^;\\n]*(?:stop-process|spps|kill)(?![\\w-])|(?:stop-process|spps|kill)\\s[^;|]*\\(\\s*${allProcesses}\\s*\\)|\\(\\s*${allProcesses}\\s*\\)\\.kill\\()`,
  'i',
);

/** Returns why PowerShell text is below the floor. Reads it without a grammar, for parts that cannot be analysed. */
export function textBelowFloor(text: string): string | undefined {
  let plain = text.replaceAll('\\', '/');
  for (const [variable, value] of vitalVariables) plain = plain.replace(variable, value);
  for (const [, argumentText = ''] of plain.matchAll(removal)) {
    const words = argumentText.match(/'[^']*'|"[^"]*"|[^\s,()@'"]+/g) ?? [];
    const paths = words.map((word) => word.replace(/['"]/g, '').replace(/^.*::(?=.)|^\/\/[?.]\//, ''));
    if (paths.some((path) => !path.startsWith('-') && isVitalFolder(path)))
      return 'Deletes the system or a home folder.';
  }
  if (endsAllProcesses.test(plain)) return 'Ends every process.';
  for (const [, name = '', argumentText = ''] of plain.matchAll(started)) {
    const words = argumentText.split(/[\s'"]+/).filter(Boolean);
    const why = programBelowFloor(
      name.toLowerCase().replace(/\.exe$/, ''),
      words.map((word) => literal(word)),
    );
    if (why !== undefined) return why;
  }
  return undefined;
}

/** What code in other languages calls the home folder. */
const homeInCode = anyOf(
  [
    /(?:os\.path\.)?expanduser\(\s*['"]~['"]\s*\)/,
    /(?:pathlib\.)?Path\.home\(\)/,
    /(?:os|require\(['"](?:node:)?os['"]\))\.homedir\(\)/,
    /Dir\.home\b/,
    /os\.environ\[\s*['"]HOME['"]\s*\]/,
    /process\.env\.HOME\b/,
    /ENV\[\s*['"]HOME['"]\s*\]/,
    /\$ENV\{['"]?HOME['"]?\}/,
  ],
  'g',
);
/** A call that deletes a folder with what is in it, and the literal path that it deletes. */
const removalInCode = sequence(
  [
    /(?<!\w)/,
    anyOf([
      'rmtree rm_rf rm_r rmSync rmdirSync remove_tree removeSync emptyDirSync rimraf remove_dir_all RemoveAll',
      'remove_entry_secure remove_dir rm rmdir',
    ]),
    /(?:\.sync)?[\s([]{1,4}(?:['"`]([^'"`\n]{1,200})['"`])/,
  ],
  'g',
);

/**
 * Returns why code in a language that is not a shell is below the floor, as far as it is in plain sight.
 * `startsPrograms`: whether the code can run the commands that it contains as texts.
 */
export function codeBelowFloor(code: string, startsPrograms: boolean): string | undefined {
  const plain = code.replace(homeInCode, "'~'");
  for (const [, path = ''] of plain.matchAll(removalInCode))
    if (isVitalFolder(path, { glob: true })) return 'Deletes the system or a home folder.';
  if (!startsPrograms) return undefined;
  // `['rm', '-rf', '/']` is one command.
  const commands = plain.replace(/['"]\s{0,20},\s{0,20}['"]/g, ' ');
  for (const [, , command = ''] of commands.matchAll(/(['"`])((?:(?!\1)[^\\\n])+)\1/g)) {
    const why = textBelowFloor(command);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Records only the effects below the floor of what `judge` finds. For parts that are not fully understood. */
export function onlyBelowFloor<Place extends { readonly effects: Effect[] }>(
  scope: Place,
  judge: (inside: Place) => void,
): void {
  const effects: Effect[] = [];
  judge({ ...scope, effects });
  scope.effects.push(...effects.filter((effect) => belowFloor(effect) !== undefined));
}

/** Programs that run the words after them as a command. */
interface Carrier {
  /** Options that take a value. */
  readonly takes: RegExp;
  /** Number of words before the command that are no options. */
  readonly leadingWords?: number;
}

const nothing = /^$/;
const carriers: Readonly<Record<string, Carrier>> = {
  sudo: { takes: /^-[ugpCrtUDRThcP]$|^--(?:user|group|prompt|chdir|chroot|host|role|type|other-user)$/ },
  doas: { takes: /^-[uC]$/ },
  pkexec: { takes: /^--user$/ },
  runuser: { takes: /^-[ugGcs]$/ },
  su: { takes: /^-[gGsw]$/ },
  exec: { takes: /^-a$/ },
  eval: { takes: nothing },
  busybox: { takes: nothing },
  toybox: { takes: nothing },
  unshare: { takes: /^-[SGRw]$/ },
  chroot: { takes: nothing, leadingWords: 1 },
  flock: { takes: /^-[wE]$/, leadingWords: 1 },
  taskset: { takes: nothing, leadingWords: 1 },
  chrt: { takes: /^-[TPD]$/, leadingWords: 1 },
  fakeroot: { takes: /^-[sib]$/ },
  'systemd-run': { takes: /^-[pEGMHtu]$|^--(?:unit|property|slice|uid|gid|setenv)$/ },
  parallel: { takes: /^-[jNnLs]$|^--(?:jobs|max-args)$/ },
};

/** Returns the words that a program runs as a command, for programs whose command the tables do not judge. */
export function wrappedCommand(name: string, words: readonly Value[]): readonly Value[] | undefined {
  const carrier = Object.hasOwn(carriers, name) ? carriers[name] : undefined;
  if (!carrier) return undefined;
  let at = 0;
  let own = carrier.leadingWords ?? 0;
  while (at < words.length) {
    const { text } = words[at]!;
    if (/^-/.test(text) || /^\w+=/.test(text)) at += carrier.takes.test(text) ? 2 : 1;
    else if (own-- > 0) at++;
    else break;
  }
  return words.slice(at);
}
