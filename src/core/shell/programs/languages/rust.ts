import { judgeByManual } from '../../calls/judgeByManual';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  type Options,
  optionTable,
  readArguments,
  saying,
  takes,
  values,
} from '../../calls/options';
import { doubt, drop, inner, note, touch } from '../../effects/scope';
import { literal } from '../../syntax/value';
import { judgeInstall, judgeProjectInstall } from '../shared/installing';
import {
  changesFiles,
  checksOrBuilds,
  installsDeclared,
  installsOrPublishes,
  readingManual,
  runsProject,
  strictReadingManual,
} from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeFormats, judgeTests } from '../shared/projectCode';
import { readsWith } from '../shared/readsWith';
import { refuseMoved } from '../files/changing';
import { judgeTasks } from '../shared/buildTasks';

/** `+nightly` selects a toolchain. Only official ones are allowed. */
const judgeToolchain: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const [first, ...rest] = words;
  const verb = words.find(({ text }) => /^[a-z]/.test(text))?.text ?? '';
  if (name === 'cargo' && /^(build|b|check|c|test|t|bench|clippy|doc|rustdoc|run|r|install|fix|nextest)$/.test(verb))
    judgeInstall(name, scope, whole);
  if (!first || !/^\+(stable|beta|nightly|\d[\w.]*)(-[\w-]+)?$/.test(first.text)) return undefined;
  const { judge, ...table } = manual;
  judgeByManual({ manual: table, name, words: rest, scope, flow, whole });
  return 'done';
};

const cargoCommon = [
  values('--color'),
  flags('-q --quiet -v --verbose -vv --locked --frozen --offline --ignore-rust-version -h --help'),
  takes('search', '--manifest-path'),
  high(values('--config -Z --lockfile-path --index --registry --token')),
];

const cargoBuild = [
  ...cargoCommon,
  values(`
      --message-format -F -p --package --features --bin --test --example --bench --target -j
      --jobs --profile --exclude
    `),
  flags(`
      --allow-dirty --allow-staged --allow-no-vcs --timings --future-incompat-report --workspace --all
      --all-targets --all-features --no-default-features --lib --bins --tests --benches --examples
      --release -r --no-run --no-fail-fast --doc --no-deps --keep-going --document-private-items --
    `),
  takes('write', '--target-dir --artifact-dir --out-dir'),
  medium(flags('--fix'), optionalValues('--open')),
];

/** `cargo rustc -- -D unsafe-code`. Only lints are known to be harmless. */
const judgeCompilerOptions: Judge = (one) => {
  const at = one.words.findIndex(({ text }) => text === '--');
  const forCompiler = at < 0 ? [] : one.words.slice(at + 1);
  for (const { kind, text, source } of forCompiler)
    if (kind !== 'literal' || !/^-[DWAF]$|^--(?:deny|warn|allow|forbid)$|^(?:-[DWAF])?[a-z][\w:-]*$/.test(text))
      doubt(one.scope, source, 'Gives options to the compiler.');
  return judgeTests(one);
};

/** Code generation that starts nothing and writes no further file. `-C linker=…` would run a program. */
const harmlessCodegen =
  /^(?:opt-level|debuginfo|debug-assertions|overflow-checks|target-cpu|target-feature|codegen-units|lto|panic|strip)=[\w,.+-]+$/;

const judgeCodegen: Judge = ({ words, scope, manual }) => {
  for (const { option, value, culprit } of readArguments(words, optionTable(manual.options!), 'letters').options)
    if (
      /^(?:-C|--codegen)$/.test(option?.name ?? '') &&
      !(value?.kind === 'literal' && harmlessCodegen.test(value.text))
    )
      doubt(scope, culprit, 'Gives options to the compiler.');
  return undefined;
};

const onlyOfHack = optionTable([
  flags(`
      --each-feature --feature-powerset --optional-deps --exclude-no-default-features --no-private
      --exclude-all-features --no-dev-deps --remove-dev-deps --ignore-private --ignore-unknown-features
      --rust-version --clean-per-run --clean-per-version --print-command-list
    `),
  values(`
      --depth --skip --exclude-features --include-features --at-least-one-of --mutually-exclusive-features
      --group-features --partition --version-range --version-step --log-group
    `),
]);

/** Judges `cargo hack check --each-feature`, which starts another command of cargo once for each set of features. */
const judgeRepeats: Judge = ({ words, scope, flow, whole }) => {
  const forCargo = words.filter(({ text }, at) => {
    const own = onlyOfHack.get(text.replace(/=.*/s, ''));
    const before = onlyOfHack.get(words[at - 1]?.text ?? '');
    return own === undefined && before?.takes !== 'next';
  });
  if (forCargo.length === 0) note(scope, 'low', whole);
  else scope.analyser.judgeCall([literal('cargo'), ...forCargo], inner(scope), flow);
  return 'done';
};

const reads = (options: Options = []): Manual => ({ ...readingManual, options: [...cargoBuild, ...options] });

const listsInstalled: Manual = { ...strictReadingManual, operands: [], options: [...cargoCommon, flags('--list')] };

const listsPacked: Manual = {
  ...strictReadingManual,
  operands: [],
  options: [...cargoBuild, flags('-l --list --no-metadata --no-verify --exclude-lockfile')],
};

/** `cargo msrv find` installs toolchains to build with. */
const minimumVersion: Manual = {
  level: 'medium',
  reason: 'Installs official toolchains of Rust and builds the project with them.',
  options: [...cargoBuild, values('--min --max --path --rust-version --output-format')],
  verbs: {
    ...eachNamed('show list', { ...strictReadingManual, options: cargoBuild }),
    set: { ...changesFiles, operands: ['text'], options: cargoBuild },
    ...eachNamed('find verify', {
      level: 'medium',
      reason: 'Installs official toolchains of Rust and builds the project with them.',
      operands: { rest: 'text' },
      judge: judgeTests,
      options: [
        ...cargoBuild,
        values('--min --max --rust-version --output-format'),
        flags('--bisect --linear --include-all-patch-releases --no-check-feedback --ignore-lockfile'),
        high(flags('--write-msrv --write-toolchain-file')),
      ],
    }),
  },
};

/** Deletes whatever else is in the folder, which has one of the usual names or is somebody's. */
const judgeVendored: Judge = (call) => {
  for (const word of call.words)
    if (!/^-|(?:^|\/)vendor(?:ed)?\/?$/.test(word.text)) drop(call.scope, word, { recursive: true });
  return judgeProjectInstall(call);
};

const watched: Options = [
  values('-i --ignore -d --delay -x --exec -s --shell --features'),
  flags('-c --clear -q --quiet --no-vcs-ignores --no-dot-ignores --postpone --why --poll'),
  takes('search', '-w --watch'),
];

/** Judges `cargo watch -x test`, by the commands that it repeats. */
const judgeWatched: Judge = ({ words, scope, whole }) => {
  const { options, operands } = readArguments(words, optionTable(watched), 'letters');
  for (const { option, name, value, culprit } of options) {
    if (!option) doubt(scope, culprit, `Uses the unknown option ${name.slice(0, 60)} of "cargo watch".`);
    else if (value && option.role === 'search') touch(scope, 'searches', value);
    if (!value || !/^(?:-[xs]|--exec|--shell)$/.test(name)) continue;
    if (value.kind !== 'literal') doubt(scope, culprit, 'Runs something that is only known when it runs.');
    else scope.analyser.judgeText(/^-?-[es]?x/.test(name) ? `cargo ${value.text}` : value.text, scope);
  }
  if (operands.length > 0) scope.analyser.judgeCall(operands, scope, {});
  note(scope, 'medium', whole, 'Runs commands whenever a file changes.');
  return 'done';
};

export const rustFamily: Family = {
  programs: {
    cargo: {
      level: 'high',
      judge: judgeToolchain,
      options: [
        flags(`
        --version -V -q --quiet -v --verbose --locked --offline --frozen --list +stable +nightly -h --help
      `),
        values('--explain --color'),
      ],
      verbs: {
        ...eachNamed('build b check c test t bench clippy doc d rustdoc', {
          ...checksOrBuilds(cargoBuild, { rest: 'text' }),
          judge: judgeTests,
        }),
        nextest: {
          level: 'high',
          verbs: {
            ...eachNamed('run r', {
              ...checksOrBuilds(
                [
                  ...cargoBuild,
                  values(
                    '-E --filter-expr --filterset --retries --test-threads --partition --status-level -P --run-ignored',
                  ),
                  values('--failure-output --success-output --final-status-level --max-fail --no-tests'),
                  flags('--no-capture --nocapture --fail-fast --ff --nff --hide-progress-bar'),
                ],
                { rest: 'text' },
              ),
              judge: judgeTests,
            }),
            list: reads([values('-E --filter-expr --filterset -T --partition --run-ignored')]),
          },
        },
        rustc: {
          ...checksOrBuilds([...cargoBuild, values('--crate-type --print')], { rest: 'text' }),
          level: 'medium',
          reason: 'Compiles code.',
          judge: judgeCompilerOptions,
        },
        tree: reads([
          values('-i --invert -e --edges --depth --prefix --charset -f --format --prune'),
          flags('-d --duplicates --no-dedupe'),
        ]),
        metadata: reads([values('--format-version --filter-platform')]),
        ...eachNamed(
          'version verify-project read-manifest pkgid locate-project help outdated machete udeps semver-checks bloat',
          reads([
            values('--message-format --depth --format -n --crates --filter --baseline-rev --baseline-version'),
            flags('-R -w --root-deps-only --crates --time --with-metadata'),
          ]),
        ),
        expand: reads([values('--theme'), flags('--ugly --verbose')]),
        ...eachNamed('search info', reads([values('--limit')])),
        audit: {
          ...reads([
            flags('--json --no-fetch --stale -n'),
            values('-D --deny --ignore --target-arch --target-os'),
            takes('read', '-f --file'),
            high(values('-d --db -u --url')),
          ]),
          operands: [],
        },
        deny: {
          level: 'high',
          options: [...cargoBuild, takes('search', '-c')],
          verbs: {
            ...eachNamed(
              'check list',
              reads([
                values('-A --allow -W --warn -D --deny -L -f --format -g'),
                takes('search', '-c --config'),
                flags('--hide-inclusion-graph --disable-fetch --show-stats -s'),
              ]),
            ),
          },
        },
        'llvm-cov': {
          ...checksOrBuilds(
            [
              ...cargoBuild,
              flags('--html --json --lcov --cobertura --text --codecov --summary-only --no-report --no-clean --branch'),
              flags(
                '--show-missing-lines --ignore-run-fail --include-build-script --skip-functions --hide-instantiations',
              ),
              values('--ignore-filename-regex --fail-under-lines --fail-under-functions --fail-under-regions'),
              takes('write', '--output-path --output-dir'),
            ],
            { rest: 'text' },
          ),
          judge: judgeTests,
        },
        tarpaulin: {
          ...checksOrBuilds(
            [
              ...cargoBuild,
              flags(
                '--count --branch -b --line -l --skip-clean --no-fail-fast --ignore-tests --ignore-panics --follow-exec --dump-traces',
              ),
              values('--out -o --timeout -t --exclude-files --engine --fail-under --run-types'),
              takes('write', '--output-dir'),
            ],
            { rest: 'text' },
          ),
          judge: judgeTests,
        },
        insta: {
          level: 'high',
          verbs: {
            test: {
              ...checksOrBuilds(
                [
                  ...cargoBuild,
                  flags('--check --no-force-pass --fail-fast --keep-pending'),
                  values('--test-runner --unreferenced'),
                  saying('Changes snapshots of tests.', medium(flags('--accept --accept-unseen --review'))),
                ],
                { rest: 'text' },
              ),
              judge: judgeTests,
            },
            ...eachNamed('accept reject', {
              ...changesFiles,
              operands: [],
              options: [flags('--all'), values('--snapshot')],
            }),
            ...eachNamed('pending-snapshots show', reads([])),
          },
        },
        make: {
          level: 'high',
          judge: judgeTasks,
          options: [
            flags('--list-all-steps -q --quiet --no-workspace --disable-check-for-updates'),
            values('-p --profile'),
          ],
        },
        sort: {
          ...changesFiles,
          judge: readsWith('-c --check', reads([flags('-c --check -w --workspace -g --grouped')])),
          operands: { rest: 'write' },
          options: [flags('-w --workspace -g --grouped -n --no-format')],
        },
        vendor: {
          ...installsDeclared,
          operands: ['write'],
          judge: judgeVendored,
          options: [...cargoBuild, flags('--no-delete --respect-source-config --versioned-dirs')],
        },
        watch: { level: 'high', reason: 'Runs a command whenever a file changes.', judge: judgeWatched },
        hack: { level: 'medium', judge: judgeRepeats },
        msrv: minimumVersion,
        ...eachNamed('run r', { ...runsProject, options: cargoBuild }),
        package: {
          level: 'medium',
          reason: 'Packs files.',
          operands: [],
          judge: readsWith('-l --list', listsPacked),
          options: [...cargoBuild, flags('--no-metadata --no-verify --exclude-lockfile')],
        },
        report: {
          level: 'high',
          verbs: { ...eachNamed('future-incompat future-incompatibilities', reads([values('--id')])) },
        },
        // Without `--list`, it installs programs for the whole account.
        install: { level: 'high', reason: 'Installs programs.', judge: readsWith('--list', listsInstalled) },
        owner: {
          level: 'high',
          reason: 'Changes who owns a crate.',
          judge: readsWith('-l --list', {
            level: 'medium',
            reason: 'Queries the registry.',
            operands: ['text'],
            options: [...cargoCommon, flags('-l --list'), high(values('-a --add -r --remove'))],
          }),
        },
        fmt: {
          ...changesFiles,
          judge: judgeFormats,
          operands: { rest: 'text' },
          options: [
            flags('--all --check -- -q --quiet -v --verbose -h --help'),
            values('-p --package --message-format'),
            takes('search', '--manifest-path'),
            high(values('--config --config-path')),
          ],
        },
        clean: {
          ...changesFiles,
          reason: 'Deletes build output.',
          judge({ scope, whole }) {
            refuseMoved(literal('target'), scope, whole);
            return undefined;
          },
          operands: [],
          options: [...cargoBuild, flags('-n --dry-run'), takes('empties', '--target-dir')],
        },
        ...eachNamed('remove rm', {
          ...changesFiles,
          reason: 'Removes dependencies from Cargo.toml.',
          operands: { rest: 'text' },
          options: [...cargoCommon, flags('--dev --build -n --dry-run'), values('-p --package --target')],
        }),
        ...eachNamed('fetch generate-lockfile', { ...installsDeclared, options: cargoBuild }),
        // Its words name packages that the project uses already.
        update: {
          ...installsDeclared,
          operands: { rest: 'text' },
          options: [...cargoBuild, flags('-n --dry-run -w --recursive -b --breaking'), values('--precise')],
        },
        fix: {
          ...changesFiles,
          operands: [],
          options: [...cargoBuild, flags('--edition --edition-idioms --broken-code')],
        },
        ...eachNamed('new init', {
          ...changesFiles,
          options: [flags('--lib --bin -q --quiet -v --verbose'), values('--name --edition --vcs --color')],
        }),
      },
    },
    rustc: {
      level: 'medium',
      reason: 'Compiles code.',
      judge: judgeCodegen,
      operands: ['read'],
      options: [
        flags('--version -V -vV -O -h --help -g --test -v --verbose'),
        values('--edition --explain --print --crate-type --crate-name --target --cfg --check-cfg --cap-lints --color'),
        values('--emit --remap-path-prefix'),
        values('-W --warn -A --allow -D --deny -F --forbid --error-format --diagnostic-width'),
        takes('write', '-o --out-dir'),
        values('-C --codegen'),
      ],
    },
    rustup: {
      ...installsOrPublishes,
      options: [flags('--version -V -v --verbose -q --quiet -h --help')],
      verbs: {
        ...eachNamed('toolchain target component override', {
          level: 'high',
          reason: 'Installs toolchains or changes which one is used.',
          verbs: {
            list: { ...readingManual, options: [flags('--installed -v --verbose -q --quiet'), values('--toolchain')] },
          },
        }),
        ...eachNamed('show which check', { ...readingManual, options: [flags('-v --verbose'), values('--toolchain')] }),
        completions: { ...readingManual, operands: ['text', 'text'] },
        man: { ...readingManual, options: [values('--toolchain')] },
      },
    },
  },
  claims: {
    cargo: claimsOfInstaller('crate'),
  },
};
