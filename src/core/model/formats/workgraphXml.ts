import { MarkupProblem, readElement, type Element } from '../../text/elements';
import { plainName } from '../../text/fields';
import { isRecord } from '../../text/parseJson';
import { readLooseJson } from '../../text/looseJson';
import { StructureProblem } from './structuredReply';

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
  const clean = ({ name, children, text: held }: Element, root: boolean): boolean =>
    plainName(name) === 'args' ||
    ((root || plainName(name) !== 'structuredresponse') &&
      !/<StructuredResponse[\s>]/i.test(held) &&
      children.every((child) => clean(child, false)));
  try {
    const root = readReplyElement(text, from);
    return clean(root, true) ? root : undefined;
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

/** Arguments by name. Repeated arguments become a list. A single JSON object is accepted, too. */
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
  return element.children.flatMap((child) =>
    child.children.length > 0 ? learningsOf(child) : plainName(child.name) === 'learningid' ? [] : [child.text],
  );
}

const record = (entries: readonly (readonly [string, unknown])[]): Record<string, unknown> =>
  Object.fromEntries(entries);
