import { anyOf, sequence } from '../../text/alternatives';
import { selfRunningFields } from './manifestFields';
import type { Scripts } from '../../ports/scripts';
import { folderAfterCd } from '../syntax/place';

/**
 * A file that decides what runs while packages are installed or a project is built, and the part of it that decides.
 */
interface Decisive {
  readonly file: string;
  /**
   * Extracts the deciding part as a text that changes when it does, or undefined if there is none. If absent, the whole
   * file decides.
   */
  readonly part?: (text: string) => string | undefined;
}

const wholeFiles = (names: string): Decisive[] => names.split(' ').map((file) => ({ file }));

/** Heading of a pyproject.toml table that only describes the project or configures read-only tools. */
const describing = sequence([
  /^\s*\[+\s*/,
  anyOf([
    /project(?!\.entry-points|\.scripts)[\w.-]*/,
    'dependency-groups',
    sequence([
      /tool\./,
      anyOf([
        'ruff black mypy isort pytest coverage pyright pylint flake8 bandit codespell towncrier',
        'commitizen semantic_release',
      ]),
      /[\w.'"-]*/,
    ]),
    /tool\.poetry(\.(dependencies|dev-dependencies|group[\w.-]*|urls|extras|scripts))?/,
  ]),
  /\s*\]/,
]);

/** Returns pyproject.toml without the tables that only describe the project or configure read-only tools. */
function pythonBuild(text: string): string | undefined {
  const tables = text.split(/^(?=[ \t]*\[)/m);
  const deciding = tables
    .filter((table) => !describing.test(table))
    .join('\n')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return deciding.length > 0 ? deciding.join('\n') : undefined;
}

/** Returns the parts of Cargo.toml that name a build script or replace a package. */
function cargoBuild(text: string): string | undefined {
  const build = /^[ \t]*(build|links|proc-macro)[ \t]*=.*/gm;
  const tables = /^[ \t]*\[(patch|replace)[^\]\r\n]*\][^[]*/gm;
  const deciding = [...(text.match(build) ?? []), ...(text.match(tables) ?? [])];
  return deciding.length > 0 ? deciding.join('\n') : undefined;
}

function jsonFields(names: readonly string[]): (text: string) => string | undefined {
  return (text) => {
    try {
      const content = JSON.parse(text) as Record<string, unknown>;
      const deciding = names.filter((name) => Object.hasOwn(content, name)).map((name) => [name, content[name]]);
      return deciding.length > 0 ? JSON.stringify(deciding) : undefined;
    } catch {
      return text;
    }
  };
}

/** Files that each kind of package manager obeys, besides its lock file and the packages themselves. */
const decisive: Readonly<Record<string, readonly Decisive[]>> = {
  npm: [
    { file: 'package.json', part: selfRunningFields },
    ...wholeFiles('binding.gyp .npmrc .yarnrc.yml .yarnrc .pnpmfile.cjs pnpm-workspace.yaml bunfig.toml'),
  ],
  python: [
    ...wholeFiles('setup.py setup.cfg hatch_build.py pip.conf uv.toml'),
    { file: 'pyproject.toml', part: pythonBuild },
  ],
  cargo: [
    ...wholeFiles('build.rs .cargo/config.toml .cargo/config rust-toolchain.toml rust-toolchain'),
    { file: 'Cargo.toml', part: cargoBuild },
  ],
  composer: [{ file: 'composer.json', part: jsonFields(['scripts', 'config', 'repositories', 'extra']) }],
  bundle: wholeFiles('Gemfile gems.rb .bundle/config'),
};

const managerOf: Readonly<Record<string, string>> = {
  npm: 'npm',
  npx: 'npm',
  pnpm: 'npm',
  yarn: 'npm',
  bun: 'npm',
  pip: 'python',
  pip3: 'python',
  uv: 'python',
  poetry: 'python',
  pdm: 'python',
  hatch: 'python',
  rye: 'python',
  pipenv: 'python',
  cargo: 'cargo',
  composer: 'composer',
  bundle: 'bundle',
};

/** Returns the kind of package manager that a program is, or undefined if it is not one. */
export const managerNamed = (program: string): string | undefined =>
  Object.hasOwn(managerOf, program) ? managerOf[program] : undefined;

/** Current content of one part that decides what runs. */
interface DecisivePart {
  readonly path: string;
  readonly text: string;
}

/**
 * Returns the parts of files in a folder that decide what a kind of package manager runs or obeys. Checks all kinds if
 * `manager` is undefined.
 */
export async function decisiveParts(
  folder: string,
  { read }: Pick<Scripts, 'read'>,
  manager?: string,
): Promise<DecisivePart[]> {
  const wanted = manager === undefined ? Object.values(decisive).flat() : (decisive[manager] ?? []);
  const found = await Promise.all(
    wanted.map(async ({ file, part }) => {
      const path = folderAfterCd(folder, file);
      const whole = await read(path);
      const text = whole === undefined || !part ? whole : part(whole);
      return text === undefined ? undefined : { path, text };
    }),
  );
  return found.filter((one) => one !== undefined);
}
