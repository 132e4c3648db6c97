import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { openEventLog } from '../../../src/adapters/log/eventLog';
import { pastSessions, sessionsThatSay } from '../../../src/adapters/sessions/pastSessions';
import { Sessions } from '../../../src/adapters/sessions/sessions';
import { sessionSearch } from '../../../src/core/tools/hermes/sessionSearch';
import type { Event, EventOf, NewEvent } from '../../../src/protocol/events/event';
import { temporaryFolder } from '../../contracts/terminal.contract';
import { toolBench, type ToolBench } from '../../support/toolBench';
import { agentResponse, taskStarted } from '../../support/newEvents';

const signal = new AbortController().signal;
const reply = (text: string): NewEvent => agentResponse(text, { readUpTo: 0, firstTokenMs: null });

describe('earlier sessions', () => {
  let sessions: Sessions;
  let bench: ToolBench;
  let day = 0;

  const add = async (
    id: string,
    task: string,
    more: NewEvent[] = [],
    began: Partial<EventOf<'task_started'>> = {},
  ): Promise<void> => {
    day++;
    const { store } = openEventLog(sessions.logOf(id));
    const started = taskStarted(task, {
      title: `Title of ${id}`,
      systemPrompt: 'The system prompt says zebra.',
      ...began,
    });
    [started, ...more].forEach((event, seq) => store!.append({ ...event, seq, at: Date.UTC(2026, 0, day) } as Event));
    await store!.close();
  };

  beforeEach(async () => {
    day = 0;
    sessions = new Sessions(temporaryFolder());
    bench = toolBench(undefined, undefined, { pastSessions: pastSessions({ sessions, cwd: '/work', except: 'now' }) });
    await add('one', 'Fix the parser of dates', [
      reply('The time zone was lost in parseDate.'),
      { type: 'user_message', text: 'And leap years in the parser?' },
      { type: 'finished', status: 'submitted', summary: 'Leap years work.' },
    ]);
    await add('two', 'Write a README', [
      { type: 'observation', actionId: 'x', outcome: 'ok', content: 'A file with the parser in it.' },
    ]);
    await add('three', 'Another parser', [reply(`${'words '.repeat(300)}the needle is here${' more'.repeat(300)}`)]);
    await add('elsewhere', 'The parser of another folder', [], { cwd: '/other' });
    await add('child', 'The parser for a parent', [], { parent: { session: 'one', actionId: 'a' } });
    await add('now', 'The parser of this very session');
  });
  afterEach(() => bench.stop());
  const find = async (query: string, limit?: number) =>
    (await bench.use(sessionSearch, { query, ...(limit && { limit }) })).content;

  it('are found by what was said in them, newest first, with the passage around it', async () => {
    const all = async (text: string) => {
      const list: { readonly id: string; readonly passage: string }[] = [];
      for await (const each of sessionsThatSay(text, sessions)) list.push(each);
      return list;
    };
    const found = await all(' NEEDLE is ');
    assert.deepEqual(
      found.map(({ id }) => id),
      ['three'],
    );
    assert.match(found[0]!.passage, /^….*words the needle is here more.*…$/);
    const ids = async (text: string) => (await all(text)).map(({ id }) => id);
    assert.deepEqual(await ids('parser'), ['now', 'child', 'elsewhere', 'three', 'one']);
    assert.deepEqual(await ids('zebra'), [], 'what only the program wrote is not searched');
    fs.rmSync(sessions.logOf('one'));
    assert.deepEqual(await ids('leap years'), []);
  });

  it('say a text across a line break, and in a log of any length, until the search is stopped', async () => {
    await add('broken', 'Nothing', [reply('The lock is\n  a  bicycle "lock".')]);
    const long = 'x'.repeat(1000);
    await add('long', 'Nothing', [
      ...Array.from({ length: 70 }, () => reply(long.repeat(1000))),
      reply('The end is a bicycle "lock", too.'),
    ]);
    assert.ok(fs.statSync(sessions.logOf('long')).size > 64 * 1024 * 1024);
    // A long log is listed once it was read in the background.
    while (!sessions.list().some(({ id }) => id === 'long')) await new Promise((resolve) => setTimeout(resolve, 20));
    const progress: number[] = [];
    const stop = new AbortController();
    const found: string[] = [];
    const search = { signal: stop.signal, onProgress: (done: number) => void progress.push(done) };
    for await (const { id, passage } of sessionsThatSay('is a bicycle  "LOCK"', sessions, search)) {
      found.push(id);
      assert.match(passage, /is a bicycle "lock"/);
      if (id === 'broken') stop.abort();
    }
    assert.deepEqual(
      [found, progress],
      [
        ['long', 'broken'],
        [1, 2],
      ],
    );
  });

  it('are found by all words of a message, in any case, best matches first', async () => {
    const text = await find('PARSER');
    assert.deepEqual(
      [...text.matchAll(/session (\w+)\)/g)].map(([, id]) => id),
      ['one', 'three'],
    );
    assert.match(
      text,
      /Title of one \(2026-01-01 00:00 UTC, session one\)\n {2}User: Fix the parser of dates\n {2}User: And leap years in the parser\?/,
    );
    assert.match(await find('zone parsedate'), /Agent: The time zone was lost/);
    assert.equal(await find('zone leap'), 'No earlier session contains that.');
    assert.match(await find('"leap years"'), /session one/);
    assert.equal(await find('"years leap"'), 'No earlier session contains that.');
  });

  it('exclude other folders, subagents and this session; outputs and system prompts are not searched', async () => {
    for (const query of ['"another folder"', '"for a parent"', '"very session"', '"with the parser in it"', 'zebra'])
      assert.equal(await find(query), 'No earlier session contains that.', query);
  });

  it('are shown as short excerpts around the words', async () => {
    const text = await find('needle');
    assert.match(text, /…[^…]*the needle is here[^…]*…/);
    assert.ok(text.length < 700, `${text.length}`);
  });

  it('are the latest ones if there is no query', async () => {
    assert.deepEqual(
      [...(await find('', 2)).matchAll(/session (\w+)\)/g)].map(([, id]) => id),
      ['three', 'two'],
    );
    assert.equal([...(await find('parser', 1)).matchAll(/session \w+\)/g)].length, 1);
  });

  it('are shown without secrets', async () => {
    await add('secret', `Use the key sk-${'a1b2c3d4'.repeat(4)} for the vault`);
    const text = await find('vault');
    assert.match(text, /Use the key \[masked secret\] for the vault/);
  });

  it('are found despite a damaged or empty log', async () => {
    fs.appendFileSync(sessions.logOf('one'), '{"seq":4,"at":1,"type":"user_message","te');
    fs.mkdirSync(path.dirname(sessions.logOf('empty')));
    fs.writeFileSync(sessions.logOf('empty'), '');
    assert.match(await find('leap'), /session one/);
  });

  it('are searched until the search is stopped', async () => {
    await assert.rejects(
      pastSessions({ sessions, cwd: '/work', except: '' }).search(
        { words: ['parser'], maxSessions: 3 },
        AbortSignal.abort(),
      ),
      /abort/i,
    );
    assert.equal(
      (await pastSessions({ sessions, cwd: '/nowhere', except: '' }).search({ words: [], maxSessions: 3 }, signal))
        .sessions.length,
      0,
    );
  });

  it('cannot be searched if none are kept', async () => {
    const without = toolBench();
    assert.match((await without.use(sessionSearch, {})).content, /cannot be searched/);
    without.stop();
  });
});
