import type { Scripts } from '../../tools/environment';
import { examineCommand } from '../command/assessCommand';
import type { CommandContext, StartedProgram } from '../command/context';
import { joined, placeOf } from '../command/place';
import { literal, type Value } from '../command/value';
import { withScripts } from './assessWithScripts';
import { folderOf } from './pins';

/** What a command line may run of its folder, as far as it is written down. Paths are relative to the folder; what they name need not be there. */
export interface MayRun {
  /** It runs these. */
  readonly scripts: readonly string[];
  /** It names these: they are run if they are programs. */
  readonly named: readonly string[];
  /** What manifests declare and it runs, by where it stands: "package.json#lint". */
  readonly declared: Readonly<Record<string, string>>;
}

/** Reads the line as the analyser of commands does, and the scripts that it runs likewise, so that those which they run count, too. */
export async function mayRun(command: string, context: CommandContext, scripts: Scripts): Promise<MayRun> {
  const asked = new Set<string>();
  const texts = new Map<string, string>();
  const noting: Scripts = {
    ...scripts,
    read(path) { if (!isManifest(path)) asked.add(path); return scripts.read(path); },
    hash(text) { const hash = scripts.hash(text); texts.set(hash, text); return hash; },
  };
  let started: StartedProgram[] = [];
  const judged = await withScripts(context, noting, [], full => {
    started = [];
    return examineCommand(command, { ...full, started: program => void started.push(program) });
  });
  const pins = Object.entries(judged?.pins ?? {}).flatMap(([name, hash]) => { const [, folder, script] = /^npm:(.*?)#(.*)$/s.exec(name) ?? []; return script === undefined ? [] : [[`${joined(folder!, 'package.json')}#${script}`, texts.get(hash)!] as const]; });
  const found = started.map(program => namedBy(program, [...asked], context.workspace));
  const certain = new Set([...asked, ...found.flatMap(({ scripts: own }) => own)]);
  return { scripts: [...certain].sort(), named: [...new Set(found.flatMap(({ named }) => named))].filter(path => !certain.has(path)).sort(), declared: Object.fromEntries(pins) };
}

const isManifest = (path: string): boolean => /(^|\/)package\.json$/.test(path);

/** Programs that run a file which their words name. */
const runners = /^(?:(?:ba|z|da|k|a)?sh|source|\.|node|deno|bun|tsx|ts-node|python[\d.]*|py|uv|ruby|perl|php|lua|luajit|pwsh|powershell|Rscript|java)$/;
/** Those whose program is the file behind `-f`. */
const filters = /^(?:[gm]?awk|g?sed|jq)$/;

/** Those whose words may hold code or command lines. */
const readers = /^(?:env|trap|parallel|watch)$/;

function namedBy({ words: [name, ...words], folders, data }: StartedProgram, asked: readonly string[], workspace: string | undefined): { readonly scripts: readonly string[]; readonly named: readonly string[] } {
  // In a folder that is only known when it runs, those of its scripts are as likely as any.
  const anywhere = ['.', ...asked.map(folderOf)];
  const pathsOf = (texts: readonly string[], from: readonly string[]): string[] => [...new Set(texts.flatMap(text => from.map(folder => placeOf(literal(text), folder, workspace)).filter(({ where }) => where === 'inside').map(({ path }) => path)))];
  const program = name?.text.replace(/^.*\//, '') ?? '';
  const runs = runners.test(program);
  const all = [...(name?.kind === 'unknown' || name?.text.includes('/') ? [name] : []), ...words].filter(({ text }) => text.length < 10_000);
  const texts = all.filter(({ kind, text }) => kind === 'literal' && text !== '').flatMap(({ text }) => [text, ...(/^[^/]*=(.+)$/s.exec(text)?.slice(1) ?? [])]);
  const scripts = pathsOf([...(/^(?:npx|bunx|pnpx)$/.test(program) ? ['package.json'] : []), ...(filters.test(program) || program === 'make' ? behindOption(words, /^-f|^--(?:from-)?file=?/) : []), ...(runs ? behindOption(words, /^-m/).flatMap(moduleFiles) : [])], folders ?? anywhere);
  const code = runs || filters.test(program) || readers.test(program) ? texts.flatMap(pathsIn) : [];
  const merely = new Set(runs ? [] : data);
  const named = [...pathsOf([...texts, ...code, ...(runs ? texts.flatMap(entryFiles) : [])], folders ?? anywhere), ...pathsOf(all.flatMap(({ kind, source }) => (kind === 'unknown' ? endOf(source) : [])), anywhere)];
  return { scripts, named: named.filter(path => !merely.has(path)) };
}

/** What stands like a path in a text that may be code. */
const pathsIn = (text: string): string[] => (/[\s'"`();]/.test(text) ? text.split(/[^\w./@+-]+/).filter(part => /\w/.test(part)) : []);

/** `"$HERE/lib.sh"` names a file of that name in a folder that is only known when it runs. */
const endOf = (source: string): string[] => { const end = source.replace(/^.*(?:\$\w+|[})`])"?\//s, '').replace(/["']$/, ''); return end === source || end.includes('$') ? [] : [end]; };

/** `-f FILE` and `-fFILE`. */
const behindOption = (words: readonly Value[], option: RegExp): string[] => words.flatMap(({ text }, at) => {
  const [given] = option.exec(text) ?? [];
  return given === undefined ? [] : [text.slice(given.length) || words[at + 1]?.text || ''].filter(Boolean);
});

const moduleFiles = (name: string): string[] => { const path = name.replaceAll('.', '/'); return [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`]; };

/** `node .` and `node ./server` run a file of another name. */
const entryFiles = (text: string): string[] => (/^-|\.\w+$/.test(text) ? [] : [...['.js', '.mjs', '.cjs', '.ts'].map(ending => text + ending), ...['package.json', 'index.js', 'index.mjs', '__main__.py'].map(file => `${text}/${file}`)]);
