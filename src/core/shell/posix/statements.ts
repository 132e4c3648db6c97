import type { Statement } from 'unbash';
import { doubt, type Flow, note, type Scope, spend, withInput } from '../effects/scope';
import { judgeCommand } from './commands';
import { judgeCase, judgeIf, judgeTest, judgeFor, judgeWhile } from './compoundCommands';
import { judgeFunction } from './functions';
import { changesPrintedBy, judgePipedDownload, pointAtPipeline, mergeInputFinding, showsLittle } from './pipelines';
import { forgetChanged, inOneOrTheOther, inOwnShell, knownIn } from './possibleValues';
import { inputFrom, judgeRedirects } from './redirections';
import { arithmetic } from './words';
import { onlyBelowFloor } from '../verdict/floor';
import { exactlyOneOf } from '../../text/alternatives';
import { doesSomething } from '../effects/effect';

type Node = Statement['command'];
type NodeOf<Type extends Node['type']> = Extract<Node, { type: Type }>;

/** Judges statements in order. Each may change the folder and the variables for those after it. */
export function judgeStatements(statements: readonly Statement[], scope: Scope): void {
  for (const { background, command, pos, end } of statements) {
    const { cwd } = scope;
    if (background) inOwnShell(scope, (inside) => judgeNode(command, inside, scope.input));
    else judgeNode(command, scope, scope.input);
    rememberFolder(cwd, scope);
    if (background) {
      const written = scope.text.slice(pos, end).trimEnd().replace(/&$/, '').trimEnd();
      note(scope, 'medium', written || '&', 'Leaves a process running in the background.');
    }
  }
}

/** A `cd` that fails leaves the shell in the folder that it was in before. Commands after `&&` run only if it succeeded. */
function rememberFolder(cwd: string | undefined, scope: Scope): void {
  if (cwd !== undefined && cwd !== scope.cwd && !scope.formerly.includes(cwd))
    scope.formerly = [...scope.formerly, cwd];
}

/** `flow`: what the node gets through a pipe. Returns what it passes to the next stage. */
function judgeNode(node: Node, scope: Scope, flow: Flow): Flow {
  spend(scope);
  switch (node.type) {
    case 'Command':
      return withInput(scope, flow, () => judgeCommand(node, scope, flow));
    case 'Pipeline':
      return judgePipeline(node, scope, flow);
    case 'Redirected':
      return judgeRedirected(node, scope, flow);
    default:
      withInput(scope, flow, () => judgeCompound(node, scope, flow));
      return {};
  }
}

/** Judges lists, groups, conditions, loops and definitions, whose output is not tracked. */
function judgeCompound(
  node: Exclude<Node, { type: 'Command' | 'Pipeline' | 'Redirected' }>,
  scope: Scope,
  flow: Flow,
): void {
  switch (node.type) {
    case 'AndOr':
      return judgeAndOr(node, scope);
    case 'Subshell':
      return inOwnShell(scope, (inside) => judgeStatements(node.body.commands, inside));
    case 'BraceGroup':
      return judgeStatements(node.body.commands, scope);
    case 'If':
      return judgeIf(node, scope);
    case 'Case':
      return judgeCase(node, scope);
    case 'While':
      return judgeWhile(node, scope, flow);
    case 'For':
      return judgeFor(node, scope);
    case 'TestCommand':
      return judgeTest(node.expression, scope);
    case 'ArithmeticCommand':
      arithmetic(node.expression, node.body, scope);
      return;
    case 'Function':
      return judgeFunction(node, scope);
    case 'Coproc':
      doubt(scope, node.type, 'Uses a shell construct that is not known to be safe.');
      return onlyBelowFloor(scope, (inside) =>
        node.body.type === 'CompoundList'
          ? judgeStatements(node.body.commands, inside)
          : void judgeNode(node.body, inside, {}),
      );
    default:
      doubt(scope, scope.text.slice(node.pos, node.end), 'Uses a shell construct that is not known to be safe.');
      return onlyBelowFloor(scope, (inside) => judgeStatements(node.body.commands, inside));
  }
}

/** Commands that are no conditions: what follows them after `&&` is expected to run. */
const seldomFails = exactlyOneOf(['cat cd chmod cp echo export mkdir printf set']);

/** `a && b || c` */
function judgeAndOr({ commands, operators }: NodeOf<'AndOr'>, scope: Scope): void {
  const { cwd } = scope;
  // After the first part, which always runs.
  let sure = knownIn(scope);
  let isExpected = true;
  for (const [at, part] of commands.entries()) {
    const isAlternative = operators[at - 1] === '||';
    if (isAlternative) {
      rememberFolder(cwd, scope);
      forgetChanged(scope, sure);
    }
    judgeNode(part, scope, scope.input);
    isExpected &&= !isAlternative;
    if (at === 0) sure = knownIn(scope);
    else if (isAlternative) forgetChanged(scope, sure);
    // The files of `cd src && cat > a.py` were written unless the folder is missing.
    else if (isExpected) sure = { ...sure, written: new Map(scope.written) };
    isExpected &&= part.type === 'Command' && seldomFails.test(part.name?.text ?? '');
  }
  forgetChanged(scope, sure);
}

/** `{ a; b; } > file`, and a loop that reads a file line by line: `while read -r line; do …; done < file` */
function judgeRedirected({ redirects, command }: NodeOf<'Redirected'>, scope: Scope, flow: Flow): Flow {
  const files = judgeRedirects(redirects, scope);
  const [lines, ...more] = files;
  const given = { ...flow, ...inputFrom(redirects, files, scope) };
  return judgeNode(command, scope, lines !== undefined && more.length === 0 ? { ...given, lines } : given);
}

/** `a | b | c` */
function judgePipeline({ commands }: NodeOf<'Pipeline'>, scope: Scope, flow: Flow): Flow {
  const narrowed = showsLittle(commands.slice(1));
  if (commands.length === 1) return judgeStage(commands[0]!, scope, { ...flow, narrowed });
  const last = commands.at(-1)!;
  const handed = commands
    .slice(0, -1)
    .reduce<Flow>((before, stage) => inOwnShell(scope, (inside) => judgeStage(stage, inside, before)), {
      ...flow,
      narrowed,
    });
  return inOneOrTheOther(scope, (inside) => judgeStage(last, inside, handed));
}

/** Judges one stage of a pipeline. After a stage that fetches from the network, only stages that read are harmless. */
function judgeStage(stage: Node, scope: Scope, flow: Flow): Flow {
  const before = scope.effects.length;
  const after = judgeNode(stage, scope, flow);
  const found = scope.effects.slice(before);
  const fetched = found.find((effect) => effect.kind === 'fetches');
  const last = found.at(-1);
  // The text from the first stage that matters to the end of this one.
  const part = flow.source && scope.text.slice(flow.source.index, stage.end);
  if (flow.network && (stage.type !== 'Command' || found.some(doesSomething))) {
    const handed = judgePipedDownload({
      culprit: last?.culprit ?? '|',
      part,
      address: flow.source?.address,
      program: last?.by,
    });
    mergeInputFinding(scope, before, handed);
    scope.effects.push(handed);
  } else {
    pointAtPipeline(scope, before, flow.source, part);
  }
  const input = found.flatMap((effect) =>
    effect.kind === 'reads' && effect.place.where === 'inside' ? [effect.place.path] : [],
  );
  const here = {
    index: stage.pos,
    ...(fetched && { address: fetched.url }),
    ...(last?.by && { program: last.by.whole }),
  };
  const source = flow.source?.address === undefined ? here : flow.source;
  const changes = changesPrintedBy(stage);
  return { ...after, network: flow.network || fetched !== undefined, input, piped: true, changes, source };
}
