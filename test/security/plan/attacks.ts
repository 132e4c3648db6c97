import fs from 'node:fs';
import path from 'node:path';
import type { TemporaryWorkspace } from '../../support/temporaryWorkspace';
import { git } from '../incidents/hostileRepository';

/** A repository in which a seemingly read-only command runs a program of the repository. */
export interface Attack {
  readonly name: string;
  /** Command that the model runs in plan mode. */
  readonly command: string;
  /** Commands that ran in the same shell before plan mode was chosen. */
  readonly before?: readonly string[];
  /** Sets the trap in the repository. `evil` is a program of the repository that creates the mark. */
  plant(workspace: TemporaryWorkspace, evil: string): void;
  /** Environment variables of the whole session; `evil` as above. */
  environment?(root: string, evil: string): Record<string, string>;
  /** Programs that the trap needs, besides the shell. */
  readonly needs?: readonly string[];
  /**
   * The trap does not work on every machine or version, so the test does not require that a plain shell triggers it.
   */
  readonly uncertain?: true;
}

/** The file that every trap creates: beside the workspace and, because a sandbox prevents that, also inside. */
export const mark = 'pwned';

/** Uses no program that a trap could replace. */
const leavesMark = (root: string): string =>
  `(: > '${path.join(root, '..', mark)}') 2>/dev/null; (: > '${path.join(root, mark)}') 2>/dev/null`;

/** A program of the repository that creates the mark and then acts like `cat`. */
export function evilProgram({ root, place, at }: TemporaryWorkspace, name = 'evil.sh'): string {
  place(name, `#!/bin/sh\n${leavesMark(root)}\n[ -t 0 ] || /bin/cat "$@" 2>/dev/null || :\n`);
  fs.chmodSync(at(name), 0o755);
  return at(name);
}

const inPython = (root: string): string =>
  [path.join(root, '..', mark), path.join(root, mark)]
    .map((file) => `try:\n    open(${JSON.stringify(file)}, 'w').close()\nexcept OSError:\n    pass\n`)
    .join('');

const inNode = (root: string): string =>
  [path.join(root, '..', mark), path.join(root, mark)]
    .map((file) => `try { require('node:fs').writeFileSync(${JSON.stringify(file)}, ''); } catch {}\n`)
    .join('');

/** A repository with one committed file and an uncommitted change of it. */
function repository({ root, place }: TemporaryWorkspace, settings = ''): void {
  place('a.txt', 'one\n');
  git(root, 'init', '-q');
  git(root, 'add', 'a.txt');
  git(root, 'commit', '-q', '-m', 'first');
  place('a.txt', 'two\n');
  fs.appendFileSync(path.join(root, '.git', 'config'), settings);
}

const onGit = (
  name: string,
  command: string,
  settings: (evil: string) => string,
  more: Partial<Attack> & { attributes?: string } = {},
): Attack => ({
  name,
  command,
  needs: ['git'],
  ...more,
  plant:
    more.plant ??
    ((workspace, evil) => {
      repository(workspace, settings(evil));
      if (more.attributes !== undefined) workspace.place('.gitattributes', more.attributes);
    }),
});

export const attacks: readonly Attack[] = [
  {
    name: 'a test runner of the repository',
    command: 'npm test',
    needs: ['npm'],
    plant(workspace) {
      workspace.place('package.json', JSON.stringify({ name: 'x', scripts: { test: 'mocha' } }));
      evilProgram(workspace, 'node_modules/.bin/mocha');
    },
  },
  {
    name: 'code that Python loads at its start',
    command: 'PYTHONPATH=. pip list',
    needs: ['pip'],
    plant: ({ root, place }) => ['usercustomize.py', 'sitecustomize.py'].forEach((name) => place(name, inPython(root))),
  },
  {
    name: 'a variable that was exported before',
    command: 'python3 --version; pip list',
    before: ['export PYTHONPATH=.'],
    needs: ['pip'],
    plant: ({ root, place }) => ['usercustomize.py', 'sitecustomize.py'].forEach((name) => place(name, inPython(root))),
  },
  {
    name: 'a function that was defined before',
    command: 'ls',
    before: ['ls() { ./evil.sh; }'],
    plant: () => undefined,
  },
  {
    name: 'a function in place of the words that shells are driven with',
    command: 'ls',
    before: [
      'command() { ./evil.sh; builtin command "$@"; }',
      'cd() { ./evil.sh; builtin cd "$@"; }',
      'env() { ./evil.sh; }',
    ],
    plant: () => undefined,
    uncertain: true,
  },
  {
    name: 'a PATH that was set before',
    command: 'ls',
    before: ['export PATH="$PWD/bin:$PATH"'],
    plant: (workspace) => void evilProgram(workspace, 'bin/ls'),
  },
  { name: 'a trap that was set before', command: 'ls', before: ['trap ./evil.sh DEBUG'], plant: () => undefined },
  {
    name: 'a PATH inside the repository',
    command: 'ls; cat a.txt; git status',
    plant: (workspace) =>
      ['ls', 'cat', 'git', 'env', 'sh'].forEach((name) => void evilProgram(workspace, `node_modules/.bin/${name}`)),
    environment: (root) => ({ PATH: `${path.join(root, 'node_modules', '.bin')}:${process.env['PATH']!}` }),
  },
  {
    name: 'a PATH with the current folder',
    command: 'ls',
    plant: (workspace) => void evilProgram(workspace, 'ls'),
    environment: () => ({ PATH: `.::${process.env['PATH']!}` }),
  },
  {
    name: 'a PATH with a relative folder',
    command: 'ls',
    plant: (workspace) => void evilProgram(workspace, 'bin/ls'),
    environment: () => ({ PATH: `bin:${process.env['PATH']!}` }),
  },
  {
    name: 'shims that go by a file of the folder',
    command: 'ls',
    plant: (workspace) => void evilProgram(workspace, 'there/shims/ls'),
    environment: (root) => ({ PATH: `${path.join(root, 'there', 'shims')}:${process.env['PATH']!}` }),
  },
  onGit('textconv', 'git diff', (evil) => `[diff "evil"]\n\ttextconv = ${evil}\n`, { attributes: '* diff=evil\n' }),
  onGit('textconv of a log', 'git log -p -1', (evil) => `[diff "evil"]\n\ttextconv = ${evil}\n`, {
    attributes: '* diff=evil\n',
  }),
  onGit('textconv of blame', 'git blame a.txt', (evil) => `[diff "evil"]\n\ttextconv = ${evil}\n`, {
    attributes: '* diff=evil\n',
  }),
  onGit('a command that shows differences', 'git diff', (evil) => `[diff "evil"]\n\tcommand = ${evil}\n`, {
    attributes: '* diff=evil\n',
  }),
  onGit('an external program for differences', 'git diff', (evil) => `[diff]\n\texternal = ${evil}\n`),
  onGit('a driver of merges', 'git show --remerge-diff HEAD', () => '', {
    plant(workspace, evil) {
      workspace.place('.gitattributes', 'both.txt merge=evil\n');
      workspace.place('both.txt', '0\n');
      repository(workspace);
      const commit = (text: string): void => {
        workspace.place('both.txt', text);
        git(workspace.root, 'add', '-A');
        git(workspace.root, 'commit', '-q', '-m', text);
      };
      commit('1\n');
      git(workspace.root, 'branch', 'other');
      commit('2\n');
      git(workspace.root, 'checkout', '-q', 'other');
      commit('3\n');
      git(workspace.root, 'merge', '-q', '-s', 'ours', '-');
      git(workspace.root, 'config', 'merge.evil.driver', evil);
    },
  }),
  onGit('a monitor of files', 'git status', (evil) => `[core]\n\tfsmonitor = ${evil}\n`),
  onGit(
    'a filter',
    'git status',
    (evil) => `[filter "evil"]\n\tclean = ${evil}\n\tsmudge = ${evil}\n\trequired = true\n`,
    { attributes: '* filter=evil\n' },
  ),
  onGit('a filter that goes on', 'git diff', (evil) => `[filter "evil"]\n\tprocess = ${evil}\n\trequired = true\n`, {
    attributes: '* filter=evil\n',
  }),
  onGit(
    'a filter whose name is another in an included file',
    'git status',
    (evil) => {
      fs.writeFileSync(path.join(path.dirname(evil), 'more'), `[filter "a.b c"]\n\tclean = ${evil}\n`);
      return '[include]\n\tpath = ../more\n';
    },
    { attributes: '* filter="a.b c"\n', uncertain: true },
  ),
  onGit('a hook of the index', 'git status', () => '', {
    plant(workspace) {
      repository(workspace);
      evilProgram(workspace, '.git/hooks/post-index-change');
      // The committed content with a newer timestamp, so that Git rewrites the index.
      workspace.place('a.txt', 'one\n');
    },
  }),
  onGit('a pager', 'git log', (evil) => `[core]\n\tpager = ${evil}\n[pager]\n\tlog = ${evil}\n`, { uncertain: true }),
  onGit('an alias', 'git st', (evil) => `[alias]\n\tst = !${evil}\n`),
  onGit(
    'a program that checks signatures',
    'git log --format=%G? -1',
    (evil) => `[gpg]\n\tprogram = ${evil}\n[log]\n\tshowSignature = true\n`,
    { uncertain: true },
  ),
  onGit(
    'a promised object',
    'git log --stat -3',
    (evil) =>
      `[remote "origin"]\n\turl = ext::${evil}\n\tpromisor = true\n\tpartialclonefilter = blob:none\n[protocol "ext"]\n\tallow = always\n`,
    { uncertain: true },
  ),
  onGit('a name that is an option of the search', 'git grep -e bin *', () => '', {
    environment: () => ({ LC_ALL: 'C' }),
    plant(workspace) {
      repository(workspace);
      evilProgram(workspace, 'zz.sh');
      git(workspace.root, 'add', 'zz.sh');
      workspace.place('--open-files-in-pager=sh', '');
    },
  }),
  onGit(
    'help that is shown by a program',
    'git help status',
    (evil) => `[help]\n\tformat = man\n[man]\n\tviewer = evil\n[man "evil"]\n\tcmd = ${evil}\n`,
    { uncertain: true },
  ),
  onGit('a repository in a repository', 'git -C vendor/lib status', () => '', {
    plant(workspace, evil) {
      repository(workspace);
      const inner = {
        ...workspace,
        root: workspace.at('vendor/lib'),
        place: (name: string, text: string) => workspace.place(`vendor/lib/${name}`, text),
      } as TemporaryWorkspace;
      inner.place('b.txt', '');
      repository(inner, `[filter "evil"]\n\tclean = ${evil}\n`);
      inner.place('.gitattributes', '* filter=evil\n');
    },
  }),
  onGit('a repository that is no hidden folder', 'cd store && git status', () => '', {
    plant(workspace, evil) {
      workspace.place('store/a.txt', '');
      git(workspace.at('store'), 'init', '-q', '--bare', '.');
      fs.appendFileSync(
        workspace.at('store/config'),
        `[core]\n\tbare = false\n\tworktree = ${workspace.at('store')}\n\tfsmonitor = ${evil}\n`,
      );
    },
  }),
  onGit('a repository below the packages of others', 'cd node_modules/x && git status', () => '', {
    plant(workspace, evil) {
      workspace.place('node_modules/x/a.txt', '');
      repository(
        {
          ...workspace,
          root: workspace.at('node_modules/x'),
          place: (name: string, text: string) => workspace.place(`node_modules/x/${name}`, text),
        } as TemporaryWorkspace,
        `[filter "evil"]\n\tclean = ${evil}\n`,
      );
      workspace.place('node_modules/x/.gitattributes', '* filter=evil\n');
    },
  }),
  onGit('settings that come from the environment', 'git status', () => '', {
    environment: (_, evil) => ({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.fsmonitor', GIT_CONFIG_VALUE_0: evil }),
  }),
  {
    name: 'a preprocessor of the search',
    command: 'rg --pre ./evil.sh one',
    needs: ['rg'],
    plant: ({ place }) => place('a.txt', 'one\n'),
  },
  {
    name: 'a name that is an option of the search',
    command: 'rg touch *',
    needs: ['rg'],
    plant: ({ place }) => place('--pre=sh', 'x\n'),
    uncertain: true,
  },
  {
    name: 'settings of the search',
    command: 'rg one',
    needs: ['rg'],
    plant: ({ place }) => {
      place('a.txt', 'one\n');
      place('rgrc', '--pre=./evil.sh\n');
    },
    environment: (root) => ({ RIPGREP_CONFIG_PATH: path.join(root, 'rgrc') }),
  },
  { name: 'a program that find starts', command: 'find . -name evil.sh -exec {} \\;', plant: () => undefined },
  { name: 'a program that xargs starts', command: 'echo x | xargs ./evil.sh', plant: () => undefined },
  {
    name: 'a program that packs for sort',
    command: 'sort -S1k --compress-program=./evil.sh big.txt',
    plant: ({ place }) => place('big.txt', 'some line\n'.repeat(5_000)),
    uncertain: true,
  },
  { name: 'awk that starts a program', command: 'awk \'BEGIN { system("./evil.sh") }\'', plant: () => undefined },
  {
    name: 'awk that hides a program between quotes of regular expressions',
    command: `awk '/"/ {system("./evil.sh")} /"/' a.txt`,
    plant: ({ place }) => place('a.txt', 'x"\n'),
  },
  {
    name: 'awk that hides a program between quotes of comments',
    command: `awk '# "\nBEGIN {system("./evil.sh")} # "\n' a.txt`,
    plant: ({ place }) => place('a.txt', 'x\n'),
  },
  { name: 'sed that starts a program', command: 'sed 1e./evil.sh a.txt', plant: ({ place }) => place('a.txt', 'x\n') },
  {
    name: 'what less opens files with',
    command: 'less a.txt',
    needs: ['less'],
    plant: ({ place }) => place('a.txt', 'x\n'),
    environment: (_, evil) => ({ LESSOPEN: `|${evil} %s` }),
    uncertain: true,
  },
  {
    name: 'what shells read at their start',
    command: 'ls',
    plant: () => undefined,
    environment: (_, evil) => ({ BASH_ENV: evil, ENV: evil, 'BASH_FUNC_ls%%': `() { ${evil}; }` }),
  },
  {
    name: 'what Node loads at its start',
    command: 'node --version; node -p 1',
    needs: ['node'],
    plant: ({ root, place }) => place('evil.js', inNode(root)),
    environment: (root) => ({ NODE_OPTIONS: `--require ${path.join(root, 'evil.js')}` }),
  },
  {
    name: 'a compiler of the repository',
    command: 'npx --no-install tsc --noEmit',
    needs: ['npx'],
    plant: (workspace) => {
      evilProgram(workspace, 'node_modules/.bin/tsc');
      workspace.place('package.json', '{"name":"x","devDependencies":{"typescript":"*"}}');
    },
  },
  {
    name: 'a linter of the repository',
    command: 'node_modules/.bin/eslint .',
    plant: (workspace) => void evilProgram(workspace, 'node_modules/.bin/eslint'),
  },
  {
    name: 'make that only shows',
    command: 'make -n',
    needs: ['make'],
    plant: ({ place }) => place('Makefile', 'X := $(shell ./evil.sh)\nall:\n\t@echo $(X)\n'),
  },
  {
    name: 'a module that stands in the folder',
    command: 'python3 -m pip list',
    needs: ['python3'],
    plant: ({ root, place }) => ['pip.py', 'json.py'].forEach((name) => place(name, inPython(root))),
  },
  {
    name: 'a module that a tool imports',
    command: 'python3 -m json.tool package.json',
    needs: ['python3'],
    plant: ({ root, place }) => {
      place('json.py', inPython(root));
      place('package.json', '{}');
    },
  },
  {
    name: 'the settings of npm',
    command: 'npm ls; npm --version',
    needs: ['npm'],
    plant: ({ place }) => {
      place('package.json', '{"name":"x"}');
      place('.npmrc', 'script-shell=./evil.sh\nnode-options=--require ./evil.js\ngit=./evil.sh\n');
    },
    uncertain: true,
  },
  {
    name: 'a toolchain of Rust',
    command: 'cargo --version; cargo metadata --offline',
    needs: ['cargo'],
    plant: (workspace, evil) => {
      workspace.place('rust-toolchain.toml', `[toolchain]\npath = "${workspace.at('toolchain')}"\n`);
      evilProgram(workspace, 'toolchain/bin/cargo');
      workspace.place('.cargo/config.toml', `[build]\nrustc = "${evil}"\n`);
      workspace.place('Cargo.toml', '[package]\nname = "x"\nversion = "0.1.0"\n');
      workspace.place('src/lib.rs', '');
    },
    uncertain: true,
  },
  {
    name: 'a toolchain of Go',
    command: 'go env; go version',
    needs: ['go'],
    plant: ({ place }) => {
      place('go.mod', 'module x\n\ngo 1.99\n\ntoolchain go1.99.0\n');
      place('go.work', 'go 1.99\n');
    },
    uncertain: true,
  },
  { name: 'a script', command: 'bash evil.sh', plant: () => undefined },
  {
    name: 'code in the command',
    command: "python3 -c \"open('pwned', 'w')\"",
    needs: ['python3'],
    plant: () => undefined,
  },
  {
    name: 'a virtual environment',
    command: '. .venv/bin/activate && ls',
    plant: (workspace) => {
      workspace.place('.venv/bin/activate', '. ./evil.sh\n');
    },
  },
  {
    name: 'a page that is formatted',
    command: 'man -l page.1',
    needs: ['man'],
    plant: ({ place }) => place('page.1', '.TH x 1\n.sy ./evil.sh\n'),
    uncertain: true,
  },
  { name: 'a name behind what is not known before', command: 'x=./evil.sh; $x', plant: () => undefined },
  { name: 'another folder of programs for one command', command: 'PATH=. evil.sh', plant: () => undefined },
];
