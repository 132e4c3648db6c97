// Runs a whole session with every provider that the judge can play; the provider must refuse nothing.
import assert from 'node:assert/strict';
import { statusOf } from '../../../src/core/log/status';
import type { Event, EventOf } from '../../../src/protocol/events/event';
import { beginSession, forkSession, openSession, workPlace, type WorkPlace } from '../../support/realSession';
import { schemaFaults } from '../../support/strict/openAiSchemas';
import type { Judge } from '../../support/providerJudge/judgeServer';
import {
  camera,
  firstPart,
  forkedPart,
  picture,
  players,
  secondPart,
  startPlaying,
  type Playing,
  type Player,
} from '../../support/personaRun';

const repliesIn = (history: readonly Event[]): EventOf<'agent_response'>[] =>
  history.filter((event) => event.type === 'agent_response');
const outcomesIn = (history: readonly Event[]): string[] =>
  history.flatMap((event) => (event.type === 'observation' ? [event.outcome] : []));
const lastText = (history: readonly Event[]): string | undefined => repliesIn(history).at(-1)?.text;

const endOf = (history: readonly Event[]): string | undefined =>
  history.findLast((event) => event.type === 'finished')?.status;

/** Number of images in a request, in any protocol. */
const picturesIn = (body: object): number => JSON.stringify(body).split(picture.data.slice(0, 40)).length - 1;

/** Describes what went wrong if a run did not end as expected. */
function troubleIn(history: readonly Event[]): string {
  return history
    .filter(({ type }) => type === 'finished' || type === 'retry_scheduled' || type === 'notice')
    .map((event) => JSON.stringify(event))
    .join('\n');
}

/** A whole session: a first part, closed and reopened, a failure and a resume; then a fork of it. */
async function playRun(
  place: WorkPlace,
  { script, model, player }: Playing,
): Promise<{ whole: readonly Event[]; forked: readonly Event[] }> {
  place.workspace.place('a.txt', 'hello\nworld\n');
  if (place.workspace.bytes('b.txt')) place.workspace.remove('b.txt');
  script.then(...firstPart());
  const first = await beginSession(place, model, 'Look around and take a note.', {
    ...(!player.blind && { images: [picture] }),
  });
  const half = await first.rested();
  assert.equal(lastText(half), 'The first half is done.', troubleIn(half));
  assert.equal(statusOf(half), 'idle');
  await first.close();

  script.then(...secondPart());
  const second = openSession(place, model, first.file);
  second.conversation.say('Go on with this.', player.blind ? {} : { images: [picture] });
  assert.equal(endOf(await second.rested()), 'failed', 'the provider says that the key is wrong');
  await second.close();
  const third = openSession(place, model, first.file);
  third.conversation.resume();
  const whole = [...(await third.rested())];
  assert.equal(lastText(whole), 'Everything is done.', troubleIn(whole));
  await third.close();

  // Forks right after the calls of the first reply since reopening were answered, without a message between.
  const middle = whole.findLastIndex(
    (event) => event.type === 'observation' && event.seq < whole.findLastIndex(({ type }) => type === 'finished'),
  );
  script.then(...forkedPart());
  const fork = await forkSession(place, model, first.file, { seq: middle });
  const forked = [...(await fork.rested())];
  assert.equal(lastText(forked), 'Done in another way.', troubleIn(forked));
  await fork.close();

  script.then(...forkedPart());
  const other = await forkSession(place, model, first.file, { seq: middle, instruction: 'Do it in another way.' });
  assert.equal(lastText(await other.rested()), 'Done in another way.', troubleIn(other.history()));
  await other.close();
  assert.equal(script.left, 0, 'the whole script was played');
  return { whole, forked };
}

const playsOpenAi = ({ as }: Player): boolean => as === 'openai' || as === 'azure';

/** Asserts that every request fits OpenAI's own schema. */
function assertFitsSchema({ verdicts }: Judge): void {
  for (const { path, body } of verdicts)
    assert.deepEqual(schemaFaults(path.endsWith('/responses') ? 'responses' : 'chat', body), []);
}

/**
 * Asserts that only Anthropic's own protocol was used, with cache marks, and that reasoning, if any, is in the log and
 * was sent back.
 */
function assertCachesAndThinks({ verdicts }: Judge, { effort, model }: Player, whole: readonly Event[]): void {
  for (const { path, body } of verdicts) {
    assert.ok(path.endsWith('/messages'), path);
    assert.equal(JSON.stringify(body).split('"cache_control"').length - 1, body.messages!.length > 2 ? 3 : 2);
  }
  const thinks = effort !== undefined || model.includes('-5-');
  const back = verdicts.filter(({ body }) => JSON.stringify(body).includes('"signature":"seal'));
  assert.equal(back.length > 8, thinks, `${back.length} requests hold signed thinking`);
  assert.equal(
    repliesIn(whole).some(({ reasoning }) => reasoning?.text === 'Now a note.' && reasoning.detailsField === 'content'),
    thinks,
  );
  assert.equal(
    repliesIn(whole).some(({ usage }) => usage.cachedTokens === 50 && usage.inputTokens === 100),
    true,
  );
}

describe('a whole session with a provider', () => {
  let place: WorkPlace;
  before(() => {
    place = workPlace([camera]);
  });
  after(() => place.stop());

  for (const unsure of [false, true]) {
    describe(unsure ? 'as strict as anybody has seen it' : 'as it is known', () => {
      for (const player of players) {
        it(player.label, async () => {
          const playing = await startPlaying(player, unsure);
          const { judge, script } = playing;
          try {
            const { whole } = await playRun(place, playing).finally(() => assert.deepEqual(judge.refusals(), []));
            assert.ok(repliesIn(whole).length >= 12, `${repliesIn(whole).length} replies`);
            assert.deepEqual([...new Set(outcomesIn(whole))].sort(), ['error', 'ok']);
            assert.equal(
              outcomesIn(whole).filter((outcome) => outcome === 'error').length,
              2,
              'an unknown tool and broken arguments',
            );
            assert.ok(whole.some(({ type }) => type === 'condensation') && script.summaries >= 1, 'it was condensed');
            if (playsOpenAi(player)) assertFitsSchema(judge);
            assert.ok(
              judge.verdicts.some(({ body }) => picturesIn(body) >= (player.blind ? 0 : 2)),
              'pictures were sent',
            );
            if (player.as === 'anthropic-messages') assertCachesAndThinks(judge, player, whole);
            if (!player.label.includes('Responses')) return;
            assert.ok(
              judge.verdicts.every(({ path }) => path.endsWith('/responses')),
              'asked over /responses alone',
            );
          } finally {
            await judge.stop();
          }
        });
      }
    });
  }
});

/** Players whose call ids, reasoning or signatures differ from the others'. */
const unlike = [
  'openai',
  'anthropic',
  'gemini',
  'mistral',
  'cerebras',
  'deepseek',
  'minimax',
  'openrouter',
  'ollama',
  'vllm',
];

describe('a session that began with one provider', () => {
  let place: WorkPlace;
  /**
   * Each player with the log of its session, left in the middle of a turn after parallel calls, images and invalid
   * arguments.
   */
  const begun = new Map<Player, Playing & { readonly log: string }>();

  before(async function begin() {
    this.timeout(60_000);
    place = workPlace([camera]);
    place.workspace.place('a.txt', 'hello\n');
    place.workspace.place('b.txt', 'one\n');
    for (const player of players) {
      const playing = await startPlaying(player);
      // An image, a call of an unknown tool, invalid arguments; then parallel calls, after which the provider rejects
      // the key.
      const steps = firstPart();
      playing.script.then(...steps.slice(2, 6), ...steps.slice(0, 1), { kind: 'auth' });
      const session = await beginSession(place, playing.model, 'Look around.');
      assert.equal(endOf(await session.rested()), 'failed', troubleIn(session.history()));
      assert.deepEqual(playing.judge.refusals(), []);
      await session.close();
      begun.set(player, { ...playing, log: session.file });
    }
  });
  after(async () => {
    for (const { judge } of begun.values()) await judge.stop();
    await place.stop();
  });

  for (const player of players) {
    it(`continues with ${player.label}, whichever provider it began with`, async () => {
      const { judge, script, model } = begun.get(player)!;
      for (const [at, [{ label }, { log }]] of [...begun].filter(([{ as }]) => unlike.includes(as)).entries()) {
        script.then(...forkedPart());
        // Alternates between right after the results of calls, and with a user message between.
        const speaks = (at + players.indexOf(player)) % 2 === 1;
        const session = await forkSession(place, model, log, { ...(speaks && { instruction: 'Go on.' }) });
        const history = await session.rested();
        await session.close();
        assert.deepEqual(judge.refusals(), [], `begun with ${label}`);
        assert.equal(lastText(history), 'Done in another way.', `begun with ${label}: ${troubleIn(history)}`);
      }
    }).timeout(60_000);
  }
});

describe('the two protocols of a provider', () => {
  it('produce the same log', async () => {
    const place = workPlace([camera]);
    const logs: object[][] = [];
    try {
      for (const protocol of ['chat', 'responses'] as const) {
        const playing = await startPlaying({ label: '', as: 'strict', model: 'a-model', protocol });
        const { whole } = await playRun(place, playing);
        assert.deepEqual(playing.judge.refusals(), []);
        logs.push(whole.filter((event) => !isCondensedForSize(event)).map((event) => comparable(event)));
        await playing.judge.stop();
      }
    } finally {
      await place.stop();
    }
    assert.deepEqual(logs[1], logs[0]);
  });
});

/** The size of a conversation differs between protocols, because one of them keeps more of the reasoning. */
const isCondensedForSize = (event: Event): boolean =>
  (event.type === 'condensation' && event.reasons?.join() === 'tokens') ||
  (event.type === 'notice' && event.text.startsWith('The conversation could not be condensed'));

/**
 * The part of an event that must be equal for all protocols: everything but times, ids, costs, and reasoning, which one
 * of them hides.
 */
function comparable(event: Event): object {
  switch (event.type) {
    case 'task_started':
      return { type: event.type, task: event.task, images: event.images };
    case 'agent_response':
      return {
        type: event.type,
        text: event.text,
        actions: event.actions.map(({ tool, input, rawInput, problem, group }) => ({
          tool,
          input,
          rawInput,
          problem,
          group,
        })),
      };
    case 'observation':
      return { type: event.type, outcome: event.outcome, images: event.images?.length };
    case 'condensation':
      return { type: event.type, summary: event.summary, reasons: event.reasons };
    default:
      return { type: event.type };
  }
}
