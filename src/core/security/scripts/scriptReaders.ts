import type { History } from '../../log/projection';
import { neverCutOff, type CutOff } from '../../ports/cutOff';
import type { Scripts } from '../../ports/scripts';
import type { CommandContext, FoundScript, GitSettingsVerdict, ScriptKind } from '../../shell/effects/context';
import { programAlarm } from '../../shell/files/programAlarm';
import { folderAfterCd } from '../../shell/syntax/place';
import { composeReader } from './composeReader';
import { judgeGitSettings, judgeSettingsBelow } from './gitPrograms';
import { installReader } from './installReader';
import { justRecipe } from './justRecipe';
import { makeTarget } from './makeTarget';
import { packageFolders } from './packageFolders';
import {
  filePin,
  foldersUpwards,
  folderOfScript,
  gitPin,
  gitPinBelow,
  npmPin,
  npmScripts,
  compareScript,
  otherWasDecided,
} from './pins';

const makefiles = ['GNUmakefile', 'makefile', 'Makefile'];
const justfiles = ['justfile', 'Justfile', '.justfile'];
const taskfiles = ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'];
const shellFirstLine = /^#!\s*\S*\/(env\s+(-S\s+)?)?(bash|sh|zsh|dash|ksh)\b/;

type Reader = (name: string, folder: string) => Promise<FoundScript | undefined>;

/** Reads the files that decide what a command runs, and records a hash of each. */
export class ScriptReaders {
  /** Hashes of everything read, by pin. */
  readonly pins: Record<string, string> = {};
  private text = '';
  private readonly cutOff: CutOff;
  private readonly readers: Record<ScriptKind, Reader>;

  constructor(
    context: CommandContext,
    private readonly scripts: Scripts,
    private readonly history: History,
  ) {
    this.cutOff = context.cutOff ?? neverCutOff;
    this.readers = {
      npm: (name, folder) => this.npmScript(name, folder),
      make: (name, folder) => this.firstOf(makefiles, folder, (text) => makeTarget(text, name)),
      just: (name, folder) => this.firstOf(justfiles, folder, (text) => justRecipe(text, name)),
      task: (_, folder) => this.firstOf(taskfiles, folder, () => undefined),
      packages: (filter, folder) => this.packages(filter, folder),
      program: (path) => this.program(path),
      file: (path) => this.file(path, (text) => isShell(path, text)),
      text: (path) => this.file(path, () => true),
      compose: composeReader(context, scripts, (path, text) => void this.recordFile(filePin(path), text, undefined)),
      repository: (folder) => this.repository(folder),
      install: installReader(scripts, history, (pin, hash) => void (this.pins[pin] = hash)),
    };
  }

  /** Concatenated text of all files read, for the time limit: a short command may run a long script. */
  get textRead(): string {
    return this.text;
  }

  /** Finds a script as `CommandContext.lookUp` describes it. Returns undefined if there is none. */
  read(kind: ScriptKind, name: string, folder: string): Promise<FoundScript | undefined> {
    return this.readers[kind](name, folder);
  }

  /** Reads the settings of the repository. */
  async git(): Promise<GitSettingsVerdict> {
    const settings = await this.scripts.gitSettings();
    const hash = (this.pins[gitPin] = this.scripts.hash(settings));
    return judgeGitSettings(settings, hash, this.history, this.cutOff);
  }

  /** The settings of other repositories that make Git start programs, one per line: the name, a tab and the folder. */
  private async repository(folder: string): Promise<FoundScript | undefined> {
    const lines: string[] = [];
    for (const found of await this.scripts.gitSettingsBelow(folder)) {
      const hash = this.scripts.hash(found.settings);
      const names = this.cutOff(found.settings, () => judgeSettingsBelow(found, hash, this.history));
      if (names.length > 0) this.pins[gitPinBelow(found.folder)] = hash;
      lines.push(...names.map((name) => `${name}\t${found.folder}`));
    }
    return lines.length > 0 ? { standing: 'new', text: lines.join('\n') } : undefined;
  }

  /** Records a file that was read. `commands`: its content as shell commands, if it is plain commands. */
  private recordFile(pin: string, text: string, commands: string | undefined): FoundScript {
    this.text += `${text}\n`;
    const hash = (this.pins[pin] = this.scripts.hash(text));
    return {
      standing: compareScript(pin, hash, this.history),
      otherWasDecided: otherWasDecided(pin, hash, this.history),
      ...(commands !== undefined && { text: commands }),
    };
  }

  private async firstOf(
    names: readonly string[],
    folder: string,
    commandsIn: (text: string) => string | undefined,
  ): Promise<FoundScript | undefined> {
    for (const name of names) {
      const path = folderAfterCd(folder, name);
      const text = await this.scripts.read(path);
      if (text === undefined) continue;
      const commands = this.cutOff(text, () => commandsIn(text));
      return this.recordFile(filePin(path), text, commands);
    }
    return undefined;
  }

  private async npmScript(name: string, folder: string): Promise<FoundScript | undefined> {
    const manifest = await upwards(folder, 'package.json', this.scripts);
    if (!manifest) return undefined;
    const declared = this.cutOff(manifest.text, () => npmScripts(manifest.text));
    if (!Object.hasOwn(declared, name)) return undefined;
    return this.recordFile(npmPin(folderOfScript(manifest.path), name), declared[name]!, declared[name]);
  }

  private async packages(filter: string, folder: string): Promise<FoundScript | undefined> {
    const folders = await packageFolders(filter, folder, this.scripts);
    return folders.length > 0 ? { standing: 'same', text: folders.join('\n') } : undefined;
  }

  private async program(path: string): Promise<FoundScript | undefined> {
    const text = await this.scripts.read(path);
    if (text === undefined) return undefined;
    const alarm = this.cutOff(text, () => programAlarm(text));
    return { ...this.recordFile(filePin(path), text, undefined), ...(alarm !== undefined && { alarm }) };
  }

  private async file(path: string, isCommands: (text: string) => boolean): Promise<FoundScript | undefined> {
    const text = await this.scripts.read(path);
    return text === undefined ? undefined : this.recordFile(filePin(path), text, isCommands(text) ? text : undefined);
  }
}

const isShell = (path: string, text: string): boolean =>
  shellFirstLine.test(text) || (!text.startsWith('#!') && /\.(sh|bash|zsh)$/.test(path));

/** Returns the manifest that npm uses in a folder: the nearest one upwards. */
async function upwards(
  folder: string,
  name: string,
  scripts: Scripts,
): Promise<{ path: string; text: string } | undefined> {
  for (const ancestor of foldersUpwards(folder)) {
    const path = folderAfterCd(ancestor, name);
    const text = await scripts.read(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}
