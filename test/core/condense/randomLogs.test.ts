import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { pendingActions } from '../../../src/core/log/openActions';
import { toMessages, viewOf } from '../../../src/core/model/messages';
import { condenserFor } from '../../../src/core/condense/condenserFor';
import { contextFill } from '../../../src/core/condense/contextFill';
import { readEvents } from '../../../src/core/condense/readEvents';
import type { Event, NewEvent } from '../../../src/protocol/events/event';
import { refusal } from '../../support/strict/strictChat';
import { withServer } from '../../support/ask';
import { reply } from '../../support/modelServer';
import { assertAccepted, plays, revived, says } from '../agent/story';
import { calls, person, result, task, thinking } from './logs';

type Happening =
  | {
      kind: 'step';
      form: 'calls' | 'written' | 'typed';
      count: number;
      order: number;
      thinks: boolean;
      said: 'nothing' | 'during' | 'steer';
      doubled: boolean;
      refused: boolean;
      size: number;
    }
  | { kind: 'answer'; then: string }
  | { kind: 'faulty'; hides: boolean }
  | { kind: 'mode' }
  | { kind: 'crash' }
  | { kind: 'resume' }
  | { kind: 'condense'; request: boolean; keepFirst: number; window: number | null };

const happenings = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('step' as const),
        form: fc.constantFrom('calls' as const, 'calls' as const, 'written' as const, 'typed' as const),
        count: fc.integer({ min: 1, max: 4 }),
        order: fc.nat(),
        thinks: fc.boolean(),
        said: fc.constantFrom('nothing' as const, 'nothing' as const, 'during' as const, 'steer' as const),
        doubled: fc.boolean(),
        refused: fc.boolean(),
        size: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(6000)),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('answer' as const), then: fc.constantFrom('And now?', 'More.') }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('faulty' as const), hides: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('crash' as const, 'mode' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('condense' as const),
        request: fc.boolean(),
        keepFirst: fc.integer({ min: 0, max: 4 }),
        window: fc.constantFrom(null, 300, 2000),
      }),
    },
  ),
  { minLength: 3, maxLength: 30 },
);

/** Returns the log of these events as the loop would write it. `look` receives it wherever the model would be asked. */
async function logAfter(script: readonly Happening[], look: (log: readonly Event[]) => void): Promise<Event[]> {
  const log: Event[] = [];
  const put = (...events: (NewEvent | ((seq: number) => NewEvent))[]): void =>
    events.forEach(
      (event) =>
        void log.push({
          ...(typeof event === 'function' ? event(log.length) : event),
          seq: log.length,
          at: 0,
        } as Event),
    );
  let made = 0;
  put(task);
  for (const happening of script) {
    look(log);
    switch (happening.kind) {
      case 'step': {
        const ids = Array.from({ length: happening.count }, () => `c${++made}`);
        if (happening.form === 'typed') put(person('ls'));
        put(
          calls(ids, {
            ...(happening.form === 'typed' && { by: 'person' as const }),
            ...(happening.form === 'written' && { written: 'Run this.' }),
            ...(happening.thinks && { reasoning: thinking }),
          }),
        );
        ids.forEach((id, index) => {
          if (index === 0 && happening.said !== 'nothing')
            put(person(`Said with ${id}.`, happening.said === 'steer' ? { delivery: 'steer' } : {}));
          if (happening.refused)
            put(
              { type: 'confirmation_requested', actionIds: [id] },
              { type: 'confirmation_resolved', actionIds: [id], approved: false, by: 'person' },
            );
        });
        const turn = happening.order % ids.length;
        for (const id of [...ids.slice(turn), ...ids.slice(0, turn)])
          put(result(id, `[${id}]${'r'.repeat(happening.size)}`, happening.refused ? { outcome: 'rejected' } : {}));
        if (happening.doubled) put(result(ids[0]!, 'late'));
        break;
      }
      case 'answer':
        put(calls([]), person(happening.then));
        break;
      case 'faulty':
        put(calls([]), {
          type: 'feedback',
          cause: 'format_error',
          ...(happening.hides ? { text: '', hidesReply: true } : { text: 'No action was found.' }),
        });
        break;
      case 'mode':
        put(
          { type: 'settings_changed', mode: 'plan' },
          { type: 'feedback', cause: 'mode_changed', text: 'Only look from now on.' },
        );
        break;
      case 'crash':
        put(
          calls([`c${++made}`]),
          { type: 'action_started', actionId: `c${made}` },
          result(`c${made}`, `[c${made}] Unknown.`, { outcome: 'unknown' }),
        );
        break;
      case 'resume':
        put({ type: 'paused', reason: 'test' }, { type: 'resumed' });
        break;
      case 'condense': {
        if (happening.request) put({ type: 'condensation_requested' });
        const choice = {
          kind: 'summarizing',
          maxEvents: 12,
          maxWindowShare: 0.9,
          keepFirst: happening.keepFirst,
        } as const;
        const event = await condenserFor(choice, {
          model: plays(...Array.from({ length: 9 }, () => says('What was done.'))),
          contextWindow: happening.window,
        }).condense(log, new AbortController().signal);
        if (event) put(event);
      }
    }
  }
  look(log);
  return log;
}

const asRequest = (log: readonly Event[]) => ({
  model: 'm',
  messages: toMessages(log).map((message) =>
    message.role === 'assistant'
      ? { role: message.role, content: message.content, ...(message.tool_calls && { tool_calls: message.tool_calls }) }
      : message,
  ),
});

describe('a random log with condensations', () => {
  it('makes a chat that a strict provider accepts, at any point', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, (script) =>
        logAfter(script, (log) => assert.equal(refusal(asRequest(log)), undefined)).then((log) => {
          for (let length = 1; length <= log.length; length++) assertAccepted(log.slice(0, length));
        }),
      ),
      { numRuns: 300 },
    );
  });

  it('keeps the task, every pending call and unread messages', async () => {
    let condensations = 0;
    await fc.assert(
      fc.asyncProperty(
        happenings,
        async (script) =>
          void (await logAfter(script, (log) => {
            if (log.at(-1)!.type !== 'condensation') return;
            condensations++;
            const view = viewOf(log);
            assert.equal(view[0], log[0]);
            assert.deepEqual(pendingActions(view), pendingActions(log));
            const readUpTo = Math.max(0, ...log.map((event) => (event.type === 'agent_response' ? event.readUpTo : 0)));
            for (const event of log)
              if (
                (event.type === 'user_message' || (event.type === 'feedback' && event.cause === 'mode_changed')) &&
                event.seq >= readUpTo
              )
                assert.ok(view.includes(event), 'unread words were forgotten');
          })),
      ),
      { numRuns: 200 },
    );
    assert.ok(condensations > 100, `only ${condensations} condensations were looked at`);
  });

  it('keeps every result that no request has contained, and one summary', async () => {
    const seen = { unread: 0, shortened: 0 };
    await fc.assert(
      fc.asyncProperty(happenings, async (script) => {
        const log = await logAfter(script, () => {});
        const sent = new Set<string>();
        for (const [index, event] of log.entries()) {
          const texts = toMessages(log.slice(0, index + 1)).map(({ content }) => content);
          const results = log
            .slice(0, index)
            .flatMap((each) => (each.type === 'observation' && each.content !== 'late' ? [`[${each.actionId}]`] : []));
          if (event.type === 'agent_response' && event.by !== 'person') {
            const request = toMessages(log.slice(0, index)).map(({ content }) => content);
            for (const result of results) if (request.some((text) => text.includes(result))) sent.add(result);
          }
          if (event.type !== 'condensation') continue;
          for (const result of results.filter((each) => !sent.has(each))) {
            seen.unread++;
            assert.ok(
              texts.some((text) => text.includes(result)),
              `${result} was forgotten unread`,
            );
          }
          seen.shortened += event.shortened?.length ?? 0;
          assert.ok(texts.join('\n').split('This summary replaces').length <= 2, 'two summaries');
        }
      }),
      { numRuns: 300 },
    );
    assert.ok(seen.unread > 100 && seen.shortened > 5, JSON.stringify(seen));
  });

  it('keeps calls with their results and hidden replies with their feedback', async () => {
    await fc.assert(
      fc.asyncProperty(
        happenings,
        async (script) =>
          void (await logAfter(script, (log) => {
            const read = readEvents(log);
            const [asked, answered] = [new Set<string>(), new Set<string>()];
            for (const [index, event] of read.entries()) {
              if (event.type === 'agent_response') for (const { id } of event.actions) asked.add(id);
              if (event.type === 'observation') answered.add(event.actionId);
              if (event.type === 'feedback' && event.hidesReply) assert.equal(read[index - 1]?.type, 'agent_response');
            }
            assert.deepEqual(answered, asked);
          })),
      ),
      { numRuns: 200 },
    );
  });

  it('gives the same chat and context fill after reloading', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, (script) =>
        logAfter(script, () => {}).then((log) => {
          const again = revived(log);
          assert.deepEqual([toMessages(again), contextFill(again)], [toMessages(log), contextFill(log)]);
        }),
      ),
      { numRuns: 60 },
    );
  });

  it('is accepted by a server that checks every message', () =>
    withServer(
      Array.from({ length: 25 }, () => reply('Good.')),
      async (model) => {
        const logs = fc.sample(happenings, { numRuns: 25, seed: 7 });
        for (const script of logs) {
          const log = await logAfter(script, () => {});
          assert.equal(
            (await model.complete({ messages: toMessages(log), tools: [] }, new AbortController().signal)).text,
            'Good.',
          );
        }
      },
    ));
});
