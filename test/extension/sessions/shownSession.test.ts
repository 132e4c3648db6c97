import { strict as assert } from 'node:assert';
import type { LiveSession } from '../../../src/extension/sessions/liveSession';
import type { Glance } from '../../../src/extension/sessions/glance';
import type { OpenSessions } from '../../../src/extension/sessions/openSessions';
import { ShownSession } from '../../../src/extension/sessions/shownSession';
import { wordEvents } from '../../support/eventLogs';

const events = wordEvents(3);

describe('a long session that is shown but not opened', () => {
  const live = (id: string): LiveSession => ({ id, conversation: { savedHistory: events } }) as unknown as LiveSession;
  /**
   * `glances`: summaries of sessions that are available without reading them. Each session is opened when `arrive` is
   * called.
   */
  function window(glances: Readonly<Record<string, Partial<Glance>>>) {
    const arriving = new Map<string, (session: LiveSession | Error) => void>();
    const told: string[] = [];
    const sessions = {
      glance: (id: string) =>
        glances[id] && { id, facts: { status: 'idle' }, history: { length: 3, slice: () => events }, ...glances[id] },
      openSession: live,
      openStored: (id: string) =>
        new Promise((resolve, reject) =>
          arriving.set(id, (result) => {
            if (result instanceof Error) reject(result);
            else resolve(result);
          }),
        ),
    } as unknown as OpenSessions;
    const shown = new ShownSession(sessions, {
      switched: () => Promise.resolve(void told.push('switched')),
      opened: ({ anew }) => told.push(anew ? 'anew' : 'opened'),
      onProblem: (problem) => told.push((problem as Error).message),
    });
    return {
      shown,
      told,
      async arrive(id: string, result: LiveSession | Error = live(id)) {
        while (!arriving.has(id)) await new Promise(setImmediate);
        arriving.get(id)!(result);
        await new Promise(setImmediate);
      },
    };
  }

  it('is opened only when it is used', async () => {
    const { shown, told, arrive } = window({ a: {} });
    shown.switchTo('a');
    assert.deepEqual([shown.id, shown.live, shown.history.slice(0)], ['a', undefined, events]);
    const whole = shown.openedSession();
    await arrive('a');
    assert.equal((await whole)!.id, 'a');
    assert.deepEqual([shown.live?.id, shown.glance, told], ['a', undefined, ['opened']]);
  });

  it('receives a message sent to it even if another session is shown by then', async () => {
    const { shown, told, arrive } = window({ a: {} });
    shown.switchTo('a');
    const whole = shown.openedSession();
    shown.switchTo('short');
    await arrive('a');
    assert.equal((await whole)!.id, 'a');
    assert.deepEqual([shown.id, told], ['short', []]);
  });

  it('is opened automatically if little is known about it, and then shown again', async () => {
    const { shown, told, arrive } = window({ a: { isLoading: true, history: { length: 0, slice: () => [] } } });
    shown.switchTo('a');
    assert.deepEqual(shown.history.slice(0), []);
    await arrive('a');
    assert.deepEqual([shown.history.length, told], [3, ['anew']]);
  });

  it('is read completely if one of its pages cannot be read', async () => {
    const { shown, told, arrive } = window({
      a: {
        history: {
          length: 3,
          slice() {
            throw new Error('The log is damaged.');
          },
        },
      },
    });
    shown.switchTo('a');
    assert.deepEqual(shown.history.slice(0, 3), []);
    await arrive('a');
    assert.deepEqual([shown.history.slice(0, 3), told], [events, ['anew']]);
  });

  it('says why it cannot be opened', async () => {
    const { shown, told, arrive } = window({ a: { isLoading: true } });
    shown.switchTo('a');
    await arrive('a', new Error('No folder is open.'));
    assert.deepEqual([shown.live, told], [undefined, ['No folder is open.']]);
    await assert.rejects(
      Promise.all([shown.openedSession(), arrive('a', new Error('No folder is open.'))]),
      /No folder is open/,
    );
  });
});
