import { flags, high, medium, optionalValues, takes, type Options, values } from '../../calls/options';
import { each, type Operands } from '../../calls/manual';
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

const look: Manual = { level: 'low', others: 'high', operands: { rest: 'text' } };
const build = (options: Options, operands: Operands = { rest: 'search' }): Manual => ({
  level: 'low',
  operands,
  options: [flags('--help -h --version -v --verbose -q --quiet'), ...options],
});
const runs: Manual = {
  level: 'medium',
  reason: 'It runs code of this project.',
  operands: { rest: 'text' },
  judge: judgeTests,
};
const serves: Manual = { ...runs, judge: judgeServes };
const change: Manual = { level: 'medium', reason: 'It changes files of the workspace.', operands: { rest: 'write' } };
const installs: Manual = { level: 'medium', reason: 'It installs what the project already declares.', operands: [] };
const data: Manual = { level: 'high', reason: 'It installs packages, publishes or changes data.' };
const tasks: Manual = {
  level: 'high',
  judge: judgeTasks,
  options: [flags('--version -v -q --quiet --verbose --trace'), values('-j')],
};

/** Smaller ecosystems, servers of the project, version managers. */
export const ecosystemTools: Manuals = {
  stack: {
    ...data,
    options: [flags('--version --no-terminal --system-ghc')],
    verbs: {
      ...each('build test haddock bench', {
        ...build([flags('--fast --pedantic --test --no-run-tests --file-watch --dry-run'), values('--ta')], {
          rest: 'text',
        }),
        judge: judgeTests,
      }),
      ...each('path ls query', look),
      clean: { ...change, operands: { rest: 'text' } },
      run: runs,
    },
  },
  cabal: {
    ...data,
    options: [flags('--version')],
    verbs: {
      ...each('build test check haddock bench list-bin', {
        ...build([flags('-O0 -O1 --enable-tests --enable-coverage --dry-run'), values('--test-show-details -j')], {
          rest: 'text',
        }),
        judge: judgeTests,
      }),
      run: runs,
      clean: change,
      freeze: change,
    },
  },
  ...each('hlint ormolu fourmolu stylish-haskell', {
    level: 'low',
    operands: { rest: 'search' },
    options: [flags('--check-idempotence --version'), medium(flags('-i --inplace'), values('--mode'))],
  }),
  ghc: {
    level: 'medium',
    reason: 'It compiles.',
    style: 'words',
    operands: { rest: 'read' },
    options: [
      flags('--version -O -O0 -O1 -O2 -Wall -Werror --make -fno-code --info -V'),
      takes('write', '-o -outputdir'),
      high(flags('-F'), values('-package -pgmF -fplugin')),
    ],
  },
  ...each('lein boot', {
    level: 'high',
    verbs: {
      ...each('test check deps classpath version eastwood kibit', {
        level: 'low',
        operands: { rest: 'text' },
        options: [flags(':only')],
        judge: judgeTests,
      }),
      ...each('run uberjar jar compile clean cljfmt', runs),
    },
  }),
  ...each('clojure clj', { level: 'high', options: [flags('--version -version')], judge: judgeClojure }),
  elm: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      make: {
        level: 'medium',
        reason: 'It builds the project.',
        operands: { rest: 'read' },
        options: [flags('--optimize --debug'), values('--report'), takes('write', '--output --docs')],
      },
    },
  },
  ...each('elm-test elm-format elm-review', {
    level: 'low',
    declared: true,
    operands: { rest: 'search' },
    options: [flags('--validate'), values('--fuzz --seed'), medium(flags('--fix --yes'))],
  }),
  ...each('dune crystal gleam rebar3 nimble spago bloop', {
    level: 'high',
    options: [flags('--version -v')],
    verbs: {
      ...each('build test runtest check spec compile ct eunit dialyzer xref deps', {
        level: 'low',
        operands: { rest: 'text' },
        options: [flags('--release --watch -w --warnings-as-errors --force --no-color'), values('--profile')],
        judge: judgeTests,
      }),
      ...each('run fmt format clean', runs),
      ...each('version help tree', look),
    },
  }),
  nim: {
    level: 'medium',
    reason: 'It compiles.',
    verbs: {
      ...each('check doc', { level: 'low', operands: ['read'], options: [] }),
      ...each('c compile cpp js', {
        level: 'medium',
        reason: 'It compiles.',
        operands: ['read'],
        options: [values('-d --hints'), takes('write', '-o')],
      }),
    },
  },
  xcodebuild: {
    level: 'high',
    style: 'words',
    judge: judgeXcode,
    options: [
      flags('-quiet -version -list -showsdks -showBuildSettings -json'),
      values(`
          -scheme -destination -configuration -sdk -enableCodeCoverage -parallel-testing-enabled
          CODE_SIGNING_ALLOWED
        `),
      optionalValues('-only-testing: -skip-testing:'),
      takes('search', '-project -workspace'),
      takes('write', '-derivedDataPath -resultBundlePath'),
    ],
  },
  ...each('xcode-select pod', {
    ...data,
    options: [flags('--version -p --print-path')],
    verbs: {
      install: { ...installs, options: [flags('--verbose --silent --no-repo-update --repo-update --deployment')] },
      ...each('list env outdated', look),
    },
  }),
  carthage: data,
  ...each('gulp grunt', { ...tasks, declared: true }),
  ...each('ant scons mill', tasks),
  buck2: {
    level: 'high',
    verbs: { ...each('build test query', { level: 'low', operands: { rest: 'text' }, options: [] }) },
  },
  pants: {
    level: 'high',
    verbs: {
      ...each('test lint check list dependencies', { level: 'low', operands: { rest: 'text' }, options: [] }),
      ...each('fmt fix package', runs),
    },
  },
  ...each('rush lerna', {
    level: 'high',
    reason: 'It installs, runs or publishes packages.',
    declared: true,
    options: [flags('--version')],
    verbs: {
      ...each('list ls changed diff info', {
        ...look,
        options: [flags('--json -a --all -l --long'), values('--since')],
      }),
      ...each('build rebuild test lint', runs),
      run: { level: 'medium', judge: judgeNpmRun },
    },
  }),
  ...each('nodemon tsx-watch ts-node-dev', {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    operands: { first: ['script'], rest: 'text' },
    options: [
      values('-e --ext -i --ignore'),
      flags('-q --quiet --version --inspect --respawn --transpile-only'),
      takes('search', '-w --watch'),
      high(values('-x --exec --config')),
    ],
  }),
  ...each('http-server serve live-server json-server', {
    ...serves,
    declared: true,
    options: [
      flags('-s --single --no-clipboard --watch --cors -o --open --version'),
      values('-a --host -p --port -c -l --listen'),
    ],
  }),
  ...each('npm-check-updates ncu npm-check updates', {
    level: 'low',
    declared: true,
    operands: { rest: 'text' },
    options: [
      values('--filter -f --reject -x -t --target --dep'),
      flags('--version --deep'),
      medium(flags('-u --upgrade')),
    ],
  }),
  ...each('commitlint lint-staged sort-package-json syncpack manypkg', {
    level: 'medium',
    reason: 'It runs code of this project.',
    declared: true,
    operands: { rest: 'text' },
    options: [flags('--edit --verbose --check --version -d --quiet'), values('--from --to')],
  }),
  ...each(
    `
      openapi-generator openapi-typescript graphql-codegen orval swagger-cli redocly spectral
    `,
    {
      level: 'medium',
      reason: 'It generates code.',
      declared: true,
      operands: { rest: 'read' },
      judge: judgeTests,
      options: [flags('--check --version --watch'), takes('write', '-o --output'), takes('search', '-c --config')],
    },
  ),
  ...each('uvicorn gunicorn hypercorn daphne', {
    ...serves,
    options: [
      flags('--reload --factory --version'),
      values('--port --host --workers -w -b --bind --log-level -k --timeout --access-logfile'),
      takes('search', '--app-dir'),
    ],
  }),
  flask: {
    level: 'high',
    reason: 'It changes data.',
    options: [flags('--debug --version'), values('--app -A')],
    verbs: {
      ...each('run routes', {
        ...serves,
        options: [flags('--debug --reload --no-reload'), values('--port -p --host -h --sort')],
      }),
      db: { ...data, verbs: { ...each('current history heads check show', look), migrate: runs } },
    },
  },
  ...each('fastapi streamlit', {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('dev run hello', { ...serves, options: [flags('--reload'), values('--port --host --server.port')] }),
      version: look,
    },
  }),
  celery: {
    level: 'high',
    options: [values('-A')],
    verbs: {
      ...each('worker beat', { ...runs, options: [flags('-B'), values('-l --loglevel -c --concurrency -Q')] }),
      status: look,
      inspect: {
        level: 'medium',
        reason: 'It asks the workers of the project.',
        operands: { rest: 'text' },
        options: [flags('-j --json'), values('-d --destination -t --timeout')],
      },
    },
  },
  'django-admin': {
    level: 'high',
    verbs: {
      ...each('version help', look),
      ...each('startproject startapp makemessages compilemessages', {
        ...change,
        options: [flags('-a'), values('-l')],
      }),
    },
  },
  jupyter: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      nbconvert: {
        level: 'medium',
        reason: 'It converts files of the workspace.',
        operands: { rest: 'read' },
        options: [
          flags('--execute --stdout --inplace --clear-output --no-input'),
          values('--to'),
          takes('write', '--output --output-dir'),
        ],
      },
      ...each('lab notebook', { ...serves, options: [flags('--no-browser'), values('--port')] }),
      kernelspec: { level: 'high', verbs: { list: look } },
    },
  },
  virtualenv: {
    ...change,
    operands: ['write'],
    options: [flags('-q --quiet --version --clear'), values('-p --python')],
  },
  pipdeptree: { ...look, options: [flags('-r --reverse --json --json-tree'), values('-p --packages -w')] },
  ...each('pip-audit safety', {
    level: 'medium',
    reason: 'It asks the network for known weaknesses.',
    operands: [],
    options: [flags('--strict -l --local --desc'), values('-f --format'), takes('read', '-r --requirement')],
    bare: look,
    verbs: {
      ...each('check scan', {
        level: 'medium',
        reason: 'It asks the network for known weaknesses.',
        operands: [],
        options: [takes('read', '-r')],
      }),
    },
  }),
  ...each('pip-compile pip-sync', {
    level: 'medium',
    reason: 'It installs or pins what the project declares.',
    operands: { rest: 'read' },
    options: [
      flags('--upgrade -U --generate-hashes -q --quiet --strip-extras --no-header'),
      values('--resolver'),
      takes('write', '-o --output-file'),
    ],
  }),
  twine: {
    level: 'high',
    reason: 'It publishes.',
    verbs: { check: { level: 'low', operands: { rest: 'read' }, options: [flags('--strict')] } },
  },
  ...each('pyinstaller cython maturin', {
    level: 'high',
    reason: 'It builds the project.',
    options: [flags('--version')],
    verbs: {
      build: { ...runs, options: [flags('--release -r')] },
      develop: { ...runs, options: [flags('--release -r')] },
    },
  }),
  ...each('locust behave robot lighthouse', {
    ...runs,
    options: [flags('--headless --no-capture --version'), values('--tags -t'), takes('search', '-f')],
  }),
  erb: { ...runs, options: [flags('-x -v --version'), values('-T'), high(flags('-r -S'))] },
  ...each(
    `
      erlc brakeman reek steep sorbet srb haml-lint slim-lint bundle-audit bundler-audit
    `,
    {
      level: 'low',
      operands: { rest: 'search' },
      options: [flags('-q -z --no-pager --no-exit-on-warn --version'), values('--format -f'), takes('write', '-o')],
      judge: judgeTests,
    },
  ),
  puma: { ...serves, options: [values('-p --port -e -t -w'), takes('search', '-C')] },
  foreman: {
    level: 'medium',
    reason: 'It runs code of this project.',
    verbs: {
      check: look,
      start: {
        level: 'medium',
        reason: 'It runs code of this project.',
        operands: ['text'],
        options: [values('-p -m'), takes('search', '-f')],
      },
    },
  },
  pint: {
    ...change,
    judge: judgePhpFixer,
    options: [flags('--test --version -v --dirty'), takes('search', '--config')],
  },
  'php-cs-fixer': {
    ...change,
    judge: judgePhpFixer,
    options: [flags('--version')],
    verbs: {
      fix: {
        ...change,
        options: [flags('--dry-run --diff -v'), values('--allow-risky --path-mode'), takes('search', '--config')],
      },
    },
  },
  php: {
    level: 'medium',
    reason: 'It runs code of this project.',
    judge: judgePhp,
    operands: { first: ['script'], rest: 'text' },
    needsOperand: true,
    options: [
      flags('-v --version -w -m -l -q -n --ini --help'),
      values('-S --ri'),
      takes('read', '-f'),
      takes('search', '-t'),
      high(flags('-i'), values('-d -B -R -E -F -z -c')),
    ],
  },
  ...each('nvm fnm volta pyenv rbenv nodenv goenv jenv asdf mise rtx sdk tfenv rvm chruby', {
    level: 'high',
    reason: 'It changes which versions of tools are used.',
    options: [flags('--version -v')],
    verbs: {
      ...each(
        `
          ls list current version versions which whence where ls-installed list-installed installed
          root doctor help c
        `,
        {
          ...look,
          options: [flags('--no-colors --bare')],
        },
      ),
      plugin: { level: 'high', verbs: { ...each('list ls', look) } },
    },
  }),
  direnv: {
    level: 'high',
    reason: 'It changes which code runs in this folder.',
    verbs: { ...each('status version', look) },
  },
  ...each('opam cpan luarocks sbcl', {
    ...data,
    options: [flags('--version')],
    verbs: { ...each('list show info', look) },
  }),
  ...each('commit-check git-cliff conventional-changelog', {
    level: 'medium',
    reason: 'It reads the history and writes a text.',
    declared: true,
    operands: [],
    options: [flags('--unreleased -u -s --latest -l'), values('-p -r --tag'), takes('write', '-o --output -i')],
  }),
  ...each(
    `
      jscpd dprint taplo typos lychee vale proselint write-good alex textlint buildifier dockle
      dotenv-linter editorconfig-checker ec gitlint checkmake terraform-docs sqlfmt djlint
      curlylint
    `,
    {
      level: 'low',
      declared: true,
      operands: { rest: 'search' },
      options: [
        flags('--check --version --quiet -q --verbose -v --no-color --diff --lint --offline'),
        values('--format -f'),
        takes('search', '--config -c'),
        medium(flags('--reformat --fix --write-changes -w')),
      ],
      judge: judgeCheckers,
    },
  ),
  promtool: {
    level: 'high',
    verbs: {
      ...each('check test', {
        level: 'high',
        verbs: {
          ...each('config rules metrics web-config', {
            level: 'low',
            operands: { rest: 'read' },
            options: [values('--lint'), flags('--lint-fatal --syntax-only --agent')],
          }),
        },
      }),
    },
  },
  amtool: { level: 'high', verbs: { 'check-config': { level: 'low', operands: { rest: 'read' } } } },
  nginx: {
    level: 'high',
    reason: 'It starts or stops a server.',
    judge: judgeChecksSettings,
    options: [flags('-v -V -h -t -T -q'), takes('read', '-c'), takes('search', '-p')],
  },
  luacheck: {
    level: 'low',
    operands: { rest: 'search' },
    options: [
      flags('-q -qq --no-color --codes --no-unused --no-max-line-length -d -a -u'),
      values('--std --globals --exclude-files --ignore'),
    ],
  },
  selene: {
    level: 'low',
    operands: { rest: 'search' },
    options: [flags('--quiet -q --no-summary'), values('--display-style')],
  },
  'ast-grep': {
    level: 'low',
    declared: true,
    options: [flags('--version')],
    verbs: {
      ...each('run scan', {
        level: 'low',
        operands: { rest: 'search' },
        options: [
          values(`
              -p --pattern -l --lang --color -A -B -C --report-style --filter --globs --selector
              --strictness
            `),
          flags('--stdin'),
          optionalValues('--json'),
          takes('search', '-c --config'),
          medium(flags('-U --update-all -i'), values('-r --rewrite')),
          high(values('--no-ignore')),
        ],
      }),
      help: look,
    },
    bare: {
      level: 'low',
      operands: { rest: 'search' },
      options: [
        values('-p --pattern -l --lang'),
        optionalValues('--json'),
        medium(flags('-U --update-all'), values('-r --rewrite')),
      ],
    },
  },
  symfony: {
    level: 'high',
    reason: 'It changes a server or what is installed.',
    options: [flags('--version -V')],
    verbs: {
      ...each(
        `
        check:requirements local:check:requirements check:security security:check version
      `,
        look,
      ),
    },
  },
  ...each('watchexec entr', { level: 'high', reason: 'It runs a command whenever files change.' }),
};
