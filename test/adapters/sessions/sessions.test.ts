import { strict as assert } from 'node:assert';
import fs from 'node:fs';
import path from 'node:path';
import { readEventLog } from '../../../src/adapters/log/eventLog';
import { framedLine } from '../../../src/adapters/storage/frame';
import { logPages } from '../../../src/adapters/log/logPages';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import { allowRulesOf } from '../../../src/core/log/runSettings';
import { decisionOn, pendingActions } from '../../../src/core/log/openActions';
import type { Event } from '../../../src/protocol/events/event';
import { appendToJournal, journalOf } from '../../../src/adapters/checkpoints/journal';
import { sharedChanges } from '../../../src/adapters/sessions/sharedChanges';
import { agentResponse } from '../../support/newEvents';
import { temporaryLog, trustingSession, versionOne, wordEvents } from '../../support/eventLogs';

const task = trustingSession()[0]!;
const session = (count: number): Event[] => [task, ...wordEvents(count - 1, 1)];

describe('the sessions of a folder', () => {
  let place: ReturnType<typeof temporaryLog>, folder: string, sessions: Sessions;
  beforeEach(() => {
    place = temporaryLog();
    folder = path.join(place.folder, 'sessions');
    sessions = new Sessions(folder);
  });
  afterEach(() => place.stop());

  async function write(id: string, events: readonly Event[], { remembered = true } = {}): Promise<void> {
    const { store, events: before } = sessions.open(id);
    for (const event of events) store!.append(event);
    await store!.close();
    if (remembered) sessions.remember(id, [...before, ...events], store!.position);
  }
  const steps = (list = sessions.list()) => list.map(({ id, updatedAt }) => [id, updatedAt]);
  const indexFile = () => path.join(folder, 'index.jsonl');

  describe('are listed', () => {
    it('newest first, from one file', async () => {
      await write('a', session(2));
      await write('b', [...session(2), { ...wordEvents(1, 2)[0]!, at: 9 }]);
      assert.deepEqual(steps(new Sessions(folder).list()), [
        ['b', 9],
        ['a', 1],
      ]);
      for (const id of ['a', 'b']) fs.chmodSync(sessions.logOf(id), 0); // makes the logs unreadable
      assert.deepEqual(steps(new Sessions(folder).list()), [
        ['b', 9],
        ['a', 1],
      ]);
    });

    it('even if the index is missing, truncated or invalid', async () => {
      await write('a', session(2));
      await write('b', session(3));
      const right = steps();
      for (const damage of [
        () => fs.rmSync(indexFile()),
        () => fs.writeFileSync(indexFile(), 'nonsense\n{"id":5}\nnull\n'),
        () =>
          fs.writeFileSync(
            indexFile(),
            fs
              .readFileSync(indexFile(), 'utf8')
              .replaceAll('"steps":0', '"steps":{}')
              .replaceAll('"cost":null', '"cost":"free"'),
          ),
        () => fs.truncateSync(indexFile(), fs.statSync(indexFile()).size - 20),
      ]) {
        damage();
        assert.deepEqual(steps(new Sessions(folder).list()).sort(), right.sort());
        assert.deepEqual(steps().sort(), right.sort());
      }
    });

    it('without reading logs again and again if the index cannot be written', async () => {
      await write('a', session(400));
      for (let at = 0; at < 300; at++)
        fs.cpSync(path.dirname(sessions.logOf('a')), path.join(folder, `a${at}`), { recursive: true });
      fs.rmSync(indexFile());
      fs.mkdirSync(indexFile());
      let updates = 0;
      const window = new Sessions(folder, () => {
        updates++;
        setImmediate(() => window.list());
      });
      window.list();
      await new Promise((resolve) => setTimeout(resolve, 500)); // longer than an update is put off
      assert.equal(updates, 0);
    });

    it('completely after the index was lost, however many there are: at once, or in the background', async () => {
      await write('a', session(400));
      const ids = Array.from({ length: 300 }, (_, at) => `a${at}`);
      for (const id of ids) fs.cpSync(path.dirname(sessions.logOf('a')), path.join(folder, id), { recursive: true });
      const all = ['a', ...ids].sort();
      const idsIn = (list: Sessions): string[] =>
        list
          .list()
          .map(({ id }) => id)
          .sort();
      fs.rmSync(indexFile());
      assert.deepEqual(idsIn(new Sessions(folder)), all);

      fs.rmSync(indexFile());
      let updates = 0;
      const complete = new Promise<void>((resolve) => {
        const window = new Sessions(folder, () => {
          updates++;
          if (window.list().length === all.length) resolve();
        });
        assert.ok(idsIn(window).length < all.length, 'the first list does not wait for all');
      });
      await complete;
      assert.ok(updates <= 5, `${updates} updates`);
      assert.deepEqual(idsIn(new Sessions(folder)), all);
    });

    it('with their current state after a crash before the index was written', async () => {
      await write('a', session(2));
      await write('a', [{ ...wordEvents(1, 2)[0]!, at: 7 }], { remembered: false });
      assert.deepEqual(steps(new Sessions(folder).list()), [['a', 7]]);
    });

    it('in one window as another window leaves them', async () => {
      const other = new Sessions(folder);
      await write('a', session(2));
      assert.equal(other.list().length, 1);
      await write('b', session(2));
      assert.deepEqual(
        other
          .list()
          .map(({ id }) => id)
          .sort(),
        ['a', 'b'],
      );
      other.delete('a');
      assert.deepEqual(
        sessions.list().map(({ id }) => id),
        ['b'],
      );
    });

    it('while two windows change and compact the index many times', async () => {
      const other = new Sessions(folder);
      for (const id of ['a', 'b']) await write(id, session(2));
      for (let at = 0; at < 500; at++) {
        (at % 2 ? sessions : other).remember(
          at % 2 ? 'a' : 'b',
          [...session(1), { ...wordEvents(1, 1)[0]!, at }],
          undefined,
        );
      }
      assert.deepEqual(steps(), [
        ['a', 499],
        ['b', 498],
      ]);
      assert.deepEqual(steps(other.list()), [
        ['a', 499],
        ['b', 498],
      ]);
      assert.ok(fs.readFileSync(indexFile(), 'utf8').split('\n').length < 500);
    });

    it('after runs that only begin and end, without reading the other logs', async () => {
      const { store } = new Sessions(folder).begin('a');
      for (const event of session(3)) store!.append(event);
      await store!.close();
      assert.deepEqual(steps(), [['a', 1]]);
      new Sessions(folder).remember('a', session(3), store!.position);
      assert.deepEqual(steps(new Sessions(folder).list()), [['a', 1]]);
      fs.writeFileSync(sessions.logOf('a'), '');
      assert.match(new Sessions(folder).open('a').problem!, /end of this session's log is missing/);
    });

    it('from an index that stays short even if nobody lists them', async () => {
      await write('a', session(2));
      for (let at = 0; at < 6000; at++)
        new Sessions(folder).remember('a', [...session(1), { ...wordEvents(1, 1)[0]!, at }]);
      assert.deepEqual(steps(new Sessions(folder).list()), [['a', 5999]]);
      const { size } = fs.statSync(indexFile());
      assert.ok(size < 1_100_000, `${size} bytes`);
    });

    it('and can be opened even if the index cannot be written', async () => {
      await write('a', session(2));
      fs.rmSync(indexFile());
      fs.mkdirSync(indexFile());
      assert.throws(() => fs.readFileSync(indexFile()));
      const { store } = sessions.open('a');
      assert.ok(store, 'the session can be gone on with');
      await store.close();
    });
  });

  it('are read-only if the log lost its end', async () => {
    await write('a', session(3));
    const whole = fs.readFileSync(sessions.logOf('a'), 'utf8');
    fs.writeFileSync(sessions.logOf('a'), `${whole.split('\n').slice(0, 3).join('\n')}\n`);
    const { events, problem, store } = sessions.open('a');
    assert.equal(store, undefined);
    assert.match(problem!, /end of this session's log is missing/);
    assert.equal(events.length, 2);
    fs.writeFileSync(sessions.logOf('a'), whole);
    const again = sessions.open('a');
    assert.equal(again.problem, undefined);
    await again.store!.close();
  });

  describe('whose log changed', () => {
    const listed = (id: string, from = sessions) => {
      const found = from.list().find((each) => each.id === id);
      return found && [found.title, found.unsound === true];
    };
    const changes: Readonly<Record<string, (file: string, whole: string) => void>> = {
      'lost its end': (file, whole) => fs.writeFileSync(file, `${whole.split('\n').slice(0, 3).join('\n')}\n`),
      'was changed in the middle': (file, whole) => fs.writeFileSync(file, whole.replace('event 1', 'event 9')),
      'says that it is of the version that had no checks': (file) =>
        fs.writeFileSync(
          file,
          versionOne([
            { ...task, title: 'Something else' } as Event,
            ...trustingSession().slice(1),
            ...wordEvents(30, 5),
          ]),
        ),
      'is gone': (file) => fs.rmSync(file),
    };
    for (const [what, change] of Object.entries(changes)) {
      it(`because it ${what} is listed as before, with a warning, until the log is restored`, async () => {
        await write('a', session(4));
        const [file, known] = [sessions.logOf('a'), listed('a')];
        const whole = fs.readFileSync(file, 'utf8');
        assert.deepEqual(known, ['Do it.', false]);
        change(file, whole);
        fs.utimesSync(path.dirname(file), 1, 1);
        for (const from of [sessions, sessions, new Sessions(folder)])
          assert.deepEqual(listed('a', from), ['Do it.', true]);
        const { store, problem } = sessions.open('a');
        assert.deepEqual([store, problem === undefined], [undefined, false], 'it can be gone on with');
        fs.writeFileSync(file, whole);
        for (const from of [sessions, new Sessions(folder)]) assert.deepEqual(listed('a', from), ['Do it.', false]);
        const again = sessions.open('a');
        assert.equal(again.problem, undefined);
        await again.store!.close();
      });
    }

    it('after the program writing it died says so, even if it was listed since', async () => {
      await write('a', session(4));
      await write('a', wordEvents(2, 4), { remembered: false });
      sessions.list();
      const lines = fs.readFileSync(sessions.logOf('a'), 'utf8').split('\n');
      fs.writeFileSync(sessions.logOf('a'), `${lines.slice(0, 5).join('\n')}\n`);
      assert.deepEqual(
        [listed('a'), listed('a', new Sessions(folder))],
        [
          ['Do it.', true],
          ['Do it.', true],
        ],
      );
      assert.match(sessions.open('a').problem!, /end of this session's log is missing/);
    });

    it('gives a fork no consent', async () => {
      await write('a', [...trustingSession(), ...wordEvents(2, 5)]);
      const whole = fs.readFileSync(sessions.logOf('a'), 'utf8');
      fs.writeFileSync(sessions.logOf('a'), `${whole.split('\n').slice(0, 6).join('\n')}\n`);
      const { id, store } = await sessions.fork('a', 4);
      await store.close();
      const { events } = sessions.open(id);
      assert.deepEqual([allowRulesOf(events), pendingActions(events)], [[], []]);
    });
  });

  it('opened in steps have the same events as when opened at once, and let other work run', async () => {
    await write('a', [task, ...wordEvents(20_000, 1)]);
    let turns = 0;
    const others = setInterval(() => turns++, 0);
    const opened = await sessions.openInTurns('a');
    clearInterval(others);
    assert.ok(turns > 0, 'nothing else had a turn');
    await opened.store!.close();
    const atOnce = sessions.open('a');
    await atOnce.store!.close();
    assert.deepEqual(opened.events, atOnce.events);
    fs.writeFileSync(
      sessions.logOf('a'),
      fs.readFileSync(sessions.logOf('a'), 'utf8').replace('event 9000 ', 'event 9001 '),
    );
    const [slow, quick] = [await sessions.openInTurns('a'), sessions.open('a')];
    assert.deepEqual(
      [slow.problem, slow.intactCount, slow.store, slow.events.length],
      [quick.problem, quick.intactCount, undefined, 9000],
    );
    assert.deepEqual(listedTitle(sessions.list()), ['Do it.']);
  });
  const listedTitle = (list: ReturnType<Sessions['list']>) => list.map(({ title }) => title);

  describe('that are forks of others', () => {
    it('share the events without copying them', async () => {
      await write('a', session(5));
      const { id, store } = await sessions.fork('a', 2);
      for (const event of wordEvents(2, 3)) store.append({ ...event, at: 8 });
      await store.close();
      const own = fs
        .readFileSync(sessions.logOf(id), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { seq?: number });
      assert.deepEqual(
        own.map(({ seq }) => seq),
        [undefined, 3, 4],
      );
      const read = readEventLog(sessions.logOf(id));
      assert.deepEqual(read.events, [...session(3), ...wordEvents(2, 3).map((event) => ({ ...event, at: 8 }))]);
      assert.deepEqual([read.problem, read.foreign], [undefined, 0]);
      assert.deepEqual(sessions.list().find((listed) => listed.id === id)?.fork, { session: 'a', seq: 2 });
    });

    it('tell whether the session whose changes they share was deleted or is missing', async () => {
      const look = (id: string, seq: number): Event => ({
        ...agentResponse('', {
          readUpTo: seq,
          actions: [
            {
              ...{ id, tool: 'run_command', input: { command: 'x' }, summary: 'Run x', group: 0, effect: 'executes' },
              risk: { level: 'low', reasons: [] },
            },
          ],
        }),
        ...{ seq, at: seq },
      });
      await write('a', [task, look('one', 1), look('two', 2)]);
      const { id, store } = await sessions.fork('a', 2);
      await store.close();
      const file = { kind: 'file', mode: 0o644, size: 1, hash: 'h' } as const;
      appendToJournal(journalOf(sessions.logOf('a')), {
        ...{ type: 'changed', at: 1, action: 'two' },
        files: [{ path: '/w/b.txt', before: null, after: file }],
      });
      const shared = () =>
        sharedChanges(sessions.logOf(id), 1).map(({ title, files, state }) => [title, state, ...files]);
      assert.deepEqual(shared(), [['Do it.', 'listed', '/w/b.txt']]);
      sessions.delete('a');
      assert.deepEqual(shared(), [['Do it.', 'deleted', '/w/b.txt']]);
      fs.rmSync(sessions.logOf('a'));
      assert.deepEqual(shared(), [['a', 'missing']]);
    });

    it('can be forked in turn, even before the point where they began', async () => {
      await write('a', session(5));
      const first = await sessions.fork('a', 3);
      first.store.append(wordEvents(1, 4)[0]!);
      await first.store.close();
      const [second, third] = [await sessions.fork(first.id, 4), await sessions.fork(first.id, 1)];
      await Promise.all([second.store.close(), third.store.close()]);
      assert.equal(readEventLog(sessions.logOf(second.id)).events.length, 5);
      assert.deepEqual(readEventLog(sessions.logOf(third.id)).events, session(2));
      assert.deepEqual(
        sessions
          .forksOf('a')
          .map(({ id, seq }) => [id, seq])
          .sort(),
        [
          [first.id, 3],
          [third.id, 1],
        ].sort(),
      );
    });

    it('lose nothing when the original grows, and report when it was changed or deleted', async () => {
      await write('a', session(3));
      const { id, store } = await sessions.fork('a', 1);
      await store.close();
      await write('a', wordEvents(2, 3));
      assert.deepEqual(readEventLog(sessions.logOf(id)).events, session(2));
      fs.writeFileSync(sessions.logOf('a'), fs.readFileSync(sessions.logOf('a'), 'utf8').replace('event 1', 'event 9'));
      const { events, problem } = readEventLog(sessions.logOf(id));
      assert.match(problem!, /was forked from another one, whose log is damaged at event 1/);
      assert.deepEqual(events, session(1));
      fs.rmSync(sessions.logOf('a'));
      assert.match(readEventLog(sessions.logOf(id)).problem!, /was forked from another one, whose log was deleted/);
    });

    it('show the events before damage in the original, from where they can be forked', async () => {
      await write('a', session(6));
      const { id, store } = await sessions.fork('a', 4);
      store.append(wordEvents(1, 5)[0]!);
      await store.close();
      fs.writeFileSync(sessions.logOf('a'), fs.readFileSync(sessions.logOf('a'), 'utf8').replace('event 3', 'event 9'));
      const { events, problem, intactCount } = readEventLog(sessions.logOf(id));
      assert.match(
        problem!,
        /was forked from another one, whose log is damaged at event 3; the events before it are shown/,
      );
      assert.deepEqual([events, intactCount], [session(3), 3]);
      assert.deepEqual(logPages(sessions.logOf(id))?.length, 6, 'the end of it is there');
      const next = await sessions.fork(id, 2);
      await next.store.close();
      assert.deepEqual(readEventLog(sessions.logOf(next.id)).events.slice(0, 3), session(3));
    });

    for (const [what, parent] of [
      ['itself', 'session.waymark.jsonl'],
      ['a device that never ends', '/dev/zero'],
      ['a folder', '..'],
    ] as const) {
      it(`open at once if their log names as its original ${what}`, async () => {
        await write('a', session(3));
        const { id, store } = await sessions.fork('a', 1);
        await store.close();
        const [header, ...lines] = fs.readFileSync(sessions.logOf(id), 'utf8').split('\n');
        const { frame: _frame, ...object } = JSON.parse(header!) as { frame: string; parent: object };
        const forged = framedLine(
          JSON.stringify({ ...object, parent: { ...object.parent, file: parent } }),
          '',
          undefined,
        ).line;
        fs.writeFileSync(sessions.logOf(id), forged + lines.join('\n'));
        assert.match(readEventLog(sessions.logOf(id)).problem!, /was forked from another one/);
        assert.match((await sessions.openInTurns(id)).problem!, /was forked from another one/);
        assert.equal(logPages(sessions.logOf(id)), undefined);
        assert.ok(sessions.list().length >= 1);
      });
    }

    it('ask again about approved but unfinished actions, and keep allow rules', async () => {
      await write('a', trustingSession());
      const { id, store } = await sessions.fork('a', 4);
      await store.close();
      const { events } = readEventLog(sessions.logOf(id));
      assert.deepEqual(
        [pendingActions(events).length, decisionOn('a', events), allowRulesOf(events).length],
        [1, undefined, 1],
      );
    });

    it('can begin before the damage of a log, without its consent', async () => {
      await write('a', trustingSession());
      fs.writeFileSync(
        sessions.logOf('a'),
        fs.readFileSync(sessions.logOf('a'), 'utf8').replace('"approved":true', '"approved":nope'),
      );
      await assert.rejects(sessions.fork('a', 4), /damaged at event 4.*first 4 events/s);
      const { id, store } = await sessions.fork('a', 3);
      await store.close();
      const { events, problem } = readEventLog(sessions.logOf(id));
      assert.equal(problem, undefined);
      assert.deepEqual([allowRulesOf(events), pendingActions(events)], [[], []]);
    });

    it('keep shared events when the original is deleted, and nothing else of it', async () => {
      await write('a', [
        ...session(2),
        { seq: 2, at: 1, type: 'user_message', text: 'in shared.txt' },
        { seq: 3, at: 1, type: 'user_message', text: 'secret plan' },
      ]);
      fs.mkdirSync(sessions.outputsOf('a'), { recursive: true });
      for (const name of ['shared.txt', 'other.txt']) fs.writeFileSync(path.join(sessions.outputsOf('a'), name), name);
      const forks = [await sessions.fork('a', 2), await sessions.fork('a', 1)];
      for (const { store } of forks) await store.close();
      sessions.delete('a');
      assert.deepEqual(
        sessions
          .list()
          .map(({ id }) => id)
          .sort(),
        forks.map(({ id }) => id).sort(),
      );
      fs.rmSync(indexFile());
      assert.equal(new Sessions(folder).list().length, 2);
      assert.equal(readEventLog(sessions.logOf(forks[0]!.id)).events.length, 3);
      assert.doesNotMatch(fs.readFileSync(sessions.logOf('a'), 'utf8'), /secret plan/);
      assert.deepEqual(fs.readdirSync(sessions.outputsOf('a')), ['shared.txt']);
      sessions.delete(forks[0]!.id);
      assert.equal(readEventLog(sessions.logOf(forks[1]!.id)).events.length, 2);
      sessions.delete(forks[1]!.id);
      assert.deepEqual(fs.readdirSync(folder), ['index.jsonl']);
    });
  });

  it('ignore the stored summary of a long log if it was changed', async () => {
    await write('a', session(2));
    const facts = { status: 'idle', title: 'Do it.', spent: { steps: 3, cost: null }, model: { name: 'm' } };
    sessions.keepFacts('a', { size: 5, hash: 'x' }, facts);
    assert.deepEqual(new Sessions(folder).factsOf('a'), { end: { size: 5, hash: 'x' }, facts });
    const file = path.join(folder, 'a', 'facts.json');
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('Do it.', 'Done.'));
    assert.equal(sessions.factsOf('a'), undefined);
    fs.writeFileSync(file, '{"end":{"size":5,"hash":"x"},"facts":{}}');
    assert.equal(sessions.factsOf('a'), undefined);
  });

  it('cannot be deleted while another window has them open', async () => {
    await write('a', session(2));
    const { store } = sessions.open('a');
    assert.throws(() => sessions.delete('a'), /open in another window/);
    await store!.close();
    sessions.delete('a');
    assert.deepEqual(sessions.list(), []);
  });
});
