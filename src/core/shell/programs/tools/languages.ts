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

const look: Manual = { level: 'low', operands: 'text…' };
const build = (options: string, operands = 'search…'): Manual => ({
  level: 'low',
  operands,
  options: `--help -h --version -V -v -vv -q --quiet --verbose ${options}`,
});
const change: Manual = { level: 'medium', reason: 'It changes files of the workspace.', operands: 'write…' };
const runs: Manual = { level: 'medium', reason: 'It runs code of this project.', operands: 'text…' };
const installs: Manual = {
  level: 'medium',
  reason: 'It installs what the project already declares.',
  operands: '',
  judge: judgeProjectInstall,
};
const data: Manual = { level: 'high', reason: 'It installs packages, publishes or changes data.' };

const pytest = build(
  '--doctest-modules --doctest-glob= --no-summary --import-mode= --asyncio-mode= --reruns= --dist= --forked --benchmark-only --benchmark-skip --runslow --slow --reuse-db --create-db --nomigrations --capture= --log-level= --log-cli-level= --full-trace --new-first --nf --stepwise-skip -x -s -l -k= -m= -n= --tb= --maxfail= --lf --ff --cov? --cov-report= --co --collect-only --durations= --no-header --no-cov --cov-fail-under= -r= -rA -ra --color= -W= --strict-markers --timeout= --pdb! -p=module -c=search --rootdir=search --disable-warnings --exitfirst --last-failed --failed-first --junitxml=write --fixtures --markers --showlocals --stepwise --sw --setup-show --deselect= --ignore=search --html=write -vvv --randomly-seed= --pastebin=! --basetemp=! -o=! --override-ini=! --confcutdir=!',
);
const pipVerbs: Manuals = {
  'list show freeze check help debug inspect': {
    ...look,
    options: '--outdated -o --format= --not-required -v --verbose -f --local -l --user',
  },
  install: {
    level: 'medium',
    reason: 'It installs what the project already declares.',
    operands: 'read…',
    judge: judgePipInstall,
    options:
      '-r=read -e -q --quiet -c=read --no-deps --upgrade -U --no-cache-dir --disable-pip-version-check --requirement=read --constraint=read --require-hashes --only-binary= --editable --no-build-isolation',
  },
  uninstall: { level: 'medium', reason: 'It removes packages.', options: '-y --yes' },
  cache: { level: 'low', verbs: { 'info dir list': look } },
  index: {
    level: 'high',
    verbs: { versions: { level: 'medium', reason: 'It asks the registry.', operands: 'text', options: '' } },
  },
  config: {
    level: 'high',
    verbs: {
      list: { level: 'medium', reason: 'It shows the settings of pip.', operands: '', options: '-v --user --site' },
    },
  },
};
const pip: Manual = {
  level: 'high',
  reason: 'It installs packages.',
  options: '--version -V --help --disable-pip-version-check',
  verbs: pipVerbs,
};
const cargoBuild =
  '--open?^ --fix^ --allow-dirty --allow-staged -q --quiet -v --verbose -vv --timings --message-format? --future-incompat-report --ignore-rust-version -F= -p= --package= --workspace --all --all-targets --all-features --no-default-features --features= --lib --bin= --bins --test= --tests --example= --examples --bench= --release -r --target= --locked --frozen --offline -j= --jobs= --no-run --no-fail-fast --message-format= --profile= --doc --no-deps --exclude= --color= --keep-going --document-private-items --manifest-path=search --target-dir=write --config=! -Z=! --';
/** Warnings, defines, ways to optimise, libraries and what is printed. What loads a plugin or goes to the linker is none of them. */
const compilerOption =
  /^-(?:W(?!l|a|p)[\w=+-]*|f(?!plugin)[\w-]+(?:=[\w,]+)?|m[\w.=+-]+|[DU]\w+(?:=[\w.+-]*)?|std=[\w+]+|d[MDIN]|x ?(?:c|c\+\+|assembler)|l\w[\w+-]*|O\w*|g\w*|save-temps|nostdlib|nodefaultlibs|ffreestanding|static-libgcc|rdynamic|pie|no-pie|pipe)$/;
const goBuild =
  '-all -src -cmd -composites= -copylocks= -printf= -shadow= -unusedresult= -deps -versions -retracted -find -e -compiled -v -race -run= -count= -cover -coverprofile=write -short -timeout= -bench= -benchmem -tags= -o=write -mod= -x -n -ldflags=flags -gcflags=! -toolexec=! -vettool=! -exec=! -overlay=! -modfile=! -C=! -json -parallel= -p= -failfast -list= -trimpath -a -buildvcs= -m -u -f= -covermode= -coverpkg= -shuffle= -cpu= -fuzz= -fuzztime= -w!';
const jvm =
  '-i -w -S -q -B -U -o -e -ntp --no-transfer-progress -am -amd -fae -ff -fn -X -T= -D?! -P= -pl= -am -v --quiet --batch-mode --offline --no-daemon --daemon --parallel --stacktrace --info --debug --console= --continue --rerun-tasks --no-build-cache --build-cache --dry-run -m -x= --tests= --configuration= --dependency= --warning-mode= --scan! -f=search --file=search -p=search --version --init-script=! -I=! -s=! --settings=! -g=! -b=! --status --profile --all -DskipTests -DskipTests? -Dtest?';

const testRunner: Manual = { ...pytest, declared: true, judge: judgeTests };

export const languageTools: Manuals = {
  'python python3 python2 py python3.9 python3.10 python3.11 python3.12 python3.13 pypy3': {
    ...runs,
    judge: judgePython,
    startsPrograms: true,
    operands: 'script text…',
    needsOperand: true,
    options: '-u -B -s -S -E -I -O -q -W= -X= --version -V --help -h -m=!',
  },
  pytest: testRunner,
  'py.test': pytest,
  'pip pip3': pip,
  pipx: { ...data, options: '--version', verbs: { list: look } },
  conda: {
    ...data,
    options: '--version',
    verbs: { env: { level: 'high', reason: 'It changes environments.', verbs: { list: look } }, 'list info': look },
  },
  uv: {
    ...data,
    options: '--version -V',
    verbs: {
      python: {
        level: 'high',
        reason: 'It installs Python.',
        verbs: { 'list find': { ...look, options: '--only-installed' } },
      },
      'sync lock': { ...installs, options: '--frozen --locked --all-extras --dev --extra= --check' },
      pip: {
        ...data,
        verbs: {
          ...pipVerbs,
          compile: {
            level: 'medium',
            reason: 'It pins what the project declares.',
            operands: 'read…',
            options:
              '-o=write --output-file=write -U --upgrade -q --quiet --extra= --all-extras --generate-hashes --universal',
          },
          tree: look,
        },
      },
      tree: look,
      cache: { level: 'high', verbs: { dir: look } },
      tool: { level: 'high', verbs: { 'list dir': look } },
      venv: { ...change, options: '' },
      run: {
        level: 'low',
        judge: judgeBundled,
        options: '--frozen --locked --no-sync -q --extra= --group= --all-extras --dev',
      },
      version: look,
    },
  },
  poetry: {
    ...data,
    options: '--version',
    verbs: {
      env: {
        level: 'high',
        reason: 'It changes environments.',
        verbs: { 'info list': { ...look, options: '-p --path --full-path' } },
      },
      'show check version about': { ...look, options: '--tree --latest --outdated -t -l -o -q' },
      'install lock': {
        ...installs,
        options: '--no-root --no-interaction -n --sync --with= --without= --only= --no-update -q',
      },
      build: { ...runs, options: '' },
      run: { level: 'low', judge: judgeBundled },
    },
  },
  pipenv: {
    ...data,
    verbs: {
      'graph check': look,
      run: { level: 'low', judge: judgeBundled },
      'sync install': { ...installs, options: '--dev -d --deploy --ignore-pipfile' },
    },
  },
  'hatch pdm rye': {
    ...data,
    verbs: {
      'show list version': look,
      'env python config': { level: 'high', reason: 'It changes environments.', verbs: { 'show list find': look } },
      run: { level: 'low', judge: judgePythonRun },
      'test t': { ...pytest, judge: judgeTests },
      'sync lock': installs,
    },
  },
  'tox nox': {
    ...build('-e= -p -r -l -s= --recreate --list --parallel? -rs --session= --listenvs', 'text…'),
    judge: judgeTests,
    handsOnTo: { name: 'pytest', manual: testRunner },
  },
  'mypy pyright pylint flake8 bandit pydocstyle pycodestyle vulture pyflakes interrogate radon codespell pytype ty basedpyright pyre':
    build(
      '--strict --ignore-missing-imports --config-file=search --config=search -p= -m= --max-line-length= --select= --ignore= --disable= --enable= -r -ll -x= --exclude= --show-error-codes --no-error-summary --install-types! --python-version= --output-format= --errors-only -E --rcfile=search --init-hook=! --load-plugins=! --skip= -j= --count --statistics --outputjson --html-report=write --junit-xml=write --cobertura-xml-report=write --txt-report=write',
    ),
  ruff: {
    level: 'low',
    options: '--version',
    verbs: {
      check: build(
        '--fix^ --unsafe-fixes^ --select= --ignore= --output-format= --config=search --show-fixes --statistics --diff --no-cache --watch --extend-select= --exit-zero',
      ),
      format: { ...change, operands: 'write…', options: '--check --diff --quiet -q', judge: judgeFormats },
      'rule version linter': look,
    },
  },
  'black isort autopep8 yapf autoflake pyupgrade gofmt goimports gofumpt rustfmt shfmt scalafmt ktlint rubocop standardrb swiftformat swiftlint stylua nixfmt terraform-fmt':
    {
      ...change,
      judge: judgeFormats,
      options:
        '--check --diff --quiet -q -l -d -w -i -s -a -A --line-length= --profile= --check-only -c --in-place --list-different --dry-run -n --Werror --style= --edition= --fix --autocorrect --auto-correct --format= -f= --only= --except= --version --parallel -e -ln= -ci -bn -indent= --lint --target-version= --skip-string-normalization',
    },
  'clang-format': {
    ...change,
    style: 'words',
    judge: judgeFormats,
    options:
      '-i -n --dry-run -Werror --Werror -style= --style= --fallback-style= -assume-filename= --assume-filename= --ferror-limit= --sort-includes --verbose --version -lines= --lines= -output-replacements-xml',
  },
  'scala-cli': {
    level: 'high',
    options: '--version',
    verbs: {
      'compile test doc': {
        ...build('--jvm= -S= --scala= --test-only= --watch -w --server=', 'search…'),
        judge: judgeTests,
      },
      run: { ...runs, judge: judgeTests },
      fmt: { ...change, operands: 'write…', options: '--check' },
      version: look,
    },
  },
  coverage: {
    level: 'low',
    options: '--version',
    verbs: {
      'report html xml json combine erase lcov': build(
        '-m -i --show-missing --skip-covered --fail-under= -d=write -o=write --omit= --include= -a',
      ),
      run: {
        ...runs,
        judge: judgePython,
        startsPrograms: true,
        options: '-m=! --source= -p --branch -a --parallel-mode --append --omit= --include=',
        operands: 'script text…',
      },
    },
  },
  cargo: {
    level: 'high',
    judge: judgeToolchain,
    options: '--version -V -q --quiet -v --verbose --locked --offline --frozen --list +stable +nightly',
    verbs: {
      'build b check c test t bench clippy doc rustdoc nextest': { ...build(cargoBuild, 'text…'), judge: judgeTests },
      'tree metadata version verify-project pkgid locate-project search help audit deny outdated machete udeps llvm-cov info semver-checks expand bloat hack msrv':
        {
          ...look,
          options: `${cargoBuild} -d -R -w --root-deps-only --open -i= -e= --format-version= --depth= --duplicates --invert= --edges=`,
        },
      'run r': { ...runs, options: cargoBuild },
      fmt: { ...change, judge: judgeFormats, operands: 'text…', options: '--all --check -p= --package= --' },
      clean: { ...change, operands: '', options: cargoBuild },
      'remove rm': { ...change, operands: 'text…', options: '-p= --dev' },
      'fetch update generate-lockfile': { ...installs, options: `${cargoBuild} --dry-run -w` },
      fix: { ...change, operands: '', options: `${cargoBuild} --allow-dirty --edition` },
      'new init': { ...change, options: '--lib --bin --name= --edition= --vcs=' },
    },
  },
  rustc: {
    level: 'medium',
    reason: 'It compiles.',
    operands: 'read',
    options: '--version -V -vV --edition= -O -o=write --explain= --print=',
  },
  rustup: {
    ...data,
    options: '--version',
    verbs: {
      'toolchain target component': { level: 'high', verbs: { list: { ...look, options: '--installed' } } },
      'show which': look,
    },
  },
  go: {
    level: 'high',
    style: 'words',
    options: '-h',
    verbs: {
      'build test vet list version doc help': { ...build(goBuild, 'search…'), style: 'words', judge: judgeTests },
      env: { level: 'low', operands: 'text…', options: '-json', style: 'words' },
      'fmt fix': { ...change, operands: 'search…', style: 'words', options: goBuild },
      run: { ...runs, operands: 'script text…', style: 'words', options: goBuild },
      clean: { ...change, operands: 'search…', style: 'words', options: '-cache -testcache -i -r -n -x' },
      mod: {
        level: 'high',
        verbs: {
          'tidy download vendor init': {
            ...installs,
            operands: 'text…',
            style: 'words',
            options: '-v -x -go= -compat=',
          },
          'verify why graph': { ...look, style: 'words', options: '-m' },
        },
      },
      tool: {
        level: 'high',
        verbs: {
          'pprof trace nm objdump addr2line pack buildid': {
            level: 'low',
            operands: 'search…',
            style: 'words',
            options:
              '-top -text -list= -peek= -cum -nodecount= -svg -png -output=write -sample_index= -alloc_space -inuse_space -size -sort= -n -type -S -http=!',
          },
          cover: { level: 'low', operands: 'search…', style: 'words', options: '-func=read -html=read -o=write!' },
        },
      },
    },
  },
  'golangci-lint': {
    level: 'low',
    options: '--version',
    verbs: {
      run: {
        level: 'low',
        operands: 'search…',
        style: 'words',
        judge: judgeTests,
        options:
          '--fix^ --timeout= -v -c=search --config=search --out-format= --enable= --disable= -E= -D= --fast --new --new-from-rev= --no-config --tests --allow-parallel-runners -j= --max-same-issues= --max-issues-per-linter= --build-tags= --issues-exit-code= --modules-download-mode=',
      },
      fmt: { level: 'medium', reason: 'It changes files of the workspace.', operands: 'write…', options: '-d --diff' },
      'linters version help formatters': look,
      config: { level: 'high', verbs: { 'verify path': look } },
      cache: { level: 'high', verbs: { status: look } },
    },
  },
  'staticcheck revive errcheck gocyclo ineffassign govulncheck gosec ginkgo gotestsum': {
    level: 'low',
    style: 'words',
    operands: 'text…',
    options:
      '--fix^ --timeout= -v -checks= -f= --config=search -c=search --out-format= --enable= --disable= --fast --version -version -over= -test -json --new-from-rev= --format= -r -race -p -short --',
    judge: judgeTests,
  },
  'mvn mvnw': { level: 'high', judge: judgeTasks, options: jvm, style: 'words' },
  'gradle gradlew': { level: 'high', judge: judgeTasks, options: jvm, style: 'words' },
  sbt: { level: 'high', judge: judgeTasks, options: jvm, style: 'words' },
  dotnet: {
    level: 'high',
    options: '--version --info --list-sdks --list-runtimes --help',
    verbs: {
      csharpier: {
        ...change,
        judge: judgeFormats,
        options: '--check --no-cache --fast',
        verbs: { check: look, format: change },
        bare: { ...change, judge: judgeFormats, options: '--check --no-cache --fast' },
      },
      'build test': {
        ...build(
          '-c= --configuration= --no-restore --no-build --nologo --filter= -f= --framework= --logger= --verbosity= -v= --collect= -r= --runtime= --warnaserror -warnaserror? --tl? -m? /m --blame --list-tests -s=! -t /warnaserror -o=write --output=write -p?! --settings=!',
        ),
        judge: judgeTests,
      },
      restore: { ...installs, operands: 'search', options: '--locked-mode --nologo -v= --no-cache' },
      tool: { level: 'high', verbs: { restore: installs, list: { ...look, options: '-g --global --local' } } },
      publish: {
        ...runs,
        operands: 'search',
        options: '-c= --configuration= -o=write --output=write -r= --no-restore --no-build --nologo --self-contained?',
      },
      new: { level: 'high', reason: 'It writes files from a template.', verbs: { 'list --list': look } },
      ef: {
        level: 'high',
        reason: 'It changes data.',
        verbs: {
          migrations: {
            level: 'high',
            verbs: { list: look, add: { ...runs, options: '-o=write -p=search -s=search' } },
          },
        },
      },
      nuget: { level: 'high', verbs: { locals: { level: 'high' } } },
      'run watch': { ...runs, options: '--project=search -c= --no-build --no-restore --' },
      format: {
        ...change,
        judge: judgeFormats,
        options: '--verify-no-changes --verbosity= --no-restore --include= --severity=',
      },
      clean: { ...change, options: '--verify-no-changes --verbosity= --no-restore -c= --nologo' },
      list: { ...look, options: '--deprecated --outdated --vulnerable --include-transitive' },
      sln: { level: 'high', verbs: { list: look } },
    },
  },
  bundle: {
    level: 'high',
    options: '--version',
    verbs: {
      'check list show outdated info licenses platform': {
        ...look,
        options: '--paths --groups --strict --patch --minor --major --parseable --only-explicit --filter-strict',
      },
      install: { ...installs, options: '--quiet --local --jobs= --deployment --retry=' },
      exec: { level: 'low', judge: judgeBundled },
    },
  },
  'rspec cucumber minitest': {
    judge: judgeTests,
    ...build(
      '-f= --format= -fd -e= --example= -t= --tag= -I=! -r=! --fail-fast --color --no-color --only-failures --order= --seed= --profile? --dry-run -P=',
    ),
  },
  'rake rails bin/rails': {
    level: 'high',
    judge: judgeTasks,
    options: '-T -P -n --tasks --version -A --dry-run -s -q',
  },
  gem: {
    ...data,
    options: '--version',
    verbs: {
      'list info which environment env outdated': {
        ...look,
        options: '--local -l --remote^ --installed --versions --no-versions -d --details -a --all',
      },
    },
  },
  julia: {
    ...runs,
    judge: judgeInline,
    startsPrograms: true,
    operands: 'script text…',
    needsOperand: true,
    options:
      '--project?search --color= -t= --threads= --startup-file=! --check-bounds= -O? --optimize? --version -v --help -h -q --quiet -L=! --load=! -J=! --sysimage=! --code-coverage? --depwarn= --warn-overwrite=',
  },
  'ruby perl lua luajit Rscript elixir': {
    ...runs,
    judge: judgeInline,
    startsPrograms: true,
    operands: 'script text…',
    needsOperand: true,
    options: '-I=search -v --version -w -W -l! -wc -c -cw --help -V',
  },
  'R ghci irb': { level: 'high', reason: 'It runs what it is given.', judge: judgePackageChecks, options: '--version' },
  composer: {
    ...data,
    options: '--version',
    verbs: {
      'show validate outdated licenses why audit diagnose': {
        ...look,
        options:
          '--direct --strict --no-check-all --no-check-publish --format= -D -i -a -l -s -t -o -d -n --installed --all --latest --tree --name-only --locked --platform --no-dev --self --available --path --outdated --minor-only --major-only --patch-only --ignore= --no-interaction --recursive',
      },
      'install dump-autoload': {
        ...installs,
        options:
          '--no-interaction -n --prefer-dist --no-progress --no-scripts --no-dev -o --optimize --quiet --dry-run --ignore-platform-reqs --no-audit --classmap-authoritative',
      },
      'test lint check format phpstan phpcs stan analyse analyze psalm pint cs unit ci': {
        level: 'medium',
        judge: judgeNpmRun,
      },
      'run-script run': { level: 'medium', judge: judgeNpmRun },
    },
  },
  'phpunit phpstan phpcs psalm pest phpmd rector parallel-lint deptrac': {
    ...build(
      '--filter= -c=search --configuration=search --testdox --no-coverage --colors? --level= -l= --memory-limit= --standard= --stop-on-failure --testsuite= --no-cache --dry-run --no-progress-bar --no-diffs --clear-cache',
      'text…',
    ),
    judge: judgeTests,
  },
  mix: {
    level: 'high',
    judge: judgeTasks,
    options:
      '--only= --exclude= --slowest= --seed= --max-failures= --force --all-warnings --check-formatted --cover --trace --failed --warnings-as-errors --stale --strict',
  },
  swift: {
    level: 'high',
    options: '--version',
    verbs: {
      'build test': {
        ...build('-c= --filter= --parallel --configuration= --product= --target= --enable-code-coverage --skip= -j='),
        judge: judgeTests,
      },
      package: { level: 'high', verbs: { 'describe show-dependencies': look, resolve: installs } },
    },
  },
  flutter: {
    level: 'high',
    options: '--version',
    verbs: {
      'analyze test doctor devices': {
        ...build('--coverage -d= --no-pub --machine -v --name= --plain-name= --fatal-infos', 'search…'),
        judge: judgeTests,
      },
      build: {
        ...runs,
        options:
          '--debug --release --profile --flavor= -t=search --target= --no-codesign --split-per-abi --dart-define= --build-number= --build-name= --no-pub --analyze-size --target-platform= --obfuscate --split-debug-info=write --simulator --no-tree-shake-icons --web-renderer= -v',
      },
      clean: change,
      'gen-l10n': change,
      run: { ...runs, options: '-d= --debug --release --profile' },
      pub: {
        level: 'high',
        reason: 'It installs packages or publishes.',
        verbs: { 'get upgrade': installs, 'deps outdated': look },
      },
    },
  },
  dart: {
    level: 'high',
    options: '--version',
    verbs: {
      'analyze test': build('--fatal-infos --fatal-warnings -n= --name= -r='),
      format: { ...change, judge: judgeFormats, options: '--set-exit-if-changed -o=name --output=name -l=' },
      run: { ...runs, operands: 'text…', judge: judgeTests },
      compile: runs,
      fix: { ...change, options: '--dry-run --apply' },
      pub: {
        level: 'high',
        reason: 'It installs packages or publishes.',
        verbs: { 'get upgrade': installs, 'deps outdated': look },
      },
    },
  },
  zig: {
    level: 'high',
    verbs: {
      fmt: { ...change, judge: judgeFormats, options: '--check' },
      'version env': look,
      build: { level: 'low', operands: 'text…', options: '', judge: judgeTasks },
    },
  },
  'gcc g++ clang clang++ cc c++': {
    level: 'medium',
    reason: 'It compiles.',
    operands: 'read…',
    style: 'words',
    others: 'high',
    mild: compilerOption,
    options:
      '-c -o=write -O -O0 -O1 -O2 -O3 -Os -g -Wall -Wextra -Werror -Wpedantic -pedantic -E -S -M -MM -MMD -fsyntax-only -std= -lm -lpthread -pthread -fPIC -shared -static --version -v -I=search -Iinclude -Isrc -I. -dumpversion -dumpmachine -march=native -fsanitize=',
  },
  cmake: {
    level: 'medium',
    reason: 'It builds the project.',
    style: 'words',
    judge: judgeCmakeBuild,
    mild: /^-D\w+(?::BOOL)?=(?:ON|OFF|TRUE|FALSE|YES|NO|\d+)$|^-W(?:no-)?dev$|^-GNinja$|^-DCMAKE_(?:C|CXX)_COMPILER=(?:[a-z0-9_]+-)*(?:gcc|g\+\+|clang|clang\+\+)(?:-\d+)?$/i,
    operands: 'search…',
    options:
      '--version --help -S=search -B=write --build=search --target= --config= -j? --parallel= -G= -DCMAKE_BUILD_TYPE? -DCMAKE_EXPORT_COMPILE_COMMANDS? -DBUILD_TESTING? -DBUILD_SHARED_LIBS? --preset= --verbose -t= --list-presets --clean-first',
  },
  ctest: {
    level: 'low',
    style: 'words',
    operands: '',
    options:
      '--output-on-failure -j? -R= -E= -L= -V -VV -N --test-dir=search --verbose --rerun-failed --timeout= -C= --preset= --version --parallel=',
  },
  ninja: { level: 'low', judge: judgeTasks, options: '-C=search -j= -n -v -k= --version' },
  meson: {
    level: 'medium',
    reason: 'It builds the project.',
    options: '--version',
    verbs: {
      setup: { ...runs, operands: 'write…', options: '--buildtype= -D= --reconfigure --wipe' },
      'compile test introspect': {
        level: 'low',
        operands: 'text…',
        options: '-C=search -v --print-errorlogs -j= --suite= --timeout-multiplier=',
      },
    },
  },
  'bazel bazelisk': {
    level: 'high',
    options: '--version',
    verbs: {
      'build test query cquery info version coverage': {
        level: 'low',
        operands: 'text…',
        options:
          '--config= --test_output= -c= --keep_going -k --verbose_failures --test_filter= --output= --jobs= --nocache_test_results --noshow_progress --compilation_mode= --build_tests_only --runs_per_test= --test_tag_filters= --platforms=',
      },
      clean: { ...change, operands: '', options: '--expunge' },
    },
  },
  'make gmake': { level: 'medium', judge: judgeMake },
  'just task': { level: 'medium', judge: judgeMake },
  'pre-commit': {
    level: 'high',
    reason: 'It runs or installs hooks.',
    options: '--version',
    verbs: {
      run: {
        level: 'medium',
        reason: 'It runs the hooks of the project.',
        operands: 'text…',
        options: '--all-files -a --files= --show-diff-on-failure --from-ref= --to-ref=',
      },
    },
  },
  alembic: { ...data, verbs: { 'current history heads check show branches': { ...look, options: '-v --verbose' } } },
};
