import { claim, type Claims, joinNames, optionValue } from '../../calls/claims';
import { eachNamed, type Family, type Judge, type Manual, type Manuals } from '../../calls/manual';
import { flags, high, type Options, saying, takes, values } from '../../calls/options';
import { refuse, refuseKind } from '../../effects/scope';
import type { Value } from '../../syntax/value';
import { judgeNotSecret } from '../shared/asks';
import { judgeDeclared, judgeInstall, judgeProjectInstall } from '../shared/installing';
import {
  changesFiles,
  installsDeclared,
  installsOrPublishes,
  readingManual,
  strictReadingManual,
  runsProject,
  runsProjectStrictly,
} from '../shared/kinds';
import { claimOfInstall, consentForPackage, isAddress, registryOf, runsPackage } from '../shared/packageClaims';
import { judgeTests } from '../shared/projectCode';
import { hasOption, readsWith, readsWithoutWords } from '../shared/readsWith';
import { judgeNewEnvironment } from './environments';
import { judgeBundled, judgePythonRun, judgeUvRun } from '../shell/wrapping';
import { pytest } from './python';

/** `.[test]` may also be meant as a pattern, which the shell passes on if no such file exists. */
const isOwnFolder = ({ text, kind }: Value): boolean => kind !== 'unknown' && /^\.(\/)?(\[[\w,-]+\])?$/.test(text);

/** Allows installing the project's own folder or its requirements file. */
const judgePipInstall: Judge = ({ name: program, words, scope, whole }) => {
  judgeDeclared(words, scope, whole);
  judgeInstall(program.split(' ')[0]!, scope, whole);
  const plain = words.filter(
    ({ text }, at) => !text.startsWith('-') && !/^(-r|-c|--requirement|--constraint)$/.test(words[at - 1]?.text ?? ''),
  );
  const named = plain.find((word) => !isOwnFolder(word));
  const reason = 'Installs a package that the project does not declare.';
  const arePlain = plain.every((word) => isOwnFolder(word) || consentForPackage(word) !== undefined);
  if (named && arePlain) refuseKind(scope, 'packages', named.source, reason);
  else if (named) refuse(scope, named.source, reason);
  return undefined;
};

const pipVerbs: Manuals = {
  ...eachNamed('list show freeze check help debug inspect', {
    ...readingManual,
    options: [
      flags(`
        --outdated -o --uptodate -u --not-required -v --verbose -f --files --local -l --user --editable -e --pre
        --include-editable --exclude-editable -q --quiet --all --disable-pip-version-check -h --help
      `),
      values('--format --exclude'),
      takes('search', '--path'),
      takes('write', '--log'),
    ],
  }),
  install: {
    level: 'medium',
    reason: 'Installs dependencies that the project already declares.',
    operands: { rest: 'read' },
    judge: judgePipInstall,
    options: [
      flags(`
          -e -q --quiet --no-deps --upgrade -U --no-cache-dir --disable-pip-version-check --no-cache
          --require-hashes --editable --no-build-isolation --use-pep517 --no-use-pep517 -vv
          --prefer-binary --no-compile --no-warn-script-location --no-input --dry-run -v --verbose --no-color --require-virtualenv --check-build-dependencies
          --ignore-installed -I --force-reinstall --pre -h --help
        `),
      values('--only-binary --no-binary --upgrade-strategy --progress-bar --timeout --retries --python-version'),
      takes('write', '--log --report'),
      saying('Changes the packages of the system.', high(flags('--break-system-packages'))),
      takes('read', '-r -c --requirement --constraint'),
    ],
  },
  uninstall: {
    level: 'high',
    reason: 'Removes packages.',
    options: [
      flags('-y --yes -q --quiet -v --verbose -h --help'),
      takes('read', '-r --requirement'),
      saying('Changes the packages of the system.', high(flags('--break-system-packages'))),
    ],
  },
  cache: { level: 'low', verbs: { ...eachNamed('info dir list', readingManual) } },
  index: {
    level: 'high',
    verbs: {
      versions: {
        level: 'medium',
        reason: 'Queries the registry.',
        operands: ['text'],
        options: [
          flags('--pre --json -q --quiet'),
          values('--platform --python-version --implementation --abi --only-binary --no-binary'),
        ],
      },
    },
  },
  config: {
    level: 'high',
    verbs: {
      ...eachNamed('get debug', {
        level: 'medium',
        reason: 'Shows the settings of pip.',
        operands: { rest: 'text' },
        others: 'high',
        judge: judgeNotSecret,
        options: [flags('-v --user --site --global')],
      }),
      list: {
        level: 'medium',
        reason: 'Shows the settings of pip.',
        operands: [],
        options: [flags('-v --user --site')],
      },
    },
  },
};

/** Judges `conda activate NAME`. An environment given by its path may be a folder of anybody. */
const judgeActivation: Judge = ({ words, scope, whole }) => {
  const isNamed = words.every(({ kind, text }) => kind === 'literal' && /^(?:--(?:no-)?stack|[\w.-]+)$/.test(text));
  if (!isNamed) refuse(scope, whole, 'Uses programs of a folder that is only known by its path.');
  return undefined;
};

const pip: Manual = {
  level: 'high',
  reason: 'Installs packages.',
  options: [flags('--version -V -h --help --disable-pip-version-check -q --quiet -v --verbose --no-color')],
  verbs: pipVerbs,
};

const indexOptions = ['-i', '--index-url', '--extra-index-url', '--find-links'];

const python: Claims = ({ program, all, plain: [verb, ...words], has }) => {
  const indexes = indexOptions.flatMap((option) => optionValue(all, option) ?? []);
  const names = words.filter((word) => !indexes.includes(word));
  if (verb === 'install') {
    const address = names.find(isAddress);
    if (address) return claim('changes', `Installs code from the address ${address}.`);
    if (indexes.length > 0 || has(/^(-i|--index-url|--extra-index-url)/)) {
      const where = joinNames(indexes, 'another index than the usual one');
      return claim('changes', `Installs ${joinNames(names, 'packages')} from ${where}, not from the usual index.`);
    }
    return claimOfInstall(
      names.filter((name) => !/^\.|\.txt$/.test(name)),
      { everywhere: program === 'pipx' },
    );
  }
  if (verb === 'uninstall') return claim('unusual', `Removes the installed package ${joinNames(names, '')}.`);
  if (verb === 'publish') return claim('sends', `Publishes this package to ${registryOf[program] ?? 'the registry'}.`);
  if (verb === 'add') return claimOfInstall(names, { everywhere: false });
  if (verb === 'tool' || verb === 'run')
    return program === 'pipx' || names[0] === 'run' ? runsPackage(names.filter((name) => name !== 'run')) : undefined;
  return undefined;
};

const upload: Claims = ({ plain: [verb, ...files] }) =>
  verb === 'upload' ? claim('sends', `Publishes ${joinNames(files, 'packages')} to PyPI.`) : undefined;

const uvCommon: Options = [
  flags(
    '-q --quiet -v --verbose --offline --no-progress --no-cache -n --no-python-downloads --managed-python -h --help',
  ),
  values('--color -p --python'),
  takes('search', '--project --directory'),
  high(values('--config-file --index --default-index -i --index-url --extra-index-url -f --find-links --cache-dir')),
  high(values('--allow-insecure-host --env-file')),
];

const uvResolves: Options = [
  ...uvCommon,
  flags(`
    --dev --no-dev --only-dev --all-extras --all-groups --no-default-groups --upgrade -U --all-packages --no-build
    --no-binary --no-sources --refresh --reinstall --no-build-isolation
  `),
  values(`
    --extra --no-extra --group --no-group --only-group --package --upgrade-package -P --resolution --prerelease
    --exclude-newer --fork-strategy --link-mode --refresh-package --reinstall-package
  `),
];

const readsVersion: Manual = {
  ...strictReadingManual,
  operands: [],
  options: [
    ...uvResolves,
    flags('--short --dry-run --frozen --locked --active --no-sync'),
    values('--output-format --bump'),
  ],
};

const poetryCommon: Options = [
  flags('-q --quiet -n --no-interaction -v -vv -vvv --verbose --ansi --no-ansi --no-cache -h --help'),
  takes('search', '-C --directory -P --project'),
];

const poetryReads = (options: Options = []): Manual => ({ ...readingManual, options: [...poetryCommon, ...options] });

export const pythonPackagesFamily: Family = {
  programs: {
    pipdeptree: {
      ...strictReadingManual,
      options: [flags('-r --reverse --json --json-tree'), values('-p --packages -w')],
    },
    ...eachNamed('pip-audit safety', {
      level: 'medium',
      reason: 'Asks the network for known vulnerabilities.',
      operands: [],
      options: [flags('--strict -l --local --desc'), values('-f --format'), takes('read', '-r --requirement')],
      bare: strictReadingManual,
      verbs: {
        ...eachNamed('check scan', {
          level: 'medium',
          reason: 'Asks the network for known vulnerabilities.',
          operands: [],
          options: [takes('read', '-r')],
        }),
      },
    }),
    ...eachNamed('pip-compile pip-sync', {
      level: 'medium',
      reason: 'Installs or pins the declared dependencies of the project.',
      operands: { rest: 'read' },
      options: [
        flags(`
          --upgrade -U --generate-hashes -q --quiet --strip-extras --no-strip-extras --no-header --dry-run -n
          --allow-unsafe --no-annotate --annotate --all-extras --rebuild --no-emit-index-url -v --verbose --ask
        `),
        values('--resolver --extra -P --upgrade-package --annotation-style --no-emit-package'),
        takes('write', '-o --output-file'),
      ],
    }),
    twine: {
      level: 'high',
      reason: 'Publishes a package.',
      verbs: { check: { level: 'low', operands: { rest: 'read' }, options: [flags('--strict')] } },
    },
    ...eachNamed('pyinstaller cython maturin', {
      level: 'high',
      reason: 'Builds the project.',
      options: [flags('--version -V -v -h --help')],
      verbs: {
        build: { ...runsProjectStrictly, options: [flags('--release -r')] },
        develop: { ...runsProjectStrictly, options: [flags('--release -r')] },
      },
    }),
    ...eachNamed('pip pip3', pip),
    pipx: {
      ...installsOrPublishes,
      options: [flags('--version -h --help')],
      verbs: { list: { ...readingManual, options: [flags('--short --json --include-injected --skip-maintenance')] } },
    },
    ...eachNamed('conda mamba micromamba', {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        env: {
          level: 'high',
          reason: 'Changes environments.',
          verbs: {
            ...eachNamed('list export', {
              ...readingManual,
              options: [flags('--json --from-history --no-builds'), values('-n --name')],
            }),
          },
        },
        activate: {
          level: 'medium',
          reason: 'Switches to another Python environment.',
          style: 'words',
          operands: { rest: 'text' },
          options: [flags('--stack --no-stack')],
          judge: judgeActivation,
        },
        deactivate: { level: 'medium', reason: 'Leaves a Python environment.', operands: [] },
        ...eachNamed('list info', {
          ...readingManual,
          options: [
            flags(
              '-a --all -e --envs -s --system --base --json -v -q --explicit --export -f --full-name --revisions --no-pip',
            ),
            values('-n --name'),
            takes('search', '-p --prefix'),
            saying('Shows addresses of channels, which may contain credentials.', high(flags('--unsafe-channels'))),
          ],
        }),
        ...eachNamed('search repoquery', {
          ...readingManual,
          level: 'medium',
          reason: 'Asks the channels for packages.',
          options: [flags('--json -i --info --tree -t --pretty'), values('-c --channel -p --platform')],
        }),
        compare: { ...readingManual, operands: { rest: 'read' }, options: [values('-n --name'), flags('--json')] },
      },
    }),
    uv: {
      ...installsOrPublishes,
      options: [
        flags('--version -V -h --help -q --quiet -v --verbose --offline --no-progress --no-cache -n'),
        values('--color'),
      ],
      verbs: {
        help: { ...readingManual, options: [flags('--no-pager')] },
        python: {
          level: 'high',
          reason: 'Installs Python.',
          verbs: {
            ...eachNamed('list find dir', {
              ...readingManual,
              options: [
                ...uvCommon,
                flags(
                  '--only-installed --only-downloads --all-versions --all-platforms --all-arches --show-urls --bin',
                ),
                flags('--no-project --system --script'),
                values('--output-format --python-preference'),
              ],
            }),
          },
        },
        ...eachNamed('sync lock', {
          ...installsDeclared,
          options: [
            ...uvResolves,
            flags(`
              --frozen --locked --check --dry-run --inexact --exact --no-install-project --no-install-workspace
              --no-install-local --active --check-exists --no-editable
            `),
            values('--no-install-package --output-format --python-platform'),
            takes('read', '--script'),
          ],
        }),
        pip: {
          ...installsOrPublishes,
          verbs: {
            ...pipVerbs,
            compile: {
              level: 'medium',
              reason: 'Pins the declared dependencies of the project.',
              operands: { rest: 'read' },
              options: [
                flags('-U --upgrade -q --quiet --all-extras --generate-hashes --universal'),
                values('--extra'),
                takes('write', '-o --output-file'),
              ],
            },
            sync: {
              level: 'medium',
              reason: 'Installs dependencies that the project already declares.',
              operands: { rest: 'read' },
              judge: judgeProjectInstall,
              options: [
                ...uvCommon,
                flags('--require-hashes --dry-run --strict --no-build --allow-empty-requirements'),
                takes('read', '-c --constraint'),
              ],
            },
            tree: {
              ...readingManual,
              options: [...uvCommon, values('-d --depth --prune --package'), flags('--invert --no-dedupe --outdated')],
            },
          },
        },
        build: {
          ...runsProjectStrictly,
          reason: 'Builds the project.',
          operands: ['search'],
          options: [
            ...uvCommon,
            flags('--sdist --wheel --all-packages --all --no-build-logs --clear --require-hashes'),
            values('-p --python --package'),
            takes('write', '-o --out-dir'),
          ],
        },
        tree: {
          ...readingManual,
          options: [
            ...uvResolves,
            values('-d --depth --prune --python-platform --python-version'),
            flags('--no-dedupe --invert --outdated --show-sizes --universal --frozen --locked'),
            takes('read', '--script'),
          ],
        },
        export: {
          ...readingManual,
          options: [
            ...uvResolves,
            flags(`
              --frozen --locked --no-hashes --no-header --no-annotate --no-emit-project --no-emit-workspace
              --no-editable --no-emit-local
            `),
            values('--format --prune --no-emit-package'),
            takes('write', '-o --output-file'),
          ],
        },
        cache: { level: 'high', verbs: { ...eachNamed('dir size', { ...readingManual, options: uvCommon }) } },
        self: {
          level: 'high',
          verbs: {
            version: { ...readingManual, options: [flags('--short'), values('--output-format')] },
            update: {
              level: 'high',
              reason: 'Installs another version of uv.',
              judge: readsWith('--dry-run', {
                ...strictReadingManual,
                options: [flags('--dry-run')],
                operands: ['text'],
              }),
            },
          },
        },
        tool: {
          level: 'high',
          verbs: {
            ...eachNamed('list dir', {
              ...readingManual,
              options: [
                ...uvCommon,
                flags('--show-paths --show-version-specifiers --show-with --show-extras --bin --outdated'),
              ],
            }),
          },
        },
        venv: {
          ...changesFiles,
          judge: judgeNewEnvironment,
          options: [
            ...uvCommon,
            flags('--seed --allow-existing --relocatable --system-site-packages --no-project -c --clear'),
            values('-p --python --prompt'),
          ],
        },
        run: {
          level: 'low',
          judge: judgeUvRun,
          options: [
            flags(`
              --frozen --locked --no-sync -q --quiet --all-extras --dev --no-dev --only-dev --all-groups --exact
              --isolated --active --no-default-groups --offline --no-progress --all-packages
            `),
            values('--extra --no-extra --group --no-group --only-group --package'),
          ],
        },
        version: {
          ...changesFiles,
          reason: 'Changes the version of the project.',
          operands: ['text'],
          judge: (call) =>
            hasOption(call.words, '--bump', readsVersion) ? undefined : readsWithoutWords(readsVersion)(call),
          options: readsVersion.options!,
        },
      },
    },
    poetry: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        env: {
          level: 'high',
          reason: 'Changes environments.',
          verbs: { ...eachNamed('info list activate', poetryReads([flags('-p --path --full-path -e --executable')])) },
        },
        ...eachNamed('show check about', {
          ...readingManual,
          options: [
            ...poetryCommon,
            flags(
              '--tree --latest --outdated -t -l -o --why -T --top-level -a --all --no-dev --lock --strict --no-truncate',
            ),
            values('--with --without --only -f --format'),
          ],
        }),
        version: {
          ...changesFiles,
          reason: 'Changes the version of the project.',
          operands: ['text'],
          judge: readsWithoutWords(
            poetryReads([flags('-s --short --dry-run')]),
            readsWith('--dry-run', poetryReads([flags('-s --short --dry-run')])),
          ),
          options: [...poetryCommon, flags('-s --short --next-phase')],
        },
        search: { level: 'medium', reason: 'Queries the registry.', operands: { rest: 'text' }, options: poetryCommon },
        ...eachNamed('debug', { level: 'high', verbs: { ...eachNamed('info tags resolve', poetryReads()) } }),
        source: { level: 'high', reason: 'Changes where packages come from.', verbs: { show: poetryReads() } },
        python: {
          level: 'high',
          reason: 'Installs Python.',
          verbs: {
            list: poetryReads([flags('-a --all -m --managed -f --free-threaded'), values('-i --implementation')]),
          },
        },
        self: {
          level: 'high',
          reason: 'Changes the installation of Poetry.',
          verbs: {
            show: { ...poetryReads([flags('--addons --tree -l --latest -o --outdated -t')]), operands: ['text'] },
          },
        },
        config: {
          level: 'high',
          reason: 'Changes settings, or shows credentials.',
          judge: readsWith('--list', {
            level: 'medium',
            reason: 'Shows the settings of Poetry.',
            operands: [],
            options: [...poetryCommon, flags('--list --local')],
          }),
        },
        ...eachNamed('install lock sync', {
          ...installsDeclared,
          options: [
            ...poetryCommon,
            flags(`
              --no-root --sync --no-update --regenerate --all-extras --all-groups --no-directory --compile --dry-run
              --only-root --no-dev --check
            `),
            values('--with --without --only -E --extras'),
          ],
        }),
        // It installs what the ranges of pyproject.toml allow, like "npm update".
        update: {
          level: 'high',
          reason: 'Installs other versions of packages.',
          judge: readsWith(
            '--dry-run',
            poetryReads([flags('--dry-run --lock --sync'), values('--with --without --only')]),
          ),
        },
        build: {
          ...runsProject,
          options: [...poetryCommon, values('-f --format'), flags('--clean'), takes('write', '-o --output')],
        },
        run: { level: 'low', judge: judgeBundled },
      },
    },
    pipenv: {
      ...installsOrPublishes,
      verbs: {
        ...eachNamed('graph check verify', {
          ...readingManual,
          options: [flags('--bare --json --json-tree --reverse -q --quiet')],
        }),
        requirements: {
          ...readingManual,
          options: [flags('--dev --dev-only --hash --exclude-markers'), values('--categories')],
        },
        run: { level: 'low', judge: judgeBundled },
        ...eachNamed('sync install', { ...installsDeclared, options: [flags('--dev -d --deploy --ignore-pipfile')] }),
      },
    },
    ...eachNamed('hatch pdm', {
      ...installsOrPublishes,
      verbs: {
        ...eachNamed('show list', {
          ...readingManual,
          options: [flags('--tree --json --freeze -q -v --graph --reverse'), values('--sort')],
        }),
        version: {
          ...changesFiles,
          reason: 'Changes the version of the project.',
          operands: ['text'],
          judge: readsWithoutWords({ ...readingManual, options: [flags('--project')] }),
        },
        dep: {
          level: 'high',
          verbs: {
            hash: readingManual,
            show: {
              level: 'high',
              verbs: {
                ...eachNamed('table requirements', {
                  ...readingManual,
                  options: [flags('-p --project-only -e --env-only -l --lines --ascii'), values('--feature')],
                }),
              },
            },
          },
        },
        ...eachNamed('env python config', {
          level: 'high',
          reason: 'Changes environments.',
          verbs: { ...eachNamed('show list find', readingManual) },
        }),
        run: { level: 'low', judge: judgePythonRun },
        ...eachNamed('test t', { ...pytest, judge: judgeTests }),
        ...eachNamed('sync lock install', {
          ...installsDeclared,
          options: [
            flags(
              '-d --dev --prod --production --no-lock --check --frozen-lockfile --no-self --no-editable --dry-run -q -v',
            ),
            values('-G --group --with --without'),
          ],
        }),
      },
    }),
    rye: {
      level: 'high',
      reason: 'Installs packages.',
      options: [flags('--version')],
      verbs: {
        ...eachNamed('test lint show list', {
          level: 'low',
          operands: { rest: 'search' },
          judge: judgeTests,
          options: [flags('-v -q --all -a')],
        }),
        ...eachNamed('sync lock', {
          level: 'medium',
          reason: 'Installs dependencies that the project already declares.',
          operands: [],
          options: [flags('--no-lock -f')],
        }),
        fmt: {
          level: 'medium',
          reason: 'Changes files of the workspace.',
          operands: { rest: 'write' },
          options: [flags('--check -v -q')],
        },
      },
    },
  },
  claims: {
    ...eachNamed('pip pip3 pipx poetry uv pdm hatch flit conda mamba', python),
    twine: upload,
  },
};
