import assert from 'node:assert/strict';
import type { StepContext } from '../../../src/core/agent/agentParts';
import { ExternalToolRecorder } from '../../../src/core/session/externalTools';
import { ToolSources } from '../../../src/core/tools/toolSources';
import { agreed, fixture, onMachine, type Machine } from './support';
import { toolContext } from '../../support/toolContext';

const withMalformed = (use: (machine: Machine) => Promise<void>, ...more: string[]): Promise<void> =>
  onMachine(
    {
      '.mcp.json': { mcpServers: { notes: { command: process.execPath, args: [fixture('malformed.mjs'), ...more] } } },
    },
    use,
  );

describe('an MCP server with malformed tools', () => {
  it('keeps the valid tools and names the others in its log', () =>
    withMalformed(async ({ servers }) => {
      const server = await agreed(servers, 'notes');
      await server.start();
      assert.deepEqual(
        servers.tools().map(({ name }) => name),
        ['mcp_notes_sound', 'mcp_notes_last'],
      );
      assert.equal((await servers.tools()[1]!.bind({}).run(toolContext())).content, 'This is last.');
      assert.deepEqual(server.log.text.trim().split('\n'), [
        '[The tool "array" is not offered: its inputSchema.type must not be "array".]',
        '[The tool "bare" is not offered: its inputSchema is missing.]',
        '[The tool "told" is not offered: its description must not be 7.]',
        '[The tool "without a name" is not offered: it is not an object.]',
        '[The tool "without a name" is not offered: its name is missing.]',
        '[The tool "odd" is not offered: its inputSchema.properties.list.items.type must not be "nonsense".]',
        '[The tool "slow" is not offered: it runs only as a task of the protocol, which is not supported.]',
        '[The tool "__proto__" is not offered: its name must not be "__proto__".]',
      ]);
    }));

  it('has its malformed tools reported in the session', () =>
    withMalformed(async ({ servers }) => {
      const sources = new ToolSources();
      sources.add(servers);
      await (await agreed(servers, 'notes')).start();
      const told: string[] = [];
      const context = {
        history: [],
        signal: new AbortController().signal,
        emit: (event: { type: string; text?: string }) => {
          if (event.type === 'notice') told.push(event.text!);
        },
      };
      await new ExternalToolRecorder(sources).record(() => [], context as unknown as StepContext);
      assert.equal(told.length, 8);
      assert.equal(
        told[0],
        'MCP server notes: The tool "array" is not offered: its inputSchema.type must not be "array".',
      );
    }));

  it('has few of them reported, with short names in which everything is visible', () =>
    withMalformed(async ({ servers }) => {
      const server = await agreed(servers, 'notes');
      await server.start();
      const told = servers.unusable();
      assert.equal(told.length, 21);
      assert.match(told[11]!, /The tool "many3⟨U\+202E⟩\\u001b\[2Jx+… is not offered: its inputSchema is missing\./);
      assert.ok(told.every((words) => words.length < 200));
      assert.match(told[20]!, /More of its tools are not offered/);
      assert.equal(servers.tools().length, 2);
    }, '--many'));

  it('reports a malformed tool list in plain words', () =>
    withMalformed(async ({ servers }) => {
      const server = await agreed(servers, 'notes');
      await assert.rejects(
        server.start(),
        /did not start\. Its list of tools does not follow the Model Context Protocol/,
      );
      assert.doesNotMatch(server.reason!, /invalid_type/);
    }, '--all'));

  it('is ended if it asks endlessly without reading answers', () =>
    withMalformed(async ({ servers }) => {
      const server = await agreed(servers, 'notes');
      await server.start();
      await assert.rejects(
        servers.tools()[1]!.bind({ flood: true }).run(toolContext()),
        /ended during the call\. It sent requests without reading the responses/,
      );
      assert.match(server.log.text, /It sent requests without reading the responses/);
    }));
});
