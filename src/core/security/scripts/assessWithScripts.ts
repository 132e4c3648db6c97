import type { Assessment } from '../../../protocol/events/event';
import { settingsOf } from '../../log/history';
import { projection, type History } from '../../log/projection';
import { neverCutOff } from '../../ports/cutOff';
import type { DeletedPath, Scripts, LossIfDeleted, PathUse, TemporaryFile } from '../../ports/scripts';
import { assessCommand } from '../../shell/assessCommand';
import type { CommandContext, FoundScript, ScriptKind } from '../../shell/effects/context';
import { folderAfterCd } from '../../shell/syntax/place';
import { justRecipe } from './justRecipe';
import { makeTarget } from './makeTarget';
import { packageFolders } from './packageFolders';
import { programAlarm } from '../../shell/files/programAlarm';
import { composeReader } from './composeReader';
import { installReader } from './installReader';
import { filePin, folderOf, gitPin, isAgreed, npmPin, npmScripts, scriptStanding } from './pins';
import { gitSettingsIn } from '../gitSettings';

const MAX_ROUNDS = 12;
const MAX_SCRIPTS = 60;
const MAX_LINKS = 1000;
const shellFirstLine = /^#!\s*\S*\/(env\s+(-S\s+)?)?(bash|sh|zsh|dash|ksh)\b/;

/** Judges a command and the scripts that it runs. The result contains the hashes of everything it depends on. */
export async function assessWithScripts(
  command: string,
  context: CommandContext,
  scripts: Scripts,
  history: History,
): Promise<Assessment> {
  const judged = await withScripts(context, scripts, history, (full) => assessCommand(command, full));
  if (!judged) return { level: 'high', reasons: ['Runs too many nested scripts to judge.'], culprit: command };
  return Object.keys(judged.pins).length > 0 ? { ...judged.answer, pins: judged.pins } : judged.answer;
}

/**
 * Judges repeatedly. Whatever the analyser looks up is read from disk before the next round, until nothing is missing.
 * Returns undefined after too many rounds.
 */
export async function withScripts<Answer>(
  context: CommandContext,
  scripts: Scripts,
  history: History,
  judge: (context: CommandContext) => Answer,
): Promise<{ answer: Answer; pins: Record<string, string> } | undefined> {
  const known = new Map<string, FoundScript | undefined>();
  const { cutOff = neverCutOff } = context;
  const pins: Record<string, string> = {};
  /** Concatenated text of all files read, for the time limit: a short command may run a long script. */
  let read = '';
  const found = (pin: string, text: string, commands: string | undefined): FoundScript => {
    read += `${text}\n`;
    const hash = (pins[pin] = scripts.hash(text));
    return { standing: scriptStanding(pin, hash, history), ...(commands !== undefined && { text: commands }) };
  };
  const inOneOf = async (
    folder: string,
    files: readonly string[],
    commandsIn: (text: string) => string | undefined,
  ): Promise<FoundScript | undefined> => {
    for (const file of files) {
      const path = folderAfterCd(folder, file);
      const text = await scripts.read(path);
      if (text !== undefined)
        return found(
          filePin(path),
          text,
          cutOff(text, () => commandsIn(text)),
        );
    }
    return undefined;
  };
  const readers: Record<ScriptKind, (name: string, folder: string) => Promise<FoundScript | undefined>> = {
    async npm(name, folder) {
      const manifest = await upwards(folder, 'package.json', scripts);
      const script = manifest && cutOff(manifest.text, () => npmScripts(manifest.text));
      return script && Object.hasOwn(script, name)
        ? found(npmPin(folderOf(manifest!.path), name), script[name]!, script[name])
        : undefined;
    },
    make: (name, folder) => inOneOf(folder, ['GNUmakefile', 'makefile', 'Makefile'], (text) => makeTarget(text, name)),
    just: (name, folder) => inOneOf(folder, ['justfile', 'Justfile', '.justfile'], (text) => justRecipe(text, name)),
    task: (_, folder) =>
      inOneOf(folder, ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'], () => undefined),
    async packages(filter, folder) {
      const folders = await packageFolders(filter, folder, scripts);
      return folders.length > 0 ? { standing: 'same', text: folders.join('\n') } : undefined;
    },
    async program(path) {
      const text = await scripts.read(path);
      const alarm = text === undefined ? undefined : cutOff(text, () => programAlarm(text));
      return text === undefined
        ? undefined
        : { ...found(filePin(path), text, undefined), ...(alarm !== undefined && { alarm }) };
    },
    async file(path) {
      const text = await scripts.read(path);
      if (text === undefined) return undefined;
      return found(
        filePin(path),
        text,
        shellFirstLine.test(text) || (!text.startsWith('#!') && /\.(sh|bash|zsh)$/.test(path)) ? text : undefined,
      );
    },
    async text(path) {
      const text = await scripts.read(path);
      return text === undefined ? undefined : found(filePin(path), text, text);
    },
    compose: composeReader(context, scripts, (path, text) => void found(filePin(path), text, undefined)),
    install: installReader(scripts, history, (pin, hash) => void (pins[pin] = hash)),
  };
  let git: boolean | undefined;
  let gitPrograms: readonly string[] = [];
  const links = new Map<string, readonly string[]>();
  const ignored = new Map<string, string | undefined>();
  const standings = new Map<string, LossIfDeleted>();
  const temporaries = new Map<string, TemporaryFile>();
  for (
    let round = 0;
    round < MAX_ROUNDS && known.size <= MAX_SCRIPTS && links.size <= MAX_LINKS && ignored.size <= MAX_LINKS;
    round++
  ) {
    const wanted = new Map<string, () => Promise<FoundScript | undefined>>();
    const wantedLinks = new Map<string, () => Promise<readonly string[]>>();
    const wantedRules = new Map<string, () => Promise<string | undefined>>();
    const wantedStandings = new Map<string, DeletedPath>();
    const wantedTemporaries = new Set<string>();
    let wantsGit = false;
    const full: CommandContext = {
      ...context,
      lookUp(kind, name, folder) {
        const key = JSON.stringify([kind, name, folder]);
        if (!known.has(key)) wanted.set(key, () => readers[kind](name, folder));
        return known.get(key);
      },
      leadsTo(path, pattern) {
        const key = JSON.stringify([path, pattern]);
        if (!links.has(key)) wantedLinks.set(key, () => scripts.leadsTo(path, pattern));
        return links.get(key) ?? [];
      },
      leftOut(path, how: PathUse) {
        const key = JSON.stringify([path, how.pattern, how.within]);
        if (!ignored.has(key)) wantedRules.set(key, () => scripts.leftOut(path, how));
        return ignored.get(key);
      },
      inGit(path, pattern) {
        const key = JSON.stringify([path, pattern]);
        if (!standings.has(key)) wantedStandings.set(key, { path, pattern });
        return standings.get(key);
      },
      temporaryFile(path) {
        if (context.temporaryFile) return context.temporaryFile(path);
        if (!temporaries.has(path)) wantedTemporaries.add(path);
        return temporaries.get(path);
      },
      get gitConfigurationChanged() {
        wantsGit ||= git === undefined;
        return git ?? false;
      },
      get gitPrograms() {
        wantsGit ||= git === undefined;
        return gitPrograms;
      },
    };
    const answer = cutOff(read, () => judge(full));
    const missing = [wanted, wantedLinks, wantedRules, wantedStandings, wantedTemporaries];
    if (missing.every(({ size }) => size === 0) && !wantsGit) return { answer, pins };
    if (wantsGit) {
      const settings = await scripts.gitSettings();
      const hash = (pins[gitPin] = scripts.hash(settings));
      // In plan mode, the shell prevents Git from starting any of them.
      const startsNone = isAgreed(gitPin, hash, history) || settingsOf(history)?.mode === 'plan';
      gitPrograms = startsNone ? [] : cutOff(settings, () => gitProgramsIn(settings));
      git = scriptStanding(gitPin, hash, history) === 'changed';
    }
    for (const [key, look] of wanted) known.set(key, await look());
    for (const [key, look] of wantedLinks) links.set(key, await look());
    for (const [key, look] of wantedRules) ignored.set(key, await look());
    for (const path of wantedTemporaries)
      temporaries.set(path, await scripts.temporaryFile(path, history[0]?.at ?? Infinity));
    const told = wantedStandings.size > 0 ? await scripts.inGit([...wantedStandings.values()], filesMade(history)) : [];
    [...wantedStandings.keys()].forEach((key, index) => standings.set(key, told[index] ?? 'unknown'));
  }
  return undefined;
}

/** Settings whose value Git starts as a program even for reading, with the values that start none. */
const programs: readonly (readonly [name: RegExp, harmless: RegExp])[] = [
  [/^core\.fsmonitor$/, /^(?:true|false|yes|no|on|off|0|1|)$/i],
  [/^(?:core\.pager|pager\..+)$/, /^(?:cat|less|more|true|false|)$/i],
  [/^core\.(?:sshcommand|gitproxy|askpass|alternaterefscommand)$/, /^$/],
  [/^diff\.(?:external|.+\.(?:command|textconv))$/, /^$/],
  [/^filter\..+\.(?:clean|smudge|process)$/, /^git-lfs [\w-]+(?: -- %f)?$/],
  [/^(?:gpg\.program|gpg\..+\.program)$/, /^(?:gpg2?|ssh-keygen|)$/],
  [/^man\..+\.(?:cmd|path)$/, /^$/],
  [/^trailer\..+\.(?:cmd|command)$/, /^$/],
  [/^(?:uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|vcs))$/, /^$/],
];

/**
 * Returns the names of repository settings that make Git start a program where it would only read. `settings` is the
 * text of everything that can do so. Aliases and hooks are excluded, because commands that read never run them.
 */
export function gitProgramsIn(settings: string): string[] {
  let texts: unknown[];
  try {
    const [own, , included] = JSON.parse(settings) as [unknown, unknown, unknown[]];
    texts = [own, ...(Array.isArray(included) ? included : [])];
  } catch {
    return [];
  }
  const found = texts.flatMap((text) => (typeof text === 'string' ? gitSettingsIn(text) : []));
  const starting = found.filter(({ name, value }) =>
    programs.some(([names, harmless]) => names.test(name) && !harmless.test(withoutQuotes(value))),
  );
  return [...new Set(starting.map(({ name }) => name))];
}

const withoutQuotes = (value: string): string => value.replace(/^"(.*)"$/, '$1');

/** Versions of the files that the session's own tools created, as the tools last left them. */
const filesMade = projection<Map<string, string>>(
  () => new Map(),
  (made, event) => {
    if (event.type !== 'observation' || event.details?.kind !== 'edit') return;
    for (const { path, kind, version } of event.details.changes) {
      if (kind === 'deleted') made.delete(path);
      else if (version !== undefined && (kind === 'created' || made.has(path))) made.set(path, version);
    }
  },
);

/** Returns the manifest that npm uses in a folder: the nearest one upwards. */
async function upwards(
  folder: string,
  name: string,
  scripts: Scripts,
): Promise<{ path: string; text: string } | undefined> {
  for (let at = folder; ; at = folderOf(at)) {
    const path = folderAfterCd(at, name);
    const text = await scripts.read(path);
    if (text !== undefined) return { path, text };
    if (at === '.' || at === '' || /^[~/]|^\.\./.test(at)) return undefined;
  }
}
