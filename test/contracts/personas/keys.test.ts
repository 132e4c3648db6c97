// No request contains a key that a strict provider does not know, whatever the run contains, and all requests fit
// OpenAI's published schema.
import assert from 'node:assert/strict';
import { ActiveChildren } from '../../../src/cli/run/activeChildren';
import { childrenIn } from '../../../src/cli/run/children';
import { sharedByRun } from '../../../src/cli/run/workplace';
import { statusOf } from '../../../src/core/log/status';
import type { Model } from '../../../src/core/ports/model';
import {
  samplingDefaults,
  verifierKinds,
  type SamplingSettings,
} from '../../../src/core/model/sampling/samplingSettings';
import { profiles } from '../../../src/core/profiles/profiles';
import type { Profile } from '../../../src/core/ports/profile';
import { knownToolsets } from '../../../src/core/tools/toolsets';
import type { Event } from '../../../src/protocol/events/event';
import { agreed, onMachine, stdio } from '../../adapters/mcp/support';
import { schemaFaults } from '../../support/strict/openAiSchemas';
import { call, camera, picture, thinks } from '../../support/personaRun';
import type { ChatBody } from '../../support/providerJudge/persona';
import { startJudge, type Judge, type Step } from '../../support/providerJudge/judgeServer';
import { modelFor } from '../../../src/adapters/models/models';
import {
  beginSession,
  workPlace,
  type RealSession,
  type SessionOptions,
  type WorkPlace,
} from '../../support/realSession';

const protocols = ['chat', 'responses'] as const;
type Protocol = (typeof protocols)[number];

/** Names of the tools of a request, in either protocol. */
const toolNamesIn = ({ tools = [] }: ChatBody): string[] => tools.map((tool) => (tool.function ?? tool).name as string);

/** Two calls of the first available tools, with arguments that are always invalid; then text. */
function poking(body: ChatBody, index: number): Step {
  const names = toolNamesIn(body).slice(0, 2);
  if (index > 0 || names.length === 0) return { text: 'Done.' };
  return { ...thinks('Let me try.', ...names.map((name) => call(name, { path: 'a.txt' }))), text: 'I try.' };
}

interface Asking {
  readonly judge: Judge;
  readonly model: Model;
}

async function withModel<T>(
  protocol: Protocol,
  script: (body: ChatBody, index: number) => Step,
  use: (asking: Asking) => Promise<T>,
): Promise<T> {
  const judge = await startJudge({ as: 'strict', script });
  try {
    const model = await modelFor({
      provider: 'compatible',
      baseUrl: judge.baseUrl,
      name: 'a-model',
      apiKey: 'x',
      protocol,
      contextWindow: 100_000,
    });
    return await use({ judge, model });
  } finally {
    await judge.stop();
  }
}

/** Asserts that every request was accepted, used this protocol and fits the schema. */
function assertClean({ verdicts, refusals }: Judge, protocol: Protocol, atLeast = 1): void {
  assert.deepEqual(refusals(), []);
  assert.ok(verdicts.length >= atLeast, `${verdicts.length} requests`);
  const ending = protocol === 'chat' ? '/chat/completions' : '/responses';
  for (const { path: place, body } of verdicts) {
    assert.ok(place.endsWith(ending), place);
    assert.deepEqual(schemaFaults(protocol, body), []);
  }
}

/** Toolsets available to a run without a window. */
const outsideWindows = knownToolsets
  .filter(({ tools }) => tools.length === 0 || tools.some(({ needs }) => needs === undefined))
  .map(({ name }) => name);

describe('requests contain only keys that the protocol defines', function () {
  this.timeout(60_000);
  let place: WorkPlace;
  before(() => {
    place = workPlace([camera]);
    place.workspace.place('a.txt', 'hello\n');
  });
  after(() => place.stop());

  /** Runs until the session is idle. */
  async function play(model: Model, options: SessionOptions, task = 'Try it.'): Promise<readonly Event[]> {
    const session = await beginSession(place, model, task, { images: [picture], limits: { steps: 4 }, ...options });
    const history = [...(await session.rested())];
    await session.close();
    return history;
  }

  for (const protocol of protocols) {
    for (const profile of profiles) {
      it(`${protocol}: profile ${profile.name}, every toolset`, async () => {
        // Profiles without tool calls have one tool, which is in no request.
        const sets = profile.format.kind === 'tool_calls' ? [...outsideWindows, 'all'] : profile.toolsets;
        for (const set of sets) {
          await withModel(protocol, poking, async ({ judge, model }) => {
            await play(model, { profile, toolsets: [set, 'added'] });
            assertClean(judge, protocol);
            const offered = judge.verdicts.flatMap(({ body }) => toolNamesIn(body));
            assert.equal(
              offered.includes(camera.name),
              profile.format.kind === 'tool_calls',
              `${set}: ${offered.join(', ')}`,
            );
          });
        }
      });
    }

    it(`${protocol}: MCP server tools with their pictures`, () =>
      onMachine({ '.mcp.json': { mcpServers: { notes: stdio() } } }, async ({ servers }) => {
        await agreed(servers, 'notes');
        await servers.prepare(new AbortController().signal);
        const there = workPlace(servers.tools());
        const script = (_body: ChatBody, index: number): Step =>
          index === 0
            ? thinks('', call('mcp_notes_picture'), call('mcp_notes_echo', { words: 'hello' }))
            : { text: 'Done.' };
        try {
          await withModel(protocol, script, async ({ judge, model }) => {
            const session = await beginSession(there, model, 'Look.');
            const history = await session.rested();
            await session.close();
            assertClean(judge, protocol, 2);
            assert.ok(history.some((event) => event.type === 'observation' && event.images?.length));
            assert.ok(toolNamesIn(judge.verdicts[0]!.body).includes('mcp_notes_picture'));
          });
        } finally {
          await there.stop();
        }
      }));

    it(`${protocol}: subagents`, () => {
      const script = (body: ChatBody): Step => {
        const isChild = JSON.stringify(body).includes('Task of');
        const isFirst = !JSON.stringify(body).includes('call_id');
        if (isChild || !isFirst) return { text: 'Done.' };
        return thinks(
          'Others do it.',
          call('delegate', { tasks: ['left', 'right'].map((title) => ({ title, task: `Task of ${title}.` })) }),
        );
      };
      return withModel(protocol, script, async ({ judge, model }) => {
        const profile = profiles[0]!;
        const current: { session?: RealSession } = {};
        const children = childrenIn(
          {
            file: place.newLog(),
            root: place.environment.root,
            model,
            profile,
            attended: false,
            activeChildren: new ActiveChildren(),
            shared: sharedByRun(place.environment.root),
            settings: { sandbox: 'off' },
            modelNamed: async () => model,
            profileNamed: async () => profile,
            show: () => ({}),
          },
          () => current.session?.history() ?? [],
        );
        current.session = await beginSession(place, model, 'Share it.', { children });
        const history = await current.session.rested();
        await current.session.close();
        assertClean(judge, protocol, 4);
        assert.equal(history.filter(({ type }) => type === 'child_started').length, 2);
      });
    });

    for (const kind of verifierKinds) {
      for (const useN of [true, false]) {
        it(`${protocol}: three candidates, chosen by ${kind}${useN ? ', asked for at once' : ''}`, () => {
          // Candidates differ, because equal ones are not judged. The judge's own requests contain no tools.
          const script = (body: ChatBody, index: number): Step => {
            if (body.tools === undefined) return { text: 'It does what was asked.\nREWARD: 0.5\nThe best is 1' };
            return index > 6
              ? { text: `Done ${index}.` }
              : {
                  text: `I try number ${index}.`,
                  calls: [call(index % 2 ? 'read_file' : 'list_files', { path: ['a.txt', '.', 'b.txt'][index % 3]! })],
                };
          };
          const settings: SamplingSettings = {
            ...samplingDefaults,
            candidates: 3,
            useN,
            parameters: { temperature: 1 },
            verifier: { ...samplingDefaults.verifier, kind, checklist: 'issue_progress', similarity: 1.1 },
          };
          return withModel(protocol, script, async ({ judge, model }) => {
            const history = await play(model, { sampling: { settings } });
            assertClean(judge, protocol, 3);
            assert.ok(
              history.some((event) => event.type === 'agent_response' && event.sampling),
              JSON.stringify(history.at(-1)),
            );
            const judged = judge.verdicts.some(({ body }) => body.tools === undefined);
            assert.equal(judged, kind !== 'first_valid');
          });
        });
      }
    }

    it(`${protocol}: a summary, and a last call that sums up`, async () => {
      const hermes = profiles.find(({ wrapUp }) => wrapUp)!;
      const looks = (body: ChatBody): Step =>
        body.tools === undefined
          ? { text: 'It was looked at.' }
          : thinks('', call('search_files', { pattern: 'hello' }), call('read_file', { path: 'a.txt' }));
      await withModel(protocol, looks, async ({ judge, model }) => {
        const history = await play(model, { profile: hermes, limits: { steps: 3 } });
        assertClean(judge, protocol, 4);
        assert.equal(judge.verdicts.filter(({ body }) => body.tools === undefined).length, 1);
        assert.equal(history.findLast((event) => event.type === 'finished')?.status, 'limit_exceeded');
      });
      const condensing: Profile = {
        ...profiles[0]!,
        condenser: { kind: 'summarizing', maxEvents: 12, maxWindowShare: 0, keepFirst: 2 },
      };
      const steps = (body: ChatBody, index: number): Step => {
        if (body.tools === undefined) return { text: 'It was looked at.' };
        return index > 9
          ? { text: 'Done.' }
          : thinks('', call('search_text', { pattern: `hello ${index}` }), call('list_files', { depth: index + 1 }));
      };
      await withModel(protocol, steps, async ({ judge, model }) => {
        const history = await play(model, { profile: condensing, limits: { steps: 20 } });
        assertClean(judge, protocol, 10);
        assert.ok(history.some(({ type }) => type === 'condensation'));
        assert.equal(statusOf(history), 'idle');
      });
    });
  }
});
