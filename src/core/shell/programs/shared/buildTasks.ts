import { anyOf, sequence } from '../../../text/alternatives';
import { judgeForwardedArguments } from '../../calls/forwardedArguments';
import { judgeOneLiner } from '../../calls/inlineCode';
import type { Judge } from '../../calls/manual';
import { optionTable, readArguments } from '../../calls/options';
import { looksHarmless } from '../../calls/unknownOption';
import { doubt, note, type Scope, touch } from '../../effects/scope';
import { literal, type Value } from '../../syntax/value';
import { runProjectCode, staysInside } from './projectCode';

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
    'ecto.migrations',
    /versions:display-\w+/,
    'routes stats notes about deps deps.get deps.tree dialyzer credo about all runserver server s',
    'zeitwerk:check',
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
    'ktlintCheck detekt spotlessCheck dependency:tree routes stats notes about deps dialyzer credo',
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
    'jar:jar clean:clean site:site javadoc:javadoc jacoco:report spotless:check spotless:apply',
    /(checkstyle|pmd|spotbugs|enforcer|formatter|license):[a-z]+/,
    'exec:java spring-boot:run quarkus:dev jetty:run',
  ]),
  /$/,
]);

const aboutAnt = /^-(?:p|projecthelp|version|help|h|diagnostics)$/;

/** Judges build tools whose plain words are tasks. Only well-known tasks are allowed. */
export const judgeTasks: Judge = ({ name, words, scope, whole, manual }) => {
  const { options, operands } = readArguments(words, optionTable(manual.options ?? []), manual.style ?? 'letters');
  const isMaven = /(?:^|\/)mvnw?$/.test(name);
  const isRails = /^(?:\.\/)?(?:bin\/)?(?:rails|rake)$/.test(name);
  if (isRails && railsTask(operands, words, scope, whole)) return 'done';
  for (const { option, name: long, value, culprit } of options) {
    const definition = /^(-D[\w.-]+)(?:=(.*))?$/.exec(culprit);
    const valueGiven = definition?.[2] === undefined ? undefined : literal(definition[2]);
    if (
      (!option || (definition && option.name === '-D')) &&
      looksHarmless(definition?.[1] ?? long, definition ? valueGiven : value)
    )
      note(scope, 'medium', culprit, `Uses an unknown option of "${name}".`);
    else if (isMaven && /^-P[\w,!-]+$|^-Dskip\w+=(?:true|false)$|^-Dexec\.mainClass=(["']?)[\w.$]+\1$/.test(culprit))
      note(scope, 'medium', culprit, 'Runs code of this project.');
    else if (!option || option.level === 'high') doubt(scope, culprit, `Uses an unknown option of "${name}".`);
    else if (value && option.role === 'search') touch(scope, 'searches', value);
  }
  judgeForwardedArguments(words, scope);
  staysInside(words, scope);
  runProjectCode(scope, whole);
  if (operands.length === 0) {
    // Without a task, Ant runs its default one.
    const runsDefault = name === 'ant' && !options.some(({ name: optionName }) => aboutAnt.test(optionName));
    note(scope, options.length > 0 && !runsDefault ? 'low' : 'medium', whole, 'Runs code of this project.');
    return 'done';
  }
  const tested = /^(test|spec)$/.test(operands[0]!.text);
  for (const [at, task] of operands.entries()) {
    const plain = task.text.replace(/^(testOnly|testQuick) [\w.* -]+$/, '$1');
    if (isMaven && /^(?:install|help:effective-pom|help:effective-settings)$/.test(plain))
      note(scope, 'medium', whole, 'Runs code of this project.');
    else if (isRails && at > 0 && /^RAILS_ENV=(?:test|development)$/.test(task.text)) continue;
    else if (task.kind === 'literal' && (isMaven && plain.includes(':') ? goodGoal : goodTask).test(plain))
      note(
        scope,
        readOnlyTask.test(plain) ||
          (/(^|:)(format|fmt)$/.test(plain) &&
            options.some(({ name: optionName }) => /^--(check|check-formatted|dry-run)$/.test(optionName)))
          ? 'low'
          : 'medium',
        whole,
        'Runs code of this project.',
      );
    else if (at > 0 && tested && task.kind === 'literal' && /^(test|spec|tests)\/[\w./-]*$/.test(task.text)) continue;
    else if (at === 0 || !/^[\w./-]+\.(exs?|rb|scala|java|kt)(:\d+)?$/.test(task.text))
      doubt(scope, task.source, 'Runs an unknown task.');
  }
  return 'done';
};

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
  note(scope, 'medium', whole, 'Runs code of this project.');
  return true;
}
