// Which tools a request offers if added tools are deferred, as their size, their number and the window allow.
import assert from 'node:assert/strict';
import { toolsOffered } from '../../../src/core/agent/toolsOffered';
import { describeForLog } from '../../../src/core/session/externalTools';
import { toolFromLog } from '../../../src/core/tools/addedTool';
import { findTools } from '../../../src/core/tools/native/findTools';
import type { Tool } from '../../../src/core/ports/tool';
import type { AddedTool, Event, NewEvent } from '../../../src/protocol/events/event';
import { taskStarted } from '../../support/newEvents';

/** Tools of a server, each with a description of this length. */
const toolsOf = (server: string, count: number, length: number): Tool[] =>
  Array.from({ length: count }, (_each, index) =>
    toolFromLog({
      name: `mcp_${server}_tool_${index}`,
      description: 'x'.repeat(length),
      parameters: { type: 'object', properties: {} },
      from: { source: `the MCP server ${server}`, tool: `tool ${index}`, hash: '' },
    }),
  );

const eventsOf = (...events: NewEvent[]): Event[] => events.map((event, seq): Event => ({ ...event, seq, at: 0 }));

/** What a request offers after the model found these tools. */
function offered(tools: readonly Tool[], contextWindow: number | null, found: readonly string[] = []): Tool[] {
  const all = [findTools, ...tools];
  const model = { name: 'm', provider: 'p', contextWindow };
  const events: NewEvent[] = [
    taskStarted('Do it.', { model, addedTools: describeForLog(all, contextWindow) }),
    {
      type: 'observation',
      actionId: 'a',
      outcome: 'ok',
      content: '',
      durationMs: 1,
      details: { kind: 'tools', query: '', found: [...found] },
    },
  ];
  return toolsOffered(all, 'confirm', eventsOf(...events));
}

const namesOf = (tools: readonly Tool[]): string[] => tools.map(({ name }) => name);
const listIn = ([finder]: readonly Tool[]): string => finder!.description.split('There are: ')[1]!;

describe('deferred tools', () => {
  it('stay within the number of tools that model servers accept, even if they are small', () => {
    const tools = [...toolsOf('many', 60, 1), ...toolsOf('few', 5, 100)];
    assert.deepEqual(namesOf(offered(tools, null)), ['find_tools', ...namesOf(tools.slice(60))]);
  });

  it('are offered as far as the window has room for them, the latest ones first', () => {
    const tools = toolsOf('wide', 30, 1_000);
    const names = namesOf(tools);
    assert.equal(offered(tools, 200_000, names).length, 31);
    assert.deepEqual(namesOf(offered(tools, 8_000, names)), ['find_tools', ...names.slice(-6)]);
    assert.deepEqual(namesOf(offered(toolsOf('one', 1, 3_900), 1_000, ['mcp_one_tool_0'])), [
      'find_tools',
      'mcp_one_tool_0',
    ]);
  });

  it('keep their order, so that the beginning of the request stays the same', () => {
    const tools = toolsOf('wide', 30, 1_000);
    const one = offered(tools, 200_000, ['mcp_wide_tool_7', 'mcp_wide_tool_2']);
    const other = offered(tools, 200_000, ['mcp_wide_tool_2', 'mcp_wide_tool_7']);
    assert.deepEqual(
      one.map(({ name, description }) => [name, description]),
      other.map(({ name, description }) => [name, description]),
    );
  });

  it('are named for each server if there is no room for all names, and for fewer in a small window', () => {
    const tools = [...toolsOf('many', 300, 100), ...toolsOf('few', 9, 4_000)];
    const list = listIn(offered(tools, 200_000));
    assert.match(list, /mcp_few_tool_7, mcp_few_tool_8 and \d+ more\.$/);
    assert.ok(list.length < 4_050 && list.length > 3_900);
    const small = listIn(offered(tools, 8_000));
    assert.match(small, /^mcp_many_tool_0, .*mcp_few_tool_8 and \d+ more\.$/);
    assert.ok(small.length < 1_650 && small.length > 1_500);
  });

  describe('in plan mode, which allows only those that read', () => {
    const deferredTool = (name: string, description: string, effect?: 'reads' | 'writes'): AddedTool => ({
      ...{ name, description, parameters: { type: 'object', properties: {} }, deferred: true },
      from: { source: 'the extension Notes', tool: name, hash: '' },
      ...(effect && { effect }),
    });
    const search = deferredTool('ext_search_notes', 'Searches the notes', 'reads');
    const write = deferredTool('ext_write_note', 'Writes the notes', 'writes');
    const call = deferredTool('mcp_notes_send', 'Sends the notes');
    const planOf = (...addedTools: AddedTool[]): Event[] =>
      eventsOf(taskStarted('Plan it.', { mode: 'plan', addedTools }));
    const find = async (history: readonly Event[], query: string) => {
      const { content, details } = await findTools
        .bind({ query })
        .run({ history } as unknown as Parameters<ReturnType<Tool['bind']>['run']>[0]);
      return { content, found: details?.kind === 'tools' ? details.found : [] };
    };
    const later = 'Plan mode does not allow these tools, which you can call once the user leaves it:';

    it('are named apart from the others in the description of the search', () => {
      const [finder] = toolsOffered([findTools], 'plan', planOf(search, write, call));
      assert.match(
        finder!.description,
        new RegExp(`There are: ext_search_notes\\. ${later} ext_write_note, mcp_notes_send\\.$`),
      );
      const [without] = toolsOffered([findTools], 'plan', planOf(call));
      assert.match(without!.description, new RegExp(`call them\\. ${later} mcp_notes_send\\.$`));
      const [elsewhere] = toolsOffered(
        [findTools],
        'confirm',
        eventsOf(taskStarted('Do it.', { addedTools: [search, write, call] })),
      );
      assert.match(elsewhere!.description, /There are: ext_search_notes, ext_write_note, mcp_notes_send\.$/);
    });

    it('are offered, also those that are sent with each request', () => {
      const tools = [search, write, call].map(toolFromLog);
      const history = eventsOf(taskStarted('Plan it.', { mode: 'plan' }));
      assert.deepEqual(namesOf(toolsOffered(tools, 'plan', history)), ['ext_search_notes']);
      assert.equal(toolsOffered(tools, 'confirm', history).length, 3);
    });

    it('are found, while the others are only named', async () => {
      const all = planOf(search, write, call);
      assert.deepEqual(await find(all, 'notes'), {
        content: `You can call these tools now: ext_search_notes. ${later} ext_write_note, mcp_notes_send.`,
        found: ['ext_search_notes'],
      });
      assert.deepEqual(await find(planOf(call), 'send'), { content: `${later} mcp_notes_send.`, found: [] });
      assert.deepEqual(await find(planOf(call), 'xylophone'), {
        content: `No tool matches. ${later} mcp_notes_send.`,
        found: [],
      });
    });

    it('are recorded with what they do, so that the inspector shows what was offered', () => {
      const tools = [search, write, call].map(toolFromLog);
      assert.deepEqual(
        describeForLog(tools, null).map(({ name, effect }) => [name, effect]),
        [
          ['ext_search_notes', 'reads'],
          ['ext_write_note', 'writes'],
          ['mcp_notes_send', undefined],
        ],
      );
    });
  });
});
