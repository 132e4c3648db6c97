import { documents } from '../../src/adapters/documents/documents';
import { diskFiles } from '../../src/adapters/files/diskFiles';
import { ripgrepSearch } from '../../src/adapters/search/ripgrep';
import { seenVersions } from '../../src/core/log/seenFiles';
import type { Environment } from '../../src/core/ports/environment';
import type { Terminal } from '../../src/core/ports/terminal';
import type { Tool, ToolContext, ToolResult } from '../../src/core/ports/tool';
import type { Action, Event, NewEvent } from '../../src/protocol/events/event';
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace';
import { agentResponse } from './newEvents';

/** Tools on a real disk, with a log of their calls and results that also provides the file versions seen. */
export interface ToolBench extends TemporaryWorkspace {
  use(tool: Tool, input: unknown): Promise<ToolResult>;
  /** Returns the context for running a tool. */
  context(): ToolContext;
  text(name: string): string | undefined;
}

const noTerminal: Terminal = {
  run: () => Promise.reject(new Error('This bench has no terminal.')),
  answer: () => Promise.reject(new Error('This bench has no terminal.')),
  dispose: async () => {},
};

/** `name`: name of the folder below the temporary one, if it matters. `more`: ports that a session may lack. */
export function toolBench(
  terminal: Terminal = noTerminal,
  name?: string,
  more: Pick<Environment, 'memory' | 'pastSessions'> = {},
): ToolBench {
  const workspace = temporaryWorkspace(name);
  const environment = {
    root: workspace.root,
    files: diskFiles({ folders: [workspace.root] }),
    search: ripgrepSearch({ folders: [workspace.root] }),
    documents,
    terminal,
    ...more,
  };
  const log: Event[] = [];
  const record = (event: NewEvent): void => {
    log.push({ ...event, seq: log.length, at: 0 } as Event);
  };
  const context = (): ToolContext => ({
    environment,
    signal: new AbortController().signal,
    progress() {},
    history: log,
    versionSeen: (path) => seenVersions(log).get(path),
  });
  return {
    ...workspace,
    context,
    text: (name) => workspace.bytes(name)?.toString(),
    async use(tool, input) {
      const actionId = `call-${log.length}`;
      const action: Action = {
        id: actionId,
        tool: tool.name,
        input,
        summary: '',
        group: 0,
        risk: { level: 'low', reasons: [] },
      };
      record(
        agentResponse('', {
          readUpTo: log.length,
          actions: [action],
          model: 'bench',
          finishReason: 'tool_calls',
          durationMs: 0,
          firstTokenMs: null,
        }),
      );
      const result = await tool.bind(input).run(context());
      record({
        type: 'observation',
        actionId,
        outcome: result.failed ? 'error' : 'ok',
        content: result.content,
        ...(result.details && { details: result.details }),
      });
      return result;
    },
  };
}
