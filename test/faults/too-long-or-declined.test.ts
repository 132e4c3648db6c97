import { strict as assert } from 'node:assert';
import { statusOf } from '../../src/core/log/status';
import { failure, raw, reply, stream, toolCall, type Answer } from '../support/modelServer';
import { overflows } from '../support/overflows';
import { withSession, type Session, lastText } from './support/session';

const look = toolCall('list_files', {});
const looks = (count: number): Answer[] =>
  Array.from({ length: count }, (_, index) => toolCall('read_file', { path: `${index}.txt` }, { usage: null }));
const files = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.txt`, `content ${index}`]));
const tooLong = failure(400, { message: 'too long', code: 'context_length_exceeded' });
const ends = ({ conversation }: Session, count: number): string[] =>
  conversation.history.slice(-count).map(({ type }) => type);
const lengths = ({ server }: Session): number[] => server.requests.map(({ body }) => body.messages.length);

describe('fault 10: a conversation that is too long', () => {
  const wordings: [string, Answer][] = [
    ...overflows.map((words): [string, Answer] => [words.slice(0, 48), failure(400, words)]),
    ['the code alone', tooLong],
    ['413', failure(413, '')],
    ['an empty 400', raw('', { status: 400 })],
    ['a 500 of llama.cpp', failure(500, 'the request exceeds the available context size')],
    ['a finish reason', reply('Half', { finish: 'model_context_window_exceeded' })],
    ['an error in the stream', stream([{ error: 'prompt is too long: 9 tokens > 8 maximum' }, '[DONE]'])],
  ];
  for (const [name, answer] of wordings) {
    it(`with the error “${name}” is condensed once and retried`, () =>
      withSession(
        [...looks(6), answer, reply('Read six files.'), reply('Done.')],
        (session) => {
          assert.deepEqual(ends(session, 3), ['condensation_requested', 'condensation', 'agent_response']);
          assert.deepEqual(
            [lastText(session), session.of('retry_scheduled').length, session.of('finished').length],
            ['Done.', 0, 0],
          );
          assert.ok(lengths(session)[8]! < lengths(session)[6]!);
          assert.match(JSON.stringify(session.server.requests[8]!.body), /Mend the roof.*Read six files/);
        },
        { files },
      ));
  }

  it('ends the run with a clear message the second time; resuming condenses once more', () =>
    withSession(
      [...looks(6), tooLong, reply('Read six files.'), tooLong],
      async (session) => {
        const { what, next } = session.problem();
        assert.match(what, /longer than the model “test-model” can read/);
        assert.match(next, /Condense/);
        assert.deepEqual(
          [session.of('finished')[0]?.cause, session.of('condensation').length],
          ['context_overflow', 1],
        );
        session.server.push(tooLong, reply('Shorter still.'), reply('Done.'));
        session.conversation.resume();
        await session.conversation.rested();
        assert.equal(lastText(session), 'Done.');
        assert.equal(session.of('condensation').length, 2);
      },
      { files },
    ));

  it('ends the run if there is nothing to condense', () =>
    withSession([tooLong, tooLong], (session) => {
      const { what, remedy } = session.problem();
      assert.match(what, /longer than the model/);
      assert.equal(remedy, 'choose_model', 'the same request would be refused again');
      assert.equal(session.server.requests.length, 2);
    }));

  it('for a model with unknown context window is condensed before it is refused', () =>
    withSession([reply('Hello.', { usage: null })], async (session) => {
      const long = (part: number): string => `Part ${part}: ${'a line of text '.repeat(15_000)}`;
      await session.say(long(1), reply('Read.', { usage: null }));
      assert.deepEqual([session.of('condensation').length, lastText(session)], [0, 'Read.']);
      await session.say(long(2), reply('Two parts of text.', { usage: null }), reply('Text.', { usage: null }));
      assert.deepEqual(
        session.of('condensation').map(({ reasons }) => reasons),
        [['tokens']],
      );
      assert.deepEqual([lastText(session), session.of('condensation_requested').length], ['Text.', 0]);
    })).timeout(60_000);

  it('ends the run at once in a profile without condensation', () =>
    withSession(
      [tooLong],
      (session) => {
        assert.match(session.problem().what, /longer than the model/);
      },
      { profile: 'mini', ends: true },
    ));
});

describe('fault 11: a server that silently truncates long conversations', () => {
  const task = `Mend the roof. ${'There are many tiles. '.repeat(2_000)}`;
  const blind = { usage: { prompt_tokens: 2_048, completion_tokens: 5 } };

  it('is reported as a warning, and the conversation is condensed before the next reply', () =>
    withSession(
      [...looks(5), toolCall('read_file', { path: '5.txt' }, blind), reply('Read six files.'), reply('Done.', blind)],
      (session) => {
        const warnings = session.of('notice').filter(({ level }) => level === 'warning');
        assert.match(warnings[0]!.text, /read about 2,000 of roughly 11,000 tokens.*truncate long conversations/);
        assert.equal(session.of('condensation_requested').filter(({ by }) => by === 'silent_truncation').length, 1);
        assert.equal(session.of('condensation').length, 1);
        assert.equal(lastText(session), 'Done.');
      },
      { task, files },
    ));

  it('is also handled when the answer was the last message, which stays the last', () =>
    withSession(
      [...looks(6), reply('Done.', blind), reply('Read six files.')],
      (session) => {
        assert.deepEqual([statusOf(session.conversation.history), lastText(session)], ['idle', 'Done.']);
        assert.match(session.of('condensation')[0]!.summary, /Read six files\./);
      },
      { task, files },
    ));
});

describe('fault 12: a declined reply', () => {
  const delta = (fields: object, finish: string | null = null): object => ({
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  });
  const declined: [string, Answer, RegExp][] = [
    ['a content filter that says nothing', reply('', { finish: 'content_filter' }), /content filter stopped the reply/],
    [
      'a content filter after some words',
      reply('The roof is', { finish: 'content_filter' }),
      /^It said: “The roof is”\.$/,
    ],
    [
      'a refusal with its own finish reason',
      reply('That is not done here.', { finish: 'refusal' }),
      /That is not done here\./,
    ],
    [
      'a refusal in the field for it',
      stream([delta({ refusal: 'That is ' }), delta({ refusal: 'not done here.' }), delta({}, 'stop'), '[DONE]']),
      /That is not done here\./,
    ],
    ['Gemini’s safety', reply('', { finish: 'safety' }), /content filter/],
  ];
  for (const [name, answer, why] of declined) {
    it(`by ${name} is shown as declined`, () =>
      withSession([look, answer], (session) => {
        const { problem } = session.of('finished')[0]!;
        assert.equal(problem?.what, 'The model declined to answer.');
        assert.match(problem.why, why);
        assert.deepEqual([session.of('feedback').length, session.server.requests.length], [0, 2]);
      }));
  }

  it('in the middle of a call does not run that call', () =>
    withSession(
      [toolCall('run_command', { command: 'touch done' }, { finish: 'content_filter' }), reply('Done.')],
      (session) => {
        assert.deepEqual(
          session.of('observation').map(({ outcome }) => outcome),
          ['error'],
        );
        assert.match(session.of('observation')[0]!.content, /content filter.*not run/);
        assert.equal(session.workspace.bytes('done'), undefined);
      },
    ));
});
