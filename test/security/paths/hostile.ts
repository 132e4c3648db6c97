import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace';

/** Content of every file that must not be shown. */
export const canary = ['CANARY', 'never', 'shown'].join('-');

/** Expected result of a spelling: never reached, reached only after approval, or plain. */
export type Kind = 'outside' | 'secret' | 'special' | 'protected' | 'plain';

interface Spelling {
  readonly path: string;
  readonly kind: Kind;
}

export interface HostilePlace extends TemporaryWorkspace {
  readonly repository: string;
  readonly spellings: readonly Spelling[];
  /** Every file that must not change, with its content. */
  untouchable(): Record<string, string>;
  /** Every name below the root, without following links. */
  everyName(): string[];
}

/** A repository on the real disk whose links, names and neighbours try to lead elsewhere. */
export function hostilePlace(): HostilePlace {
  const place = temporaryWorkspace();
  const repository = place.at('repo');
  const guarded = [
    'outside/secret.txt',
    'repo-evil/secret.txt',
    'repo/.env',
    'repo/deploy/.env.production',
    'repo/keys/server.pem',
    'repo/keys/id_ed25519',
    'repo/.ssh/config',
    'repo/.npmrc',
    'repo/.dev.vars',
    'repo/service-account.json',
    'repo/.pgpass',
    'repo/infra/prod.tfvars',
    'repo/.git/config',
    'repo/.git/hooks/pre-commit',
    'repo/.vscode/settings.json',
    'repo/AGENTS.md',
    'repo/.github/workflows/ci.yml',
    'repo/deep/er/AGENTS.md',
  ];
  for (const name of guarded) place.place(name, `${canary} in ${name}\n`);
  for (const name of ['repo/src/a.ts', 'repo/src/nested/b.ts', 'repo/Cafe\u0301.ts', 'repo/%20 odd.txt'])
    place.place(name, 'plain text\n');
  const link = (target: string, name: string): void => fs.symlinkSync(target, place.at('repo', name));
  link(place.at('outside/secret.txt'), 'notes.txt');
  link(place.at('outside'), 'vendor');
  link('vendor', 'chain');
  link('../chain/secret.txt', 'src/chained.ts');
  link('../..', 'src/up');
  link('.env', 'readme.md');
  link('readme.md', 'readme2.md');
  link('.git', 'history');
  link('keys', 'assets');
  link('/nowhere/at/all', 'dangling.txt');
  link('/proc/self/environ', 'build.log');
  link('src', 'lib');
  execFileSync('mkfifo', [place.at('repo/pipe')]);
  link('/dev/zero', 'zero.bin');
  return {
    ...place,
    repository,
    spellings: spellingsIn(place),
    untouchable: () => Object.fromEntries(guarded.map((name) => [name, fs.readFileSync(place.at(name), 'utf8')])),
    everyName: () => namesBelow(place.root),
  };
}

function namesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => [
      path.join(folder, entry.name),
      ...(entry.isDirectory() ? namesBelow(path.join(folder, entry.name)) : []),
    ])
    .sort();
}

function spellingsIn({ at }: TemporaryWorkspace): Spelling[] {
  const repository = at('repo');
  const of = (kind: Kind, ...paths: string[]): Spelling[] => paths.map((path) => ({ path, kind }));
  return [
    ...of(
      'outside',
      '../outside/secret.txt',
      'src/../../outside/secret.txt',
      './/..//outside/./secret.txt',
      at('outside/secret.txt'),
      `${repository}/../outside/secret.txt`,
      `${repository}-evil/secret.txt`,
      '../repo-evil/secret.txt',
      `file://${at('outside/secret.txt')}`,
      `file://${repository}/%2e%2e/outside/secret.txt`,
      `file://localhost${at('outside/secret.txt')}`,
      'file:///etc/passwd',
      '/etc/passwd',
      '/proc/self/environ',
      '~/.ssh/id_rsa',
      '~root/.bashrc',
      '~/../../etc/passwd',
      'notes.txt',
      'vendor/secret.txt',
      'chain/secret.txt',
      'src/chained.ts',
      'src/up/outside/secret.txt',
      'lib/up/outside/secret.txt',
      'src/../vendor/secret.txt',
      'build.log',
    ),
    ...of(
      'secret',
      '.env',
      './.env',
      'src/../.env',
      '.ENV',
      `${repository}/.env`,
      `file://${repository}/.env`,
      `file://${repository}/%2eenv`,
      `file://${repository}/%2E%65nv`,
      'deploy/.env.production',
      'keys/server.pem',
      'keys/SERVER.PEM',
      'keys/id_ed25519',
      '.ssh/config',
      '.npmrc',
      '.dev.vars',
      'service-account.json',
      '.pgpass',
      'infra/prod.tfvars',
      'readme.md',
      'readme2.md',
      'assets/server.pem',
      'lib/../.env',
      '.env.',
      '.env ',
      '.e\u200dnv',
      '.\uff45nv',
      '.env::$DATA',
      'ENV~1',
    ),
    ...of(
      'protected',
      '.git/config',
      '.GIT/config',
      '.git./config',
      '.g\u200cit/config',
      '.git::$INDEX_ALLOCATION/config',
      'GIT~1/config',
      'history/config',
      '.git/hooks/pre-commit',
      '.git/hooks/new',
      'history/hooks/new',
      'src/../.git/config',
      `file://${repository}/%2egit/config`,
      '.vscode/settings.json',
      '.VSCode/settings.json',
      'AGENTS.md',
      'agents.MD',
      'deep/er/AGENTS.md',
      '.github/workflows/ci.yml',
      '.github/workflows/new.yml',
      '.github/actions/one/action.yml',
      '.mcp.json',
      '.cargo/config.toml',
      '.zshenv',
      '.opencode/a.json',
      '.roo/mcp.json',
    ),
    ...of('special', 'pipe', './src/../pipe'),
    ...of(
      'plain',
      'src/a.ts',
      './src/nested/../a.ts',
      `${repository}/src/a.ts`,
      'lib/nested/b.ts',
      'Caf\u00e9.ts',
      '%20 odd.txt',
    ),
  ];
}
