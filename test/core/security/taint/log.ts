import { analyzers, assessWith } from '../../../../src/core/security/analyzers';
import { editFile } from '../../../../src/core/tools/native/editFile';
import { listFiles } from '../../../../src/core/tools/native/listFiles';
import { readFile } from '../../../../src/core/tools/native/readFile';
import { runCommand } from '../../../../src/core/tools/native/runCommand';
import { searchText } from '../../../../src/core/tools/native/searchText';
import { writeFile } from '../../../../src/core/tools/native/writeFile';
import type { Details } from '../../../../src/protocol/events/details';
import type { Assessment, Event, NewEvent, Outcome } from '../../../../src/protocol/events/event';
import { task, usage } from '../../agent/story';
import { untouched } from '../../../support/toolContext';
import { agentResponse } from '../../../support/newEvents';

export const root = '/home/dev/project';
const environment = { ...untouched, root };
const tools = {
  read_file: readFile,
  run_command: runCommand,
  search_text: searchText,
  list_files: listFiles,
  write_file: writeFile,
  edit_file: editFile,
};

/** A log written event by event, whose actions are assessed as the agent does. */
export class Log {
  readonly events: Event[] = [];
  #ids = 0;

  constructor(words = 'Look around.', first: Partial<NewEvent> = {}) {
    this.add({ ...task, task: words, cwd: root, ...first } as NewEvent);
  }

  add(event: NewEvent): number {
    return this.events.push({ ...event, seq: this.events.length, at: 0 } as Event) - 1;
  }

  judge(tool: keyof typeof tools, input: unknown): Promise<Assessment> {
    return assessWith(analyzers, {
      tool: tools[tool],
      call: tools[tool].bind(input),
      environment,
      history: this.events,
    });
  }

  /** Adds a reply with one call and its result. Returns the `seq` of the observation. */
  async does(
    tool: keyof typeof tools,
    input: unknown,
    {
      content,
      details,
      outcome = 'ok',
    }: { readonly content: string; readonly details?: Details; readonly outcome?: Outcome },
  ): Promise<number> {
    const id = `call_${++this.#ids}`;
    const risk = await this.judge(tool, input);
    this.add(
      agentResponse('', {
        readUpTo: this.events.length,
        actions: [{ id, tool, input, summary: tool, group: 0, risk, effect: tools[tool].effect }],
        usage,
        model: 'story',
        finishReason: 'tool_calls',
      }),
    );
    return this.add({ type: 'observation', actionId: id, outcome, content, ...(details && { details }) });
  }

  reads(path: string, ...lines: string[]): Promise<number> {
    const content = lines.map((line, index) => `${String(index + 1).padStart(5)}\t${line}`).join('\n');
    return this.does(
      'read_file',
      { path },
      {
        content,
        details: {
          kind: 'read',
          path,
          version: '1',
          fromLine: 1,
          toLine: lines.length,
          totalLines: lines.length,
        },
      },
    );
  }

  runs(command: string, output = '', outcome: Outcome = 'ok'): Promise<number> {
    return this.does(
      'run_command',
      { command },
      {
        content: `${output}\n[exit code 0]`,
        details: {
          kind: 'command',
          end: 'exited',
          exitCode: 0,
          durationMs: 1,
          cwd: root,
          tty: false,
          outputBytes: output.length,
          outputCharacters: output.length,
        },
        outcome,
      },
    );
  }

  writes(path: string, content: string): Promise<number> {
    return this.does('write_file', { path, content }, { content: 'Written.', details: { kind: 'edit', changes: [] } });
  }

  command(command: string): Promise<Assessment> {
    return this.judge('run_command', { command });
  }
}
