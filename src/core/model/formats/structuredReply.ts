import type { TaskState } from '../../../protocol/events/event';
import { asText, fieldOf, plainName } from '../../text/fields';
import { isRecord } from '../../text/parseJson';

/** A structured reply, independent of its syntax. */
export interface StructuredReply {
  readonly instantResponse: string;
  readonly taskState: Partial<TaskState>;
  /** `[[A], [B, C], [D]]` means A, then B and C in parallel, then D. No group is empty. */
  readonly groups: readonly (readonly StructuredAction[])[];
}

export interface StructuredAction {
  /** Name of a tool. */
  readonly type: string;
  readonly target: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Thrown if a reply has a structure with invalid content. `message` is part of a sentence. */
export class StructureProblem extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StructureProblem';
  }
}

/** Reads the fields of `StructuredResponse`. Accepts a single item in place of a list. Throws a `StructureProblem`. */
export function structuredReplyFrom(fields: Record<string, unknown>): StructuredReply {
  const description = asText(fieldOf(fields, 'taskstatusdescription')).trim();
  const newTask = asText(fieldOf(fields, 'newtask')).trim().toLowerCase();
  const learnings = items(fieldOf(fields, 'instantlearnings'))
    .map((item) => asText(isRecord(item) ? fieldOf(item, 'learningcontent', 'content') : item).trim())
    .filter(Boolean);
  return {
    instantResponse: asText(fieldOf(fields, 'instantresponse')).trim(),
    taskState: {
      ...statusIn(asText(fieldOf(fields, 'taskstatus'))),
      ...(description && { description }),
      ...(newTask && { newTask: newTask === 'true' || newTask === 'yes' }),
      ...(learnings.length > 0 && { learnings }),
    },
    groups: groupsIn(fieldOf(fields, 'immediatenextactions', 'nextactions')),
  };
}

function statusIn(text: string): Pick<TaskState, 'status'> | undefined {
  const status = text.trim().toLowerCase();
  if (status === '') return undefined;
  if (status === 'completed' || status === 'ongoing' || status === 'pending') return { status };
  throw new StructureProblem(`TaskStatus is ${JSON.stringify(text.trim())}; it must be Ongoing, Pending or Completed`);
}

/** Reads a list of groups. An item that is not a list is its own group; so is `{Actions: […]}`. */
function groupsIn(value: unknown): StructuredAction[][] {
  const groups =
    isRecord(value) && !isAction(value)
      ? actionGroupsIn(value)
      : items(value).map((group) =>
          isRecord(group) && !isAction(group) ? actionGroupsIn(group).flat() : [group].flat(),
        );
  return groups.map((group) => group.map(actionFrom)).filter((group) => group.length > 0);
}

/**
 * Reads `{Action: A or [A, B], Actions: [C, D]}` in the order written: A and B one after the other, C and D in
 * parallel.
 */
function actionGroupsIn(value: Record<string, unknown>): unknown[][] {
  return Object.entries(value).flatMap(([name, held]) => {
    if (plainName(name) === 'action') return items(held).map((action) => [action]);
    if (plainName(name) === 'actions' || plainName(name) === 'alternativeactions')
      return [items(isRecord(held) && !isAction(held) ? actionGroupsIn(held).flat() : held)];
    throw new StructureProblem(`${name} is not allowed in ImmediateNextActions; use Action or Actions`);
  });
}

function actionFrom(value: unknown): StructuredAction {
  const type = isRecord(value) ? asText(fieldOf(value, 'type')).trim() : '';
  if (!isRecord(value) || type === '') throw new StructureProblem('an Action has no Type, the name of a tool');
  const args = fieldOf(value, 'args') ?? {};
  if (!isRecord(args)) throw new StructureProblem(`the Args of ${type} have no names`);
  return { type, target: asText(fieldOf(value, 'target')).trim(), args };
}

const isAction = (value: Record<string, unknown>): boolean =>
  fieldOf(value, 'type', 'args', 'target', 'reasoning') !== undefined;
const items = (value: unknown): unknown[] =>
  value === undefined || value === null || value === '' ? [] : Array.isArray(value) ? (value as unknown[]) : [value];
