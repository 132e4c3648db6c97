import type { Manual, Manuals } from '../../calls/manual';
import { judgeTasks, judgeTests } from '../special/building';
import {
  judgeCheckers,
  judgeChecksSettings,
  judgeClojure,
  judgePhp,
  judgePhpFixer,
  judgeServes,
  judgeXcode,
} from '../special/projects';
import { judgeNpmRun } from '../special/scripts';

const look: Manual = { level: 'low', others: 'high', operands: 'text…' };
const build = (options: string, operands = 'search…'): Manual => ({
  level: 'low',
  operands,
  options: `--help -h --version -v --verbose -q --quiet ${options}`,
});
const runs: Manual = { level: 'medium', reason: 'It runs code of this project.', operands: 'text…', judge: judgeTests };
const serves: Manual = { ...runs, judge: judgeServes };
const change: Manual = { level: 'medium', reason: 'It changes files of the workspace.', operands: 'write…' };
const installs: Manual = { level: 'medium', reason: 'It installs what the project already declares.', operands: '' };
const data: Manual = { level: 'high', reason: 'It installs packages, publishes or changes data.' };
const tasks: Manual = { level: 'high', judge: judgeTasks, options: '--version -v -q --quiet --verbose -j= --trace' };

/** Smaller ecosystems, servers of the project, version managers. */
export const ecosystemTools: Manuals = {
  stack: {
    ...data,
    options: '--version --no-terminal --system-ghc',
    verbs: {
      'build test haddock bench': {
        ...build('--fast --pedantic --test --no-run-tests --ta= --file-watch --dry-run', 'text…'),
        judge: judgeTests,
      },
      'path ls query': look,
      clean: { ...change, operands: 'text…' },
      run: runs,
    },
  },
  cabal: {
    ...data,
    options: '--version',
    verbs: {
      'build test check haddock bench list-bin': {
        ...build('-O0 -O1 --enable-tests --enable-coverage --test-show-details= --dry-run -j=', 'text…'),
        judge: judgeTests,
      },
      run: runs,
      clean: change,
      freeze: change,
    },
  },
  'hlint ormolu fourmolu stylish-haskell': {
    level: 'low',
    operands: 'search…',
    options: '--mode=^ -i^ --inplace^ --check-idempotence --version',
  },
  ghc: {
    level: 'medium',
    reason: 'It compiles.',
    style: 'words',
    operands: 'read…',
    options:
      '--version -o=write -O -O0 -O1 -O2 -Wall -Werror --make -outputdir=write -fno-code --info -V -package=! -F! -pgmF=! -fplugin=!',
  },
  'lein boot': {
    level: 'high',
    verbs: {
      'test check deps classpath version eastwood kibit': {
        level: 'low',
        operands: 'text…',
        options: ':only',
        judge: judgeTests,
      },
      'run uberjar jar compile clean cljfmt': runs,
    },
  },
  'clojure clj': { level: 'high', options: '--version -version', judge: judgeClojure },
  elm: {
    level: 'high',
    options: '--version',
    verbs: {
      make: {
        level: 'medium',
        reason: 'It builds the project.',
        operands: 'read…',
        options: '--output=write --optimize --debug --docs=write --report=',
      },
    },
  },
  'elm-test elm-format elm-review': {
    level: 'low',
    declared: true,
    operands: 'search…',
    options: '--validate --fix^ --yes^ --fuzz= --seed=',
  },
  'dune crystal gleam rebar3 nimble spago bloop': {
    level: 'high',
    options: '--version -v',
    verbs: {
      'build test runtest check spec compile ct eunit dialyzer xref deps': {
        level: 'low',
        operands: 'text…',
        options: '--release --watch -w --profile= --warnings-as-errors --force --no-color',
        judge: judgeTests,
      },
      'run fmt format clean': runs,
      'version help tree': look,
    },
  },
  nim: {
    level: 'medium',
    reason: 'It compiles.',
    verbs: {
      'check doc': { level: 'low', operands: 'read', options: '' },
      'c compile cpp js': {
        level: 'medium',
        reason: 'It compiles.',
        operands: 'read',
        options: '-d= -o=write --hints=',
      },
    },
  },
  xcodebuild: {
    level: 'high',
    style: 'words',
    judge: judgeXcode,
    options:
      '-scheme= -project=search -workspace=search -destination= -configuration= -sdk= -quiet -version -list -showsdks -showBuildSettings -derivedDataPath=write -only-testing:? -skip-testing:? -enableCodeCoverage= -parallel-testing-enabled= -resultBundlePath=write -json CODE_SIGNING_ALLOWED=',
  },
  'xcode-select pod': {
    ...data,
    options: '--version -p --print-path',
    verbs: {
      install: { ...installs, options: '--verbose --silent --no-repo-update --repo-update --deployment' },
      'list env outdated': look,
    },
  },
  carthage: data,
  'gulp grunt': { ...tasks, declared: true },
  'ant scons mill': tasks,
  buck2: { level: 'high', verbs: { 'build test query': { level: 'low', operands: 'text…', options: '' } } },
  pants: {
    level: 'high',
    verbs: {
      'test lint check list dependencies': { level: 'low', operands: 'text…', options: '' },
      'fmt fix package': runs,
    },
  },
  'rush lerna': {
    level: 'high',
    reason: 'It installs, runs or publishes packages.',
    declared: true,
    options: '--version',
    verbs: {
      'list ls changed diff info': { ...look, options: '--json -a --all -l --long --since=' },
      'build rebuild test lint': runs,
      run: { level: 'medium', judge: judgeNpmRun },
    },
  },
  'nodemon tsx-watch ts-node-dev': {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    operands: 'script text…',
    options:
      '-w=search --watch=search -e= --ext= -i= --ignore= -q --quiet --version --inspect -x=! --exec=! --config=! --respawn --transpile-only',
  },
  'http-server serve live-server json-server': {
    ...serves,
    declared: true,
    options: '-a= --host= -p= --port= -s --single -c= -l= --listen= --no-clipboard --watch --cors -o --open --version',
  },
  'npm-check-updates ncu npm-check updates': {
    level: 'low',
    declared: true,
    operands: 'text…',
    options: '-u^ --upgrade^ --filter= -f= --reject= -x= -t= --target= --version --dep= --deep',
  },
  'commitlint lint-staged sort-package-json syncpack manypkg': {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    operands: 'text…',
    options: '--from= --to= --edit --verbose --check --version -d --quiet',
  },
  'openapi-generator openapi-typescript graphql-codegen orval swagger-cli redocly spectral': {
    level: 'medium',
    reason: 'It generates code.',
    declared: true,
    operands: 'read…',
    judge: judgeTests,
    options: '-o=write --output=write -c=search --config=search --check --version --watch',
  },
  'uvicorn gunicorn hypercorn daphne': {
    ...serves,
    options:
      '--reload --port= --host= --workers= -w= -b= --bind= --log-level= --factory --app-dir=search -k= --timeout= --access-logfile= --version',
  },
  flask: {
    level: 'high',
    reason: 'It changes data.',
    options: '--app= -A= --debug --version',
    verbs: {
      'run routes': { ...serves, options: '--debug --port= -p= --host= -h= --reload --no-reload --sort=' },
      db: { ...data, verbs: { 'current history heads check show': look, migrate: runs } },
    },
  },
  'fastapi streamlit': {
    level: 'high',
    options: '--version',
    verbs: { 'dev run hello': { ...serves, options: '--port= --host= --reload --server.port=' }, version: look },
  },
  celery: {
    level: 'high',
    options: '-A=',
    verbs: {
      'worker beat': { ...runs, options: '-l= --loglevel= -c= --concurrency= -B -Q=' },
      status: look,
      inspect: {
        level: 'medium',
        reason: 'It asks the workers of the project.',
        operands: 'text…',
        options: '-d= --destination= -t= --timeout= -j --json',
      },
    },
  },
  'django-admin': {
    level: 'high',
    verbs: {
      'version help': look,
      'startproject startapp makemessages compilemessages': { ...change, options: '-l= -a' },
    },
  },
  jupyter: {
    level: 'high',
    options: '--version',
    verbs: {
      nbconvert: {
        level: 'medium',
        reason: 'It converts files of the workspace.',
        operands: 'read…',
        options: '--to= --execute --output=write --output-dir=write --stdout --inplace --clear-output --no-input',
      },
      'lab notebook': { ...serves, options: '--no-browser --port=' },
      kernelspec: { level: 'high', verbs: { list: look } },
    },
  },
  virtualenv: { ...change, operands: 'write', options: '-p= --python= -q --quiet --version --clear' },
  pipdeptree: { ...look, options: '-p= --packages= -r --reverse --json -w= --json-tree' },
  'pip-audit safety': {
    level: 'medium',
    reason: 'It asks the network for known weaknesses.',
    operands: '',
    options: '-r=read --requirement=read --strict -l --local -f= --format= --desc',
    bare: look,
    verbs: {
      'check scan': {
        level: 'medium',
        reason: 'It asks the network for known weaknesses.',
        operands: '',
        options: '-r=read',
      },
    },
  },
  'pip-compile pip-sync': {
    level: 'medium',
    reason: 'It installs or pins what the project declares.',
    operands: 'read…',
    options:
      '--upgrade -U -o=write --output-file=write --generate-hashes -q --quiet --resolver= --strip-extras --no-header',
  },
  twine: {
    level: 'high',
    reason: 'It publishes.',
    verbs: { check: { level: 'low', operands: 'read…', options: '--strict' } },
  },
  'pyinstaller cython maturin': {
    level: 'high',
    reason: 'It builds the project.',
    options: '--version',
    verbs: { build: { ...runs, options: '--release -r' }, develop: { ...runs, options: '--release -r' } },
  },
  'locust behave robot lighthouse': { ...runs, options: '--headless -f=search --tags= -t= --no-capture --version' },
  erb: { ...runs, options: '-T= -x -v --version -r! -S!' },
  'erlc brakeman reek steep sorbet srb haml-lint slim-lint bundle-audit bundler-audit': {
    level: 'low',
    operands: 'search…',
    options: '-q -z --no-pager --format= -f= --no-exit-on-warn --version -o=write',
    judge: judgeTests,
  },
  puma: { ...serves, options: '-p= --port= -C=search -e= -t= -w=' },
  foreman: {
    level: 'medium',
    reason: 'It runs code of this project.',
    verbs: {
      check: look,
      start: {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: 'text',
        options: '-f=search -p= -m=',
      },
    },
  },
  pint: { ...change, judge: judgePhpFixer, options: '--test --version -v --config=search --dirty' },
  'php-cs-fixer': {
    ...change,
    judge: judgePhpFixer,
    options: '--version',
    verbs: { fix: { ...change, options: '--dry-run --diff -v --config=search --allow-risky= --path-mode=' } },
  },
  php: {
    level: 'medium',
    reason: 'It runs code of this project.',
    judge: judgePhp,
    operands: 'script text…',
    needsOperand: true,
    options:
      '-v --version -w -i! -m -l -f=read -S= -t=search -d=! -q -n --ini --help --ri= -B=! -R=! -E=! -F=! -z=! -c=!',
  },
  'nvm fnm volta pyenv rbenv nodenv goenv jenv asdf mise rtx sdk tfenv rvm chruby': {
    level: 'high',
    reason: 'It changes which versions of tools are used.',
    options: '--version -v',
    verbs: {
      'ls list current version versions which whence where ls-installed list-installed installed root doctor help c': {
        ...look,
        options: '--no-colors --bare',
      },
      plugin: { level: 'high', verbs: { 'list ls': look } },
    },
  },
  direnv: { level: 'high', reason: 'It changes which code runs in this folder.', verbs: { 'status version': look } },
  'opam cpan luarocks sbcl': { ...data, options: '--version', verbs: { 'list show info': look } },
  'commit-check git-cliff conventional-changelog': {
    level: 'medium',
    reason: 'It reads the history and writes a text.',
    declared: true,
    operands: '',
    options: '-o=write --output=write --unreleased -u -p= -i=write -s -r= --tag= --latest -l',
  },
  'jscpd dprint taplo typos lychee vale proselint write-good alex textlint buildifier dockle dotenv-linter editorconfig-checker ec gitlint checkmake terraform-docs sqlfmt djlint curlylint':
    {
      level: 'low',
      declared: true,
      operands: 'search…',
      options:
        '--check --version --config=search -c=search --format= -f= --quiet -q --verbose -v --no-color --diff --reformat^ --fix^ --write-changes^ -w^ --lint --offline',
      judge: judgeCheckers,
    },
  promtool: {
    level: 'high',
    verbs: {
      'check test': {
        level: 'high',
        verbs: {
          'config rules metrics web-config': {
            level: 'low',
            operands: 'read…',
            options: '--lint= --lint-fatal --syntax-only --agent',
          },
        },
      },
    },
  },
  amtool: { level: 'high', verbs: { 'check-config': { level: 'low', operands: 'read…' } } },
  nginx: {
    level: 'high',
    reason: 'It starts or stops a server.',
    judge: judgeChecksSettings,
    options: '-v -V -h -t -T -q -c=read -p=search',
  },
  luacheck: {
    level: 'low',
    operands: 'search…',
    options:
      '-q -qq --std= --globals= --no-color --codes --no-unused --no-max-line-length --exclude-files= --ignore= -d -a -u',
  },
  selene: { level: 'low', operands: 'search…', options: '--quiet -q --no-summary --display-style=' },
  'ast-grep': {
    level: 'low',
    declared: true,
    options: '--version',
    verbs: {
      'run scan': {
        level: 'low',
        operands: 'search…',
        options:
          '-p= --pattern= -l= --lang= -r=^ --rewrite=^ -U^ --update-all^ -i^ --json? --color= -A= -B= -C= --no-ignore=! -c=search --config=search --report-style= --filter= --globs= --selector= --strictness= --stdin',
      },
      help: look,
    },
    bare: {
      level: 'low',
      operands: 'search…',
      options: '-p= --pattern= -l= --lang= -r=^ --rewrite=^ -U^ --update-all^ --json?',
    },
  },
  symfony: {
    level: 'high',
    reason: 'It changes a server or what is installed.',
    options: '--version -V',
    verbs: { 'check:requirements local:check:requirements check:security security:check version': look },
  },
  'watchexec entr': { level: 'high', reason: 'It runs a command whenever files change.' },
};
