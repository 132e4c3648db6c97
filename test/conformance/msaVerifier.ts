import { strict as assert } from 'node:assert';
import type { Model, ModelReply } from '../../src/core/ports/model';
import {
  samplingDefaults,
  type SamplingSettings,
  type VerifierSettings,
} from '../../src/core/model/sampling/samplingSettings';
import { conforms } from './support/conforms';
import { call, plays, says } from './support/script';
import { assertAccepted, ending, ofType, replies, submitting } from './support/telling';
import type { Run, World } from './support/world';

const acts = (command: string, text = 'Thinking.'): ModelReply => says(text, call('bash', { command }));
const done = acts(submitting('done'));

interface Sampled extends Partial<Omit<SamplingSettings, 'verifier'>> {
  readonly actor: Model;
  readonly judge?: Model;
  readonly verifier?: Partial<VerifierSettings>;
  readonly steps?: number;
}

/** The candidates of these cases are short, so the gate is off unless a case is about it. */
const begin = async (
  world: World,
  { actor, judge, verifier = {}, steps = 0, candidates = 2, ...settings }: Sampled,
): Promise<Run> =>
  world.begin({
    profile: 'mini',
    model: actor,
    limits: { steps, cost: 0, seconds: 0 },
    parts: {
      sampling: {
        settings: {
          ...samplingDefaults,
          candidates,
          ...settings,
          verifier: { ...samplingDefaults.verifier, similarity: 2, ...verifier },
        },
        ...(judge && { verifierModel: judge }),
      },
    },
  });

const samplingIn = ({ conversation: { history } }: Run, step = 0) => ofType(history, 'agent_response')[step]!.sampling!;

describe('as in the fork of mini-swe-agent that asks for candidates', () => {
  conforms(
    'MSA-V1',
    'of two candidates, the second counts if the first contains no action, and both are in the log',
    async (world) => {
      const run = await (
        await begin(world, { actor: plays(says('Only words.'), acts('touch made'), done, done) })
      ).go();
      const { chosen, by, candidates } = samplingIn(run);
      assert.deepEqual(
        [chosen, by, candidates.map(({ text }) => text), candidates.map(({ problem }) => problem === undefined)],
        [1, 'first_valid', ['Only words.', 'Thinking.'], [false, true]],
      );
      assert.deepEqual(
        [ending(run.conversation.history).status, run.workspace.names(), replies(run.conversation.history)],
        ['submitted', ['made'], 2],
      );
      assertAccepted(run.conversation.history);
    },
  );

  conforms(
    'MSA-V2',
    'rewards of 0.2 and 0.9 choose the second candidate, and a candidate without a score is skipped',
    async (world) => {
      const judge = plays(
        says('Weak.\nREWARD: 0.2'),
        says('Strong.\nREWARD: 0.9'),
        says('I cannot say.'),
        says('REWARD: -1'),
      );
      const run = await (
        await begin(world, {
          actor: plays(acts('touch first'), acts('touch second'), acts('touch third'), done),
          judge,
          parallel: 1,
          verifier: { kind: 'reward_model' },
        })
      ).go();
      assert.deepEqual(
        [samplingIn(run).chosen, samplingIn(run).by, samplingIn(run).candidates.map(({ score }) => score)],
        [1, 'reward_model', [0.2, 0.9]],
      );
      assert.deepEqual(
        [samplingIn(run, 1).chosen, samplingIn(run, 1).candidates.map(({ score }) => score)],
        [1, [null, -1]],
      );
      assert.deepEqual([ending(run.conversation.history).status, run.workspace.names()], ['submitted', ['second']]);
    },
  );

  conforms(
    'MSA-V3',
    'the last number in the judge’s text counts, from 1; an unusable answer falls back, with a notice',
    async (world) => {
      const judge = plays(
        says('Candidate 1 looks 2 times longer, so the best one is 2.'),
        says('All are bad.'),
        says('Number 7.'),
      );
      const actor = plays(
        acts('touch a'),
        acts('touch b'),
        says('Only words.'),
        acts('touch c'),
        acts(submitting('done'), 'First.'),
        acts('touch d', 'Second.'),
      );
      const run = await (await begin(world, { actor, judge, verifier: { kind: 'llm', fallback: 'first_valid' } })).go();
      assert.deepEqual(
        [0, 1, 2].map((step) => [samplingIn(run, step).chosen, samplingIn(run, step).fallback]),
        [
          [1, undefined],
          [1, 'first_valid'],
          [0, 'first_valid'],
        ],
      );
      assert.deepEqual([ending(run.conversation.history).status, run.workspace.names()], ['submitted', ['b', 'c']]);
      const asked = judge.requests[0]!.messages.at(-1)!.content;
      assert.match(asked, /Candidate 1[\s\S]*touch a[\s\S]*Candidate 2[\s\S]*touch b/);
    },
  );

  conforms('MSA-V4', 'a step limit counts the executed steps, a cost limit every call', async (world) => {
    const judge = plays(...Array.from({ length: 2 }, () => says('1')));
    const actor = plays(...Array.from({ length: 6 }, (_, index) => acts(`echo ${index}`)));
    const run = await (await begin(world, { actor, judge, steps: 2, candidates: 3, verifier: { kind: 'llm' } })).go();
    const { history } = run.conversation;
    assert.deepEqual(
      [ending(history).cause, replies(history), actor.requests.length, judge.requests.length],
      ['steps', 2, 6, 2],
    );
    assert.deepEqual(
      ofType(history, 'agent_response').map(({ usage }) => usage.cost),
      [4, 4],
      'three candidates and a judge at a dollar each',
    );
    assert.deepEqual(
      ofType(history, 'agent_response').map(({ sampling }) => sampling!.verifierUsage?.cost),
      [1, 1],
      'what judging cost is told apart',
    );
  });

  conforms('MSA-V5', 'equal candidates are not judged: one is drawn, the same one for the same seed', async (world) => {
    const alike = () =>
      plays(
        ...['Now I look at it.', 'I look at it now.', 'it, now: I look at'].map((text) => acts('touch same', text)),
        acts(submitting('done'), 'a b c'),
        acts('echo x y z', 'd e f'),
        acts('cat u v w', 'g h i'),
      );
    const chosen: number[] = [];
    for (const judge of [plays(says('1')), plays(says('1'))]) {
      const run = await (
        await begin(world, {
          actor: alike(),
          judge,
          candidates: 3,
          verifier: { kind: 'llm', similarity: 0.9, seed: 5 },
        })
      ).go();
      assert.deepEqual(
        [samplingIn(run).by, samplingIn(run, 1).by, judge.requests.length],
        ['similarity_gate', 'llm', 1],
      );
      assert.equal(ending(run.conversation.history).status, 'submitted');
      chosen.push(samplingIn(run).chosen);
    }
    assert.equal(chosen[0], chosen[1]);
  });

  conforms(
    'MSA-V6',
    'the judge’s checklist is written once per run, is part of every judgement and counts as cost',
    async (world) => {
      const judge = plays(
        says('Here it is:\n- The bug is shown.\n2. The cause is found.\n* The test passes.'),
        says('1'),
        says('1'),
        says('1'),
      );
      const actor = plays(...['a', 'b', 'c', 'd'].map((name) => acts(`echo ${name}`)), done, acts('echo e'));
      const run = await (
        await begin(world, { actor, judge, verifier: { kind: 'llm', checklist: 'issue_progress' } })
      ).go();
      const { history } = run.conversation;
      const items = ['The bug is shown.', 'The cause is found.', 'The test passes.'];
      assert.deepEqual(
        [ending(history).status, judge.requests.length, judge.requests[0]!.messages.at(-1)!.content.includes('Do it.')],
        ['submitted', 4, true],
      );
      for (const request of judge.requests.slice(1))
        for (const item of items) assert.ok(request.messages.at(-1)!.content.includes(item));
      assert.deepEqual(
        [0, 1, 2].map((step) => [samplingIn(run, step).checklist, samplingIn(run, step).verifierUsage?.cost]),
        [
          [items, 2],
          [undefined, 1],
          [undefined, 1],
        ],
      );

      const off = plays(says('1'));
      await (await begin(world, { actor: plays(done, acts('echo f')), judge: off, verifier: { kind: 'llm' } })).go();
      assert.equal(off.requests.length, 1, 'off unless it is wanted');
    },
  );
});
