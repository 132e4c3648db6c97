import { fieldOf, plainName, asText } from '../../text/looseFields';
import { isRecord } from '../../text/parseJson';
import { readLooseJson } from '../../text/looseJson';
import { MarkupProblem, readElement, type Element } from '../../text/elements';
import type { TaskState } from '../../../protocol/events/event';

const knownNames = [
  'structuredresponse',
  'instantresponse',
  'newtask',
  'taskstatus',
  'taskstatusdescription',
  'immediatenextactions',
  'instantlearnings',
];
/** Maximum number of broken objects to skip. A text with more is not a usable reply. */
const maxTries = 100;

/** Parses the last structured object in a text. Throws a `StructureProblem`. */
export function jsonStructureIn(text: string): Structure {
  let found: Structure;
  let broken: { offset: number; problem: string } | undefined;
  let tries = maxTries;
  for (let from = startFrom(text, 0); from !== undefined && tries > 0;) {
    const read = readLooseJson(text, from);
    if (read.problem !== undefined) {
      tries--;
      if (!found || beginsWithField(text, from)) broken = { offset: read.offset, problem: read.problem };
      from = startFrom(text, from + 1);
      continue;
    }
    const fields = isRecord(read.value) ? (fieldOf(read.value, 'structuredresponse') ?? read.value) : undefined;
    if (isRecord(fields) && Object.keys(fields).some((name) => knownNames.includes(plainName(name)))) {
      found = { fields, from, to: read.end };
      broken = undefined;
    }
    from = startFrom(text, read.end);
  }
  if (broken && /["'](?:ImmediateNextActions|TaskStatus|InstantResponse)["']/i.test(text)) {
    throw new StructureProblem(`in line ${text.slice(0, broken.offset).split('\n').length}, ${broken.problem}`);
  }
  return found;
}

/**
 * Returns the offset of the next object that starts with a field of the structure, or is at the start of the text or of
 * a line.
 */
function startFrom(text: string, at: number): number | undefined {
  for (let from = text.indexOf('{', at); from !== -1; from = text.indexOf('{', from + 1)) {
    if (from === 0 || text[from - 1] === '\n' || beginsWithField(text, from)) return from;
  }
  return undefined;
}

const field =
  /\{\s*["']?(?:StructuredResponse|InstantResponse|NewTask|TaskStatus|ImmediateNextActions|InstantLearnings)\b/iy;

function beginsWithField(text: string, at: number): boolean {
  field.lastIndex = at;
  return field.test(text);
}

/** Fields of a reply and its offsets in the text. Undefined for a reply without structure. */
export type Structure =
  { readonly fields: Record<string, unknown>; readonly from: number; readonly to: number } | undefined;

/** Parses the fields of the last `<StructuredResponse>` in a text. Throws a `StructureProblem`. */
export function xmlStructureIn(text: string): Structure {
  const starts = [...text.matchAll(/<StructuredResponse[\s>]/gi)].map(({ index }) => index);
  const last = starts.at(-1);
  if (last === undefined) {
    if (/^[ \t]*<(ImmediateNextActions|InstantResponse|TaskStatus)>/im.test(text))
      throw new StructureProblem('there is no <StructuredResponse> around it');
    return undefined;
  }
  for (const from of starts.slice(-20, -1)) {
    const root = wholeElement(text, from);
    if (root && root.end > last) return { fields: fieldsOf(root), from, to: root.end };
  }
  const root = readReplyElement(text, last);
  return { fields: fieldsOf(root), from: last, to: root.end };
}

/**
 * Returns the element at `from` if further starts of a structure occur only in its arguments, as in an action that
 * writes about this format.
 */
function wholeElement(text: string, from: number): Element | undefined {
  const holdsNoStart = ({ children, text: content }: Element): boolean =>
    !/<StructuredResponse[\s>]/i.test(content) && children.every(isNoStart);
  const isNoStart = (element: Element): boolean => {
    const name = plainName(element.name);
    return name === 'args' || (name !== 'structuredresponse' && holdsNoStart(element));
  };
  try {
    const root = readReplyElement(text, from);
    return plainName(root.name) === 'args' || holdsNoStart(root) ? root : undefined;
  } catch (thrown) {
    if (thrown instanceof StructureProblem) return undefined;
    throw thrown;
  }
}

const containers = new Set([
  'structuredresponse',
  'immediatenextactions',
  'action',
  'actions',
  'alternativeactions',
  'args',
  'instantlearnings',
  'instantlearning',
  'learning',
]);

function readReplyElement(text: string, from: number): Element {
  try {
    return readElement(text, from, (name, parent) => plainName(parent) !== 'args' && containers.has(plainName(name)));
  } catch (thrown) {
    if (!(thrown instanceof MarkupProblem)) throw thrown;
    const line = text.slice(0, thrown.at).split('\n').length;
    throw new StructureProblem(
      `in line ${line}, ${thrown.message.replace(/\.$/, '')}. Put text that contains tags of this format in <![CDATA[…]]>`,
    );
  }
}

function fieldsOf(root: Element): Record<string, unknown> {
  return record(
    root.children.map((child) => {
      const name = plainName(child.name);
      if (name === 'immediatenextactions') return [child.name, child.children.map(groupOf)];
      if (name === 'instantlearnings') return [child.name, learningsOf(child)];
      return [child.name, child.text];
    }),
  );
}

function groupOf(element: Element): Record<string, unknown>[] {
  const name = plainName(element.name);
  if (name === 'action') return [actionOf(element)];
  if (name === 'actions' || name === 'alternativeactions') return element.children.flatMap(groupOf);
  throw new StructureProblem(`<${element.name}> is not allowed in ImmediateNextActions; use Action or Actions`);
}

function actionOf(element: Element): Record<string, unknown> {
  return record(
    element.children.map((child) => [child.name, plainName(child.name) === 'args' ? argsOf(child) : child.text]),
  );
}

/** Arguments by name. Repeated arguments become a list. A single JSON object is also accepted. */
function argsOf({ children, text }: Element): unknown {
  if (children.length === 0 && text.trim() !== '') {
    const json = readLooseJson(text);
    return json.problem === undefined && isRecord(json.value) ? json.value : text;
  }
  const args = new Map<string, unknown>();
  for (const child of children)
    args.set(child.name, args.has(child.name) ? [args.get(child.name), child.text].flat() : child.text);
  return record([...args]);
}

/** Learnings, either one per element or all in one element. */
function learningsOf(element: Element): string[] {
  return element.children.flatMap((child) => {
    if (child.children.length > 0) return learningsOf(child);
    return plainName(child.name) === 'learningid' ? [] : [child.text];
  });
}

const record = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);

/** A structured reply, independent of its syntax. */
export interface StructuredReply {
  readonly instantResponse: string;
  readonly taskState: Partial<TaskState>;
  /** `[[A], [B, C], [D]]` means A, then B and C in parallel, then D. No group is empty. */
  readonly groups: readonly (readonly StructuredAction[])[];
}

/** An action as a reply of the workgraph format writes it. */
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

/** Returns the items of a list, which a reply may leave out if there is none, or write as a single value. */
function items(value: unknown): unknown[] {
  if (value === undefined || value === null || value === '') return [];
  return Array.isArray(value) ? (value as unknown[]) : [value];
}
