import { anyOf, sequence } from '../../../text/alternatives';
import { judgeForwardedArguments } from '../../calls/forwardedArguments';
import { judgeOneLiner } from '../../calls/inlineCode';
import type { Judge } from '../../calls/manual';
import { optionTable, readArguments, type GivenOption } from '../../calls/options';
import { looksHarmless } from '../../calls/unknownOption';
import { doubt, note, type Scope, touch } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import { runProjectCode, staysInside } from './projectCode';
import { judgeRole } from '../../calls/judgeByManual';

const goodTask = sequence([
  /^(:?[\w-]+:)*/,
  anyOf([
    'test tests check build compile assemble classes testClasses verify package lint spec format fmt',
    'clean validate tasks dependencies projects properties help test-compile jar spotlessCheck',
    'spotlessApply ktlintCheck detekt run bootRun',
    /help:[a-z-]+/,
    'xref graph',
    /hex\.(outdated|audit|info)/,
    'dependencyInsight',
    /(assemble|compile|bundle|lint|test)\w*/,
    /dependency:(tree|list|analyze|resolve|go-offline|resolve-plugins)/,
    /phx\.(server|routes)/,
    'ecto.migrations ecto.gen.migration',
    /phx\.gen\.(?:schema|context|html|json|live|channel|auth|migration|embedded)/,
    /versions:display-\w+/,
    'routes stats notes about deps deps.get deps.tree dialyzer credo about all runserver server s',
    'zeitwerk:check',
    /test:(?:all|system|models|controllers|units|functionals|integration|jobs|mailers|helpers|channels)/,
    /db:(version|migrate:status|migrate|prepare|seed|setup|create|test:(prepare|load)|schema:(load|dump))/,
    'assets:precompile middleware initializers',
    /docs?/,
    'coverage jacocoTestReport lintDebug testDebugUnitTest unit integration bench',
  ]),
  /$/,
]);

export const readOnlyTask = sequence([
  /^(:?[\w-]+:)*/,
  anyOf([
    'test tests check build compile assemble classes testClasses verify package lint spec validate',
    'tasks dependencies projects help test-compile testOnly testQuick',
    /test(?=\w*UnitTest)\w*/,
    /assemble\w*/,
    /compile\w*/,
    /lint\w*/,
    'ktlintCheck detekt spotlessCheck dependency:tree routes stats notes about deps deps.tree hex.outdated dialyzer credo',
    /test:(?:all|system|models|controllers|units|functionals|integration|jobs|mailers|helpers|channels)/,
    'all unit integration jacocoTestReport coverage zeitwerk:check',
  ]),
  /$/,
]);

/** Goals of Maven plugins. The words before the colon name the plugin, so the goal alone says nothing. */
const goodGoal = sequence([
  /^/,
  anyOf([
    /dependency:(tree|list|analyze|resolve|go-offline|resolve-plugins)/,
    /help:[a-z-]+/,
    /versions:display-\w+/,
    'surefire:test failsafe:integration-test failsafe:verify surefire-report:report',
    /(compiler|resources):\w+/,
    'versions:set versions:set-property versions:commit',
    'jar:jar clean:clean site:site javadoc:javadoc jacoco:report spotless:check spotless:apply',
    /(checkstyle|pmd|spotbugs|enforcer|formatter|license):[a-z]+/,
    'exec:java spring-boot:run quarkus:dev jetty:run',
  ]),
  /$/,
]);

const aboutAnt = /^-(?:p|projecthelp|version|help|h|diagnostics)$/;

const isMaven = (name: string): boolean => /(?:^|\/)mvnw?$/.test(name);
const isRails = (name: string): boolean => /^(?:\.\/)?(?:bin\/)?(?:rails|rake)$/.test(name);

/** Judges build tools whose plain words are tasks. Only well-known tasks are allowed. */
export const judgeTasks: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), manual.style ?? 'letters');
  if (isRails(name) && railsTask(operands, words, scope, whole)) return 'done';
  for (const option of options) judgeTaskOption(option, name, scope);
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  runProjectCode(scope, whole);
  const names = options.map((option) => option.name);
  if (operands.length === 0) {
    // Without a task, Ant runs its default one.
    const runsDefault = name === 'ant' && !names.some((option) => aboutAnt.test(option));
    note(scope, names.length > 0 && !runsDefault ? 'low' : 'medium', whole, 'Runs code of this project.');
    return 'done';
  }
  const onlyChecks = names.some((option) => /^--(check|check-formatted|dry-run)$/.test(option));
  for (const at of operands.keys()) {
    const level = levelOfTask(operands, at, { name, onlyChecks });
    if (level === 'unknown') doubt(scope, operands[at]!.source, 'Runs an unknown task.');
    else if (level !== 'argument') note(scope, level, whole, 'Runs code of this project.');
  }
  return 'done';
};

/** Chooses profiles, phases to skip, or what a goal works on. */
const mavenOption = anyOf([
  /^-P[\w,!-]+$/,
  /^-D(?:newVersion|plugin|goal|artifact|includes|excludes)=[\w.:,*-]+$/,
  /^-Dskip\w+=(?:true|false)$/,
  /^-Dexec\.mainClass=(?:"[\w.$]+"|'[\w.$]+'|[\w.$]+)$/,
]);

function judgeTaskOption({ option, name: long, value, culprit }: GivenOption, tool: string, scope: Scope): void {
  const [isDefinition, key = long, given] = /^(-D[\w.-]+)(?:=(.*))?$/.exec(culprit) ?? [];
  const isOther = !option || (isDefinition !== undefined && option.name === '-D');
  const definedValue = given === undefined ? undefined : literal(given);
  if (isOther && looksHarmless(key, isDefinition === undefined ? value : definedValue))
    note(scope, 'medium', culprit, `Uses an unknown option of "${tool}".`);
  else if (isMaven(tool) && mavenOption.test(culprit)) note(scope, 'medium', culprit, 'Runs code of this project.');
  else if (!option || option.level === 'high') doubt(scope, culprit, `Uses an unknown option of "${tool}".`);
  else if (value && option.role === 'search') touch(scope, 'searches', value);
}

/** Returns the task that a word means: `app.test` of Mill, `testOnly *Spec` and `project api` of sbt. */
const taskNamed = (program: string, word: string): string =>
  (program === 'mill' ? word.replace(/^(?:[\w-]+\.)+(?=\w+$)/, '') : word)
    .replace(/^(testOnly|testQuick) [\w.* -]+$/, '$1')
    .replace(/^project [\w-]+$/, 'projects');

/** Judges one of the words. An `argument` belongs to the task before it, such as the file with the tests to run. */
function levelOfTask(
  words: readonly Value[],
  at: number,
  { name, onlyChecks }: { readonly name: string; readonly onlyChecks: boolean },
): 'low' | 'medium' | 'argument' | 'unknown' {
  const { kind, text } = words[at]!;
  const isFirst = at === 0;
  const task = taskNamed(name, text);
  if (isMaven(name) && /^(?:install|help:effective-pom|help:effective-settings)$/.test(task)) return 'medium';
  if (isRails(name) && !isFirst && /^RAILS_ENV=(?:test|development)$/.test(text)) return 'argument';
  const isGood = kind === 'literal' && (isMaven(name) && task.includes(':') ? goodGoal : goodTask).test(task);
  if (isGood) {
    const onlyReads = readOnlyTask.test(task) || (onlyChecks && /(^|:)(format|fmt)$/.test(task));
    return onlyReads ? 'low' : 'medium';
  }
  const isTestFile =
    /^(test|spec)$/.test(words[0]!.text) && kind === 'literal' && /^(test|spec|tests)\/[\w./-]*$/.test(text);
  const isSource = /^[\w./-]+\.(exs?|rb|scala|java|kt)(:\d+)?$/.test(text);
  const isGenerated =
    /^(?:phx\.gen\.\w+|ecto\.gen\.migration|hex\.info)$/.test(words[0]!.text) &&
    kind === 'literal' &&
    /^[\w.:]+$/.test(text);
  return !isFirst && (isTestFile || isSource || isGenerated) ? 'argument' : 'unknown';
}

/**
 * Judges `rails routes -g users`, `rails db:migrate` and `rails runner 'puts User.count'`. Returns false for any other
 * task.
 */
function railsTask(operands: readonly Value[], words: readonly Value[], scope: Scope, whole: string): boolean {
  const [task, ...more] = operands;
  const generates =
    /^(?:generate|g)$/.test(task?.text ?? '') &&
    more.length > 1 &&
    more.every(({ kind, text }) => kind === 'literal' && /^[\w:.{},/-]+$/.test(text));
  if (generates) {
    note(scope, 'medium', whole, 'Changes files of the workspace.');
    return true;
  }
  if (task?.text === 'runner' || task?.text === 'r') {
    const [code, ...rest] = more;
    if (code === undefined || rest.length > 0) return false;
    if (/\.rb$/.test(code.text)) {
      note(scope, 'medium', whole, 'Runs code of this project.');
      judgeRole('script', code, scope, `ruby ${code.text}`);
      return true;
    }
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
  note(scope, 'medium', whole, 'Runs code of this project.');
  return true;
}
