import type { Assessment } from '../../../protocol/event';
import { harmless, worst } from '../assessment';
import { isGuarded, protectedWrites, rulesFor, secretReads, type PathRule } from '../pathRules';
import type { CommandContext } from './context';
import type { Effect, Level } from './effect';
import { belowFloor } from './floor';
import { mayFind, mayFindPath, protectedPaths, protectedSamples, secretPaths, secretSamples } from './globs';
import { controlBehind, isLocal, trustworthy } from './address';
import { judgeDeletion } from './deletion';
import { sink, type Place } from './place';
import { temporaryFileAt } from './temporaryFiles';

/** Places outside the workspace that tell nothing about the person. */
const publicPlaces = /^\/(usr\/(include|share|lib|local\/(include|lib|share))|etc\/(os-release|lsb-release|debian_version|timezone|hostname|hosts|issue|alpine-release|redhat-release|shells)$|proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts)$|sys\/fs\/cgroup\/|sys\/class\/)/;
const systemFolders = /^\/(bin|sbin|usr|opt|lib|lib64|etc|var\/log|tmp|srv|dev|proc|sys)?(\/|$)/;
/** Script names whose effect reaches beyond this machine or cannot be taken back. */
const alarming = /^env$|printenv|deploy|release|publish|prod|reset|push|upload|destroy|delete|drop|wipe|nuke|purge|erase|rollback|teardown|ship(?!ping)|install|migrate[:-](down|undo|fresh|reset)|sync-?(db|prod|remote)|evil|sudo|sign|notari[sz]e|token|secret|credential|bootstrap|migrate \S+ zero|(^| )(tinker|dbshell|shell|shell_plus|console|runner)( |$)|provision|backup|restore|post-?merge|eject/i;

/** Folders whose programs are run by their names. */
const plantedPrograms = /(^|\/)(node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\/./i;

/** What the caller found out about places. */
type PlaceFacts = Pick<CommandContext, 'temporary' | 'temporaryFile' | 'inGit' | 'leftOut'>;

const high = (reason: string, culprit: string): Assessment => ({ level: 'high', reasons: [reason], culprit });
const at = (level: Level, reason: string, culprit: string): Assessment => ({ level, reasons: [reason], culprit });

/** The level of an effect. */
export function judge(effect: Effect, facts: PlaceFacts = {}): Assessment {
  const floor = belowFloor(effect);
  const judged = floor === undefined ? judgeByKind(effect, facts) : { ...high(floor, effect.culprit), floor: true };
  const found = worst(judged, ofLeftOut(effect, facts.leftOut));
  if (!('place' in effect) || !effect.place.behindLink || found.level === 'low') return found;
  return { ...found, reasons: [`${effect.culprit} leads, through a link, to ${effect.place.path}.`, ...found.reasons] };
}

/** What the person keeps to themselves: tools refuse it, a command that comes upon it waits for them. */
function ofLeftOut(effect: Effect, leftOut: CommandContext['leftOut']): Assessment {
  if (!('place' in effect) || effect.place.where !== 'inside') return harmless;
  const within = effect.kind === 'reads' || effect.kind === 'searches' || (effect.kind === 'deletes' && effect.recursive);
  const name = leftOut?.(effect.place.path, { pattern: effect.place.glob, within });
  return name === undefined ? harmless : high(name === effect.place.path ? `.agentignore leaves out ${name}.` : `It may come upon ${name}, which .agentignore leaves out.`, effect.culprit);
}

/** The one table from effects to levels. */
function judgeByKind(effect: Effect, facts: PlaceFacts): Assessment {
  const { culprit } = effect;
  switch (effect.kind) {
    case 'other': return { level: effect.level, reasons: effect.reason ? [effect.reason] : [], ...(effect.level !== 'low' && { culprit }), ...(effect.guarded && { guarded: true }) };
    case 'runs': return alarming.test(effect.name.replace(/ --?release\b/g, '')) ? high('The name of the script says that it publishes, installs or cannot be undone.', culprit) : at('medium', 'It runs code of this project.', culprit);
    case 'fetches': return judgeAddress(effect.url, culprit);
    case 'reads': case 'searches': case 'lists': return judgeRead(effect.kind, effect.place, culprit, facts);
    case 'writes': return judgeWrite(effect.place, culprit, facts);
    case 'deletes': return judgeDelete(effect, facts);
  }
}

function judgeAddress(url: string, culprit: string): Assessment {
  const control = controlBehind(url);
  if (control !== undefined) return high(control, culprit);
  if (isLocal(url)) return harmless;
  return trustworthy(url) ? at('medium', 'It downloads from the network.', culprit) : high('The address it connects to is not a plain public one.', culprit);
}

const ruleFor = (path: string, rules: readonly PathRule[]): PathRule | undefined => rulesFor(path, rules).find(({ level }) => level === 'high');

function judgeRead(kind: 'reads' | 'searches' | 'lists', place: Place, culprit: string, facts: PlaceFacts): Assessment {
  if (place.where === 'stream') return harmless;
  if (place.where === 'unknown') return high(`Which file it ${kind} is only known when it runs.`, culprit);
  const names = kind === 'lists' && place.where === 'inside';
  const rule = names ? undefined : ruleFor(place.path, secretReads);
  if (rule) return high(rule.reason, culprit);
  if (!names && /(^|\/)\.git\/config$/i.test(place.path)) return high('Git settings may hold passwords of servers.', culprit);
  if (place.glob && !names && (mayFind(place.path, secretSamples, place.hidden && kind === 'reads') || (kind === 'reads' && mayFindPath(place.path, secretPaths, place.hidden)))) return high('The pattern may find files that hold secrets.', culprit);
  if (place.where === 'inside') return harmless;
  const found = temporaryFileAt(place, facts);
  if (found === 'none' || found === 'ours') return harmless;
  if (publicPlaces.test(place.path)) return harmless;
  if (kind === 'lists' && systemFolders.test(place.path)) return at('medium', 'It looks outside the workspace.', culprit);
  return high('It reads outside the workspace.', culprit);
}

function judgeWrite(place: Place, culprit: string, facts: PlaceFacts): Assessment {
  if (place.where === 'stream') return sink.test(place.path) || place.path === '-' ? harmless : high('It writes to a device.', culprit);
  if (place.where === 'unknown') return high('Where it writes is only known when it runs.', culprit);
  const rules = [...protectedWrites, ...secretReads];
  const [rule] = [...rulesFor(place.path, rules), ...rulesFor(`${place.path}/`, rules)];
  const temporary = temporaryFileAt(place, facts);
  // What is put beside nothing is run by nothing: a package.json there is a file like others.
  const isPlainThere = temporary !== undefined && rule?.level === 'medium';
  if (rule && !isPlainThere) return { ...high(rule.reason, culprit), ...(isGuarded(place.path) && { guarded: true }) };
  if (plantedPrograms.test(place.path)) return high('It plants a program that other commands run by its name.', culprit);
  if (/(^|\/)\.github$/i.test(place.path)) return { ...high('It may change what runs in continuous integration.', culprit), guarded: true };
  if (place.glob && (mayFind(place.path, protectedSamples, place.hidden) || mayFindPath(place.path, protectedPaths, place.hidden))) return { ...high('The pattern may find protected files.', culprit), guarded: true };
  if (facts.temporary !== undefined && temporary === 'ours' && place.path.startsWith(`${facts.temporary}/`)) return at('low', 'It writes into the folder of this session.', culprit);
  if (temporary === 'none') return at('medium', 'It makes a temporary file.', culprit);
  if (temporary === 'ours') return at('medium', 'It changes a temporary file of this session.', culprit);
  if (temporary === 'others') return high('It may change a temporary file of another program.', culprit);
  return place.where === 'inside' ? at('medium', 'It changes files of the workspace.', culprit) : high('It writes outside the workspace.', culprit);
}

function judgeDelete({ place, recursive, culprit }: Extract<Effect, { kind: 'deletes' }>, facts: PlaceFacts): Assessment {
  const written = judgeWrite(place, culprit, facts);
  if (written.level === 'high') return { ...written, reasons: written.reasons.map(inWordsOfDeleting) };
  if (place.where === 'outside') return { ...written, reasons: ['It deletes temporary files of this session.'] };
  return judgeDeletion({ place, recursive, culprit }, facts.inGit);
}

const inWordsOfDeleting = (reason: string): string => reason.replace(/^(It|Where it) writes/, '$1 deletes').replace('It may change', 'It may delete');
