import type { Action, NewEvent, Outcome } from '../../protocol/events/event';
import type { Profile } from '../ports/profile';
import type { ToolResult } from '../ports/tool';
import type { History } from '../log/projection';
import { variablesOf, type VariableSources } from './prompt';
import { commandOf } from '../log/eventFacts';

/** Words events for the model. */
export interface Wording {
  /** Text of an action's result for the model. */
  observation(action: Action, outcome: Outcome, result: ToolResult, history: History): Promise<string>;
  /** Text for the model about a reply that cannot be used. `error` is the plain reason. */
  formatError(
    error: string,
    reply: { readonly calls: readonly unknown[]; readonly hasToolCalls: boolean; readonly finishReason: string },
    history: History,
  ): Promise<string>;
}

/** Uses the text of the tools unchanged. */
export const plainWording: Wording = {
  observation: async (_action, _outcome, { content }) => content,
  formatError: async (error) => error,
};

/**
 * Returns the event that records the result of an action. `worded`: its text for the model, recorded only if it differs.
 * `durationMs`: absent if the action did not run.
 */
export const observationEvent = (
  { id }: Action,
  outcome: Outcome,
  { content, details, branch, images }: ToolResult,
  { worded, durationMs }: { readonly worded: string; readonly durationMs?: number },
): NewEvent => ({
  type: 'observation',
  actionId: id,
  outcome,
  content,
  ...(durationMs !== undefined && { durationMs }),
  ...(details && { details }),
  ...(branch && { branch }),
  ...(images?.length && { images: [...images] }),
  ...(worded !== content && { worded }),
});

/** Uses the profile's templates, loaded on first use. */
export function wordingFor(known: VariableSources): Wording {
  const { profile } = known;
  const worded: Wording = {
    observation: hasOwnWording(profile)
      ? async (action, outcome, { content, details }, history) => {
          const { observationText } = await import('../profiles/templates/observation');
          return observationText(
            profile,
            { outcome, content, details },
            commandOf(action) ?? action.summary,
            variablesOf(known, history),
          );
        }
      : plainWording.observation,
    async formatError(error, { calls, hasToolCalls, finishReason }, history) {
      const template = profile.templates.formatError;
      if (template === undefined) return error;
      const [{ render }, { formatErrorVariables }, { templateIn }] = await Promise.all([
        import('../text/templates/render'),
        import('../profiles/templates/variables'),
        import('../profiles/templates/checkTemplates'),
      ]);
      return render(
        template,
        formatErrorVariables(variablesOf(known, history), { error, actions: calls, hasToolCalls, finishReason }),
        templateIn(profile, 'formatError'),
      );
    },
  };
  return profile.format.kind === 'workgraph' ? inStructuredFormat(worded, profile.format.syntax) : worded;
}

/** The same wording, with each result wrapped in the structured format, which names its action. */
const inStructuredFormat = (wording: Wording, syntax: 'xml' | 'json'): Wording => ({
  ...wording,
  observation: async (action, ...what) =>
    actionResults(
      [{ type: action.tool, summary: action.summary, content: await wording.observation(action, ...what) }],
      syntax,
    ),
});

/** Result of an action, for the next reply. */
interface ActionResult {
  /** Name of the tool. */
  readonly type: string;
  /** What the action did, in one line. Used if several results have the same type. */
  readonly summary?: string;
  readonly content: string;
}

/** Formats results as a message in the structured format. Command output cannot close its element. */
export function actionResults(results: readonly ActionResult[], syntax: 'xml' | 'json'): string {
  if (syntax === 'json') {
    return JSON.stringify(
      {
        ActionResults: results.map(({ type, summary, content }) => ({
          ActionType: type,
          ...(summary !== undefined && { ActionSummary: summary }),
          ActionResult: content,
        })),
      },
      null,
      2,
    );
  }
  const entries = results.map(({ type, summary, content }) =>
    [
      '<Action>',
      element('ActionType', type),
      ...(summary === undefined ? [] : [element('ActionSummary', summary)]),
      element('ActionResult', content),
      '</Action>',
    ].join('\n'),
  );
  return ['<ActionResults>', ...entries, '</ActionResults>'].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${/[<&]/.test(text) ? `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : text}</${name}>`;
}

const hasOwnWording = ({ templates, truncation }: Profile): boolean =>
  templates.observation !== undefined || templates.timeout !== undefined || truncation !== undefined;
