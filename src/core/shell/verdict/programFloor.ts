import { anyOf, exactlyOneOf, sequence } from '../../text/alternatives';
import { folderAfterCd } from '../syntax/place';
import { literal, type Value } from '../syntax/value';
import { losesKeys, losesVital, overwritesVitalFile } from './floor';
import { holdsKeys, isRawDisk, isVitalFolder, isVitalWord, vitalFiles } from './vitalPlaces';

/** A call of a program. */
interface Call {
  readonly name: string;
  /** The words after the name. */
  readonly words: readonly Value[];
  readonly texts: readonly string[];
  /** Name and words, separated by spaces. */
  readonly line: string;
  /** The folder that the program starts in. */
  readonly cwd: string;
}

/** Returns why a call is below the floor, or undefined if it is not. */
type Judge = (call: Call) => string | undefined;

const formatsDisk = 'Formats a disk.';
const overwritesDisk = 'Overwrites a disk.';
const restarts = 'Restarts the machine.';
const turnsOff = 'Turns the machine off.';
const endsEveryProcess = 'Ends every process.';
const losesBackups = 'Deletes the backups of the machine.';
const losesRegistry = 'Deletes the registry of Windows.';

const always =
  (reason: string): Judge =>
  () =>
    reason;

/** Judges by the whole line. */
const lineWith =
  (pattern: RegExp, reason: string): Judge =>
  ({ line }) =>
    pattern.test(line) ? reason : undefined;

/** Judges by the words: one of them matches. */
const wordWith =
  (pattern: RegExp, reason: string): Judge =>
  ({ texts }) =>
    texts.some((text) => pattern.test(text)) ? reason : undefined;

const eachOf = (names: string, judge: Judge): Record<string, Judge> =>
  Object.fromEntries(names.split(' ').map((name) => [name, judge]));

const operandsIn = (texts: readonly string[]): readonly string[] => texts.filter((text) => !text.startsWith('-'));

/** ★ Programs that can destroy the machine or turn it off, by name in lower case. */
const programs: Readonly<Record<string, Judge>> = {
  // Disks
  ...eachOf('mkfs newfs mke2fs mkswap blkdiscard pvremove vgremove lvremove', always(formatsDisk)),
  ...eachOf('diskpart format-volume clear-disk initialize-disk remove-partition', always(formatsDisk)),
  wipefs: lineWith(/^wipefs (?:.* )?(?:-\w*a|--all\b)/i, formatsDisk),
  ...eachOf('format format.com', wordWith(/\b[a-z]:/i, formatsDisk)),
  parted: lineWith(/^parted .*\b(?:mklabel|mktable|rm)\b/i, formatsDisk),
  sgdisk: lineWith(/^sgdisk .*-(?:[zo]|-zap|-clear)/i, formatsDisk),
  cryptsetup: lineWith(/^cryptsetup .*\b(?:luksformat|lukserase|erase)\b/i, formatsDisk),
  diskutil: lineWith(/^diskutil (?:(?:secure)?(?:erase|partition|zero|random)|apfs delete)/i, formatsDisk),
  asr: lineWith(/^asr .*--erase\b/i, formatsDisk),
  lvm: lineWith(/^lvm (?:pv|vg|lv)remove\b/i, formatsDisk),
  zfs: lineWith(/^zfs destroy\b/i, formatsDisk),
  mdadm: lineWith(/^mdadm .*--zero-superblock\b/i, formatsDisk),
  zpool: lineWith(/^zpool .*\b(?:destroy|labelclear)\b/i, formatsDisk),
  hdparm: lineWith(/^hdparm .*--security-erase/i, formatsDisk),
  nvme: lineWith(/^nvme (?:format|sanitize)\b/i, formatsDisk),
  badblocks: lineWith(/^badblocks .*-\w*w/i, formatsDisk),
  ...eachOf('fdisk sfdisk cfdisk gdisk', changesPartitions),
  ...eachOf('dd dcfldd dc3dd', writesToDisk),
  cmake: ({ words, texts }) =>
    texts[0] === '-E' && /^(?:rm|remove\w*)$/.test(texts[1] ?? '') && words.some(isVitalWord) ? losesVital : undefined,
  ...eachOf('rclone gio gvfs-trash', ({ words, texts }) =>
    texts.some((text) => /^(?:purge|delete|rmdirs|sync|move|trash|remove)$/.test(text)) &&
    words.slice(-1).some(isVitalWord)
      ? losesVital
      : undefined,
  ),
  umount: ({ words, texts }) =>
    texts.some((text) => /^-\w*a|^--all$/.test(text)) || words.some(isVitalWord)
      ? 'Unmounts the system or home folders.'
      : undefined,
  ddrescue: ({ texts }) => (isRawDisk(operandsIn(texts)[1] ?? '') ? overwritesDisk : undefined),
  // Files and folders
  shred: ({ texts, words }) => {
    if (texts.some((text) => isRawDisk(text))) return overwritesDisk;
    if (words.some(isVitalWord)) return losesVital;
    return texts.some((text) => holdsKeys(text)) ? losesKeys : reasonToReplace(operandsIn(texts));
  },
  truncate: ({ texts }) => reasonToReplace(operandsIn(texts)),
  ...eachOf('cp ln install', ({ texts }) => reasonToReplace(operandsIn(texts).slice(-1))),
  tee: ({ texts }) =>
    texts.some((text) => /^-\w*a|^--append$/.test(text)) ? undefined : reasonToReplace(operandsIn(texts).slice(-1)),
  ...eachOf('srm wipe trash trash-put', ({ words }) => (words.some(isVitalWord) ? losesVital : undefined)),
  tar: ({ words, texts }) =>
    texts.some((text) => /^--remove-f/.test(text)) && words.some(isVitalWord) ? losesVital : undefined,
  zip: ({ words, texts }) =>
    texts.some((text) => /^-[a-zA-Z]*m|^--move$/.test(text)) && words.some(isVitalWord) ? losesVital : undefined,
  ...eachOf('7z 7za 7zz', ({ words, texts }) =>
    texts.includes('-sdel') && words.some(isVitalWord) ? losesVital : undefined,
  ),
  rsync: ({ words }) => (rsyncLosesVital(words) ? losesVital : undefined),
  ...eachOf('mv move move-item mi ren rename rename-item rni', ({ words }) =>
    movesVital(words) ? losesVital : undefined,
  ),
  robocopy: ({ words }) => (robocopyLosesVital(words) ? losesVital : undefined),
  btrfs: ({ words, texts }) =>
    texts.slice(0, 2).join(' ') === 'subvolume delete' && words.slice(2).some(isVitalWord) ? losesVital : undefined,
  userdel: wordWith(/^-\w*r|^--remove/, losesVital),
  deluser: wordWith(/^--remove-(?:home|all-files)/, losesVital),
  git: ({ texts, cwd }) => (cleansVitalFolder(texts, cwd) ? losesVital : undefined),
  ...eachOf('chmod chown chgrp setfacl chattr icacls takeown', (call) =>
    changesRightsOfVitalFolder(call) ? 'Changes the rights of the system or of a home folder.' : undefined,
  ),
  forfiles: walksVitalFolder,
  // Processes and power
  kill: ({ texts }) => {
    const isEverybody = texts.slice(1).includes('-1') || (texts.length === 1 && texts[0] === '-1');
    return isEverybody ? endsEveryProcess : undefined;
  },
  killall5: always(endsEveryProcess),
  ...eachOf('pkill killall', ({ name, texts }) => {
    if (endsAllOthers(name, texts)) return `Ends every process except ${processNames(texts).join(' ')}.`;
    return namesEveryProcess(texts) ? endsEveryProcess : undefined;
  }),
  'stop-process': ({ texts }) => (processNames(texts).includes('*') ? endsEveryProcess : undefined),
  taskkill: ({ texts }) => {
    if (processNames(texts).includes('*')) return endsEveryProcess;
    return texts.some((text) => /^(?:csrss|lsass|services|smss|svchost|wininit|winlogon)\.exe$/i.test(text))
      ? 'Ends a process that Windows needs.'
      : undefined;
  },
  ...eachOf('reboot restart-computer', always(restarts)),
  ...eachOf('shutdown halt poweroff stop-computer', ({ texts }) =>
    texts.some((text) => /^(?:[-/]r|--reboot)$/.test(text)) ? restarts : turnsOff,
  ),
  ...eachOf('init telinit', ({ texts }) => {
    const [level] = operandsIn(texts);
    if (level === '6') return restarts;
    return level === '0' ? turnsOff : undefined;
  }),
  ...eachOf('systemctl loginctl', endsSystem),
  // Windows
  reg: ({ line }) => (vitalKeys.test(line) ? losesRegistry : undefined),
  bcdedit: lineWith(/^bcdedit \/(?:delete|import|createstore)/i, 'Changes how Windows starts.'),
  bootrec: lineWith(/^bootrec \/fix/i, 'Changes how Windows starts.'),
  bcdboot: lineWith(/^bcdboot /i, 'Changes how Windows starts.'),
  vssadmin: lineWith(/^vssadmin delete shadows/i, losesBackups),
  wbadmin: lineWith(/^wbadmin delete /i, losesBackups),
  schtasks: judgeTasks,
  ...eachOf('sc remove-service', ({ name, texts }) => {
    const deletes = name === 'remove-service' || texts.some((text) => /^delete$/i.test(text));
    return deletes && texts.some((text) => vitalServices.test(text))
      ? 'Deletes a service that Windows needs.'
      : undefined;
  }),
  rundll32: lineWith(/^rundll32 .*exitwindows/i, turnsOff),
  wmic: judgeWmic,
  ...eachOf('powershell pwsh', judgePowerShellOptions),
};

/** Returns the judge of a program. Programs that make file systems have names such as `mkfs.ext4`. */
function judgeOf(name: string): Judge | undefined {
  const plain = name
    .toLowerCase()
    .replace(/\.exe$/, '')
    .replace(/^(mkfs\.|newfs_).+/, (_, family: string) => family.slice(0, -1));
  return Object.hasOwn(programs, plain) ? programs[plain] : undefined;
}

const queryOption = /^(?:-[hVc]|\/[a?]|--help|--version|--show|--usage)$/;

/**
 * Returns why a program with these words (without its name) is below the floor, or undefined if it is not. `cwd`: the
 * folder that it starts in.
 */
export function programBelowFloor(name: string, words: readonly Value[], cwd = '.'): string | undefined {
  const judge = judgeOf(name);
  if (!judge) return undefined;
  const texts = words.map(({ text }) => text);
  if (texts.length > 0 && texts.every((text) => queryOption.test(text))) return undefined;
  return judge({ name: name.toLowerCase(), words, texts, line: [name, ...texts].join(' '), cwd });
}

function changesPartitions({ texts }: Call): string | undefined {
  const onlyShows = texts.some((text) => /^-(?:[lsdVJx]|-list|-dump|-json|-verify|-show-size)/.test(text));
  return texts.some((text) => isRawDisk(text)) && !onlyShows ? 'Changes the partitions of a disk.' : undefined;
}

function writesToDisk({ texts }: Call): string | undefined {
  const isDisk = texts.some((text) => text.startsWith('of=') && isRawDisk(text.slice(3)));
  return isDisk ? overwritesDisk : undefined;
}

/** Returns why none of these files may be replaced or emptied, or undefined if all of them may. */
const reasonToReplace = (files: readonly string[]): string | undefined =>
  files.some((file) => vitalFiles.test(file)) ? overwritesVitalFile : undefined;

function endsSystem({ texts }: Call): string | undefined {
  const [verb = '', unit = ''] = operandsIn(texts);
  const what = /^(?:start|isolate)$/.test(verb) ? unit.replace(/\.target$/, '') : verb;
  if (/^(?:reboot|kexec|soft-reboot)$/.test(what)) return restarts;
  return /^(?:poweroff|halt|shutdown)$/.test(what) ? turnsOff : undefined;
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

function walksVitalFolder({ texts, line }: Call): string | undefined {
  const folder = texts[texts.findIndex((text) => /^\/p$/i.test(text)) + 1];
  const deletes = /\b(?:del|erase|rd|rmdir)\b/i.test(line);
  return folder !== undefined && isVitalFolder(folder) && deletes ? losesVital : undefined;
}

/** Services without which Windows does not start, or nobody can sign in. */
const vitalServices = exactlyOneOf(
  ['rpcss dcomlaunch rpceptmapper lsm samss eventlog plugplay power profsvc winmgmt netlogon lsass schedule'],
  'i',
);

function judgeTasks({ texts }: Call): string | undefined {
  const valueOf = (option: RegExp): string | undefined => texts[texts.findIndex((text) => option.test(text)) + 1];
  const has = (option: RegExp): boolean => texts.some((text) => option.test(text));
  if (has(/^\/delete$/i) && valueOf(/^\/tn$/i) === '*') return 'Deletes every scheduled task.';
  const command = has(/^\/tr$/i) ? valueOf(/^\/tr$/i) : undefined;
  return command === undefined ? undefined : textBelowFloor(command.replace(/^["']|["']$/g, ''));
}

function judgeWmic({ line }: Call): string | undefined {
  if (/^wmic shadowcopy .*delete/i.test(line)) return losesBackups;
  if (/\b(?:reboot|win32shutdown\W+(?:2|6)\b)/i.test(line)) return restarts;
  if (/\bcall\W+(?:win32)?shutdown/i.test(line)) return turnsOff;
  return /^wmic (?:logicaldisk|volume|diskdrive|partition)\b.* (?:format|delete)\b/i.test(line)
    ? formatsDisk
    : undefined;
}

function judgePowerShellOptions({ texts }: Call): string | undefined {
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

function rsyncLosesVital(words: readonly Value[]): boolean {
  const operands = words
    .filter(({ text }, index) => !text.startsWith('-') && !rsyncValues.test(words[index - 1]?.text ?? ''))
    .map((word) => ({ ...word, text: word.text.replace(/^[^/:]+::?(?=[/~])/, '') }));
  const deletes = words.some(({ text }) => /^--del/.test(text));
  const moves = words.some(({ text }) => /^--remove-s/.test(text));
  return (deletes && operands.slice(-1).some(isVitalWord)) || (moves && operands.slice(0, -1).some(isVitalWord));
}

/** Returns whether a vital folder is among those that are moved or renamed. */
function movesVital(words: readonly Value[]): boolean {
  const target = words.findIndex(({ text }) => /^(?:-\w*t|--target-directory)$/.test(text)) + 1;
  const namesTarget = target > 0 || words.some(({ text }) => /^(?:-t.|--target-directory=)/.test(text));
  const moved = namesTarget ? words.filter((_, index) => index !== target || target === 0) : words.slice(0, -1);
  return moved.some(isVitalWord);
}

function robocopyLosesVital(words: readonly Value[]): boolean {
  const has = (option: RegExp): boolean => words.some(({ text }) => option.test(text));
  const [from, to] = words.filter(({ text }) => !/^\/[a-z]/i.test(text));
  if (has(/^\/(?:mir|purge)$/i)) return to !== undefined && isVitalWord(to);
  return from !== undefined && isVitalWord(from) && has(/^\/move?$/i);
}

/** Returns whether Git deletes the untracked files of a vital folder. */
function cleansVitalFolder(texts: readonly string[], cwd: string): boolean {
  const verb = texts.indexOf('clean');
  if (verb < 0 || !texts.slice(verb).some((text) => /^-[a-zA-Z]*f|^--f/.test(text))) return false;
  const given = texts.slice(0, verb);
  const folders = given.flatMap((text, at) =>
    /^(?:-C|--work-tree)$/.test(given[at - 1] ?? '') ? text : (/^--work-tree=(.*)$/.exec(text)?.[1] ?? []),
  );
  return [...texts.slice(verb), folders.reduce(folderAfterCd, cwd)].some((text) => isVitalFolder(text));
}

function changesRightsOfVitalFolder({ name, words, texts }: Call): boolean {
  const isUnix = name !== 'icacls' && name !== 'takeown';
  const isRecursive = texts.some((text) => (isUnix ? /^-[a-zA-Z]*R|^--recursive$/ : /^\/[tr]$/i).test(text));
  const closes = name === 'chmod' && texts.some((text) => /^(?:0{1,4}|[ugoa]*-[rwx]+)$/.test(text));
  return words.some(
    (word) =>
      !word.text.startsWith('-') && isVitalWord(word) && (isRecursive || closes || (isUnix && /\*\*/.test(word.text))),
  );
}

/** Returns the names in a call that ends processes, with `*` for every name. */
const processNames = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => !/^[-/]/.test(text)).map((text) => text.replace(/^\*\.exe$/i, '*'));

/** Returns whether a call of `pkill` ends the processes that do not have the given name. */
export const endsAllOthers = (name: string, texts: readonly string[]): boolean =>
  name === 'pkill' && texts.some((text) => /^(?:-\w*v|--inverse$)/.test(text));

/** Returns whether the words are a pattern that matches every name, or a user and no name. */
function namesEveryProcess(texts: readonly string[]): boolean {
  const names = processNames(texts);
  const namesUser = texts.some((text) => /^(?:-[uU]|--(?:user|uid|euid))$/.test(text));
  return names.some((text) => /^[.^]?[*.]?$/.test(text)) || (names.length === 1 && namesUser);
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

/** Replaces the variables of PowerShell that name what must not be deleted, and back slashes. */
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

/** Programs that run the words after them as a command. */
interface Carrier {
  /** Options that take a value. */
  readonly takes: RegExp;
  /** Number of words before the command that are no options. */
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
  screen: { takes: /^-[cehpsStTX]$/ },
  tmux: { takes: /^-[cefFLnsStxy]$/, leadingWords: 1 },
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
