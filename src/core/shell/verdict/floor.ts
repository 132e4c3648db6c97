import { anyOf, sequence, exactlyOneOf } from '../../text/alternatives';
import type { Effect } from '../effects/effect';
import { folderAfterCd, type Place } from '../syntax/place';
import { matchesGlob } from '../syntax/globs';
import { literal, type Value } from '../syntax/value';

// Actions that no mode and no rule allows without approval, because they destroy the machine or turn it off. Each one
// needs a person's consent.

const systemNames =
  'bin boot dev etc home lib lib32 lib64 media mnt nix opt proc root run sbin srv sys usr var System Library Users Applications private Volumes';

/** Files without which the machine does not start, or nobody can sign in. */
const vitalFiles = sequence([
  /^\//,
  anyOf([
    'etc/passwd etc/shadow etc/group etc/gshadow etc/fstab etc/sudoers',
    /(?:usr\/)?bin\/(?:ba)?sh/,
    /(?:usr\/)?lib(?:64)?\/ld-[\w.-]+/,
  ]),
  /$/,
]);

/** The root, system folders, and home folders. */
const vitalFolders = exactlyOneOf(
  [
    '/',
    sequence([/\//, anyOf([systemNames])]),
    '/var/lib /boot/efi /etc/ssh /etc/systemd /etc/pam.d',
    /\/usr\/(?:s?bin|lib(?:32|64|exec)?|share)/,
    /(?:\/usr)?\/lib\/(?:modules|systemd|[\w-]+-linux-gnu\w*)/,
    /(?:\/|[a-z]:\/|\/mnt\/[a-z]\/)(?:home|users)\/[^/]+/,
    /~[^/]*/,
    // What contains the workspace.
    /\.\.(?:\/\.\.)*/,
    // Drives, and their names in the Subsystem for Linux.
    /(?:[a-z]:|\/mnt\/[a-z])(?:\/(?:windows(?:\/system32)?|program[ _]files(?:[ _]\(x86\))?|programdata|users)?)?/,
  ],
  'i',
);
const rawDisks = anyOf(
  [
    sequence([/^\/dev\//, anyOf([/(?:s|h|v|xv)d[a-z]/, /(?:nvme|mmcblk|r?disk|loop|dm-|md)\d/, 'disk/by- mapper/'])]),
    /^\/+(?:[.?]\/)?(?:physicaldrive\d|device\/harddisk)/,
  ],
  'i',
);
export const losesVital = 'Deletes the system or a home folder.';

/** Returns why an effect is below the floor, or undefined if it is not. */
export function belowFloor(effect: Effect): string | undefined {
  switch (effect.kind) {
    case 'deletes':
      if (effect.mayBeRoot && !effect.script) return 'Deletes the whole file system if a variable is empty.';
      return isVital(effect.place) ? losesVital : undefined;
    case 'writes':
      if (effect.place.path === '/proc/sysrq-trigger') return 'Turns the machine off.';
      return rawDisks.test(effect.place.path) ? 'Overwrites a disk.' : undefined;
    case 'other':
      return effect.floor ? effect.reason : undefined;
    default:
      return undefined;
  }
}

/** Returns whether a place is a vital file, a vital folder or everything in one. */
const isVital = ({ where, path, glob }: Place): boolean =>
  where === 'outside' && (isVitalFolder(path, { glob }) || vitalFiles.test(path));

/** Returns why it is below the floor to replace the content of a file, or undefined if it is not. */
export const replacingBelowFloor = (path: string): string | undefined =>
  vitalFiles.test(path) ? 'Overwrites a file that the machine needs to start.' : undefined;

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

/**
 * Returns why a program with these words (without its name) is below the floor, or undefined if it is not. `cwd`: the
 * folder that it starts in.
 */
export function programBelowFloor(name: string, words: readonly Value[], cwd = '.'): string | undefined {
  const texts = words.map(({ text }) => text);
  const [first] = texts.filter((text) => !text.startsWith('-'));
  if (texts.length > 0 && texts.every((text) => queryOption.test(text))) return undefined;
  const commandLine = [name, ...texts].join(' ');
  if (formatters.test(name) || formatterCalls.test(commandLine)) return 'Formats a disk.';
  if (/^(?:fdisk|sfdisk|cfdisk|gdisk)$/.test(name) && texts.some((text) => rawDisks.test(text)))
    return texts.some((text) => /^-(?:[lsdVJx]|-list|-dump|-json|-verify|-show-size)/.test(text))
      ? undefined
      : 'Changes the partitions of a disk.';
  const overwrites = name === 'shred' ? texts : texts.flatMap((text) => (text.startsWith('of=') ? text.slice(3) : []));
  if (/^(?:dd|dcfldd|dc3dd|shred)$/.test(name) && overwrites.some((text) => rawDisks.test(text)))
    return 'Overwrites a disk.';
  if (name === 'ddrescue' && rawDisks.test(texts.filter((text) => !text.startsWith('-'))[1] ?? ''))
    return 'Overwrites a disk.';
  if (losesVitalFolder(name, words) || (name === 'git' && cleansVitalFolder(texts, cwd))) return losesVital;
  if (replacesVitalFile(name, texts)) return 'Overwrites a file that the machine needs to start.';
  if (changesRightsOfVitalFolder(name, words)) return 'Changes the rights of the system or of a home folder.';
  // As the first word, `-1` is a signal if a process follows it.
  const killsAll = name === 'kill' && (texts.slice(1).includes('-1') || (texts.length === 1 && texts[0] === '-1'));
  if (killsAll) return 'Ends every process.';
  if (endsEveryProcess(name, texts)) return 'Ends every process.';
  const restarts = 'Restarts the machine.';
  const turnsOff = 'Turns the machine off.';
  if (/^(?:reboot|restart-computer)$/.test(name)) return restarts;
  if (/^(?:shutdown|halt|poweroff|stop-computer)$/.test(name))
    return texts.some((text) => /^(?:[-/]r|--reboot)$/.test(text)) ? restarts : turnsOff;
  if (/^(?:init|telinit)$/.test(name) && (first === '0' || first === '6')) return first === '6' ? restarts : turnsOff;
  if (/^(?:systemctl|loginctl)$/.test(name)) {
    const [verb = '', unit = ''] = texts.filter((text) => !text.startsWith('-'));
    const target = /^(?:start|isolate)$/.test(verb) ? unit.replace(/\.target$/, '') : verb;
    if (/^(?:reboot|kexec|soft-reboot)$/.test(target)) return restarts;
    if (/^(?:poweroff|halt|shutdown)$/.test(target)) return turnsOff;
  }
  return windowsBelowFloor(name, texts, commandLine);
}

const losesRegistry = 'Deletes the registry of Windows.';
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

/** Does the same for programs of Windows whose own tables do not judge it. */
function windowsBelowFloor(name: string, texts: readonly string[], commandLine: string): string | undefined {
  if (vitalKeys.test(commandLine)) return losesRegistry;
  if (/^(?:bcdedit \/(?:delete|import|createstore)|bootrec \/fix|bcdboot )/i.test(commandLine))
    return 'Changes how Windows starts.';
  if (/^(?:vssadmin delete shadows|wmic shadowcopy .*delete|wbadmin delete )/i.test(commandLine))
    return 'Deletes the backups of the machine.';
  if (
    name === 'taskkill' &&
    texts.some((text) => /^(?:csrss|lsass|services|smss|svchost|wininit|winlogon)\.exe$/i.test(text))
  )
    return 'Ends a process that Windows needs.';
  if (/^rundll32 .*exitwindows/i.test(commandLine)) return 'Turns the machine off.';
  const walkedFolder = name === 'forfiles' ? texts[texts.findIndex((text) => /^\/p$/i.test(text)) + 1] : undefined;
  if (walkedFolder !== undefined && isVitalFolder(walkedFolder) && /\b(?:del|erase|rd|rmdir)\b/i.test(commandLine))
    return losesVital;
  if (name === 'wmic') {
    if (/\b(?:reboot|win32shutdown\W+(?:2|6)\b)/i.test(commandLine)) return 'Restarts the machine.';
    if (/\bcall\W+(?:win32)?shutdown/i.test(commandLine)) return 'Turns the machine off.';
    return /^wmic (?:logicaldisk|volume|diskdrive|partition)\b.* (?:format|delete)\b/i.test(commandLine)
      ? 'Formats a disk.'
      : undefined;
  }
  if (!/^(?:powershell|pwsh)$/.test(name)) return undefined;
  const option = texts.findIndex((text) => /^[-/](?:c|command|e|ec|enc\w*)$/i.test(text));
  const command = texts.slice(option + 1).join(' ');
  const isEncoded = option >= 0 && /^[-/]e/i.test(texts[option]!);
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
  if (name === 'rsync') {
    const operands = words
      .filter(({ text }, at) => !text.startsWith('-') && !rsyncValues.test(texts[at - 1] ?? ''))
      .map((word) => ({ ...word, text: word.text.replace(/^[^/:]+::?(?=[/~])/, '') }));
    const deletes = texts.some((text) => /^--del/.test(text));
    const moves = texts.some((text) => /^--remove-s/.test(text));
    return (deletes && operands.slice(-1).some(isVitalWord)) || (moves && operands.slice(0, -1).some(isVitalWord));
  }
  if (/^(?:mv|move|move-item|mi|ren|rename|rename-item|rni)$/.test(name)) {
    const option = texts.findIndex((text) => /^(?:-\w*t|--target-directory)$/.test(text));
    const hasTargetOption = option >= 0 || texts.some((text) => /^(?:-t.|--target-directory=)/.test(text));
    if (!hasTargetOption) return words.slice(0, -1).some(isVitalWord);
    return words.some((word, index) => isVitalWord(word) && (option < 0 || index !== option + 1));
  }
  if (name === 'robocopy') {
    const [from, to] = words.filter(({ text }) => !/^\/[a-z]/i.test(text));
    if (texts.some((text) => /^\/(?:mir|purge)$/i.test(text))) return to !== undefined && isVitalWord(to);
    return from !== undefined && isVitalWord(from) && texts.some((text) => /^\/move?$/i.test(text));
  }
  if (name === 'btrfs') return texts.slice(0, 2).join(' ') === 'subvolume delete' && words.slice(2).some(isVitalWord);
  if (name === 'userdel') return texts.some((text) => /^-\w*r|^--remove/.test(text));
  return name === 'deluser' && texts.some((text) => /^--remove-(?:home|all-files)/.test(text));
}

/** Returns whether Git deletes the untracked files of a vital folder. */
function cleansVitalFolder(texts: readonly string[], cwd: string): boolean {
  const verb = texts.indexOf('clean');
  if (verb < 0 || !texts.slice(verb).some((text) => /^-[a-zA-Z]*f|^--f/.test(text))) return false;
  const before = texts.slice(0, verb);
  const folders = before.flatMap((text, index) =>
    /^(?:-C|--work-tree)$/.test(before[index - 1] ?? '') ? text : (/^--work-tree=(.*)$/.exec(text)?.[1] ?? []),
  );
  const workingTree = folders.reduce(folderAfterCd, cwd);
  return [...texts.slice(verb), workingTree].some((text) => isVitalFolder(text));
}

/** Returns whether a program replaces or empties a file that the machine needs to start. */
function replacesVitalFile(name: string, texts: readonly string[]): boolean {
  if (!/^(?:truncate|shred|cp|ln|install|tee)$/.test(name)) return false;
  if (name === 'tee' && texts.some((text) => /^-\w*a|^--append$/.test(text))) return false;
  const operands = texts.filter((text) => !text.startsWith('-'));
  const replaced = /^(?:truncate|shred)$/.test(name) ? operands : operands.slice(-1);
  return replaced.some((text) => vitalFiles.test(text));
}

function changesRightsOfVitalFolder(name: string, words: readonly Value[]): boolean {
  const texts = words.map(({ text }) => text);
  const isUnix = /^(?:chmod|chown|chgrp|setfacl|chattr)$/.test(name);
  if (!isUnix && !/^(?:icacls|takeown)$/.test(name)) return false;
  const isRecursive = texts.some((text) => (isUnix ? /^-[a-zA-Z]*R|^--recursive$/ : /^\/[tr]$/i).test(text));
  const closes = name === 'chmod' && texts.some((text) => /^(?:0{1,4}|[ugoa]*-[rwx]+)$/.test(text));
  return words.some(
    (word) =>
      !word.text.startsWith('-') && isVitalWord(word) && (isRecursive || closes || (isUnix && /\*\*/.test(word.text))),
  );
}

const formatters = exactlyOneOf([
  /mkfs(?:\..+)?/,
  /newfs(?:_.+)?/,
  'mke2fs mkswap blkdiscard pvremove vgremove lvremove',
  'diskpart format-volume clear-disk initialize-disk remove-partition',
]);
const formatterCalls = anyOf(
  [
    /^wipefs (?:.* )?(?:-\w*a|--all\b)/,
    /^format(?:\.com)? .*\b[a-z]:/,
    /^parted .*\b(?:mklabel|mktable|rm)\b/,
    /^sgdisk .*-(?:[zo]|-zap|-clear)/,
    /^cryptsetup .*\b(?:luksformat|lukserase|erase)\b/,
    /^diskutil (?:(?:secure)?(?:erase|partition|zero|random)|apfs delete)/,
    /^asr .*--erase\b/,
    /^lvm (?:pv|vg|lv)remove\b/,
    /^zfs destroy\b/,
    /^mdadm .*--zero-superblock\b/,
    /^zpool .*\b(?:destroy|labelclear)\b/,
    /^hdparm .*--security-erase/,
    /^nvme (?:format|sanitize)\b/,
    /^badblocks .*-\w*w/,
  ],
  'i',
);

/** Returns whether a program ends all processes: by a pattern that matches every name, or by a user alone. */
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
const startedProgram = sequence(
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

/** Methods of WMI that turn the machine off. */
const wmiTurnsOff = /\.win32shutdown(?:tracker)?\(|invoke-(?:cim|wmi)method\b[^;\n]*\b(?:reboot|(?:win32)?shutdown)\b/i;

/** Replaces the variables of PowerShell that name vital folders by the folders, and backslashes by slashes. */
export const withVitalFolders = (text: string): string =>
  vitalVariables.reduce((plain, [variable, value]) => plain.replace(variable, value), text.replaceAll('\\', '/'));

/** Returns why PowerShell text is below the floor. Reads it without a grammar, for parts that cannot be analysed. */
export function textBelowFloor(text: string): string | undefined {
  const plain = withVitalFolders(text);
  for (const [, argumentText = ''] of plain.matchAll(removal)) {
    const words = argumentText.match(/'[^']*'|"[^"]*"|[^\s,()@'"]+/g) ?? [];
    const paths = words.map((word) => word.replace(/['"]/g, '').replace(/^.*::(?=.)|^\/\/[?.]\//, ''));
    if (paths.some((path) => !path.startsWith('-') && isVitalFolder(path))) return losesVital;
    if (paths.some((path) => vitalKeys.test(`reg delete ${path.replace(':', '')}`))) return losesRegistry;
  }
  if (endsAllProcesses.test(plain)) return 'Ends every process.';
  if (wmiTurnsOff.test(plain)) return 'Turns the machine off.';
  for (const [, name = '', argumentText = ''] of plain.matchAll(startedProgram)) {
    const words = argumentText.split(/[\s'"]+/).filter(Boolean);
    const why = programBelowFloor(
      name.toLowerCase().replace(/\.exe$/, ''),
      words.map((word) => literal(word)),
    );
    if (why !== undefined) return why;
  }
  return undefined;
}

/** Records only those effects found by `judge` that are below the floor. For parts that are not fully understood. */
export function onlyBelowFloor<Recorder extends { readonly effects: Effect[] }>(
  scope: Recorder,
  judge: (inside: Recorder) => void,
): void {
  const effects: Effect[] = [];
  judge({ ...scope, effects });
  scope.effects.push(...effects.filter((effect) => belowFloor(effect) !== undefined));
}

/** A program that runs the words after it as a command. */
interface Carrier {
  /** Options that take a value. */
  readonly takes: RegExp;
  /** Number of words between the options and the command, such as the folder of chroot. Default: 0. */
  readonly leadingWords?: number;
}

const noOption = /^$/;
const carriers: Readonly<Record<string, Carrier>> = {
  sudo: { takes: /^-[ugpCrtUDRThcP]$|^--(?:user|group|prompt|chdir|chroot|host|role|type|other-user)$/ },
  doas: { takes: /^-[uC]$/ },
  pkexec: { takes: /^--user$/ },
  runuser: { takes: /^-[ugGcs]$/ },
  su: { takes: /^-[gGsw]$/ },
  exec: { takes: /^-a$/ },
  eval: { takes: noOption },
  busybox: { takes: noOption },
  toybox: { takes: noOption },
  unshare: { takes: /^-[SGRw]$/ },
  chroot: { takes: noOption, leadingWords: 1 },
  flock: { takes: /^-[wE]$/, leadingWords: 1 },
  taskset: { takes: noOption, leadingWords: 1 },
  chrt: { takes: /^-[TPD]$/, leadingWords: 1 },
  fakeroot: { takes: /^-[sib]$/ },
  'systemd-run': { takes: /^-[pEGMHtu]$|^--(?:unit|property|slice|uid|gid|setenv)$/ },
  parallel: { takes: /^-[jNnLs]$|^--(?:jobs|max-args)$/ },
  ssh: { takes: /^-[BbcDEeFIiJLlmOopQRSWw]$/, leadingWords: 1 },
  wsl: { takes: /^-[du]$|^--(?:distribution|user|cd)$/ },
};

/** Returns the words that a program runs as a command, for programs whose command the tables do not judge. */
export function wrappedCommand(name: string, words: readonly Value[]): readonly Value[] | undefined {
  const carrier = Object.hasOwn(carriers, name) ? carriers[name] : undefined;
  if (!carrier) return undefined;
  let commandStart = 0;
  let leadingWords = carrier.leadingWords ?? 0;
  while (commandStart < words.length) {
    const { text } = words[commandStart]!;
    if (/^-/.test(text) || /^\w+=/.test(text)) commandStart += carrier.takes.test(text) ? 2 : 1;
    else if (leadingWords-- > 0) commandStart++;
    else break;
  }
  return words.slice(commandStart);
}
