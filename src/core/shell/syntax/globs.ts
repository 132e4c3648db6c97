import { protectedWrites, secretReads, type PathRule } from '../../risk/pathRules';

/** Names that patterns such as `*.yml` match only by chance. */
const ordinary = /\.(ya?ml|json|toml|py|js|cjs|md|xml|txt|csv|conf)$/i;
const examples = (rules: readonly PathRule[]): string[] => rules.flatMap((rule) => rule.examples);
const plainNames = (rules: readonly PathRule[]): string[] =>
  examples(rules).filter((name) => !name.includes('/') && !ordinary.test(name));

/** Names that a pattern must not match, one for each kind. They include those of `pathRules.ts`. */
export const secretSamples = [
  ...new Set([
    '.env',
    '.env.local',
    '.env.production',
    '.npmrc',
    '.netrc',
    '.pypirc',
    '.git-credentials',
    '.ssh',
    '.aws',
    '.gnupg',
    '.kube',
    'id_rsa',
    'id_ed25519',
    'server.pem',
    'private.key',
    'key.p12',
    'cert.pfx',
    'passwords.kdbx',
    'terraform.tfstate',
    'credentials.json',
    '.bash_history',
    ...plainNames(secretReads),
  ]),
];
export const protectedSamples = [
  ...new Set([
    '.git',
    '.gitattributes',
    '.gitmodules',
    '.vscode',
    '.idea',
    '.devcontainer',
    '.github',
    '.gitlab-ci.yml',
    '.circleci',
    '.husky',
    '.npmrc',
    '.yarnrc',
    '.envrc',
    '.mcp.json',
    '.cursorrules',
    '.claude',
    '.agent',
    'Jenkinsfile',
    'AGENTS.md',
    'CLAUDE.md',
    'package.json',
    'Makefile',
    'lefthook.yml',
    ...plainNames(protectedWrites),
    ...secretSamples,
  ]),
];

const inside = (folder: string, files: string): string[] => files.split(' ').map((file) => `${folder}/${file}`);
/** Files in protected folders, by their workspace path. Patterns for the name alone match them, too. */
export const secretPaths = [
  ...examples(secretReads).filter((path) => path.includes('/') && !/^(\/|gcloud|\.docker)/.test(path)),
  '.git/config',
  'secrets/db_password',
];
export const protectedPaths = [
  ...examples(protectedWrites).filter((path) => path.includes('/')),
  ...inside('.vscode', 'settings.json tasks.json launch.json extensions.json mcp.json'),
  ...inside('.git', 'HEAD config index description packed-refs'),
  ...inside('.git/hooks', 'pre-commit pre-push post-checkout post-merge commit-msg'),
  ...inside(
    '.github/workflows',
    'ci.yml main.yml build.yml test.yml tests.yml release.yml deploy.yml publish.yml lint.yml ci.yaml main.yaml build.yaml release.yaml deploy.yaml',
  ),
  '.github/dependabot.yml',
  ...inside('.husky', 'pre-commit commit-msg'),
  '.devcontainer/Dockerfile',
  ...secretPaths,
];

/** Returns whether a pattern, relative to the workspace folder, may match one of the paths. */
export function mayFindPath(
  pattern: string,
  paths: readonly string[],
  { hidden }: { readonly hidden: boolean },
): boolean {
  const parts = pattern
    .replace(/^(\.\/)+/, '')
    .split('/')
    .filter(Boolean);
  const wide = /^\*\.\w+$/.test(parts.at(-1) ?? '');
  return paths.some(
    (path) => !(wide && paths === secretPaths && ordinary.test(path)) && fits(parts, path.split('/'), hidden),
  );
}

function fits([part, ...rest]: readonly string[], [name, ...more]: readonly string[], hidden: boolean): boolean {
  if (part === undefined) return name === undefined;
  const seen = (text: string): boolean => hidden || part.startsWith('.') || !text.startsWith('.');
  if (part === '**')
    return (
      fits(rest, name === undefined ? [] : [name, ...more], hidden) ||
      (name !== undefined && seen(name) && fits([part, ...rest], more, hidden))
    );
  return name !== undefined && seen(name) && matchesGlob(part, name) && fits(rest, more, hidden);
}

/**
 * Returns whether one component of the pattern may match one of the names. A bare `*` counts only with `hidden`,
 * because shells skip dot files.
 */
export function mayFind(
  pattern: string,
  samples: readonly string[],
  { hidden }: { readonly hidden: boolean },
): boolean {
  return pattern.split('/').some((part) => {
    if (!/[*?[{]/.test(part)) return false;
    if (/^\*+$/.test(part)) return hidden && part === '*';
    return samples.some((name) => (hidden || part.startsWith('.') || !name.startsWith('.')) && matchesGlob(part, name));
  });
}

/** A longer pattern may match everything: its brackets would take long to find. In characters. */
const maxPatternLength = 500;

/** Replaces each closed bracket expression by `?`. */
function bracketsAsOne(pattern: string): string {
  if (pattern.length > maxPatternLength) return '*';
  let replaced = '';
  for (let at = 0; at < pattern.length;) {
    const end = pattern[at] === '[' ? endOfBrackets(pattern, at) : undefined;
    replaced += end === undefined ? pattern[at] : '?';
    at = end ?? at + 1;
  }
  return replaced;
}

/** Returns the end of `[a-z]`, also if a bracket is its first character or in a class: `[]a]`, `[!]a]`, `[[.].]]`. */
function endOfBrackets(pattern: string, start: number): number | undefined {
  let at = start + (/[!^]/.test(pattern[start + 1] ?? '') ? 2 : 1);
  if (pattern[at] === ']') at++;
  while (at < pattern.length) {
    if (pattern[at] === ']') return at + 1;
    const [, kind] = /^\[([:.=])$/.exec(pattern.slice(at, at + 2)) ?? [];
    const endOfClass = kind === undefined ? -1 : pattern.indexOf(`${kind}]`, at + 2);
    if (endOfClass !== -1) at = endOfClass + 2;
    else at += pattern[at] === '\\' ? 2 : 1;
  }
  return undefined;
}

/**
 * Matches `*`, `?` and `[…]` without compiling the pattern to a regular expression, so that no pattern is slow. A
 * bracket expression matches any single character.
 */
export function matchesGlob(pattern: string, name: string): boolean {
  const tokens = bracketsAsOne(pattern.toLowerCase()).replace(/\*+/g, '*').slice(0, 100);
  const text = name.toLowerCase();
  let reached = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    for (const at of reached) {
      if (token === '*') for (let to = at; to <= text.length; to++) next.add(to);
      else if (at < text.length && (token === '?' || token === text[at])) next.add(at + 1);
    }
    reached = next;
  }
  return reached.has(text.length);
}

/** Returns whether nearly every line matches, so that a search prints whole files: `''`, `.`, `^`, `a|`, `=`. */
export const matchesAnything = (pattern: string): boolean =>
  pattern
    .split(/\\?\|/)
    .some(
      (part) =>
        part.replace(/\\[wWsSdDbB<>]|\[[^\]]*\]?|[\^$.*+?(){}\\]/g, '').length < 2 &&
        !/\w/.test(part.replace(/\\\w|\[[^\]]*\]?/g, '')),
    );
