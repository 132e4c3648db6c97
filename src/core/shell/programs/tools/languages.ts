import { flags, high, medium, optionalValues, takes, type Options, values } from '../../calls/options';
import { each, type Operands } from '../../calls/manual';
import type { Manual, Manuals } from '../../calls/manual';
import {
  judgeCmakeBuild,
  judgeFormats,
  judgePipInstall,
  judgePython,
  judgeTasks,
  judgeTests,
} from '../special/building';
import { judgeInline } from '../special/inline';
import { judgeProjectInstall } from '../special/installing';
import { judgePackageChecks, judgeToolchain } from '../special/projects';
import { judgeMake, judgeNpmRun } from '../special/scripts';
import { judgeBundled, judgePythonRun } from '../special/wrappers';

const look: Manual = { level: 'low', operands: { rest: 'text' } };
const build = (options: Options, operands: Operands = { rest: 'search' }): Manual => ({
  level: 'low',
  operands,
  options: [flags('--help -h --version -V -v -vv -q --quiet --verbose'), ...options],
});
const change: Manual = { level: 'medium', reason: 'It changes files of the workspace.', operands: { rest: 'write' } };
const runs: Manual = { level: 'medium', reason: 'It runs code of this project.', operands: { rest: 'text' } };
const installs: Manual = {
  level: 'medium',
  reason: 'It installs what the project already declares.',
  operands: [],
  judge: judgeProjectInstall,
};
const data: Manual = { level: 'high', reason: 'It installs packages, publishes or changes data.' };

const pytest = build([
  flags(`
      --doctest-modules -x -s -l -rA -ra -vvv --strict-markers --no-header --no-cov --co
      --collect-only --full-trace --new-first --nf --stepwise-skip --no-summary
    `),
  values(`
      --doctest-glob -k -m -n -r -W --randomly-seed --deselect --timeout --color --cov-fail-under
      --durations --cov-report --tb --maxfail --capture --log-level --log-cli-level --import-mode
      --asyncio-mode --reruns --dist
    `),
  flags(`
      --forked --benchmark-only --benchmark-skip --runslow --slow --reuse-db --create-db
      --nomigrations --fixtures --markers --showlocals --stepwise --sw --setup-show
      --disable-warnings --exitfirst --last-failed --failed-first --lf --ff
    `),
  optionalValues('--cov'),
  takes('module', '-p'),
  takes('search', '-c --rootdir --ignore'),
  takes('write', '--junitxml --html'),
  high(flags('--pdb'), values('--pastebin --basetemp -o --override-ini --confcutdir')),
]);
const pipVerbs: Manuals = {
  ...each('list show freeze check help debug inspect', {
    ...look,
    options: [flags('--outdated -o --not-required -v --verbose -f --local -l --user'), values('--format')],
  }),
  install: {
    level: 'medium',
    reason: 'It installs what the project already declares.',
    operands: { rest: 'read' },
    judge: judgePipInstall,
    options: [
      flags(`
          -e -q --quiet --no-deps --upgrade -U --no-cache-dir --disable-pip-version-check
          --require-hashes --editable --no-build-isolation
        `),
      values('--only-binary'),
      takes('read', '-r -c --requirement --constraint'),
    ],
  },
  uninstall: { level: 'medium', reason: 'It removes packages.', options: [flags('-y --yes')] },
  cache: { level: 'low', verbs: { ...each('info dir list', look) } },
  index: {
    level: 'high',
    verbs: { versions: { level: 'medium', reason: 'It asks the registry.', operands: ['text'], options: [] } },
  },
  config: {
    level: 'high',
    verbs: {
      list: {
        level: 'medium',
        reason: 'It shows the settings of pip.',
        operands: [],
        options: [flags('-v --user --site')],
      },
    },
  },
};
const pip: Manual = {
  level: 'high',
  reason: 'It installs packages.',
  options: [flags('--version -V --help --disable-pip-version-check')],
  verbs: pipVerbs,
};
const cargoBuild = [
  values(`
      --message-format -F -p --package --features --bin --test --example --bench --target -j
      --jobs --profile --exclude --color
    `),
  flags(`
      --allow-dirty --allow-staged -q --quiet -v --verbose -vv --timings --future-incompat-report
      --ignore-rust-version --workspace --all --all-targets --all-features --no-default-features
      --lib --bins --tests --examples --release -r --locked --frozen --offline --no-run
      --no-fail-fast --doc --no-deps --keep-going --document-private-items --
    `),
  takes('search', '--manifest-path'),
  takes('write', '--target-dir'),
  medium(flags('--fix'), optionalValues('--open')),
  high(values('--config -Z')),
];
/** Warnings, defines, ways to optimise, libraries and what is printed. What loads a plugin or goes to the linker is none of them. */
const compilerOption =
  /^-(?:W(?!l|a|p)[\w=+-]*|f(?!plugin)[\w-]+(?:=[\w,]+)?|m[\w.=+-]+|[DU]\w+(?:=[\w.+-]*)?|std=[\w+]+|d[MDIN]|x ?(?:c|c\+\+|assembler)|l\w[\w+-]*|O\w*|g\w*|save-temps|nostdlib|nodefaultlibs|ffreestanding|static-libgcc|rdynamic|pie|no-pie|pipe)$/;
const goBuild = [
  flags(`
      -all -src -cmd -deps -versions -retracted -find -e -compiled -v -race -cover -short
      -benchmem -x -n -json -failfast -trimpath -a -m -u
    `),
  values(`
      -composites -copylocks -printf -shadow -unusedresult -run -count -timeout -bench -tags -mod
      -parallel -p -list -buildvcs -f -covermode -coverpkg -shuffle -cpu -fuzz -fuzztime
    `),
  takes('write', '-coverprofile -o'),
  takes('flags', '-ldflags'),
  high(flags('-w'), values('-gcflags -toolexec -vettool -exec -overlay -modfile -C')),
];
const jvm = [
  flags(`
      -i -w -S -q -B -U -o -e -ntp --no-transfer-progress -am -amd -fae -ff -fn -X -v -m --version
      --status --profile --all --quiet --batch-mode --offline --no-daemon --daemon --parallel
      --stacktrace --info --debug
    `),
  values('-T -P -pl -x --tests --configuration --dependency --warning-mode --console'),
  flags('--continue --rerun-tasks --no-build-cache --build-cache --dry-run'),
  takes('search', '-f --file -p'),
  optionalValues('-DskipTests -Dtest'),
  high(flags('--scan'), values('--init-script -I -s --settings -g -b'), optionalValues('-D')),
];

const testRunner: Manual = { ...pytest, declared: true, judge: judgeTests };

export const languageTools: Manuals = {
  ...each(
    `
      python python3 python2 py python3.9 python3.10 python3.11 python3.12 python3.13 pypy3
    `,
    {
      ...runs,
      judge: judgePython,
      startsPrograms: true,
      operands: { first: ['script'], rest: 'text' },
      needsOperand: true,
      options: [flags('-u -B -s -S -E -I -O -q --version -V --help -h'), values('-W -X'), high(values('-m'))],
    },
  ),
  pytest: testRunner,
  'py.test': pytest,
  ...each('pip pip3', pip),
  pipx: { ...data, options: [flags('--version')], verbs: { list: look } },
  conda: {
    ...data,
    options: [flags('--version')],
    verbs: {
      env: { level: 'high', reason: 'It changes environments.', verbs: { list: look } },
      ...each('list info', look),
    },
  },
  uv: {
    ...data,
    options: [flags('--version -V')],
    verbs: {
      python: {
        level: 'high',
        reason: 'It installs Python.',
        verbs: { ...each('list find', { ...look, options: [flags('--only-installed')] }) },
      },
      ...each('sync lock', {
        ...installs,
        options: [flags('--frozen --locked --all-extras --dev --check'), values('--extra')],
      }),
      pip: {
        ...data,
        verbs: {
          ...pipVerbs,
          compile: {
            level: 'medium',
            reason: 'It pins what the project declares.',
            operands: { rest: 'read' },
            options: [
              flags('-U --upgrade -q --quiet --all-extras --generate-hashes --universal'),
              values('--extra'),
              takes('write', '-o --output-file'),
            ],
          },
          tree: look,
        },
      },
      tree: look,
      cache: { level: 'high', verbs: { dir: look } },
      tool: { level: 'high', verbs: { ...each('list dir', look) } },
      venv: { ...change, options: [] },
      run: {
        level: 'low',
        judge: judgeBundled,
        options: [flags('--frozen --locked --no-sync -q --all-extras --dev'), values('--extra --group')],
      },
      version: look,
    },
  },
  poetry: {
    ...data,
    options: [flags('--version')],
    verbs: {
      env: {
        level: 'high',
        reason: 'It changes environments.',
        verbs: { ...each('info list', { ...look, options: [flags('-p --path --full-path')] }) },
      },
      ...each('show check version about', { ...look, options: [flags('--tree --latest --outdated -t -l -o -q')] }),
      ...each('install lock', {
        ...installs,
        options: [flags('--no-root --no-interaction -n --sync --no-update -q'), values('--with --without --only')],
      }),
      build: { ...runs, options: [] },
      run: { level: 'low', judge: judgeBundled },
    },
  },
  pipenv: {
    ...data,
    verbs: {
      ...each('graph check', look),
      run: { level: 'low', judge: judgeBundled },
      ...each('sync install', { ...installs, options: [flags('--dev -d --deploy --ignore-pipfile')] }),
    },
  },
  ...each('hatch pdm rye', {
    ...data,
    verbs: {
      ...each('show list version', look),
      ...each('env python config', {
        level: 'high',
        reason: 'It changes environments.',
        verbs: { ...each('show list find', look) },
      }),
      run: { level: 'low', judge: judgePythonRun },
      ...each('test t', { ...pytest, judge: judgeTests }),
      ...each('sync lock', installs),
    },
  }),
  ...each('tox nox', {
    ...build(
      [flags('-p -r -l --recreate --list -rs --listenvs'), values('-e -s --session'), optionalValues('--parallel')],
      { rest: 'text' },
    ),
    judge: judgeTests,
    handsOnTo: { name: 'pytest', manual: testRunner },
  }),
  ...each(
    `
      mypy pyright pylint flake8 bandit pydocstyle pycodestyle vulture pyflakes interrogate radon
      codespell pytype ty basedpyright pyre
    `,
    build([
      flags(`
          --strict --ignore-missing-imports -r -ll -E --show-error-codes --no-error-summary
        `),
      takes('search', '--config-file --config --rcfile'),
      values(`
          -p -m --max-line-length --select --ignore --disable --enable -x -j --skip --python-version
          --output-format --exclude
        `),
      flags('--errors-only --count --statistics --outputjson'),
      takes('write', '--html-report --junit-xml --cobertura-xml-report --txt-report'),
      high(flags('--install-types'), values('--init-hook --load-plugins')),
    ]),
  ),
  ruff: {
    level: 'low',
    options: [flags('--version')],
    verbs: {
      check: build([
        values('--select --ignore --output-format --extend-select'),
        flags('--show-fixes --statistics --diff --no-cache --watch --exit-zero'),
        takes('search', '--config'),
        medium(flags('--fix --unsafe-fixes')),
      ]),
      format: {
        ...change,
        operands: { rest: 'write' },
        options: [flags('--check --diff --quiet -q')],
        judge: judgeFormats,
      },
      ...each('rule version linter', look),
    },
  },
  ...each(
    `
      black isort autopep8 yapf autoflake pyupgrade gofmt goimports gofumpt rustfmt shfmt scalafmt
      ktlint rubocop standardrb swiftformat swiftlint stylua nixfmt terraform-fmt
    `,
    {
      ...change,
      judge: judgeFormats,
      options: [
        flags(`
            --check --diff --quiet -q -l -d -w -i -s -a -A -c -n -e -ci -bn --fix --autocorrect
            --auto-correct
          `),
        values(`
            --line-length --profile -f -ln -indent --target-version --format --only --except --style
            --edition
          `),
        flags(`
            --check-only --in-place --list-different --dry-run --Werror --skip-string-normalization
            --lint --version --parallel
          `),
      ],
    },
  ),
  'clang-format': {
    ...change,
    style: 'words',
    judge: judgeFormats,
    options: [
      values(`
          -style --style --fallback-style -assume-filename --assume-filename --ferror-limit -lines
          --lines
        `),
      flags(`
          -i -n --dry-run -Werror --Werror --sort-includes --verbose --version
          -output-replacements-xml
        `),
    ],
  },
  'scala-cli': {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('compile test doc', {
        ...build([flags('--watch -w'), values('--jvm -S --scala --test-only --server')], { rest: 'search' }),
        judge: judgeTests,
      }),
      run: { ...runs, judge: judgeTests },
      fmt: { ...change, operands: { rest: 'write' }, options: [flags('--check')] },
      version: look,
    },
  },
  coverage: {
    level: 'low',
    options: [flags('--version')],
    verbs: {
      ...each(
        'report html xml json combine erase lcov',
        build([
          flags('-m -i --show-missing --skip-covered -a'),
          values('--fail-under --omit --include'),
          takes('write', '-d -o'),
        ]),
      ),
      run: {
        ...runs,
        judge: judgePython,
        startsPrograms: true,
        options: [
          flags('-p --branch -a --parallel-mode --append'),
          values('--source --omit --include'),
          high(values('-m')),
        ],
        operands: { first: ['script'], rest: 'text' },
      },
    },
  },
  cargo: {
    level: 'high',
    judge: judgeToolchain,
    options: [
      flags(`
        --version -V -q --quiet -v --verbose --locked --offline --frozen --list +stable +nightly
      `),
    ],
    verbs: {
      ...each('build b check c test t bench clippy doc rustdoc nextest', {
        ...build(cargoBuild, { rest: 'text' }),
        judge: judgeTests,
      }),
      ...each(
        `
          tree metadata version verify-project pkgid locate-project search help audit deny outdated
          machete udeps llvm-cov info semver-checks expand bloat hack msrv
        `,
        {
          ...look,
          options: [
            ...cargoBuild,
            values('-i -e --format-version --depth --invert --edges'),
            flags('-d -R -w --root-deps-only --open --duplicates'),
          ],
        },
      ),
      ...each('run r', { ...runs, options: cargoBuild }),
      fmt: {
        ...change,
        judge: judgeFormats,
        operands: { rest: 'text' },
        options: [flags('--all --check --'), values('-p --package')],
      },
      clean: { ...change, operands: [], options: cargoBuild },
      ...each('remove rm', { ...change, operands: { rest: 'text' }, options: [flags('--dev'), values('-p')] }),
      ...each('fetch update generate-lockfile', { ...installs, options: [...cargoBuild, flags('--dry-run -w')] }),
      fix: { ...change, operands: [], options: [...cargoBuild, flags('--allow-dirty --edition')] },
      ...each('new init', { ...change, options: [flags('--lib --bin'), values('--name --edition --vcs')] }),
    },
  },
  rustc: {
    level: 'medium',
    reason: 'It compiles.',
    operands: ['read'],
    options: [flags('--version -V -vV -O'), values('--edition --explain --print'), takes('write', '-o')],
  },
  rustup: {
    ...data,
    options: [flags('--version')],
    verbs: {
      ...each('toolchain target component', {
        level: 'high',
        verbs: { list: { ...look, options: [flags('--installed')] } },
      }),
      ...each('show which', look),
    },
  },
  go: {
    level: 'high',
    style: 'words',
    options: [flags('-h')],
    verbs: {
      ...each('build test vet list version doc help', {
        ...build(goBuild, { rest: 'search' }),
        style: 'words',
        judge: judgeTests,
      }),
      env: { level: 'low', operands: { rest: 'text' }, options: [flags('-json')], style: 'words' },
      ...each('fmt fix', { ...change, operands: { rest: 'search' }, style: 'words', options: goBuild }),
      run: { ...runs, operands: { first: ['script'], rest: 'text' }, style: 'words', options: goBuild },
      clean: {
        ...change,
        operands: { rest: 'search' },
        style: 'words',
        options: [flags('-cache -testcache -i -r -n -x')],
      },
      mod: {
        level: 'high',
        verbs: {
          ...each('tidy download vendor init', {
            ...installs,
            operands: { rest: 'text' },
            style: 'words',
            options: [flags('-v -x'), values('-go -compat')],
          }),
          ...each('verify why graph', { ...look, style: 'words', options: [flags('-m')] }),
        },
      },
      tool: {
        level: 'high',
        verbs: {
          ...each('pprof trace nm objdump addr2line pack buildid', {
            level: 'low',
            operands: { rest: 'search' },
            style: 'words',
            options: [
              flags('-top -text -cum -svg -png -alloc_space -inuse_space -size -n -type -S'),
              values('-list -peek -nodecount -sample_index -sort'),
              takes('write', '-output'),
              high(values('-http')),
            ],
          }),
          cover: {
            level: 'low',
            operands: { rest: 'search' },
            style: 'words',
            options: [takes('read', '-func -html'), high(takes('write', '-o'))],
          },
        },
      },
    },
  },
  'golangci-lint': {
    level: 'low',
    options: [flags('--version')],
    verbs: {
      run: {
        level: 'low',
        operands: { rest: 'search' },
        style: 'words',
        judge: judgeTests,
        options: [
          values(`
              --timeout -E -D -j --max-same-issues --max-issues-per-linter --build-tags --issues-exit-code
              --modules-download-mode --out-format --enable --disable
            `),
          flags('-v --no-config --tests --allow-parallel-runners --fast --new'),
          takes('search', '-c --config'),
          values('--new-from-rev'),
          medium(flags('--fix')),
        ],
      },
      fmt: {
        level: 'medium',
        reason: 'It changes files of the workspace.',
        operands: { rest: 'write' },
        options: [flags('-d --diff')],
      },
      ...each('linters version help formatters', look),
      config: { level: 'high', verbs: { ...each('verify path', look) } },
      cache: { level: 'high', verbs: { status: look } },
    },
  },
  ...each(
    `
      staticcheck revive errcheck gocyclo ineffassign govulncheck gosec ginkgo gotestsum
    `,
    {
      level: 'low',
      style: 'words',
      operands: { rest: 'text' },
      options: [
        flags('-v --fast --version -version -test -json -r -race -p -short --'),
        values(`
          --timeout -checks -f --out-format --enable --disable -over --new-from-rev --format
        `),
        takes('search', '--config -c'),
        medium(flags('--fix')),
      ],
      judge: judgeTests,
    },
  ),
  ...each('mvn mvnw', { level: 'high', judge: judgeTasks, options: jvm, style: 'words' }),
  ...each('gradle gradlew', { level: 'high', judge: judgeTasks, options: jvm, style: 'words' }),
  sbt: { level: 'high', judge: judgeTasks, options: jvm, style: 'words' },
  dotnet: {
    level: 'high',
    options: [flags('--version --info --list-sdks --list-runtimes --help')],
    verbs: {
      csharpier: {
        ...change,
        judge: judgeFormats,
        options: [flags('--check --no-cache --fast')],
        verbs: { check: look, format: change },
        bare: { ...change, judge: judgeFormats, options: [flags('--check --no-cache --fast')] },
      },
      ...each('build test', {
        ...build([
          values(`
              -c --configuration --filter -f --framework --logger --verbosity -v --collect -r --runtime
            `),
          flags(`
              --no-restore --no-build --nologo --warnaserror /m --blame --list-tests -t /warnaserror
            `),
          optionalValues('-warnaserror --tl -m'),
          takes('write', '-o --output'),
          high(values('-s --settings'), optionalValues('-p')),
        ]),
        judge: judgeTests,
      }),
      restore: {
        ...installs,
        operands: ['search'],
        options: [flags('--locked-mode --nologo --no-cache'), values('-v')],
      },
      tool: { level: 'high', verbs: { restore: installs, list: { ...look, options: [flags('-g --global --local')] } } },
      publish: {
        ...runs,
        operands: ['search'],
        options: [
          flags('--no-restore --no-build --nologo'),
          values('-c --configuration -r'),
          optionalValues('--self-contained'),
          takes('write', '-o --output'),
        ],
      },
      new: { level: 'high', reason: 'It writes files from a template.', verbs: { ...each('list --list', look) } },
      ef: {
        level: 'high',
        reason: 'It changes data.',
        verbs: {
          migrations: {
            level: 'high',
            verbs: { list: look, add: { ...runs, options: [takes('write', '-o'), takes('search', '-p -s')] } },
          },
        },
      },
      nuget: { level: 'high', verbs: { locals: { level: 'high' } } },
      ...each('run watch', {
        ...runs,
        options: [flags('--no-build --no-restore --'), values('-c'), takes('search', '--project')],
      }),
      format: {
        ...change,
        judge: judgeFormats,
        options: [flags('--verify-no-changes --no-restore'), values('--verbosity --include --severity')],
      },
      clean: { ...change, options: [flags('--verify-no-changes --no-restore --nologo'), values('--verbosity -c')] },
      list: { ...look, options: [flags('--deprecated --outdated --vulnerable --include-transitive')] },
      sln: { level: 'high', verbs: { list: look } },
    },
  },
  bundle: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('check list show outdated info licenses platform', {
        ...look,
        options: [
          flags(`
            --paths --groups --strict --patch --minor --major --parseable --only-explicit
            --filter-strict
          `),
        ],
      }),
      install: { ...installs, options: [flags('--quiet --local --deployment'), values('--jobs --retry')] },
      exec: { level: 'low', judge: judgeBundled },
    },
  },
  ...each('rspec cucumber minitest', {
    judge: judgeTests,
    ...build([
      values('-f --format -e -t -P --example --tag'),
      flags('-fd --dry-run --fail-fast --color --no-color --only-failures'),
      values('--order --seed'),
      optionalValues('--profile'),
      high(values('-I -r')),
    ]),
  }),
  ...each('rake rails bin/rails', {
    level: 'high',
    judge: judgeTasks,
    options: [flags('-T -P -n --tasks --version -A --dry-run -s -q')],
  }),
  gem: {
    ...data,
    options: [flags('--version')],
    verbs: {
      ...each('list info which environment env outdated', {
        ...look,
        options: [
          flags('--local -l --installed --versions --no-versions -d --details -a --all'),
          medium(flags('--remote')),
        ],
      }),
    },
  },
  julia: {
    ...runs,
    judge: judgeInline,
    startsPrograms: true,
    operands: { first: ['script'], rest: 'text' },
    needsOperand: true,
    options: [
      flags('--version -v --help -h -q --quiet'),
      values('--color -t --threads --check-bounds --depwarn --warn-overwrite'),
      optionalValues('-O --optimize --code-coverage'),
      optionalValues('--project', 'search'),
      high(values('--startup-file -L --load -J --sysimage')),
    ],
  },
  ...each('ruby perl lua luajit Rscript elixir', {
    ...runs,
    judge: judgeInline,
    startsPrograms: true,
    operands: { first: ['script'], rest: 'text' },
    needsOperand: true,
    options: [flags('-v --version -w -W -wc -c -cw --help -V'), takes('search', '-I'), high(flags('-l'))],
  }),
  ...each('R ghci irb', {
    level: 'high',
    reason: 'It runs what it is given.',
    judge: judgePackageChecks,
    options: [flags('--version')],
  }),
  composer: {
    ...data,
    options: [flags('--version')],
    verbs: {
      ...each('show validate outdated licenses why audit diagnose', {
        ...look,
        options: [
          flags(`
              --direct --strict --no-check-all --no-check-publish -D -i -a -l -s -t -o -d -n --installed
              --all --latest --tree --name-only --locked --platform --no-dev --self --available --path
              --outdated --minor-only --major-only --patch-only --no-interaction --recursive
            `),
          values('--format --ignore'),
        ],
      }),
      ...each('install dump-autoload', {
        ...installs,
        options: [
          flags(`
              --no-interaction -n --prefer-dist --no-progress --no-scripts --no-dev -o --optimize --quiet
              --dry-run --ignore-platform-reqs --no-audit --classmap-authoritative
            `),
        ],
      }),
      ...each(
        `
          test lint check format phpstan phpcs stan analyse analyze psalm pint cs unit ci
        `,
        {
          level: 'medium',
          judge: judgeNpmRun,
        },
      ),
      ...each('run-script run', { level: 'medium', judge: judgeNpmRun }),
    },
  },
  ...each('phpunit phpstan phpcs psalm pest phpmd rector parallel-lint deptrac', {
    ...build(
      [
        values('--filter -l --level --memory-limit --standard'),
        takes('search', '-c --configuration'),
        flags(`
          --testdox --no-coverage --no-cache --dry-run --no-progress-bar --no-diffs --clear-cache
          --stop-on-failure
        `),
        optionalValues('--colors'),
        values('--testsuite'),
      ],
      { rest: 'text' },
    ),
    judge: judgeTests,
  }),
  mix: {
    level: 'high',
    judge: judgeTasks,
    options: [
      values('--only --exclude --slowest --seed --max-failures'),
      flags(`
          --force --all-warnings --check-formatted --cover --trace --failed --warnings-as-errors
          --stale --strict
        `),
    ],
  },
  swift: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('build test', {
        ...build([
          flags('--parallel --enable-code-coverage'),
          values('-c --filter --configuration --product --target --skip -j'),
        ]),
        judge: judgeTests,
      }),
      package: { level: 'high', verbs: { ...each('describe show-dependencies', look), resolve: installs } },
    },
  },
  flutter: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('analyze test doctor devices', {
        ...build([flags('--coverage --no-pub --machine -v --fatal-infos'), values('-d --name --plain-name')], {
          rest: 'search',
        }),
        judge: judgeTests,
      }),
      build: {
        ...runs,
        options: [
          flags(`
              --debug --release --profile --no-codesign --split-per-abi --no-pub --analyze-size
              --obfuscate --simulator --no-tree-shake-icons -v
            `),
          values(`
              --flavor --target --dart-define --build-number --build-name --target-platform --web-renderer
            `),
          takes('search', '-t'),
          takes('write', '--split-debug-info'),
        ],
      },
      clean: change,
      'gen-l10n': change,
      run: { ...runs, options: [flags('--debug --release --profile'), values('-d')] },
      pub: {
        level: 'high',
        reason: 'It installs packages or publishes.',
        verbs: { ...each('get upgrade', installs), ...each('deps outdated', look) },
      },
    },
  },
  dart: {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('analyze test', build([flags('--fatal-infos --fatal-warnings'), values('-n --name -r')])),
      format: {
        ...change,
        judge: judgeFormats,
        options: [flags('--set-exit-if-changed'), values('-l'), takes('name', '-o --output')],
      },
      run: { ...runs, operands: { rest: 'text' }, judge: judgeTests },
      compile: runs,
      fix: { ...change, options: [flags('--dry-run --apply')] },
      pub: {
        level: 'high',
        reason: 'It installs packages or publishes.',
        verbs: { ...each('get upgrade', installs), ...each('deps outdated', look) },
      },
    },
  },
  zig: {
    level: 'high',
    verbs: {
      fmt: { ...change, judge: judgeFormats, options: [flags('--check')] },
      ...each('version env', look),
      build: { level: 'low', operands: { rest: 'text' }, options: [], judge: judgeTasks },
    },
  },
  ...each('gcc g++ clang clang++ cc c++', {
    level: 'medium',
    reason: 'It compiles.',
    operands: { rest: 'read' },
    style: 'words',
    others: 'high',
    mild: compilerOption,
    options: [
      flags(`
          -c -O -O0 -O1 -O2 -O3 -Os -g -Wall -Wextra -Werror -Wpedantic -pedantic -E -S -M -MM -MMD
          -fsyntax-only -lm -lpthread -pthread -fPIC -shared -static --version -v -Iinclude -Isrc -I.
          -dumpversion -dumpmachine
        `),
      values('-std -fsanitize'),
      takes('write', '-o'),
      takes('search', '-I'),
      takes('any', '-march'),
    ],
  }),
  cmake: {
    level: 'medium',
    reason: 'It builds the project.',
    style: 'words',
    judge: judgeCmakeBuild,
    mild: /^-D\w+(?::BOOL)?=(?:ON|OFF|TRUE|FALSE|YES|NO|\d+)$|^-W(?:no-)?dev$|^-GNinja$|^-DCMAKE_(?:C|CXX)_COMPILER=(?:[a-z0-9_]+-)*(?:gcc|g\+\+|clang|clang\+\+)(?:-\d+)?$/i,
    operands: { rest: 'search' },
    options: [
      values('--target --config --parallel -G --preset -t'),
      flags('--version --help --verbose --list-presets --clean-first'),
      optionalValues(`
          -j -DCMAKE_BUILD_TYPE -DCMAKE_EXPORT_COMPILE_COMMANDS -DBUILD_TESTING -DBUILD_SHARED_LIBS
        `),
      takes('search', '-S --build'),
      takes('write', '-B'),
    ],
  },
  ctest: {
    level: 'low',
    style: 'words',
    operands: [],
    options: [
      flags('--output-on-failure -V -VV -N --verbose --rerun-failed --version'),
      values('-R -E -L --timeout -C --preset --parallel'),
      optionalValues('-j'),
      takes('search', '--test-dir'),
    ],
  },
  ninja: {
    level: 'low',
    judge: judgeTasks,
    options: [flags('-n -v --version'), values('-j -k'), takes('search', '-C')],
  },
  meson: {
    level: 'medium',
    reason: 'It builds the project.',
    options: [flags('--version')],
    verbs: {
      setup: {
        ...runs,
        operands: { rest: 'write' },
        options: [flags('--reconfigure --wipe'), values('--buildtype -D')],
      },
      ...each('compile test introspect', {
        level: 'low',
        operands: { rest: 'text' },
        options: [flags('-v --print-errorlogs'), values('-j --suite --timeout-multiplier'), takes('search', '-C')],
      }),
    },
  },
  ...each('bazel bazelisk', {
    level: 'high',
    options: [flags('--version')],
    verbs: {
      ...each('build test query cquery info version coverage', {
        level: 'low',
        operands: { rest: 'text' },
        options: [
          flags(`
              --keep_going -k --verbose_failures --nocache_test_results --noshow_progress
              --build_tests_only
            `),
          values(`
              --config --test_output -c --test_filter --output --jobs --compilation_mode --runs_per_test
              --test_tag_filters --platforms
            `),
        ],
      }),
      clean: { ...change, operands: [], options: [flags('--expunge')] },
    },
  }),
  ...each('make gmake', { level: 'medium', judge: judgeMake }),
  ...each('just task', { level: 'medium', judge: judgeMake }),
  'pre-commit': {
    level: 'high',
    reason: 'It runs or installs hooks.',
    options: [flags('--version')],
    verbs: {
      run: {
        level: 'medium',
        reason: 'It runs the hooks of the project.',
        operands: { rest: 'text' },
        options: [flags('--all-files -a --show-diff-on-failure'), values('--files --from-ref --to-ref')],
      },
    },
  },
  alembic: {
    ...data,
    verbs: { ...each('current history heads check show branches', { ...look, options: [flags('-v --verbose')] }) },
  },
};
