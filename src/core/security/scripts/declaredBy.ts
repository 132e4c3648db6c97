import type { Scripts } from '../../ports/scripts';
import type { StartedProgram } from '../../shell/effects/context';
import { folderAfterCd, type WorkspaceFolders } from '../../shell/syntax/place';
import { placeFrom } from './placeFrom';
import { foldersUpwards, folderOfScript, npmScripts } from './pins';

/** A command line that a program runs, and its folder. */
export interface FurtherLine {
  readonly command: string;
  readonly folder: string;
}

/** What a program runs because a manifest in the folder declares it. */
interface DeclaredBy {
  readonly scripts: readonly string[];
  readonly named: readonly string[];
  readonly declared: Readonly<Record<string, string>>;
  readonly lines: readonly FurtherLine[];
}

const managers = /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx)$/;
const entries =
  /^(?:node|bun|deno|tsx|ts-node|npm|npx|pnpm|pnpx|yarn|bunx|code|code-insiders|codium|vscodium|code-oss|cursor|windsurf|positron)$/;
/** Settings of package managers that choose another shell, another package manager, or code to load first. */
const settings = ['.npmrc', '.yarnrc.yml', '.yarnrc', '.pnp.cjs', '.pnpmfile.cjs', 'bunfig.toml'];

/**
 * Returns what a program runs through a package.json: `node .` and `npx ./folder` use the one in that folder, `yarn X`
 * and similar commands the nearest one upwards. So does `node --run X`.
 */
export async function declaredBy(
  { words: [name, ...words] }: StartedProgram,
  from: readonly string[],
  folders: WorkspaceFolders,
  { read }: Scripts,
): Promise<DeclaredBy> {
  const program = name?.text.replace(/^.*\//, '') ?? '';
  const found: Found = { scripts: [], named: [], declared: {}, lines: [] };
  if (!entries.test(program)) return found;
  const namedFiles = words
    .flatMap(({ kind, text }) =>
      kind === 'literal' && text !== '' && text.length < 1000 ? [text.replace(/^-[^=]*=/, '')] : [],
    )
    .filter((text) => !text.startsWith('-'));
  const isManager = managers.test(program);
  // Package managers take a bare word for a name, not a folder.
  const namedFolders = isManager ? namedFiles.filter((text) => /^(?:[./]|file:)/.test(text)) : namedFiles;
  const runsScripts = isManager || words.some(({ text }) => /^--run(?:=|$)/.test(text));
  for (const folder of from) {
    for (const text of namedFolders) found.scripts.push(...(await entryFilesOf(text, folder, folders, read)));
    if (runsScripts) await addScripts(namedFiles, folder, read, found);
  }
  return found;
}

/** A `DeclaredBy` while it is collected. */
interface Found extends DeclaredBy {
  readonly scripts: string[];
  readonly declared: Record<string, string>;
  readonly lines: FurtherLine[];
}

/** Returns the manifest of a folder that a word names, and the files that may be its entry points. */
async function entryFilesOf(
  text: string,
  folder: string,
  folders: WorkspaceFolders,
  read: Scripts['read'],
): Promise<string[]> {
  const place = placeFrom(text.replace(/^file:(?:\/\/)?/, ''), folder, folders);
  if (place.where !== 'inside') return [];
  const manifest = folderAfterCd(place.path, 'package.json');
  const source = await read(manifest);
  if (source === undefined) return [];
  const entryPoints = entryPointsIn(source).map((entry) => folderAfterCd(place.path, entry));
  return [
    manifest,
    ...entryPoints.flatMap((entry) => ['', '.js', '.mjs', '.cjs', '.json', '/index.js'].map((end) => entry + end)),
  ];
}

/** Adds what a package manager loads in a folder, and the scripts of the nearest manifest that words name. */
async function addScripts(
  words: readonly string[],
  folder: string,
  read: Scripts['read'],
  found: Found,
): Promise<void> {
  found.scripts.push(
    ...settings.map((file) => folderAfterCd(folder, file)),
    ...words.slice(0, 3).map((word) => folderAfterCd(folder, `node_modules/.bin/${word}`)),
  );
  const yarn = /^[ \t]*yarnPath:\s*["']?([^"'\s][^"'\n]*)/m
    .exec((await read(folderAfterCd(folder, '.yarnrc.yml'))) ?? '')?.[1]
    ?.trim();
  if (yarn !== undefined) found.scripts.push(folderAfterCd(folder, yarn));
  const manifest = await nearestManifest(folder, read);
  if (!manifest) return;
  const scripts = npmScripts(manifest.text);
  const run = words
    .filter((word) => Object.hasOwn(scripts, word))
    .flatMap((word) => [`pre${word}`, word, `post${word}`])
    .filter((script) => Object.hasOwn(scripts, script));
  for (const script of run) {
    found.declared[`${manifest.path}#${script}`] = scripts[script]!;
    found.lines.push({ command: scripts[script]!, folder: folderOfScript(manifest.path) });
  }
}

/** Returns the files that a package.json names as entry points. */
function entryPointsIn(text: string): string[] {
  try {
    const { main, module, browser, bin } = JSON.parse(text) as Record<string, unknown>;
    return [main, module, browser, ...(typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin])].filter(
      (entry): entry is string => typeof entry === 'string' && entry !== '',
    );
  } catch {
    return [];
  }
}

async function nearestManifest(
  folder: string,
  read: Scripts['read'],
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  for (const ancestor of foldersUpwards(folder)) {
    const path = folderAfterCd(ancestor, 'package.json');
    const text = await read(path);
    if (text !== undefined) return { path, text };
  }
  return undefined;
}
