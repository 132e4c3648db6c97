import { claim, type Claims, joinNames, optionValue } from '../../calls/claims';
import { each, type Family, type Judge, type Manual, type Manuals } from '../../calls/manual';
import { flags, takes, values } from '../../calls/options';
import { refuse, refuseKind } from '../../effects/scope';
import type { Value } from '../../syntax/value';
import { judgeDeclared, judgeInstall } from '../shared/installing';
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
import { judgeBundled, judgePythonRun } from '../shell/wrapping';
import { pytest } from './python';

const isOwnFolder = ({ text, kind }: Value): boolean => kind === 'literal' && /^\.(\/)?(\[[\w,-]+\])?$/.test(text);

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
  ...each('list show freeze check help debug inspect', {
    ...readingManual,
    options: [flags('--outdated -o --not-required -v --verbose -f --local -l --user'), values('--format')],
  }),
  install: {
    level: 'medium',
    reason: 'Installs dependencies that the project already declares.',
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
  uninstall: { level: 'medium', reason: 'Removes packages.', options: [flags('-y --yes')] },
  cache: { level: 'low', verbs: { ...each('info dir list', readingManual) } },
  index: {
    level: 'high',
    verbs: { versions: { level: 'medium', reason: 'Queries the registry.', operands: ['text'], options: [] } },
  },
  config: {
    level: 'high',
    verbs: {
      list: {
        level: 'medium',
        reason: 'Shows the settings of pip.',
        operands: [],
        options: [flags('-v --user --site')],
      },
    },
  },
};

const pip: Manual = {
  level: 'high',
  reason: 'Installs packages.',
  options: [flags('--version -V --help --disable-pip-version-check')],
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
      program === 'pipx',
    );
  }
  if (verb === 'uninstall') return claim('unusual', `Removes the installed package ${joinNames(names, '')}.`);
  if (verb === 'publish') return claim('sends', `Publishes this package to ${registryOf[program] ?? 'the registry'}.`);
  if (verb === 'add') return claimOfInstall(names, false);
  if (verb === 'tool' || verb === 'run')
    return program === 'pipx' || names[0] === 'run' ? runsPackage(names.filter((name) => name !== 'run')) : undefined;
  return undefined;
};

const upload: Claims = ({ plain: [verb, ...files] }) =>
  verb === 'upload' ? claim('sends', `Publishes ${joinNames(files, 'packages')} to PyPI.`) : undefined;

export const packagesFamily: Family = {
  programs: {
    pipdeptree: {
      ...strictReadingManual,
      options: [flags('-r --reverse --json --json-tree'), values('-p --packages -w')],
    },
    ...each('pip-audit safety', {
      level: 'medium',
      reason: 'Asks the network for known vulnerabilities.',
      operands: [],
      options: [flags('--strict -l --local --desc'), values('-f --format'), takes('read', '-r --requirement')],
      bare: strictReadingManual,
      verbs: {
        ...each('check scan', {
          level: 'medium',
          reason: 'Asks the network for known vulnerabilities.',
          operands: [],
          options: [takes('read', '-r')],
        }),
      },
    }),
    ...each('pip-compile pip-sync', {
      level: 'medium',
      reason: 'Installs or pins the declared dependencies of the project.',
      operands: { rest: 'read' },
      options: [
        flags('--upgrade -U --generate-hashes -q --quiet --strip-extras --no-header'),
        values('--resolver'),
        takes('write', '-o --output-file'),
      ],
    }),
    twine: {
      level: 'high',
      reason: 'Publishes a package.',
      verbs: { check: { level: 'low', operands: { rest: 'read' }, options: [flags('--strict')] } },
    },
    ...each('pyinstaller cython maturin', {
      level: 'high',
      reason: 'Builds the project.',
      options: [flags('--version')],
      verbs: {
        build: { ...runsProjectStrictly, options: [flags('--release -r')] },
        develop: { ...runsProjectStrictly, options: [flags('--release -r')] },
      },
    }),
    ...each('pip pip3', pip),
    pipx: { ...installsOrPublishes, options: [flags('--version')], verbs: { list: readingManual } },
    conda: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        env: { level: 'high', reason: 'Changes environments.', verbs: { list: readingManual } },
        ...each('list info', readingManual),
      },
    },
    uv: {
      ...installsOrPublishes,
      options: [flags('--version -V')],
      verbs: {
        python: {
          level: 'high',
          reason: 'Installs Python.',
          verbs: { ...each('list find', { ...readingManual, options: [flags('--only-installed')] }) },
        },
        ...each('sync lock', {
          ...installsDeclared,
          options: [flags('--frozen --locked --all-extras --dev --check'), values('--extra')],
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
            tree: readingManual,
          },
        },
        tree: readingManual,
        cache: { level: 'high', verbs: { dir: readingManual } },
        tool: { level: 'high', verbs: { ...each('list dir', readingManual) } },
        venv: { ...changesFiles, options: [] },
        run: {
          level: 'low',
          judge: judgeBundled,
          options: [flags('--frozen --locked --no-sync -q --all-extras --dev'), values('--extra --group')],
        },
        version: readingManual,
      },
    },
    poetry: {
      ...installsOrPublishes,
      options: [flags('--version')],
      verbs: {
        env: {
          level: 'high',
          reason: 'Changes environments.',
          verbs: { ...each('info list', { ...readingManual, options: [flags('-p --path --full-path')] }) },
        },
        ...each('show check version about', {
          ...readingManual,
          options: [flags('--tree --latest --outdated -t -l -o -q')],
        }),
        ...each('install lock', {
          ...installsDeclared,
          options: [flags('--no-root --no-interaction -n --sync --no-update -q'), values('--with --without --only')],
        }),
        build: { ...runsProject, options: [] },
        run: { level: 'low', judge: judgeBundled },
      },
    },
    pipenv: {
      ...installsOrPublishes,
      verbs: {
        ...each('graph check', readingManual),
        run: { level: 'low', judge: judgeBundled },
        ...each('sync install', { ...installsDeclared, options: [flags('--dev -d --deploy --ignore-pipfile')] }),
      },
    },
    ...each('hatch pdm', {
      ...installsOrPublishes,
      verbs: {
        ...each('show list version', readingManual),
        ...each('env python config', {
          level: 'high',
          reason: 'Changes environments.',
          verbs: { ...each('show list find', readingManual) },
        }),
        run: { level: 'low', judge: judgePythonRun },
        ...each('test t', { ...pytest, judge: judgeTests }),
        ...each('sync lock', installsDeclared),
      },
    }),
    rye: {
      level: 'high',
      reason: 'Installs packages.',
      options: [flags('--version')],
      verbs: {
        ...each('test lint show list', {
          level: 'low',
          operands: { rest: 'search' },
          judge: judgeTests,
          options: [flags('-v -q --all -a')],
        }),
        ...each('sync lock', {
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
    ...each('pip pip3 pipx poetry uv pdm hatch flit conda mamba', python),
    twine: upload,
  },
};
