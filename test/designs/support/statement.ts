import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import type { Event, EventOf } from '../../../src/protocol/events/event';
import { ensureBuilt, onMachine, type Ended, type Machine } from '../../cli/support/commandLine';
import type { Answering, ChatBody } from '../../support/modelServer';

/** Source documents of the statements. */
export const documents = {
  MINI1: 'mini-swe-agent 1, with candidates and a verifier',
  MINI2: 'mini-swe-agent 2',
  HERMES: 'Hermes Agent',
  HANDS: 'OpenHands',
  GRAPH: 'AgentFoundation',
  LINE: 'the command lines of the originals',
} as const;

interface Stated {
  readonly id: string;
  readonly words: string;
  /** Intentional difference in Waymark, with the reason. */
  readonly ours?: string | undefined;
}

export const stated: Stated[] = [];

/** A run of the built command line against a model server, and its expected results. */
interface ShownBy {
  readonly task?: string;
  /** Arguments after the task. */
  readonly command: readonly string[];
  /** Files in the folder before the run. */
  readonly files?: Readonly<Record<string, string>>;
  /** Answers of the model server, in order. */
  readonly script: readonly Answering[];
  readonly exit: number;
  /** Checks the requests. */
  readonly requests?: (requests: readonly ChatBody[]) => void;
  readonly log?: (events: readonly Event[]) => void;
  readonly prints?: (ended: Ended) => void;
  readonly folder?: (names: readonly string[]) => void;
  readonly ours?: string | undefined;
}

/** The statements of one document, each demonstrated by a run of the shipped program. */
export function designOf(family: keyof typeof documents, table: () => void): void {
  describe(documents[family], function () {
    this.timeout(120_000);
    before(ensureBuilt);
    table();
  });
}

/** Title of the test. docs/conformance.md is generated from it. */
export const titleOf = ({ id, words, ours }: Stated): string =>
  ours === undefined ? `${id} ${words}` : `${id} ${words} · ${ours}`;

function state(said: Stated): string {
  assert.ok(!stated.some(({ id }) => id === said.id), `${said.id} is stated twice`);
  stated.push(said);
  return titleOf(said);
}

/** A statement of a document, worded to follow "the document says that", and the run that demonstrates it. */
export function states(id: string, words: string, shown: ShownBy): void {
  it(state({ id, words, ...(shown.ours !== undefined && { ours: shown.ours }) }), () =>
    onServer(shown.script, async (machine) => {
      for (const [name, text] of Object.entries(shown.files ?? {})) machine.workspace.place(name, text);
      const ended = await machine.run(shown.task ?? 'Do the task.', ...shown.command);
      assert.equal(ended.code, shown.exit, `exit code, with\n${ended.stdout}\n${ended.stderr}`);
      shown.requests?.(machine.server.requests.map(({ body }) => body));
      shown.log?.(machine.events());
      shown.prints?.(ended);
      shown.folder?.(machine.workspace.names());
    }),
  );
}

/** A statement that takes more than one command, a terminal or another program to demonstrate. */
export function tells(
  id: string,
  words: string,
  {
    script,
    story,
    ours,
  }: {
    readonly script: readonly Answering[];
    readonly ours?: string | undefined;
    story(machine: Machine): Promise<void>;
  },
): void {
  it(state({ id, words, ...(ours !== undefined && { ours }) }), () => onServer(script, story));
}

/** A statement that another table demonstrates, and which one. */
export function shownElsewhere(id: string, words: string, where: string): void {
  it(state({ id, words, ours: where }));
}

const onServer = (script: readonly Answering[], story: (machine: Machine) => Promise<void>): Promise<void> =>
  onMachine(script, story, { neighbours: true });

/** Exports the run in the format of another program. */
export async function exported(machine: Machine, format: string): Promise<any> {
  const { code, stdout, stderr } = await machine.start(['export', machine.log, '--to', format, '--out', '-']).ended;
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

/** Parses the lines of a file as JSON. */
export const jsonLinesOf = (file: string): any[] =>
  fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

export const eventsOf = <Type extends Event['type']>(events: readonly Event[], type: Type): EventOf<Type>[] =>
  events.filter((event): event is EventOf<Type> => event.type === type);

export const rolesOf = ({ messages }: ChatBody): string[] => messages.map(({ role }) => role as string);

export const lastOf = ({ messages }: ChatBody): Record<string, any> => messages.at(-1)!;
