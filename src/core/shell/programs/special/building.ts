import { flags, optionalValues, takes, values } from '../../calls/options';
import { optionTable, readArguments } from '../../calls/options';
import { judgeByManual } from '../../calls/judgeByManual';
import { judgeForwardedArguments } from '../../calls/forwardedArguments';
import { judgeInstall } from './installing';
import { doubt, inner, note, refuse, run, touch } from '../../effects/scope';
import { mayBeMild } from '../../calls/unknownOption';
import { glob, literal, type Value } from '../../syntax/value';
import type { Scope } from '../../effects/scope';
import { judgeOneLiner } from '../../calls/inlineCode';
import type { Judge } from '../../calls/manual';

const outside = ({ text }: Value): boolean =>
  /(^|=|^@)(~|\/)|^\\\w|(^|[/=])\.\.(\/|$)|(^|=)https?:\/\/(?!(localhost|127\.0\.0\.1)[:/])/.test(text);

function staysInside(words: readonly Value[], scope: Scope): void {
  for (const word of words)
    if (word.kind === 'literal' && outside(word))
      refuse(scope, word.source, 'It may reach a path outside the workspace.');
}

/** Runs code of the project; what the same line changed is no longer known. */
function afterChange(scope: Scope, whole: string): void {
  const before = scope.effects.length;
  run(scope, 'test', whole);
  scope.effects.splice(
    scope.effects.findIndex((effect, at) => at >= before && effect.kind === 'runs'),
    1,
  );
}

export const judgeTests: Judge = ({ name, words, scope, whole }) => {
  // Behind `--` they are options of the compiler, which can choose a linker.
  if (/^cargo (clippy|doc|rustdoc)$/.test(name))
    for (const { text, source } of words.slice(words.findIndex(({ text }) => text === '--') + 1 || words.length))
      if (/^-[CLZ]|^--(sysroot|codegen|extern|config)/.test(text))
        refuse(scope, source, 'It gives options to the compiler.');
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  afterChange(scope, whole);
  return undefined;
};

const onlyBuilds = /^((run|affected|run-many) )?([\w@/-]+:)?(build|test|lint|check|type-?check|affected)( [\w@/-]+)*$/;

export const judgeBuild: Judge = ({ name, words, scope, flow, whole, manual }) => {
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  const alarming = words.find(({ text }) =>
    /deploy|publish|release|login|install|reset|migrate|destroy|^(add|generate|g|init|eject)$|:\/\//i.test(text),
  );
  if (alarming) refuse(scope, alarming.source, 'It does more than build.');
  if (name === 'rollup')
    for (const { text, source } of words)
      if (/^(-p|--plugin|--configPlugin)/.test(text)) refuse(scope, source, 'It loads code.');
  const served = words.find(
    ({ text }, at) =>
      /^(-H|--host|--hostname)(=|$)/.test(text) &&
      !/^(-.*|127\.0\.0\.1|localhost|::1|)$/.test(
        text.includes('=') ? text.replace(/^[^=]*=/, '') : (words[at + 1]?.text ?? ''),
      ),
  );
  if (served) refuse(scope, served.source, 'Other machines can reach what it serves.');
  afterChange(scope, whole);
  const said = words
    .filter(({ text }) => !text.startsWith('-'))
    .map(({ text }) => text)
    .join(' ');
  if (!onlyBuilds.test(said)) return undefined;
  const { judge, ...table } = manual;
  judgeByManual({ ...table, level: 'low' }, name, words, scope, flow, whole);
  return 'done';
};

const goodTask =
  /^(:?[\w-]+:)*(test|tests|check|build|compile|assemble|classes|testClasses|verify|package|lint|spec|format|fmt|clean|validate|tasks|dependencies|projects|properties|help|test-compile|jar|spotlessCheck|spotlessApply|ktlintCheck|detekt|run|bootRun|help:[a-z-]+|xref|graph|hex\.(outdated|audit|info)|dependencyInsight|(assemble|compile|bundle|lint|test)\w*|dependency:(tree|list|analyze|resolve|go-offline|resolve-plugins)|phx\.(server|routes)|ecto\.migrations|versions:display-\w+|routes|stats|notes|about|deps|deps\.get|deps\.tree|dialyzer|credo|about|all|runserver|server|s|zeitwerk:check|db:(version|migrate:status|migrate|prepare|seed|setup|create|test:(prepare|load)|schema:(load|dump))|assets:precompile|middleware|initializers|docs?|coverage|jacocoTestReport|lintDebug|testDebugUnitTest|unit|integration|bench)$/;
const onlyLooks =
  /^(:?[\w-]+:)*(test|tests|check|build|compile|assemble|classes|testClasses|verify|package|lint|spec|validate|tasks|dependencies|projects|help|test-compile|testOnly|testQuick|test(?=\w*UnitTest)\w*|assemble\w*|compile\w*|lint\w*|ktlintCheck|detekt|spotlessCheck|dependency:tree|routes|stats|notes|about|deps|dialyzer|credo|all|unit|integration|jacocoTestReport|coverage|zeitwerk:check)$/;

/** Build tools whose plain words are tasks: only well-known ones. */
export const judgeTasks: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(
    words,
    optionTable(manual.options ?? []),
    manual.style ?? 'letters',
    false,
  );
  const isMaven = /(?:^|\/)mvnw?$/.test(name);
  const isRails = /^(?:\.\/)?(?:bin\/)?(?:rails|rake)$/.test(name);
  if (isRails && railsTask(operands, words, scope, whole)) return 'done';
  for (const { option, name: long, value, culprit } of options) {
    const given = /^(-D[\w.-]+)(?:=(.*))?$/.exec(culprit);
    if (
      (!option || (given && option.name === '-D')) &&
      mayBeMild(given?.[1] ?? long, given ? (given[2] === undefined ? undefined : literal(given[2])) : value)
    )
      note(scope, 'medium', culprit, `What this option of "${name}" does is not known.`);
    else if (!option && isMaven && /^-P[\w,!-]+$|^-Dskip\w+=(?:true|false)$/.test(culprit))
      note(scope, 'medium', culprit, 'It runs code of this project.');
    else if (!option || option.level === 'high')
      doubt(scope, culprit, `What this option of "${name}" does is not known.`);
    else if (value && option.role === 'search') touch(scope, 'searches', value);
  }
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  afterChange(scope, whole);
  if (operands.length === 0) {
    note(scope, options.length > 0 ? 'low' : 'medium', whole, 'It runs code of this project.');
    return 'done';
  }
  const tested = /^(test|spec)$/.test(operands[0]!.text);
  for (const [at, task] of operands.entries()) {
    const plain = task.text.replace(/^(testOnly|testQuick) [\w.* -]+$/, '$1');
    if (isMaven && /^(?:install|help:effective-pom|help:effective-settings)$/.test(plain))
      note(scope, 'medium', whole, 'It runs code of this project.');
    else if (isRails && at > 0 && /^RAILS_ENV=(?:test|development)$/.test(task.text)) continue;
    else if (task.kind === 'literal' && goodTask.test(plain))
      note(
        scope,
        onlyLooks.test(plain) ||
          (/(^|:)(format|fmt)$/.test(plain) &&
            options.some(({ name: given }) => /^--(check|check-formatted|dry-run)$/.test(given)))
          ? 'low'
          : 'medium',
        whole,
        'It runs code of this project.',
      );
    else if (at > 0 && tested && task.kind === 'literal' && /^(test|spec|tests)\/[\w./-]*$/.test(task.text)) continue;
    else if (at === 0 || !/^[\w./-]+\.(exs?|rb|scala|java|kt)(:\d+)?$/.test(task.text))
      doubt(scope, task.source, 'What this task does is not known.');
  }
  return 'done';
};

/** `rails routes -g users`, `rails db:migrate` and `rails runner 'puts User.count'`; false where it is another task. */
function railsTask(operands: readonly Value[], words: readonly Value[], scope: Scope, whole: string): boolean {
  const [task, ...more] = operands;
  const generates =
    /^(?:generate|g)$/.test(task?.text ?? '') &&
    more.length > 1 &&
    more.every(({ kind, text }) => kind === 'literal' && /^[\w:.{},/-]+$/.test(text));
  if (generates) {
    note(scope, 'medium', whole, 'It changes files of the workspace.');
    return true;
  }
  if (task?.text === 'runner' || task?.text === 'r') {
    const [code, ...rest] = more;
    if (code === undefined || rest.length > 0 || /\.rb$/.test(code.text)) return false;
    judgeOneLiner({ language: 'ruby', options: [], code, files: [], scope, whole });
    return true;
  }
  const filters = words
    .slice(words.indexOf(task!) + 1)
    .map(({ kind, text }) => (kind === 'literal' ? text : '?'))
    .join(' ');
  const isList =
    /^(?:routes|notes|stats|middleware|initializers)$/.test(task?.text ?? '') &&
    /^(?:(?:-[gcEa]|--expanded|--grep|--controller|--unused|-u)(?:[ =][\w/:.#-]+)?\s*)*$/.test(filters);
  if (!isList) return false;
  note(scope, 'medium', whole, 'It runs code of this project.');
  return true;
}

/** Building what is set up already, and no target that installs. */
export const judgeCmakeBuild: Judge = ({ words: given, scope, whole, manual }) => {
  if (given[0]?.text !== '--build') return undefined;
  // With a preset, no folder is named.
  const words = given[1]?.text.startsWith('--preset') ? given.slice(1) : given;
  const split = words.findIndex(({ text }) => text === '--');
  const forTool = split < 0 ? [] : words.slice(split + 1);
  const { options, operands } = readArguments(
    split < 0 ? words : words.slice(0, split),
    optionTable([...(manual.options ?? []), optionalValues('-j')]),
    'words',
    false,
  );
  const target = ({ kind, text, source }: Value): void => {
    if (kind !== 'literal' || (!onlyLooks.test(text) && !/^(clean|docs?)$/.test(text)))
      doubt(scope, source, 'What this target does is not known.');
  };
  for (const { option, name, value, culprit } of options) {
    if (!option) doubt(scope, culprit, `What the option ${name.slice(0, 60)} of "cmake" does is not known.`);
    else if (/^(-t|--target)$/.test(option.name)) target(value ?? literal('', culprit));
    else if (/^-D/.test(name)) doubt(scope, culprit, 'What this target does is not known.');
    else if (value && option.role !== 'text') touch(scope, 'searches', value);
  }
  // `--target a b`; what stands behind `--` is for make or ninja.
  for (const word of operands) if (!/^\d+$/.test(word.text)) target(word);
  forTool.forEach((word, at) => {
    if (/^(-[jl]|--jobs)$/.test(forTool[at - 1]?.text ?? '') && /^\d+$/.test(word.text)) return;
    if (
      word.kind !== 'literal' ||
      !/^(-j\d*|-l\d*|--jobs(=\d+)?|-[ksvn]+|-k\d|V=1|VERBOSE=1|--(keep-going|silent|quiet|no-print-directory|verbose))$/.test(
        word.text,
      )
    )
      target(word);
  });
  note(
    scope,
    [...operands, ...forTool].some(({ text }) => text === 'clean') ||
      options.some(({ name, value }) => name === '--clean-first' || value?.text === 'clean')
      ? 'medium'
      : 'low',
    whole,
    'It builds the project.',
  );
  return 'done';
};

/** Formatters change files, unless they only check. */
export const judgeFormats: Judge = ({ name, words, scope, flow, whole, manual }) => {
  const checks =
    words.some(({ text }) =>
      /^(--check|--check-only|--diff|-check|-d|-l|-n|--dry-run|-c|--list-different|--verify-no-changes|--set-exit-if-changed|--version|--lint|--test)$/.test(
        text,
      ),
    ) ||
    (/^(gofmt|goimports|gofumpt|clang-format|shfmt|rubocop|swiftlint|ktlint|standardrb|autopep8)/.test(name) &&
      !words.some(
        ({ text }) =>
          /^(-w|-i|-a|-A|--fix|--in-place|--auto-?correct.*|-F)$/.test(text) ||
          (name === 'ktlint' && text === '--format'),
      ));
  if (name === 'rubocop' && words.some(({ text }) => /^(-r|--require|-o|--out)/.test(text)))
    refuse(scope, whole, 'It loads code.');
  const { judge, ...plain } = manual;
  judgeByManual(
    checks ? { ...plain, level: 'low', operands: { rest: 'search' } } : plain,
    name,
    words,
    scope,
    flow,
    whole,
  );
  return 'done';
};

/** Modules of Python that watch a script run: what stands behind their options is that script. */
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
};
const management =
  /^(test|check|makemigrations|showmigrations|runserver|collectstatic|sqlmigrate|diffsettings|help|version)$/;

/** `python -m MODULE`, `manage.py VERB` and one-liners; the rest is a script. */
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
    const tool = module?.kind === 'literal' && Object.hasOwn(modules, module.text) ? modules[module.text]! : undefined;
    if (tool && scope.analyser.programNamed(tool))
      scope.analyser.judgeCall([literal(tool), ...rest], inner(scope), flow);
    else if (module?.text === 'unittest' || module?.text === 'doctest') {
      staysInside(rest, scope);
      afterChange(scope, whole);
      note(scope, 'low', whole);
    } else if (
      module &&
      /^(json\.tool|tokenize|ast|tabnanny|py_compile|compileall|calendar|platform|this|sysconfig|dis|site)$/.test(
        module.text,
      )
    ) {
      for (const word of rest) if (!word.text.startsWith('-')) touch(scope, 'reads', word);
      if (module.text === 'json.tool' && rest.filter(({ text }) => !text.startsWith('-')).length > 1)
        refuse(scope, whole, 'It writes a file.');
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
      note(scope, 'medium', whole, 'It creates an environment.');
    } else if (
      module &&
      (module.text === 'build'
        ? rest.length === 0
        : module.text === 'http.server' &&
          /(^| )(-b|--bind) (127\.0\.0\.1|localhost)( |$)/.test(rest.map(({ text }) => text).join(' ')) &&
          rest.every(({ text }) => /^(\d+|--bind|-b|127\.0\.0\.1|localhost)$/.test(text)))
    )
      note(scope, 'medium', whole, 'It builds or serves the project.');
    else doubt(scope, whole, 'What this module does is not known.');
    return 'done';
  }
  if (/(^|\/)manage\.py$/.test(flag.text) && !management.test(words[at + 1]?.text ?? ''))
    doubt(scope, whole, 'What this command does is not known.');
  if (
    /(^|\/)manage\.py$/.test(flag.text) &&
    /^(test|check|showmigrations|diffsettings|help|version)$/.test(words[at + 1]?.text ?? '') &&
    flag.kind === 'literal'
  ) {
    afterChange(scope, whole);
    staysInside(words, scope);
    touch(scope, 'reads', flag);
    if (words.slice(at + 2).some(({ text }) => /^--(?:s(?:et?(?:t\w*)?)?|p(?:yt?\w*)?|testr\w*)(?:=|$)/.test(text)))
      doubt(scope, whole, 'This option can change what runs.');
    note(scope, 'low', whole);
    return 'done';
  }
  if (
    /(^|\/)setup\.py$/.test(flag.text) &&
    !/^(--version|--name|check|build|build_ext|test)$/.test(words[at + 1]?.text ?? '')
  )
    refuse(scope, whole, 'It installs or publishes.');
  return undefined;
};

/** `python -m cProfile -s cumtime script.py`. */
function judgeWatched(words: readonly Value[], scope: Scope, whole: string): void {
  const {
    options,
    rest: [script, ...more],
  } = readArguments(words, watching, 'letters', true);
  for (const { option, culprit, value } of options) {
    if (!option) doubt(scope, culprit, 'What this option does is not known.');
    else if (value && option.role === 'write') touch(scope, 'writes', value);
  }
  if (!script) return doubt(scope, whole, 'What it runs is not written down.');
  scope.analyser.judgeCall([literal('python'), script, ...more], inner(scope), {});
}

/** The project's own folder or its list of requirements. */
export const judgePipInstall: Judge = ({ name: program, words, scope, whole }) => {
  judgeInstall(program.split(' ')[0]!, scope, whole);
  const plain = words.filter(
    ({ text }, at) => !text.startsWith('-') && !/^(-r|-c|--requirement|--constraint)$/.test(words[at - 1]?.text ?? ''),
  );
  const named = plain.find(({ text, kind }) => kind !== 'literal' || !/^\.(\/)?(\[[\w,-]+\])?$/.test(text));
  if (named) refuse(scope, named.source, 'It installs a package that the project does not declare.');
  return undefined;
};

/** Changing the version without a commit and a tag. */
export const judgeNpmVersion: Judge = ({ words, scope, whole }) => {
  if (words.length > 0 && !words.some(({ text }) => text === '--no-git-tag-version'))
    refuse(scope, whole, 'It makes a commit and a tag.');
  return undefined;
};

export const judgeNotSecret: Judge = ({ words, scope, whole }) => {
  if (
    words.some(({ text }) =>
      /secret|token|passw|auth|credential|--raw|_key\b|\.env\b|:\/\/|(^|=)[~/]|\.\.\//i.test(text),
    )
  )
    refuse(scope, whole, 'It shows secrets.');
  return undefined;
};

/** `ps e` shows the environment of processes. */
export const judgeProcesses: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => /^(?=[^eE]*[eE])[a-zA-Z]+$/.test(text) || /^-[a-zA-Z]*E/.test(text)))
    refuse(scope, whole, 'It may show the environment of processes.');
  return undefined;
};

export const judgeNoAssignment: Judge = ({ words, scope, whole }) => {
  if (words.some(({ text }) => text.includes('='))) refuse(scope, whole, 'It changes the system.');
  return undefined;
};

/** One query that only reads. */
export const judgeSqlite: Judge = ({ name, words, scope, whole }) => {
  if (words.length === 1 && /^--?version$/.test(words[0]!.text)) return undefined;
  const plain = words.filter(({ text }) => !/^-(readonly|header|column|json|csv|line|box|markdown)$/.test(text));
  const [file, query, ...more] = plain;
  const reads =
    query?.kind === 'literal' &&
    (/^\.(tables|schema|indexes|databases)( [\w%]+)?$/.test(query.text) ||
      (/^\s*(select|explain|pragma (table_info|index_list|table_list|user_version))\b[^;]*(?:;\s*)?$/i.test(
        query.text,
      ) &&
        !/load_extension|writefile|readfile|edit\s*\(|fts3_tokenizer|attach|\binto\b|passw|token|secret|credential|key/i.test(
          query.text,
        )));
  if (
    name === 'duckdb' &&
    file?.text === '-c' &&
    query !== undefined &&
    more.length === 0 &&
    asksFiles(query, scope, whole)
  )
    return 'done';
  // Its tables may be files of the disk.
  const readsFiles =
    name === 'duckdb' &&
    /\b(read_\w+|glob|getenv|parquet_\w+|sniff_csv|duckdb_secrets)\b|['"][^'"./\\~:]*[./\\~:][^'"]*['"]|\/\*|--|explain\s+analyze/i.test(
      query?.text ?? '',
    );
  if (!file || file.text.startsWith('-') || !reads || readsFiles || more.length > 0)
    refuse(scope, whole, 'It can change data or run commands.');
  else {
    touch(scope, 'reads', file);
    note(scope, 'low', whole);
  }
  return 'done';
};

/** `duckdb -c "select count(*) from 'data.csv'"`: one question about files of the workspace; false where it is another. */
function asksFiles(query: Value, scope: Scope, whole: string): boolean {
  const files = [...query.text.matchAll(/'([\w./*-]+\.(?:csv|tsv|parquet|json|jsonl|ndjson)(?:\.gz)?)'/g)].map(
    ([, file]) => file!,
  );
  const rest = query.text.replace(/'[\w./*-]+\.(?:csv|tsv|parquet|json|jsonl|ndjson)(?:\.gz)?'/g, 'x');
  const isQuestion = /^\s*(?:select|describe|summarize|from|show)\b[^;'"\\]*(?:;\s*)?$/i.test(rest);
  const doesMore =
    /\b(?:into|copy|attach|install|load|export|import|pragma|set|call|getenv|glob|read_text|read_blob|write\w*|secret\w*|http\w*)\b/i.test(
      rest,
    );
  if (query.kind !== 'literal' || !isQuestion || doesMore) return false;
  for (const file of files)
    touch(scope, 'reads', /\*/.test(file) ? glob(file, query.source) : literal(file, query.source));
  note(scope, 'low', whole);
  return true;
}
