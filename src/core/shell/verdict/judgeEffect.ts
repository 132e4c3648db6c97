import { anyOf, sequence } from '../../text/alternatives';
import { harmless, assessmentOf, worst, type Judged } from '../../risk/assessment';
import type { Finding, Harm } from '../../risk/finding';
import {
  isGuarded,
  protectedWrites,
  ruleInside,
  matchingRules,
  secretReads,
  type PathRule,
} from '../../risk/pathRules';
import type { CommandContext } from '../effects/context';
import type { TemporaryFile } from '../../ports/scripts';
import type {
  DeleteEffect,
  Effect,
  FetchEffect,
  Level,
  OtherEffect,
  ReadEffect,
  RunEffect,
  SimpleCommand,
  WriteEffect,
} from '../effects/effect';
import { belowFloor } from './floor';
import { isRawDisk } from './vitalPlaces';
import { mayFind, mayFindPath, protectedPaths, protectedSamples, secretPaths, secretSamples } from '../syntax/globs';
import { isAlarmingName } from './alarmingNames';
import { riskOfAddress, isLocal, isTrustworthy } from './address';
import { harmOf, cardSentence } from './sentences';
import { judgeDeletion } from './deletion';
import { pathInFolder, sink, type Place } from '../syntax/place';
import { temporaryFileAt } from '../effects/temporaryFiles';

/** Places outside the workspace that reveal nothing about the user. */
const publicPlaces = sequence([
  /^\//,
  anyOf([
    /usr\/(include|share|lib|local\/(include|lib|share))/,
    sequence([
      /etc\//,
      anyOf([
        'os-release lsb-release debian_version timezone hostname hosts issue alpine-release',
        'redhat-release shells',
      ]),
      /$/,
    ]),
    /proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts)$/,
    'sys/fs/cgroup/ sys/class/',
  ]),
]);
const systemFolders = /^\/(bin|sbin|usr|opt|lib|lib64|etc|var\/(?:log|lib|cache)|tmp|srv|dev|proc|sys)?(\/|$)/;
/** Folders whose programs are run by name. */
const plantedPrograms = /(^|\/)(node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/./i;

/** What the caller found out about places. */
type PlaceFacts = Pick<CommandContext, 'temporary' | 'temporaryFile' | 'inGit' | 'excludedPath'>;

/** What people are told about an effect. `ground` is the same without the names of files, scripts and addresses. */
interface Words {
  readonly harm: Harm;
  readonly words: string;
  readonly ground: string;
}

/** Returns the level of an effect and the sentence that describes it. */
export function judgeEffect(effect: Effect, facts: PlaceFacts = {}): Judged {
  const floorReason = belowFloor(effect);
  const byKind = floorReason === undefined ? judgeByKind(effect, facts) : judgeBelowFloor(effect, floorReason);
  const judged = worst(byKind, judgeExcluded(effect, facts.excludedPath));
  if (!('place' in effect) || !effect.place.behindLink || judged.level === 'low') return judged;
  const linkWords = `Reaches ${effect.place.path} through a link in "${effect.culprit}".`;
  const linkFinding = findingOf(effect, judged.level, { harm: 'machine', words: linkWords, ground: linkWords });
  return worst({ ...judged, findings: [] }, assessmentOf(linkFinding, ...(judged.findings ?? [])));
}

/**
 * Subjects already assigned to a command, by the script that contains it. Cached because a command of a thousand words
 * has a thousand effects.
 */
const subjects = new WeakMap<SimpleCommand, Map<string | undefined, string>>();

/**
 * Returns the subject of an effect. Effects of the same command share one, so that statements about it must be
 * consistent.
 */
export function subjectOf({ by, script }: Effect): string | undefined {
  if (!by) return undefined;
  const known = subjects.get(by) ?? new Map<string | undefined, string>();
  subjects.set(by, known);
  const subject = known.get(script?.name) ?? JSON.stringify([script?.name, by.whole]);
  known.set(script?.name, subject);
  return subject;
}

/** Creates the finding for an effect, with the part of the command that causes it. */
function findingOf(effect: Effect, level: Finding['level'], { harm, words, ground }: Words): Finding {
  const subject = subjectOf(effect);
  const part = effect.script?.part ?? effect.part ?? effect.by?.whole ?? effect.culprit;
  return {
    level,
    harm,
    ground,
    reason: effect.script ? inScript(effect.script, words) : words,
    ...(part !== '' && { part }),
    ...(subject !== undefined && { subject }),
  };
}

/** Names the script and line in which an effect occurs. */
function inScript({ name, line }: NonNullable<Effect['script']>, words: string): string {
  return `${name}${line === undefined ? '' : `, line ${line}`}: ${words}`;
}

const judgedAs = (effect: Effect, level: Level, words: Words): Judged => assessmentOf(findingOf(effect, level, words));

/** A medium finding for the usual effect of a command. Any worse finding hides it. */
const judgedAsUsual = (effect: Effect, words: Words): Judged =>
  assessmentOf({ ...findingOf(effect, 'medium', words), general: true });

/** Judges something that may never run without approval. */
function judgeBelowFloor(effect: Effect, ground: string): Judged {
  const words = wordsBelowFloor(effect) ?? cardSentence(ground);
  return { ...judgedAs(effect, 'high', { harm: 'machine', words, ground }), floor: true };
}

function wordsBelowFloor(effect: Effect): string | undefined {
  if (effect.kind === 'deletes' && effect.place.where !== 'unknown')
    return `Deletes ${effect.place.path}${effect.recursive || effect.place.glob ? ' and everything in it' : ''}.`;
  return effect.kind === 'writes' && isRawDisk(effect.place.path)
    ? `Overwrites the disk ${effect.place.path}.`
    : undefined;
}

/** Judges a place that .agentignore excludes. Tools refuse it; commands that may touch it need approval. */
function judgeExcluded(effect: Effect, excludedPath: CommandContext['excludedPath']): Judged {
  if (!('place' in effect) || effect.place.where !== 'inside') return harmless;
  const within =
    effect.kind === 'reads' || effect.kind === 'searches' || (effect.kind === 'deletes' && effect.recursive);
  const name = excludedPath?.(effect.place.path, { pattern: effect.place.glob, within });
  if (name === undefined) return harmless;
  const ground =
    name === effect.place.path
      ? `Uses ${name}, which .agentignore excludes.`
      : `May reach ${name}, which .agentignore excludes.`;
  return judgedAs(effect, 'high', { harm: 'leaks', words: cardSentence(ground), ground });
}

/** The only table from effects to levels. */
function judgeByKind(effect: Effect, facts: PlaceFacts): Judged {
  switch (effect.kind) {
    case 'other':
      return judgeOther(effect);
    case 'runs':
      return judgeRun(effect);
    case 'fetches':
      return judgeAddress(effect);
    case 'reads':
    case 'searches':
    case 'lists':
      return judgeRead(effect, facts);
    case 'writes':
      return judgeWrite(effect, facts);
    case 'deletes':
      return judgeDelete(effect, facts);
  }
}

function judgeOther(effect: OtherEffect): Judged {
  const { level, reason, unsure, guarded, general, consent } = effect;
  if (reason === undefined || level === 'low') {
    return {
      level,
      reasons: reason ? [reason] : [],
      ...(level !== 'low' && { culprit: effect.culprit }),
      ...(guarded && { guarded }),
      ...(level === 'low' && reason && { findings: [] }),
    };
  }
  const harmByReason = level === 'high' ? harmOf(reason) : 'none';
  const harm = effect.harm ?? (unsure ? 'unknown' : harmByReason);
  // The usual effect of a command adds nothing to a specific finding.
  const isGeneral = general ?? (level === 'medium' && effect.culprit === effect.by?.whole);
  const finding = {
    ...findingOf(effect, level, { harm, words: effect.says ?? cardSentence(reason), ground: reason }),
    ...(isGeneral && { general: true as const }),
    ...(consent && { consent }),
  };
  return { ...assessmentOf(finding), ...(guarded && { guarded }) };
}

const alarmingName = 'whose name suggests that it publishes, installs or cannot be undone';

function judgeRun(effect: RunEffect): Judged {
  if (!isAlarmingName(effect.name))
    return judgedAsUsual(effect, {
      harm: 'none',
      words: 'Runs code of this project.',
      ground: 'Runs code of this project.',
    });
  return judgedAs(effect, 'high', {
    harm: 'unknown',
    words:
      effect.unseen === undefined
        ? `Runs the script ${effect.name}, ${alarmingName}.`
        : `Asks for the ${effect.unseen} ${effect.name}, which could not be found or read, and ${alarmingName}.`,
    ground: 'Runs a script whose name suggests that it publishes, installs or cannot be undone.',
  });
}

function judgeAddress(effect: FetchEffect): Judged {
  const { url } = effect;
  const risk = riskOfAddress(url);
  if (risk !== undefined) return judgedAs(effect, 'high', { harm: 'machine', words: cardSentence(risk), ground: risk });
  if (isLocal(url)) return harmless;
  if (isTrustworthy(url))
    return judgedAsUsual(effect, { harm: 'none', words: `Downloads ${url}.`, ground: 'Downloads from the network.' });
  return judgedAs(effect, 'high', {
    ...addressWords(url),
    ground: 'Connects to an address that is not a plain public one.',
  });
}

function addressWords(url: string): Pick<Words, 'harm' | 'words'> {
  if (url === '') return { harm: 'unknown', words: 'Connects to an address that is only known when it runs.' };
  return { harm: 'unusual', words: `Connects to ${url}, which is not a plain public address.` };
}

const ruleFor = (path: string, rules: readonly PathRule[]): PathRule | undefined =>
  matchingRules(path, rules).find(({ level }) => level === 'high');
const readVerbs = { reads: 'Reads', searches: 'Searches', lists: 'Lists' } as const;

function judgeRead(effect: ReadEffect, facts: PlaceFacts): Judged {
  const { kind, place } = effect;
  const verb = readVerbs[kind];
  if (place.where === 'stream') return harmless;
  if (place.where === 'unknown') {
    return judgedAs(effect, 'high', {
      harm: 'unknown',
      words: `${verb} a file that is only known when it runs.`,
      ground: `${verb} a file that is only known when it runs.`,
    });
  }
  // A list shows names but no content.
  const showsOnlyNames = kind === 'lists' && place.where === 'inside';
  const rule = showsOnlyNames ? undefined : ruleFor(pathInFolder(place), secretReads);
  if (rule)
    return judgedAs(effect, 'high', {
      harm: 'leaks',
      words: `${verb} ${shownPath(place)}, ${rule.about}.`,
      ground: rule.reason,
    });
  if (!showsOnlyNames && /(^|\/)\.git\/config$/i.test(pathInFolder(place))) {
    return judgedAs(effect, 'high', {
      harm: 'leaks',
      words: `${verb} ${place.path}, which may contain passwords of servers.`,
      ground: 'Reads Git settings, which may contain passwords of servers.',
    });
  }
  if (place.glob && !showsOnlyNames && mayFindSecrets(effect)) {
    return judgedAs(effect, 'high', {
      harm: 'leaks',
      words: `${verb} ${shownPath(place)}, which may match files that contain secrets.`,
      ground: 'Uses a pattern that may match files that contain secrets.',
    });
  }
  if (place.where === 'inside') return harmless;
  const temporary = temporaryFileAt(place, facts);
  if (temporary === 'none' || temporary === 'ours' || publicPlaces.test(place.path)) return harmless;
  if (kind === 'lists' && systemFolders.test(place.path)) {
    return judgedAs(effect, 'medium', {
      harm: 'none',
      words: `Lists outside the workspace: ${place.path}.`,
      ground: 'Lists files outside the workspace.',
    });
  }
  return judgedAs(effect, 'high', {
    harm: 'unusual',
    words: outsideWords(verb, place.path),
    ground: 'Reads outside the workspace.',
  });
}

const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i;

function mayFindSecrets({ kind, place }: ReadEffect): boolean {
  const name = pathInFolder(place);
  const byName = mayFind(name, secretSamples, { hidden: place.hidden && kind === 'reads' });
  return byName || (kind === 'reads' && mayFindPath(name, secretPaths, { hidden: place.hidden }));
}

const changeVerb = ({ kind }: WriteEffect | DeleteEffect): 'Changes' | 'Deletes' =>
  kind === 'deletes' ? 'Deletes' : 'Changes';

/** Judges a change or deletion of a file. The rules are the same for both. */
function judgeWrite(effect: WriteEffect | DeleteEffect, facts: PlaceFacts): Judged {
  const { place } = effect;
  const isDeletion = effect.kind === 'deletes';
  const groundVerb = isDeletion ? 'Deletes' : 'Writes';
  if (place.where === 'stream') {
    if (sink.test(place.path) || place.path === '-') return harmless;
    return judgedAs(effect, 'high', {
      harm: 'destroys',
      words: `Writes to the device ${place.path}.`,
      ground: `${groundVerb} to a device.`,
    });
  }
  if (place.where === 'unknown') {
    return judgedAs(effect, 'high', {
      harm: isDeletion ? 'destroys' : 'unknown',
      words: `${changeVerb(effect)} files that are only known when it runs.`,
      ground: isDeletion
        ? 'Deletes in a place that is only known when it runs.'
        : 'Writes to a place that is only known when it runs.',
    });
  }
  const temporary = temporaryFileAt(place, facts);
  const judgedProtected = judgeProtectedPlace(effect, temporary);
  if (judgedProtected) return judgedProtected;
  if (temporary !== undefined) return judgeTemporary(effect, temporary, facts);
  const object = changedObject(effect);
  if (place.where === 'inside')
    return judgedAs(effect, 'medium', {
      harm: 'none',
      words: effect.says ?? `${changeVerb(effect)} ${object}.`,
      ground: 'Changes files of the workspace.',
    });
  return judgedAs(effect, 'high', {
    harm: isDeletion ? 'destroys' : 'changes',
    words: effect.says ?? `${groundVerb} outside the workspace: ${object}.`,
    ground: `${groundVerb} outside the workspace.`,
  });
}

/**
 * Judges a change or deletion of a file that other programs obey or that contains secrets. Returns undefined for any
 * other file.
 */
function judgeProtectedPlace(
  effect: WriteEffect | DeleteEffect,
  temporary: TemporaryFile | undefined,
): Judged | undefined {
  const { place } = effect;
  const name = pathInFolder(place);
  const harm: Harm = effect.kind === 'deletes' ? 'destroys' : 'changes';
  const changesObject = `${changeVerb(effect)} ${changedObject(effect)}`;
  const rules = [...protectedWrites, ...secretReads];
  const [rule] = [...matchingRules(name, rules), ...matchingRules(`${name}/`, rules)];
  // In a temporary folder, nothing runs a package.json: it is a file like any other.
  const isPlainThere = temporary !== undefined && rule?.level === 'medium';
  if (rule && !isPlainThere) {
    const judged = judgedAs(effect, 'high', { harm, words: `${changesObject}, ${rule.about}.`, ground: rule.reason });
    return { ...judged, ...(isGuarded(name) && { guarded: true }) };
  }
  if (plantedPrograms.test(name)) {
    return judgedAs(effect, 'high', {
      harm: 'runs',
      words: `${changesObject}, a program that other commands run by name.`,
      ground: 'Changes a program that other commands run by name.',
    });
  }
  const inside = ruleInside(name);
  if (inside) {
    const words = `${changesObject}, ${inside.about}.`;
    return { ...judgedAs(effect, 'high', { harm, words, ground: inside.reason }), guarded: true };
  }
  const mayMatchProtected =
    place.glob &&
    (mayFind(name, protectedSamples, { hidden: place.hidden }) ||
      mayFindPath(name, protectedPaths, { hidden: place.hidden }));
  if (!mayMatchProtected) return undefined;
  const judged = judgedAs(effect, 'high', {
    harm,
    words: `${changesObject}, which may match protected files.`,
    ground: 'Uses a pattern that may match protected files.',
  });
  return { ...judged, guarded: true };
}

/** Judges writing or deleting a file in the machine's temporary folders. `owner`: whose file it is. */
function judgeTemporary(effect: WriteEffect | DeleteEffect, owner: TemporaryFile, facts: PlaceFacts): Judged {
  const { path } = effect.place;
  const isDeletion = effect.kind === 'deletes';
  if (owner === 'others')
    return judgedAs(effect, 'high', {
      harm: isDeletion ? 'destroys' : 'unusual',
      words: `${changeVerb(effect)} ${path}, which may be a temporary file of another program.`,
      ground: `May ${isDeletion ? 'delete' : 'change'} a temporary file of another program.`,
    });
  const isInFolder = facts.temporary !== undefined && path.startsWith(`${facts.temporary}/`);
  if (isDeletion)
    return judgedAs(effect, isInFolder ? 'low' : 'medium', {
      harm: 'none',
      words: `Deletes ${path}, a temporary file of this session.`,
      ground: 'Deletes temporary files of this session.',
    });
  if (owner === 'none')
    return judgedAs(effect, 'medium', {
      harm: 'none',
      words: `Creates the temporary file ${path}.`,
      ground: 'Creates a temporary file.',
    });
  if (isInFolder)
    return judgedAs(effect, 'low', {
      harm: 'none',
      words: `Changes ${path}, in the folder of this session.`,
      ground: 'Writes into the folder of this session.',
    });
  return judgedAs(effect, 'medium', {
    harm: 'none',
    words: `Changes ${path}, a temporary file of this session.`,
    ground: 'Changes a temporary file of this session.',
  });
}

function judgeDelete(effect: DeleteEffect, facts: PlaceFacts): Judged {
  const asWrite = judgeWrite(effect, facts);
  if (asWrite.level === 'high' || effect.place.where === 'outside') return asWrite;
  const byLoss = judgeDeletion(effect, facts.inGit);
  const [ground = ''] = byLoss.reasons;
  const isHigh = byLoss.level === 'high';
  const finding = findingOf(effect, isHigh ? 'high' : 'medium', {
    harm: isHigh ? 'destroys' : 'none',
    words: isHigh && effect.says !== undefined ? effect.says : deletionWords(effect, ground),
    ground,
  });
  return assessmentOf(mayBeConsented(effect, facts) ? { ...finding, consent: 'deletions' } : finding);
}

/** Adds the name of what is deleted to a ground that says no more than that, or that speaks of build output. */
function deletionWords(effect: DeleteEffect, ground: string): string {
  if (/^Deletes (a file|files) of the workspace\.$/.test(ground)) return `Deletes ${changedObject(effect)}.`;
  return ground === 'Deletes build output.' ? `Deletes build output (${effect.place.path}).` : cardSentence(ground);
}

/**
 * Returns whether consent to deletions covers this one: a named file or folder in the workspace, but not the workspace
 * itself, no pattern, and nothing that contains secrets or a repository.
 */
function mayBeConsented({ place, recursive }: DeleteEffect, { inGit }: PlaceFacts): boolean {
  if (place.where !== 'inside' || place.glob || pathInFolder(place) === '.' || place.behindLink) return false;
  const loss = inGit?.(place.path, place.glob);
  // The content of a folder that was not searched is unknown.
  if (loss === undefined) return !recursive;
  return loss !== 'secrets' && loss !== 'repository';
}

/** Returns the sentence about a read of a path outside the workspace. */
function outsideWords(verb: string, path: string): string {
  if (isAddress.test(path)) return `Uses the address ${path}.`;
  return /^\.\.(?:\/\.\.)*$/.test(path)
    ? `${verb} a folder above the workspace.`
    : `${verb} outside the workspace: ${path}.`;
}

/** Formats a path for people. */
function shownPath({ path }: Place): string {
  return path === '.' ? 'the workspace' : path;
}

/** Names what a change or deletion affects, for people. */
function changedObject(effect: WriteEffect | DeleteEffect): string {
  const { place } = effect;
  if (effect.kind !== 'deletes') return shownPath(place);
  if (place.glob) return `every file that matches ${place.path}`;
  if (place.path === '.') return 'the workspace and everything in it';
  const mayBeFolder = effect.recursive && !/\.\w{1,5}$/.test(place.path);
  return mayBeFolder ? `${place.path} and everything in it` : place.path;
}
