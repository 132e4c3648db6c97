import { strict as assert } from 'node:assert';
import { profileNamed, withTemplates } from '../../../../src/core/profiles/profiles';
import { observationText, actionOutput, truncateMiddle } from '../../../../src/core/profiles/templates/observation';
import type { EventOf } from '../../../../src/protocol/events/event';
import { run } from './facts';

type Observed = Pick<EventOf<'observation'>, 'outcome' | 'content' | 'details'>;

function ran(
  output: string,
  ending: Partial<Extract<NonNullable<Observed['details']>, { kind: 'command' }>> = {},
  words = 'exit code 0',
): Observed {
  const details = {
    kind: 'command' as const,
    end: 'exited' as const,
    exitCode: 0,
    durationMs: 1,
    cwd: '/',
    tty: false,
    outputBytes: Buffer.byteLength(output),
    outputCharacters: output.length,
    ...ending,
  };
  const outcomeInTime = details.exitCode === 0 ? 'ok' : 'error';
  const outcome = details.end === 'timed_out' ? 'timeout' : outcomeInTime;
  return { outcome, content: `${output === '' || output.endsWith('\n') ? output : `${output}\n`}[${words}]`, details };
}

const timedOut = (output: string) =>
  ran(output, { end: 'timed_out', exitCode: null }, 'ended after 30 s without finishing');
const told = (profile: string, result: Observed) =>
  observationText(profileNamed(profile), result, 'make', run({ profile: profileNamed(profile) }));
const asJson = async (result: Observed) => JSON.parse(await told('mini', result)) as Record<string, unknown>;

describe('an observation in the words of a profile', () => {
  it('is JSON for mini: code and output', async () => {
    assert.equal(
      await told('mini', ran("it's <b> & é\n", { exitCode: 2 })),
      '{"returncode": 2, "output": "it\\u0027s \\u003cb\\u003e \\u0026 \\u00e9\\n"}',
    );
  });

  it('is whole below 10,000 characters', async () => {
    assert.deepEqual(await asJson(ran('x'.repeat(9_999))), { returncode: 0, output: 'x'.repeat(9_999) });
  });

  for (const [length, elided] of [
    [10_000, 0],
    [10_001, 1],
    [12_345, 2_345],
  ] as const) {
    it(`of ${length} characters is head and tail with ${elided} left out`, async () => {
      const text = 'h'.repeat(5_000) + 'm'.repeat(elided) + 't'.repeat(5_000);
      assert.equal(text.length, length);
      const { output, warning, ...rest } = await asJson(ran(text));
      assert.deepEqual(rest, {
        returncode: 0,
        output_head: 'h'.repeat(5_000),
        elided_chars: elided,
        output_tail: 't'.repeat(5_000),
      });
      assert.equal(output, undefined);
      assert.match(String(warning), /too long/);
      const tags = await told('mini-text', ran(text));
      assert.match(tags, new RegExp(`<elided_chars>\\n${elided} characters left out\\n</elided_chars>`));
      assert.ok(
        tags.includes(`<output_head>\n${'h'.repeat(5_000)}\n</output_head>`) &&
          tags.includes(`<output_tail>\n${'t'.repeat(5_000)}\n</output_tail>`),
      );
    });
  }

  it('counts characters, not the halves of an emoji', async () => {
    assert.equal((await asJson(ran('😀'.repeat(9_999)))).elided_chars, undefined);
    const { output_head: head, elided_chars: elided } = await asJson(ran('😀'.repeat(10_001)));
    assert.deepEqual([head, elided], ['😀'.repeat(5_000), 1]);
  });

  it('tells how much was left out of output that the terminal had shortened already', async () => {
    const { elided_chars: elided } = await asJson(
      ran('x'.repeat(16_000), { outputBytes: 1_000_000, fullOutput: 'full.txt' }),
    );
    assert.equal(elided, 990_000);
  });

  it('says in JSON that a command timed out, with what it had printed', async () => {
    assert.deepEqual(await asJson(timedOut('half')), {
      returncode: -1,
      output: 'half',
      exception_info: 'The command timed out: ended after 30 s without finishing',
    });
  });

  it('is tags for the text modes', async () => {
    assert.equal(await told('mini-text', ran('one\n')), '<returncode>0</returncode>\n<output>\none\n</output>');
    assert.equal(
      await told('mini-xml', timedOut('half\n')),
      '<exception>The command timed out: ended after 30 s without finishing</exception>\n<returncode>-1</returncode>\n<output>\nhalf\n</output>',
    );
  });

  it('has words of its own for time-outs in mini-v1, with the command and what it had printed', async () => {
    const text = await told('mini-v1', timedOut('half'));
    assert.match(text, /<command>make<\/command> ran out of time/);
    assert.match(text, /<output>\nhalf\n<\/output>/);
    assert.match(await told('mini-v1', ran('x')), /^<returncode>0/);
  });

  it('is the tool’s own text where the profile has no template', async () => {
    assert.equal(await told('waymark', { outcome: 'ok', content: 'Read 3 lines.' }), 'Read 3 lines.');
  });

  it('takes results of other tools as output', () => {
    assert.deepEqual(actionOutput({ outcome: 'error', content: 'No such file.' }), {
      output: 'No such file.',
      characters: 13,
      returncode: 1,
      exception_info: '',
      full_output: '',
    });
  });

  it('tells of what did not run why it did not', () => {
    assert.deepEqual(actionOutput({ outcome: 'rejected', content: 'The user refused this action.' }), {
      output: '',
      characters: 0,
      returncode: -1,
      exception_info: 'The user refused this action.',
      full_output: '',
    });
  });

  it('names file, line and variable of a template that breaks', async () => {
    const profile = withTemplates(
      profileNamed('mini'),
      { observation: '\n{{ output.stdout }}' },
      { observation: 'profiles/mini.observation.jinja' },
    );
    await assert.rejects(
      observationText(profile, ran('x'), 'ls', run()),
      /^TemplateProblem: profiles\/mini\.observation\.jinja, line 2: The variable output\.stdout does not exist\./,
    );
    await assert.rejects(
      observationText({ ...profile, sources: {} }, ran('x'), 'ls', run()),
      /^TemplateProblem: profile mini, template observation, line 2: /,
    );
  });

  it('is shortened without a template at the same places', () => {
    const truncation = { limit: 10, head: 3, tail: 2 };
    assert.equal(truncateMiddle('123456789', truncation), '123456789');
    assert.equal(truncateMiddle('1234567890', truncation), '123\n[5 characters left out: the output is too long]\n90');
    assert.equal(truncateMiddle('x'.repeat(50_000), undefined).length, 50_000);
  });
});
