import { exactlyOneOf } from '../../../text/alternatives';
import { judgeOneLiner } from '../../calls/inlineCode';
import { eachNamed, type Family, type Judge, type Manual } from '../../calls/manual';
import {
  flags,
  high,
  medium,
  optionalValues,
  optionTable,
  readArguments,
  readLeadingOptions,
  takes,
  values,
} from '../../calls/options';
import { judgeProgram } from '../../calls/scriptText';
import { doubt, inner, note, recordScriptRun, refuse, type Scope, touch } from '../../effects/scope';
import { folderAfterCd } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';
import { clearsEnvironment, judgeEnvironment } from './environments';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import {
  changesFiles,
  checksOrBuilds,
  strictReadingManual,
  runsProject,
  runsProjectStrictly,
  servesProject,
} from '../shared/kinds';
import { runProjectCode, judgeTests, staysInside } from '../shared/projectCode';

const environmentOptions = [
  flags('-q --quiet --version --clear -v --verbose --system-site-packages --no-download --copies --symlinks -h --help'),
  values('-p --python --prompt'),
];

/** Python modules that watch a script run. The script follows their options. */
const watching = optionTable([
  flags('-t -T -c -m -g -l --count --trace --listfuncs --summary --missing'),
  values('-s --sort -C -R -f --ignore-module --ignore-dir'),
  takes('write', '-o --outfile'),
]);

const modules: Readonly<Record<string, string>> = {
  pytest: 'pytest',
  pip: 'pip',
  mypy: 'mypy',
  flake8: 'flake8',
  pylint: 'pylint',
  ruff: 'ruff',
  black: 'black',
  isort: 'isort',
  coverage: 'coverage',
  tox: 'tox',
  nox: 'nox',
  yapf: 'yapf',
  pyflakes: 'pyflakes',
  bandit: 'bandit',
  flask: 'flask',
  uvicorn: 'uvicorn',
  gunicorn: 'gunicorn',
};

const management =
  /^(test|check|makemigrations|showmigrations|runserver|collectstatic|sqlmigrate|diffsettings|help|version)$/;

/**
 * Returns the file that `python -m NAME` runs, relative to the current folder, if it is a module of the project. Python
 * looks there first.
 */
function fileOfModule(name: string, { cwd, context, written }: Scope): string | undefined {
  if (cwd === undefined || !/^[A-Za-z_]\w*(?:\.\w+)*$/.test(name)) return undefined;
  const base = name.replaceAll('.', '/');
  return [`${base}/__main__.py`, `${base}.py`].find((file) => {
    const path = folderAfterCd(cwd, file);
    return written.has(path) || context.lookUp?.('program', path, '.') !== undefined;
  });
}

/** The file in the current folder that Python loads instead of an installed module of this name, if there is one. */
function fileInsteadOf(name: string, { cwd, context, written }: Scope): string | undefined {
  const [first = ''] = name.split('.');
  if (cwd === undefined || !/^[A-Za-z_]\w*$/.test(first)) return undefined;
  return [`${first}.py`, `${first}/__init__.py`]
    .map((file) => folderAfterCd(cwd, file))
    .find((path) => written.has(path) || context.lookUp?.('program', path, '.') !== undefined);
}

/** Judges `python -m MODULE`, `manage.py VERB` and one-liners. Anything else is a script. */
export const judgePython: Judge = ({ words, scope, flow, whole }) => {
  const takesNext = (word: Value | undefined): boolean => /^-[XW]$/.test(word?.text ?? '');
  const at = words.findIndex(
    (word, index) => /^-[a-zA-Z]*[mc]/.test(word.text) || (!word.text.startsWith('-') && !takesNext(words[index - 1])),
  );
  const flag = words[at];
  if (at < 0 || !flag) return undefined;
  if (/^-[a-zA-Z]*c/.test(flag.text)) {
    const glued = flag.text.replace(/^-[a-zA-Z]*?c/, '');
    const code = glued === '' ? words[at + 1] : { ...flag, text: glued };
    judgeOneLiner({
      language: 'python',
      options: words.slice(0, at),
      code,
      files: words.slice(at + (glued === '' ? 2 : 1)),
      scope,
      whole,
    });
    return 'done';
  }
  if (flag.text.startsWith('-')) {
    const module = flag.text === '-m' ? words[at + 1] : undefined;
    const rest = words.slice(at + 2);
    const instead = module?.kind === 'literal' ? fileInsteadOf(module.text, scope) : undefined;
    if (instead !== undefined) {
      judgeProgram(instead, scope, whole);
      recordScriptRun(scope, instead, whole);
    }
    const tool = module?.kind === 'literal' && Object.hasOwn(modules, module.text) ? modules[module.text]! : undefined;
    if (tool && scope.analyser.programNamed(tool))
      scope.analyser.judgeCall([literal(tool), ...rest], inner(scope), flow);
    else if (module?.text === 'unittest' || module?.text === 'doctest') {
      staysInside(rest, scope);
      runProjectCode(scope, whole);
      note(scope, 'low', whole);
    } else if (
      module &&
      /^(json\.tool|tokenize|ast|tabnanny|py_compile|compileall|calendar|platform|this|sysconfig|dis|site)$/.test(
        module.text,
      )
    ) {
      for (const word of rest) if (!word.text.startsWith('-')) touch(scope, 'reads', word);
      if (module.text === 'json.tool' && rest.filter(({ text }) => !text.startsWith('-')).length > 1)
        refuse(scope, whole, 'Writes a file.');
      note(scope, 'low', whole);
    } else if (module && /^(?:cProfile|profile|trace|tracemalloc)$/.test(module.text)) judgeWatched(rest, scope, whole);
    else if (
      module &&
      /^(zipfile|tarfile)$/.test(module.text) &&
      rest.length === 2 &&
      /^(-l|--list|-t|--test)$/.test(rest[0]!.text)
    ) {
      touch(scope, 'reads', rest[1]!);
      note(scope, 'low', whole);
    } else if (module && /^(venv|virtualenv)$/.test(module.text)) {
      for (const word of rest) if (!word.text.startsWith('-')) touch(scope, 'writes', word);
      clearsEnvironment(rest, environmentOptions, scope);
      note(scope, 'medium', whole, 'Creates an environment.');
    } else if (
      module &&
      (module.text === 'build'
        ? rest.length === 0
        : module.text === 'http.server' &&
          // In the sandbox, only its own programs can reach it.
          (scope.context.confined === true ||
            /(^| )(-b|--bind) (127\.0\.0\.1|localhost)( |$)/.test(rest.map(({ text }) => text).join(' '))) &&
          rest.every(({ text }) => /^(\d+|--bind|-b|127\.0\.0\.1|localhost)$/.test(text)))
    )
      note(scope, 'medium', whole, 'Builds or serves the project.');
    else {
      const file = module?.kind === 'literal' ? fileOfModule(module.text, scope) : undefined;
      if (file === undefined) doubt(scope, whole, 'Runs an unknown module.');
      else scope.analyser.judgeCall([literal('python'), literal(file), ...rest], inner(scope), flow);
    }
    return 'done';
  }
  if (/(^|\/)manage\.py$/.test(flag.text) && !management.test(words[at + 1]?.text ?? ''))
    doubt(scope, whole, 'Runs an unknown command.');
  if (
    /(^|\/)manage\.py$/.test(flag.text) &&
    /^(test|check|showmigrations|diffsettings|help|version)$/.test(words[at + 1]?.text ?? '') &&
    flag.kind === 'literal'
  ) {
    runProjectCode(scope, whole);
    staysInside(words, scope);
    touch(scope, 'reads', flag);
    if (words.slice(at + 2).some(({ text }) => /^--(?:s(?:et?(?:t\w*)?)?|p(?:yt?\w*)?|testr\w*)(?:=|$)/.test(text)))
      doubt(scope, whole, 'Uses an option that can change what runs.');
    note(scope, 'low', whole);
    return 'done';
  }
  if (
    /(^|\/)setup\.py$/.test(flag.text) &&
    !/^(--version|--name|check|build|build_ext|test)$/.test(words[at + 1]?.text ?? '')
  )
    refuse(scope, whole, 'Installs or publishes.');
  return undefined;
};

/** Judges `python -m cProfile -s cumtime script.py`. */
function judgeWatched(words: readonly Value[], scope: Scope, whole: string): void {
  const {
    options,
    rest: [script, ...more],
  } = readLeadingOptions(words, watching, 'letters');
  for (const { option, culprit, value } of options) {
    if (!option) doubt(scope, culprit, 'Uses an unknown option.');
    else if (value && option.role === 'write') touch(scope, 'writes', value);
  }
  if (!script) return doubt(scope, whole, 'Runs something that is not written in the command.');
  scope.analyser.judgeCall([literal('python'), script, ...more], inner(scope), {});
}

export const pytest = checksOrBuilds([
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
      --disable-warnings --exitfirst --last-failed --failed-first --lf --ff --sw-skip --cache-show --no-cov-on-fail
      --setup-only --setup-plan --funcargs --fixtures-per-test --strict --strict-config --pyargs --keep-duplicates
      --cov-branch --cov-append --doctest-ignore-import-errors --noconftest --no-fold-skipped --xfail-tb
      --randomly-dont-reorganize --snapshot-details --migrations --no-migrations --nomigrations --fail-on-flaky
      --benchmark-disable --benchmark-enable --durations-show-all
    `),
  values(`
      --durations-min --show-capture --pythonwarnings --verbosity --code-highlight --last-failed-no-failures --lfnf
      --log-format --log-date-format --log-cli-format --doctest-report --cov-context --reruns-delay --only-rerun
      --timeout-method --maxprocesses --max-worker-restart --numprocesses --cache-prefix --random-order-seed
    `),
  medium(flags('--snapshot-update --inline-snapshot --force-regen --cache-clear --lf-clear')),
  optionalValues('--cov'),
  takes('module', '-p'),
  takes('search', '-c --config-file --rootdir --ignore --ignore-glob --cov-config'),
  takes('write', '--junitxml --junit-xml --html --log-file --resultlog --report-log --benchmark-json'),
  values('-o --override-ini'),
  high(flags('--pdb'), values('--pastebin --basetemp --confcutdir')),
]);

/** Settings that only change what is shown or reported. A category with a dot would import a module. */
const plainIni = exactlyOneOf([
  /(?:addopts|filterwarnings|minversion|markers)=/,
  /filterwarnings=[\w:]+/,
  /(?:console_output_style|log_cli|log_cli_level|log_level|junit_family|xfail_strict|asyncio_mode)=\w*/,
]);

const judgePytest: Judge = (one) => {
  const { options } = readArguments(one.words, optionTable(pytest.options ?? []), 'letters');
  for (const { option, value, culprit } of options) {
    const isSetting = option !== undefined && /^(?:-o|--override-ini)$/.test(option.name);
    if (isSetting && !(value?.kind === 'literal' && plainIni.test(value.text)))
      refuse(one.scope, culprit, 'Overrides a setting of pytest that can change what runs.');
  }
  return judgeTests(one);
};

const testRunner: Manual = { ...pytest, declared: true, judge: judgePytest };

export const pythonFamily: Family = {
  programs: {
    jupyter: {
      level: 'high',
      options: [flags('--version')],
      verbs: {
        nbconvert: {
          level: 'medium',
          reason: 'Converts files of the workspace.',
          operands: { rest: 'read' },
          options: [
            flags('--execute --stdout --inplace --clear-output --no-input'),
            values('--to'),
            takes('write', '--output --output-dir'),
          ],
        },
        ...eachNamed('lab notebook', {
          ...servesProject,
          options: [flags('--no-browser --debug'), values('--port'), takes('search', '--notebook-dir')],
        }),
        kernelspec: { level: 'high', verbs: { list: strictReadingManual } },
      },
    },
    virtualenv: {
      ...changesFiles,
      operands: ['write'],
      judge: judgeEnvironment,
      options: environmentOptions,
    },
    ...eachNamed('locust behave robot', {
      ...runsProjectStrictly,
      options: [flags('--headless --no-capture --version'), values('--tags -t'), takes('search', '-f')],
    }),
    ...eachNamed(
      `
      python python3 python2 py python3.9 python3.10 python3.11 python3.12 python3.13 pypy3
    `,
      {
        ...runsProject,
        judge: judgePython,
        startsPrograms: true,
        operands: { first: ['script'], rest: 'text' },
        needsOperand: true,
        options: [flags('-u -B -s -S -E -I -O -q --version -V --help -h'), values('-W -X'), high(values('-m'))],
      },
    ),
    pytest: testRunner,
    'py.test': testRunner,
    ...eachNamed('tox nox', {
      ...checksOrBuilds(
        [
          flags('-p -r -l -a --recreate --list -rs --listenvs --listenvs-all --skip-missing-interpreters --notest -R'),
          flags('--no-venv --reuse-existing-virtualenvs --no-install --stop-on-first-error --verbose -q'),
          values('-e -s --session --sessions -k --keywords -t --tags'),
          optionalValues('--parallel'),
        ],
        { rest: 'text' },
      ),
      judge: judgeTests,
      handsOnTo: { name: 'pytest', manual: testRunner },
    }),
  },
  claims: {
    ...eachNamed('python python3 py rscript osascript', claimsOfInterpreter),
  },
};
