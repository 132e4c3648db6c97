import { exactlyOneOf } from '../../../text/alternatives';
import type { Call, Judge } from '../../calls/manual';
import { flags, optionTable, readLeadingOptions, takes, values } from '../../calls/options';
import { judgeProgram } from '../../calls/scriptText';
import { doubt, inner, note, recordScriptRun, refuse, type Scope, touch } from '../../effects/scope';
import { folderAfterCd } from '../../syntax/place';
import { literal, type Value } from '../../syntax/value';
import { runProjectCode, staysInside } from '../shared/projectCode';
import { clearsEnvironment, environmentOptions } from './environments';

/** Python modules that watch a script run. The script follows their options. */
const watching = optionTable([
  flags('-t -T -c -m -g -l --count --trace --listfuncs --summary --missing'),
  values('-s --sort -C -R -f --ignore-module --ignore-dir'),
  takes('write', '-o --outfile'),
]);

/** Modules that are judged as the program of this name. */
const programModules: Readonly<Record<string, string>> = {
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
  pyright: 'pyright',
  pydocstyle: 'pydocstyle',
  pycodestyle: 'pycodestyle',
  vulture: 'vulture',
  codespell_lib: 'codespell',
  pre_commit: 'pre-commit',
  sqlfluff: 'sqlfluff',
  django: 'django-admin',
};

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

const operandsOf = (words: readonly Value[]): Value[] => words.filter(({ text }) => !text.startsWith('-'));

const judgeUnitTests: Judge = ({ words, scope, whole }) => {
  staysInside(words, scope);
  runProjectCode(scope, whole);
  note(scope, 'low', whole);
  return 'done';
};

const judgeReading: Judge = ({ words, scope, whole }) => {
  for (const file of operandsOf(words)) touch(scope, 'reads', file);
  note(scope, 'low', whole);
  return 'done';
};

const judgeJsonTool: Judge = (call) => {
  judgeReading(call);
  if (operandsOf(call.words).length > 1) refuse(call.scope, call.whole, 'Writes a file.');
  return 'done';
};

/** `-l FILE` and `-t FILE`. Anything else unpacks or writes. */
const judgeArchive: Judge = ({ words, scope, whole }) => {
  const [option, archive] = words;
  if (words.length !== 2 || !exactlyOneOf(['-l --list -t --test']).test(option!.text)) return undefined;
  touch(scope, 'reads', archive!);
  note(scope, 'low', whole);
  return 'done';
};

const judgeNewEnvironment: Judge = ({ words, scope, whole }) => {
  for (const folder of operandsOf(words)) touch(scope, 'writes', folder);
  clearsEnvironment(words, environmentOptions, scope, whole);
  note(scope, 'medium', whole, 'Creates an environment.');
  return 'done';
};

const judgeBuild: Judge = ({ words, scope, whole }) => {
  if (words.length > 0) return undefined;
  note(scope, 'medium', whole, 'Builds or serves the project.');
  return 'done';
};

const judgeServer: Judge = ({ words, scope, whole }) => {
  const isLocal = /(^| )(-b|--bind) (127\.0\.0\.1|localhost)( |$)/.test(words.map(({ text }) => text).join(' '));
  // In the sandbox, only its own programs can reach it.
  const isReachable = !isLocal && scope.context.confined !== true;
  if (isReachable || !words.every(({ text }) => /^(\d+|--bind|-b|127\.0\.0\.1|localhost)$/.test(text)))
    return undefined;
  note(scope, 'medium', whole, 'Builds or serves the project.');
  return 'done';
};

/** `python -m cProfile -s cumtime script.py`. */
const judgeWatched: Judge = ({ words, scope, whole }) => {
  const {
    options,
    rest: [script, ...more],
  } = readLeadingOptions(words, watching, 'letters');
  for (const { option, culprit, value } of options) {
    if (!option) doubt(scope, culprit, 'Uses an unknown option.');
    else if (value && option.role === 'write') touch(scope, 'writes', value);
  }
  if (script) scope.analyser.judgeCall([literal('python'), script, ...more], inner(scope), {});
  else doubt(scope, whole, 'Runs something that is not written in the command.');
  return 'done';
};

/** ★ Judges of modules, by name. `words`: what follows the name. */
const moduleJudges: Readonly<Record<string, Judge>> = {
  unittest: judgeUnitTests,
  doctest: judgeUnitTests,
  'json.tool': judgeJsonTool,
  tokenize: judgeReading,
  ast: judgeReading,
  tabnanny: judgeReading,
  py_compile: judgeReading,
  compileall: judgeReading,
  calendar: judgeReading,
  platform: judgeReading,
  this: judgeReading,
  sysconfig: judgeReading,
  dis: judgeReading,
  site: judgeReading,
  cProfile: judgeWatched,
  profile: judgeWatched,
  trace: judgeWatched,
  tracemalloc: judgeWatched,
  zipfile: judgeArchive,
  tarfile: judgeArchive,
  venv: judgeNewEnvironment,
  virtualenv: judgeNewEnvironment,
  build: judgeBuild,
  'http.server': judgeServer,
};

/** Judges `python -m MODULE`. `words` of the call: what follows the module. */
export function judgeModule(module: Value | undefined, call: Call): void {
  const { words, scope, flow, whole } = call;
  const name = module?.text ?? '';
  const isKnown = module?.kind === 'literal';
  const instead = isKnown ? fileInsteadOf(name, scope) : undefined;
  if (instead !== undefined) {
    judgeProgram(instead, scope, whole);
    recordScriptRun(scope, instead, whole);
  }
  const program = isKnown && Object.hasOwn(programModules, name) ? programModules[name]! : undefined;
  if (program && scope.analyser.programNamed(program)) {
    scope.analyser.judgeCall([literal(program), ...words], inner(scope), flow);
    return;
  }
  if (Object.hasOwn(moduleJudges, name) && moduleJudges[name]!(call)) return;
  const file = isKnown ? fileOfModule(name, scope) : undefined;
  if (file === undefined) doubt(scope, whole, 'Runs an unknown module.');
  else scope.analyser.judgeCall([literal('python'), literal(file), ...words], inner(scope), flow);
}
