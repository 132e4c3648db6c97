import { judgeByManual } from '../../calls/judgeByManual';
import { each, type Family, type Judge } from '../../calls/manual';
import { flags, high, medium, optionalValues, takes, values } from '../../calls/options';
import { judgeInstall } from '../shared/installing';
import {
  changesFiles,
  checksOrBuilds,
  installsDeclared,
  installsOrPublishes,
  readingManual,
  runsProject,
} from '../shared/kinds';
import { claimsOfInstaller } from '../shared/packageClaims';
import { judgeFormats, judgeTests } from '../shared/projectCode';

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

export const rustFamily: Family = {
  programs: {
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
          ...checksOrBuilds(cargoBuild, { rest: 'text' }),
          judge: judgeTests,
        }),
        ...each(
          `
          tree metadata version verify-project pkgid locate-project search help audit deny outdated
          machete udeps llvm-cov info semver-checks expand bloat hack msrv
        `,
          {
            ...readingManual,
            options: [
              ...cargoBuild,
              values('-i -e --format-version --depth --invert --edges'),
              flags('-d -R -w --root-deps-only --open --duplicates'),
            ],
          },
        ),
        ...each('run r', { ...runsProject, options: cargoBuild }),
        fmt: {
          ...changesFiles,
          judge: judgeFormats,
          operands: { rest: 'text' },
          options: [flags('--all --check --'), values('-p --package')],
        },
        clean: { ...changesFiles, operands: [], options: cargoBuild },
        ...each('remove rm', { ...changesFiles, operands: { rest: 'text' }, options: [flags('--dev'), values('-p')] }),
        ...each('fetch update generate-lockfile', {
          ...installsDeclared,
          options: [...cargoBuild, flags('--dry-run -w')],
        }),
        fix: { ...changesFiles, operands: [], options: [...cargoBuild, flags('--allow-dirty --edition')] },
        ...each('new init', { ...changesFiles, options: [flags('--lib --bin'), values('--name --edition --vcs')] }),
      },
    },
    rustc: {
      level: 'medium',
      reason: 'Compiles code.',
      operands: ['read'],
      options: [flags('--version -V -vV -O'), values('--edition --explain --print'), takes('write', '-o')],
    },
    rustup: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        ...each('toolchain target component', {
          level: 'high',
          verbs: { list: { ...readingManual, options: [flags('--installed')] } },
        }),
        ...each('show which', readingManual),
      },
    },
  },
  claims: {
    cargo: claimsOfInstaller('crate'),
  },
};
