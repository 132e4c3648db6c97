import { exactlyOneOf } from '../../../text/alternatives';
import { judgeOneLiner } from '../../calls/inlineCode';
import { eachNamed, type Call, type Family, type Judge, type Manual } from '../../calls/manual';
import { flags, high, medium, optionalValues, optionTable, readArguments, takes, values } from '../../calls/options';
import { doubt, refuse, touch } from '../../effects/scope';
import type { Value } from '../../syntax/value';
import { environmentOptions, judgeNewEnvironment } from './environments';
import { judgeModule } from './modules';
import { judgeReadingManagement } from './servers';
import { claimsOfInterpreter } from '../shared/interpreterClaims';
import {
  changesFiles,
  checksOrBuilds,
  strictReadingManual,
  runsProject,
  runsProjectStrictly,
  servesProject,
} from '../shared/kinds';
import { judgeTests } from '../shared/projectCode';

/** Judges `python -m MODULE`, `python -c CODE`, `manage.py VERB` and `setup.py VERB`. Anything else is a script. */
export const judgePython: Judge = (call) => {
  const { words, scope, whole } = call;
  const at = indexOfFirstToRun(words);
  const first = words[at];
  if (!first) return undefined;
  if (/^-[a-zA-Z]*c/.test(first.text)) return judgeCode(call, at, first);
  if (first.text.startsWith('-')) {
    judgeModule(first.text === '-m' ? words[at + 1] : undefined, { ...call, words: words.slice(at + 2) });
    return 'done';
  }
  if (/(^|\/)manage\.py$/.test(first.text)) return judgeManage(first, words.slice(at + 1), call);
  if (/(^|\/)setup\.py$/.test(first.text) && !harmlessSetup.test(words[at + 1]?.text ?? ''))
    refuse(scope, whole, 'Installs or publishes.');
  return undefined;
};

/** Returns the index of `-c`, `-m` or the script; -1 if there is none. */
function indexOfFirstToRun(words: readonly Value[]): number {
  const takesNext = (word: Value | undefined): boolean => /^-[XW]$/.test(word?.text ?? '');
  return words.findIndex(
    (word, index) => /^-[a-zA-Z]*[mc]/.test(word.text) || (!word.text.startsWith('-') && !takesNext(words[index - 1])),
  );
}

/** Judges `python -c CODE`, also with the code in the same word. `at`: the index of the option. */
function judgeCode({ words, scope, whole }: Call, at: number, option: Value): 'done' {
  const glued = option.text.replace(/^-[a-zA-Z]*?c/, '');
  const isApart = glued === '';
  judgeOneLiner({
    language: 'python',
    options: words.slice(0, at),
    code: isApart ? words[at + 1] : { ...option, text: glued },
    files: words.slice(at + (isApart ? 2 : 1)),
    scope,
    whole,
  });
  return 'done';
}

const harmlessSetup = exactlyOneOf(['--version --name check build build_ext test']);

const management = exactlyOneOf([
  'test check makemigrations showmigrations runserver collectstatic sqlmigrate diffsettings help version',
]);

/** Judges Django's `manage.py VERB ARGUMENTS`. */
function judgeManage(script: Value, words: readonly Value[], call: Call): 'done' | undefined {
  const { scope, whole } = call;
  if (!management.test(words[0]?.text ?? '')) doubt(scope, whole, 'Runs an unknown command.');
  if (script.kind !== 'literal' || !judgeReadingManagement({ ...call, words })) return undefined;
  touch(scope, 'reads', script);
  return 'done';
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
      judge: judgeNewEnvironment,
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
