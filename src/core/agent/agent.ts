import type { Action, NewEvent } from '../../protocol/event';
import type { Delta } from '../../protocol/panel';
import { harmless } from '../security/assessment';
import type { ConfirmationPolicy } from '../security/confirmation';
import { ruleFor, sameRule } from '../security/allowRules';
import { assessWith, type RiskAnalyzer } from '../security/analyzers';
import type { Model, ModelReply, ModelRequest } from '../model/model';
import type { Call, ReplyFormat } from '../model/replyFormat';
import type { Environment } from '../tools/environment';
import type { Tool } from '../tools/tool';
import { withinSeconds } from './deadline';
import { actionIds, allowRulesOf, decisionOn, eventsOfType, openQuestions, pendingActions, settingsOf, type History } from './history';
import { EmptyReply, Failed, FormatError, GoingInCircles, Submitted } from './interrupt';
import { checkLimits } from './limits';
import { toMessages } from './messages';
import { runAction } from './runAction';
import { spentOnTask } from './spending';
import { circleIn } from './stuck';

export interface StepContext {
  /** The log as it is now; it grows with every `emit`. */
  readonly history: History;
  readonly signal: AbortSignal;
  emit(event: NewEvent): void;
  /** Resolves when everything emitted so far survives a crash. Rejects when it cannot be kept. */
  durable(): Promise<void>;
  onDelta(delta: Delta): void;
}

export interface Condenser { condense(history: History, signal: AbortSignal): Promise<NewEvent | undefined> }

export interface AgentParts {
  readonly model: Model;
  readonly format: ReplyFormat;
  readonly tools: readonly Tool[];
  readonly environment: Environment;
  readonly analyzers: readonly RiskAnalyzer[];
  readonly policies: Record<'always' | 'risky' | 'never', ConfirmationPolicy>;
  readonly condenser?: Condenser;
  /** Whether somebody can answer a question; without it `ask_user` runs and says that nobody can. */
  readonly attended: boolean;
}

/** Reads history, emits events, remembers nothing. */
export class Agent {
  constructor(protected readonly parts: AgentParts) {}

  async step(context: StepContext): Promise<void> {
    const { history, signal } = context;
    await withinSeconds(settingsOf(history)!.limits, spentOnTask(history), signal, limited => this.proceed({ ...context, signal: limited }));
  }

  private async proceed(context: StepContext): Promise<void> {
    if (pendingActions(context.history).length === 0) {
      const condensation = await this.parts.condenser?.condense(context.history, context.signal);
      if (condensation) return context.emit(condensation);
      await this.think(context);
    }
    await this.act(context);
  }

  /** Asks the model and records its answer before judging it, so a bad answer is still paid for. */
  protected async think(context: StepContext): Promise<void> {
    const { history, signal, emit } = context;
    signal.throwIfAborted();
    checkLimits(settingsOf(history)!.limits, spentOnTask(history));
    this.checkProgress(history);
    const readUpTo = history.length;
    const began = performance.now();
    const reply = await this.ask(context);
    const stamp = { readUpTo, durationMs: performance.now() - began };
    const { text, groups, problem } = this.parts.format.read(reply);
    const given = new Set<string>();
    const actions = await Promise.all(groups.flatMap((calls, group) => calls.map(call => this.actionFor({ ...call, id: freeId(call.id, given, actionIds(history)) }, group, history))));
    emit({
      type: 'agent_response', ...stamp, text, actions, usage: reply.usage, model: reply.model, finishReason: reply.finishReason, firstTokenMs: reply.firstTokenMs,
      ...(reply.reasoning && { reasoning: reply.reasoning }), ...(reply.sampling && { sampling: reply.sampling }),
    });
    if (problem) throw new FormatError(problem);
    if (!text.trim() && actions.length === 0) this.nudge(history);
  }

  /** The model's reply. When the run is stopped meanwhile, the words that had come are recorded before it throws. */
  private async ask({ history, signal, emit, onDelta }: StepContext): Promise<ModelReply> {
    const { model, tools } = this.parts;
    const readUpTo = history.length;
    const began = performance.now();
    let partial = '';
    const request: ModelRequest = {
      messages: toMessages(history), tools,
      onDelta(delta) {
        if (delta.kind === 'text') partial += delta.text;
        else if (delta.kind === 'discard') partial = '';
        onDelta(delta);
      },
      onRetry: retry => emit({ type: 'retry_scheduled', ...retry }),
    };
    try {
      return await model.complete(request, signal);
    } catch (thrown) {
      if (signal.aborted && partial) {
        emit({ type: 'agent_response', readUpTo, durationMs: performance.now() - began, text: partial, actions: [], usage: unknownUsage, model: model.info.name, finishReason: 'interrupted', firstTokenMs: null });
      }
      throw thrown;
    }
  }

  /** A hint when the run starts to go in circles; when it does not help, the run stops and a person decides. */
  private checkProgress(history: History): void {
    const circle = circleIn(history);
    if (circle?.stop) throw new Failed({ what: 'The run goes in circles.', why: circle.words, next: 'Say what should be done differently, or resume to let it go on.' });
    const last = history.at(-1);
    if (circle && !(last?.type === 'feedback' && last.cause === 'going_in_circles')) throw new GoingInCircles(circle.words);
  }

  /** One more try after an empty reply; the second in a row ends the run. */
  private nudge(history: History): never {
    const [before] = eventsOfType(history, 'agent_response').slice(-2);
    const again = history.findLast(event => event.type === 'feedback' && event.cause === 'empty_reply')?.seq ?? -1;
    if (before && again > before.seq) throw new Failed({ what: 'The model answered twice with nothing.', why: 'Neither reply held text or a tool call.', next: 'Resume to try again, or choose another model.' });
    throw new EmptyReply();
  }

  /** Runs pending actions, group after group, until one needs a person. However it ends, each action has one observation or still waits for consent. */
  protected async act(context: StepContext): Promise<void> {
    const { history, signal, emit } = context;
    try {
      for (let group = firstGroup(history); group.length > 0; group = firstGroup(history)) {
        signal.throwIfAborted();
        if (!this.decided(group, context) || !this.answered(group, context)) return;
        await this.runGroup(group, context);
      }
    } catch (thrown) {
      for (const action of pendingActions(history)) emit({ type: 'observation', actionId: action.id, outcome: 'skipped', content: 'This action was not run.' });
      throw thrown;
    }
  }

  /** False, after asking, while an action of the group still needs a decision. Standing rules decide by an event of their own. */
  private decided(group: readonly Action[], { history, emit }: StepContext): boolean {
    const undecided = group.filter(action => this.needsConsent(action, history) && !decisionOn(action.id, history));
    const byRule = undecided.filter(action => this.allowedByRule(action, history)).map(action => action.id);
    if (byRule.length > 0) emit({ type: 'confirmation_resolved', actionIds: byRule, approved: true, by: 'rule' });
    const actionIds = undecided.map(action => action.id).filter(id => !byRule.includes(id));
    if (actionIds.length > 0) emit({ type: 'confirmation_requested', actionIds });
    return actionIds.length === 0;
  }

  private needsConsent(action: Action, history: History): boolean {
    const effect = this.toolNamed(action.tool)?.effect;
    if (action.problem !== undefined || effect === undefined || effect === 'notes' || effect === 'asks' || effect === 'ends') return false;
    return this.parts.policies[settingsOf(history)!.confirmation](action.risk) === 'ask';
  }

  private allowedByRule(action: Action, history: History): boolean {
    const wanted = ruleFor(action, this.toolNamed(action.tool)!, history);
    return wanted !== undefined && allowRulesOf(history).some(rule => sameRule(rule, wanted));
  }

  /** False, after asking, while a question of the group has no answer. The answer becomes the action's observation. */
  private answered(group: readonly Action[], { history, emit }: StepContext): boolean {
    if (!this.parts.attended) return true;
    const questions = group.filter(action => action.problem === undefined && this.toolNamed(action.tool)?.effect === 'asks');
    const open = new Set(openQuestions(history).map(({ actionId }) => actionId));
    for (const action of questions.filter(({ id }) => !open.has(id))) {
      const { question, choices } = this.toolNamed(action.tool)!.bind(action.input).question!;
      emit({ type: 'question_asked', actionId: action.id, question, choices: [...choices] });
    }
    return questions.length === 0;
  }

  /** Together, and all of them to their end: one failure interrupts none of the others. */
  private async runGroup(group: readonly Action[], context: StepContext): Promise<void> {
    const effectOf = (action: Action) => this.toolNamed(action.tool)?.effect;
    const starting = group.filter(action => action.problem === undefined && decisionOn(action.id, context.history)?.approved !== false);
    for (const { id } of starting) context.emit({ type: 'action_started', actionId: id });
    if (starting.some(action => ['writes', 'executes'].includes(effectOf(action)!))) await context.durable();
    const results = await Promise.allSettled(group.map(action => runAction(action, this.toolNamed(action.tool), this.parts.environment, context)));
    const broken = results.find(result => result.status === 'rejected');
    if (broken) throw broken.reason;
    const endings = results.flatMap((result, index) => (result.status === 'fulfilled' && result.value.ok && effectOf(group[index]!) === 'ends' ? [result.value.content] : []));
    if (endings.length > 0) throw new Submitted(endings.join('\n'));
  }

  private async actionFor(call: Call, group: number, history: History): Promise<Action> {
    const tool = this.toolNamed(call.tool);
    const known = { id: call.id, tool: call.tool, input: call.input, group, ...(call.rawInput !== undefined && { rawInput: call.rawInput }), ...(tool && { effect: tool.effect }) };
    try {
      if (call.problem !== undefined) throw new Error(call.problem);
      if (!tool) throw new Error(`There is no tool named ${call.tool}. Tools: ${this.parts.tools.map(({ name }) => name).join(', ')}.`);
      const bound = tool.bind(call.input);
      return { ...known, summary: bound.summary, risk: await assessWith(this.parts.analyzers, tool, bound, this.parts.environment, history) };
    } catch (thrown) {
      return { ...known, summary: call.tool, risk: harmless, problem: thrown instanceof Error ? thrown.message : String(thrown) };
    }
  }

  private toolNamed(name: string): Tool | undefined {
    return this.parts.tools.find(tool => tool.name === name);
  }
}

const unknownUsage = { inputTokens: null, outputTokens: null, cachedTokens: null, cost: null };

function firstGroup(history: History): Action[] {
  const pending = pendingActions(history);
  return pending.filter(({ group }) => group === pending[0]!.group);
}

/** Providers repeat ids and leave them out; in a log each names one action. */
function freeId(wanted: string, given: Set<string>, taken: ReadonlySet<string>): string {
  const id = wanted === '' || given.has(wanted) || taken.has(wanted) ? `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}` : wanted;
  given.add(id);
  return id;
}
