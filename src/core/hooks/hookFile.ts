import * as z from 'zod';
import type { SkillProblem, Position } from '../ports/skill';
import { hookMoments, type Hook } from '../ports/hook';
import type { HookMoment } from '../../protocol/events/event';
import { matcherProblem } from './matcher';
import { isRecord } from '../text/parseJson';
import { nestsDeeper } from '../text/nesting';
import { misspelledFields, misspelledInWords } from '../text/misspelledFields';
import { LineCounter, parseDocument, isNode, type Document } from 'yaml';

const Command = z
  .looseObject({
    type: z
      .enum(['command', 'prompt', 'agent'])
      .default('command')
      .describe('Waymark runs commands. Hooks of other types are not run and are reported.'),
    command: z
      .string()
      .trim()
      .min(1)
      .max(10_000)
      .describe(
        'A shell command, run in the workspace folder. It receives the event as JSON on standard input. Exit code 0 continues, 2 refuses, any other is only noted.',
      ),
    timeout: z
      .number()
      .positive()
      .max(600)
      .default(60)
      .describe('Seconds after which it is ended. A hook that takes too long refuses nothing.'),
    async: z.boolean().default(false).describe('If true, Waymark does not wait for the hook, and it decides nothing.'),
  })
  .describe('A program that runs at this event.');

const Group = z
  .looseObject({
    matcher: z
      .string()
      .max(1_000)
      .default('*')
      .describe(
        'Which tools: "*" for all, one name, or a regular expression that matches whole names, such as "edit_file|write_file". Only used by PreToolUse and PostToolUse.',
      ),
    hooks: z.array(Command).describe('The hooks run one after the other, in this order, until one refuses.'),
  })
  .describe('Hooks for some tools.');

const moments: Record<HookMoment, string> = {
  PreToolUse:
    'Before an action of the agent. A hook can refuse it and tell the model why. "allow" does not replace the approval of a person.',
  PostToolUse: 'After an action. A hook can tell the model something about the result.',
  UserPromptSubmit: 'Before the model reads a message of a person. A hook can refuse the message or add to it.',
  SessionStart: 'When a session starts. A hook can tell the model something.',
  SessionEnd: 'When a session is closed.',
  Stop: 'When the agent is about to finish. A hook can refuse that and say what is left to do.',
};

/** Schema of a hooks file, from which the published JSON schema is generated. */
export const hookFileSchema = z
  .looseObject({
    $schema: z.string().optional(),
    hooks: z
      .strictObject(
        Object.fromEntries(
          hookMoments.map((name) => [name, z.array(Group).optional().describe(moments[name])]),
        ) as Record<HookMoment, z.ZodOptional<z.ZodArray<typeof Group>>>,
      )
      .describe('The hooks by event.'),
  })
  .describe('Programs that Waymark runs at certain events of the agent’s work, after a person approved them.');

interface ReadHooks {
  readonly hooks: readonly Hook[];
  readonly problems: readonly SkillProblem[];
}

/**
 * Parses a hooks file. Never throws: an invalid part is reported as a problem, and the rest is used. `path`: for
 * display. The hash of each hook is left empty, because only who reads the files knows what the hooks run.
 */
export function readHookFile(text: string, path: string): ReadHooks {
  const json = parseJsonWithPositions(text);
  if (json.problem) return { hooks: [], problems: [{ severity: 'error', code: 'json', ...json.problem }] };
  const reading = new HookReading(json, path);
  const [outer, root] = rootOf(json.value);
  if (outer === undefined)
    reading.error(
      'hook-shape',
      'The file contains no object with "hooks". Write {"hooks": {"PreToolUse": [ … ]}}.',
      [],
    );
  for (const [key, groups] of Object.entries(outer ?? {})) {
    const on = eventNamed(key);
    if (on !== undefined) reading.readGroups(on, groups, [...root, key]);
    else if (root.length > 0 || key !== '$schema')
      reading.warning(
        'hook-event',
        `There is no event "${key}", so its hooks are not run. Events: ${hookMoments.join(', ')}.`,
        [...root, key],
      );
  }
  const { hooks, problems } = reading;
  return { hooks, problems };
}

/** Place of a value in the file: its keys and indexes from the root. */
type Place = readonly PropertyKey[];

/** The hooks and problems found so far in a file. */
class HookReading {
  readonly hooks: Hook[] = [];
  readonly problems: SkillProblem[] = [];

  constructor(
    private readonly json: PlacedJson,
    private readonly path: string,
  ) {}

  /** Reports why hooks are not run. */
  error(code: string, message: string, at: Place): void {
    this.problems.push({ severity: 'error', code, message, ...this.json.spanOf(at) });
  }

  /** `instead`: a value that would fix it. */
  warning(code: string, message: string, at: Place, instead?: string): void {
    const where = this.json.spanOf(at);
    const fix = { title: `Change it to "${instead}"`, ...where, text: JSON.stringify(instead) };
    this.problems.push({ severity: 'warning', code, message, ...where, ...(instead !== undefined && { fix }) });
  }

  /** Reads the hooks of one event. */
  readGroups(on: HookMoment, groups: unknown, at: Place): void {
    if (!Array.isArray(groups))
      return this.error('hook-shape', `${String(at.at(-1))} is not a list. Its hooks are not run.`, at);
    groups.forEach((group: unknown, index) => {
      const shape = Group.extend({ hooks: z.array(z.unknown()) }).safeParse(group);
      if (!shape.success) return this.refuse(shape.error, [...at, index]);
      const { matcher, hooks } = shape.data;
      this.reportMisspelled(group, ['matcher', 'hooks'], [...at, index]);
      if (!this.accepts(on, matcher, [...at, index, 'matcher'])) return;
      hooks.forEach((rawHook, place) => {
        const read = this.readHook(rawHook, [...at, index, 'hooks', place]);
        if (!read) return;
        const { command, timeout, async } = read;
        const { path } = this;
        this.hooks.push({ on, matcher, command, timeout, async, path, place: `${on}/${index}/${place}`, hash: '' });
      });
    });
  }

  /** Reports problems of a matcher. Returns false if its hooks must not be run. */
  private accepts(on: HookMoment, matcher: string, at: Place): boolean {
    if (isSlowMatcher(matcher)) {
      this.error(
        'hook-matcher-involved',
        'This matcher repeats a group or can match in too many ways, so it could take very long. Its hooks are not run, so they guard nothing. Separate names with "|", or write a simpler expression.',
        at,
      );
      return false;
    }
    if (!isUsable(matcher))
      this.warning('hook-matcher', `"${matcher}" is not a regular expression, so it is treated as a tool name.`, at);
    const unfit = looksAtTools.has(on) && isUsable(matcher) ? matcherProblem(matcher) : undefined;
    if (unfit) this.warning('hook-matcher-fits-nothing', unfit.message, at, unfit.instead);
    return true;
  }

  private readHook(rawHook: unknown, at: Place): z.output<typeof Command> | undefined {
    const type = (rawHook as { type?: unknown } | null)?.type;
    if (type === 'prompt' || type === 'agent') {
      this.error(
        'hook-type',
        `This hook does not run, so it guards nothing: Waymark runs only commands, and the type "${type}" requires a model.`,
        at,
      );
      return undefined;
    }
    this.reportMisspelled(rawHook, ['type', 'command', 'timeout', 'async'], at);
    const read = Command.safeParse(rawHook);
    if (!read.success) this.refuse(read.error, at);
    return read.data;
  }

  /** Other products have more fields, so only those are reported that look like a known one. */
  private reportMisspelled(rawFields: unknown, known: readonly string[], at: Place): void {
    if (!isRecord(rawFields)) return;
    for (const misspelled of misspelledFields(rawFields, known))
      this.warning('hook-field', misspelledInWords(misspelled), [...at, misspelled.field]);
  }

  private refuse(error: z.ZodError, at: Place): void {
    for (const issue of error.issues.slice(0, 5))
      this.error(
        'hook-shape',
        `${[...at.slice(1), ...issue.path].map(String).join('/')}: ${issue.message}. This hook is not run.`,
        [...at, ...issue.path],
      );
  }
}

/**
 * Maximum complexity of a matcher, as the binary logarithm of the number of ways to match a name. Tool names have at
 * most 64 characters.
 */
const maxMatcherComplexity = 26;

/**
 * True if a matcher may be very slow: it repeats a group, or can match in very many ways. It comes from a repository
 * and is checked before anybody approved it.
 */
function isSlowMatcher(matcher: string): boolean {
  const plain = matcher.replace(/\\[^]/g, 'x').replace(/\[[^\]]*\]?/g, 'x');
  if (/\)[*+{]/.test(plain)) return true;
  const alternatives = plain.includes('(') ? [plain] : plain.split('|');
  return alternatives.some((words) => {
    const count = (pattern: RegExp): number => words.match(pattern)?.length ?? 0;
    const [repeated, optional, groups, bars] = [
      count(/[*+]|\{\d/g),
      count(/(?<![(*+?}])\?/g),
      count(/\(/g),
      count(/\|/g),
    ];
    return repeated * 6 + optional + groups * Math.log2(bars / Math.max(1, groups) + 1) > maxMatcherComplexity;
  });
}

const looksAtTools: ReadonlySet<HookMoment> = new Set(['PreToolUse', 'PostToolUse']);

/** Events are under "hooks", or at the top level as some products write them. */
function rootOf(value: unknown): [Readonly<Record<string, unknown>> | undefined, readonly string[]] {
  if (!isRecord(value)) return [undefined, []];
  if ('hooks' in value) return isRecord(value['hooks']) ? [value['hooks'], ['hooks']] : [undefined, []];
  return Object.keys(value).some((key) => eventNamed(key) !== undefined) ? [value, []] : [undefined, []];
}

/** "PreToolUse" and "pre_tool_use" are the same event. */
const eventNamed = (key: string): HookMoment | undefined =>
  hookMoments.find((name) => name.toLowerCase() === key.replaceAll('_', '').toLowerCase());

function isUsable(matcher: string): boolean {
  try {
    new RegExp(matcher === '*' ? '' : matcher.replace(/^\/(.+)\/$/, '$1'));
    return true;
  } catch {
    return false;
  }
}

interface TextSpan {
  readonly from: Position;
  readonly to: Position;
}

/** Parsed JSON with the positions of its parts. `problem`: why it is invalid. */
interface PlacedJson {
  readonly value: unknown;
  readonly problem?: TextSpan & { readonly message: string };
  spanOf(path: readonly PropertyKey[]): TextSpan;
}

const beginning: TextSpan = { from: { line: 1, column: 1 }, to: { line: 1, column: 1 } };

/** Maximum nesting depth, with the brackets in texts. */
const maxNesting = 100;

/** Never throws. Uses a YAML parser for the positions, because JSON is YAML except for tabs between its parts. */
function parseJsonWithPositions(source: string): PlacedJson {
  const text = source.replace(/^\uFEFF/, '');
  if (nestsDeeper(text, maxNesting)) {
    const message = `The file nests brackets more than ${maxNesting} levels deep, so it is not read.`;
    return { value: undefined, problem: { message, ...beginning }, spanOf: () => beginning };
  }
  const lines = new LineCounter();
  const document = parseDocument(text.replaceAll('\t', ' '), {
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  const place = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  try {
    return { value: JSON.parse(text) as unknown, spanOf: (path) => spanOf(document, path, place) };
  } catch (thrown) {
    const parserMessage = (thrown as Error).message;
    const position = /position (\d+)/.exec(parserMessage)?.[1];
    const offset = document.errors[0]?.pos[0] ?? (position === undefined ? text.trimEnd().length : Number(position));
    const message =
      text.trim() === ''
        ? 'The file is empty.'
        : `The file is not JSON: ${parserMessage
            .replace(/,? (?:in JSON )?at position \d.*/s, '')
            .replace(/\s+/g, ' ')
            .replace(/[.:]?$/, '.')}`;
    return {
      value: undefined,
      problem: { message, from: place(offset), to: place(offset + 1) },
      spanOf: () => beginning,
    };
  }
}

/** For a missing part, returns the position of the innermost part that exists. */
function spanOf(document: Document, path: readonly PropertyKey[], place: (offset: number) => Position): TextSpan {
  for (let length = path.length; length >= 0; length--) {
    const node = document.getIn(
      path.slice(0, length).map((key) => (typeof key === 'symbol' ? String(key) : key)),
      true,
    );
    if (isNode(node) && node.range) return { from: place(node.range[0]), to: place(node.range[1]) };
  }
  return beginning;
}
