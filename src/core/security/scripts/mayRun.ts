import type { Scripts } from '../../ports/scripts';
import { examineCommand } from '../../shell/assessCommand';
import type { CommandContext, StartedProgram } from '../../shell/effects/context';
import { folderAfterCd } from '../../shell/syntax/place';
import { withScripts } from './assessWithScripts';
import { declaredBy, type FurtherLine } from './declaredBy';
import { placeFrom } from './placeFrom';
import { scriptArguments } from './scriptArguments';

/**
 * What a command line may run from its folder, as far as its text says. Paths are relative to the folder and may not
 * exist.
 */
export interface MayRun {
  /** Files that it runs. */
  readonly scripts: readonly string[];
  /** Files that it names. They run if they are programs. */
  readonly named: readonly string[];
  /** Manifest entries that it runs, by location: "package.json#lint". */
  readonly declared: Readonly<Record<string, string>>;
  /** True if its words do not determine everything that it runs. */
  readonly undetermined: boolean;
}

/** Maximum number of command lines in files that are followed. */
const maxLines = 60;

/**
 * Determines what a command line may run, with the analyser for commands. Scripts that it runs are followed the same
 * way.
 */
export async function mayRun(
  command: string,
  context: CommandContext,
  scripts: Scripts,
  done: Set<string> = new Set(),
): Promise<MayRun> {
  const readPaths = new Set<string>();
  const texts = new Map<string, string>();
  const noting: Scripts = {
    ...scripts,
    read(path) {
      if (!isManifest(path)) readPaths.add(path);
      return scripts.read(path);
    },
    hash(text) {
      const hash = scripts.hash(text);
      texts.set(hash, text);
      return hash;
    },
  };
  let started: StartedProgram[] = [];
  const judged = await withScripts(context, noting, [], (full) => {
    started = [];
    return examineCommand(command, { ...full, started: (program) => void started.push(program) });
  });
  const pins = Object.entries(judged?.pins ?? {}).flatMap(([name, hash]) => {
    const [, folder, script] = /^npm:([^#]*)#(.*)$/s.exec(name) ?? [];
    return script === undefined
      ? []
      : [[`${folderAfterCd(folder!, 'package.json')}#${script}`, texts.get(hash)!] as const];
  });
  const found = started.map((program) => scriptArguments(program, [...readPaths], context));
  const declared = await Promise.all(
    started.map((program, index) => declaredBy(program, found[index]!.from, context, scripts)),
  );
  const inCmd = context.shell === 'cmd' ? cmdFiles(command, context) : { named: [], undetermined: false };
  const behind: MayRun[] = [];
  let undetermined = inCmd.undetermined || !judged || setsPath.test(command) || found.some((one) => one.undetermined);
  for (const { unless } of found)
    if (
      unless.length > 0 &&
      (await Promise.all(unless.map((path) => scripts.read(path)))).every((text) => text === undefined)
    )
      undetermined = true;
  for (const next of [...found.flatMap(({ lines }) => lines), ...declared.flatMap(({ lines }) => lines)]) {
    const key = JSON.stringify(next);
    if (done.has(key)) continue;
    if (done.size >= maxLines) {
      undetermined = true;
      break;
    }
    done.add(key);
    behind.push(await mayRun(next.command, within(context, next), scripts, done));
  }
  const certain = new Set([...readPaths, ...[...found, ...declared, ...behind].flatMap(({ scripts: own }) => own)]);
  return {
    scripts: [...certain].sort(),
    named: [...new Set([inCmd, ...found, ...declared, ...behind].flatMap(({ named }) => named))]
      .filter((path) => !certain.has(path))
      .sort(),
    declared: Object.assign(
      {},
      ...behind.map((one) => one.declared),
      ...declared.map((one) => one.declared),
      Object.fromEntries(pins),
    ) as Record<string, string>,
    undetermined: undetermined || behind.some((one) => one.undetermined),
  };
}

/** A search path in the command chooses the programs that its bare names run. */
const setsPath = /(?:^|[\s;&|('"])PATH=/;

const isManifest = (path: string): boolean => /(^|\/)package\.json$/.test(path);

const within = (context: CommandContext, { folder }: FurtherLine): CommandContext => ({ ...context, folder });

/** Extensions that cmd.exe adds to a program's name, and those that Windows opens with a script host. */
const programExtensions: readonly string[] = ['.com', '.exe', '.bat', '.cmd', '.vbs', '.js', '.wsf', '.ps1'];

/**
 * Returns the files that a line of cmd.exe may name, by path relative to the workspace; they may not exist. cmd.exe has
 * no reliable grammar, so each word counts, in quotes or not. `undetermined`: the line computes names, or a program
 * reads its code from its input.
 */
function cmdFiles(
  line: string,
  { variables = {}, folder = '.', ...folders }: CommandContext,
): { readonly named: readonly string[]; readonly undetermined: boolean } {
  const values = new Map(Object.entries(variables).map(([name, value]) => [name.toUpperCase(), value]));
  if (folders.workspace !== undefined) values.set('CD', folders.workspace);
  const text = line
    .replace(/%(\w+)%/g, (written, name: string) => values.get(name.toUpperCase()) ?? written)
    .replaceAll('^', '')
    .replaceAll('\\', '/');
  const quoted = [...text.matchAll(/"([^"]*)"/g)].map(([, inside]) => inside!);
  const words = text.split(/[\s"'`&|<>(),;=@]+/);
  const named = [...new Set([...quoted, ...words])]
    .filter((word) => word !== '' && word.length < 1000)
    .flatMap((word) => (/\.\w+$/.test(word) ? [word] : [word, ...programExtensions.map((end) => word + end)]))
    .map((word) => placeFrom(word, folder, folders))
    .filter(({ where }) => where === 'inside')
    .map(({ path }) => path);
  return { named, undetermined: /[%!<]/.test(text) };
}
