import assert from 'node:assert/strict';
import net from 'node:net';
import { chatModel } from '../../../../src/adapters/models/chat/chatModel';
import { networkProblem, retryAfterMs } from '../../../../src/adapters/models/endpoint/problems';
import type { ModelProblem, ModelProblemKind } from '../../../../src/core/ports/model';
import { commandLineAdvice } from '../../../../src/core/model/advice';
import { ask, problemFrom, question, replyTo, withServer } from '../../../support/ask';
import { overflows, statedWindows } from '../../../support/overflows';
import { failure, htmlPage, raw, reply, type Answer } from '../../../support/modelServer';

const key = 'sk-secret-0123456789/+abc';
const problemOf = (answer: Answer): Promise<ModelProblem> => problemFrom(replyTo([answer], { apiKey: key }));
/** Settings, commands and places of the editor. */
const ofTheWindow = /waymark\.|Waymark: |VS Code|the setting|the command “/;
const bad = (message: string, status = 400): Answer => failure(status, message);

describe('an error of an OpenAI-compatible server', () => {
  const table: [string, Answer, ModelProblemKind, RegExp][] = [
    [
      '401',
      failure(401, { message: 'Incorrect API key provided', code: 'invalid_api_key' }),
      'authentication',
      /Waymark: Set API Key/,
    ],
    ['403', bad('Your project may not use this', 403), 'authentication', /test-model.*Waymark: Set API Key/],
    [
      '400 for a key, as Google says it',
      bad('API key not valid. Please pass a valid API key.'),
      'authentication',
      /Waymark: Set API Key/,
    ],
    ['402', bad('Insufficient Balance', 402), 'quota', /billing/],
    [
      '429 with insufficient_quota',
      failure(429, {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        code: 'insufficient_quota',
      }),
      'quota',
      /billing/,
    ],
    ['400 for a credit balance', bad('Your credit balance is too low to access the API.'), 'quota', /billing/],
    [
      '404',
      bad('The model `test-model` does not exist', 404),
      'not_found',
      /“test-model” was not found.*Waymark: Choose Model/,
    ],
    ['404 for a path', bad('Not found', 404), 'not_found', /“test-model” was not found.*\/v1/],
    ['404 without a body', raw('', { status: 404, type: 'text/plain' }), 'not_found', /test-model/],
    [
      '400 for a model',
      failure(400, { message: 'The model `x` does not exist', code: 'model_not_found' }),
      'not_found',
      /test-model/,
    ],
    [
      '400 of Ollama for tools',
      bad('registry.ollama.ai/library/gemma3:4b does not support tools'),
      'invalid_request',
      /“test-model” cannot call tools.*set waymark\.profile to mini-text/,
    ],
    [
      '404 of OpenRouter for tools',
      bad('No endpoints found that support tool use. To learn more, visit: https://openrouter.ai/docs', 404),
      'not_found',
      /“test-model” cannot call tools.*mini-text/,
    ],
    [
      '404 of OpenRouter for the settings of the account',
      bad('No endpoints found matching your data policy. Configure: https://openrouter.ai/settings/privacy', 404),
      'not_found',
      /as the account asks.*Change what the message names/,
    ],
    [
      '400 of vLLM without a parser of calls',
      bad('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'invalid_request',
      /Tool calls are turned off.*options that it names.*mini-text/,
    ],
    [
      '400 of Azure’s content filter',
      failure(400, {
        message: 'The response was filtered due to the prompt triggering Azure OpenAI’s content management policy.',
        code: 'content_filter',
      }),
      'invalid_request',
      /content filter refused.*Rephrase/,
    ],
    ['405', htmlPage('405 Not Allowed', 405), 'not_found', /405 Not Allowed/],
    ['400', bad('messages[3]: something is wrong'), 'invalid_request', /messages\[3\]: something is wrong/],
    [
      '422 of FastAPI',
      raw(JSON.stringify({ detail: [{ loc: ['body'], msg: 'field required' }, { msg: 'wrong type' }] }), {
        status: 422,
        type: 'application/json',
      }),
      'invalid_request',
      /field required; wrong type/,
    ],
    [
      '422 of Mistral, which wraps its faults twice',
      raw(
        JSON.stringify({
          object: 'error',
          message: { detail: [{ loc: ['body', 'tools', 0, 'effect'], msg: 'Extra inputs are not permitted' }] },
        }),
        { status: 422, type: 'application/json' },
      ),
      'invalid_request',
      /tools\.0\.effect: Extra inputs are not permitted/,
    ],
    ['429', bad('Rate limit reached', 429), 'rate_limit', /Rate limit reached/],
    [
      '429 for a quota that comes back',
      failure(
        429,
        'You exceeded your current quota, please check your plan and billing details. Please retry in 34.07s.',
      ),
      'rate_limit',
      /quota/,
    ],
    [
      '429 in an array, as Google says it',
      raw('[{"error":{"code":429,"message":"Resource exhausted","status":"RESOURCE_EXHAUSTED"}}]', {
        status: 429,
        type: 'application/json',
      }),
      'rate_limit',
      /Resource exhausted/,
    ],
    ['500', bad('oops', 500), 'server', /oops/],
    ['502 as a page', htmlPage('502 Bad Gateway', 502), 'server', /502 Bad Gateway/],
    ['503', bad('overloaded', 503), 'server', /overloaded/],
    ['529', bad('overloaded', 529), 'server', /529/],
    ['408', bad('too slow', 408), 'server', /408/],
    ['407', raw('', { status: 407, type: 'text/html' }), 'invalid_request', /proxy.*http\.proxy/],
    [
      '301',
      raw('', { status: 301, headers: { location: 'https://elsewhere.example/v1' } }),
      'invalid_request',
      /elsewhere\.example.*baseUrl/,
    ],
    [
      '400 of a provider behind OpenRouter',
      failure(400, {
        message: 'Provider returned error',
        code: 400,
        metadata: { raw: '{"error":{"message":"tool ids must be short"}}' },
      }),
      'invalid_request',
      /tool ids must be short/,
    ],
  ];
  for (const [name, answer, kind, says] of table) {
    it(`with ${name} is “${kind}” and says what to do`, async () => {
      const problem = await problemOf(answer);
      assert.equal(problem.kind, kind, problem.message);
      assert.match(problem.message, says);
      assert.ok(problem.what && problem.why && problem.next);
      assert.doesNotMatch(problem.message, /!|\bI\b|An error occurred|undefined|\[object/);
    });

    it(`with ${name} mentions nothing of the VS Code window on the command line`, async () => {
      const problem = await problemFrom(replyTo([answer], { apiKey: key, advice: commandLineAdvice('MY_KEY') }));
      assert.doesNotMatch(problem.message, ofTheWindow);
      if (problem.kind === 'authentication') assert.match(problem.next, /MY_KEY.*--api-key-env/);
      if (problem.kind === 'not_found')
        assert.match(problem.next, /does not exist|No endpoints/.test(problem.why) ? /--model/ : /--model.*--base-url/);
    });
  }

  for (const words of overflows) {
    it(`that says “${words.slice(0, 48)}” is a context overflow`, async () =>
      assert.equal((await problemOf(bad(words))).kind, 'context_overflow'));
  }
  for (const [words, tokens] of statedWindows) {
    it(`that says “${words.slice(0, 90)}” names a context window of ${tokens}`, async () => {
      const problem = await problemOf(bad(words));
      assert.deepEqual([problem.kind, problem.contextWindow], ['context_overflow', tokens]);
    });
  }
  it('for a small context window advises to enlarge it on the server, not to start again', async () => {
    const small = await problemOf(bad('request (5160 tokens) exceeds the available context size (5120 tokens)'));
    assert.match(small.what, /longer than the 5,120 tokens/);
    assert.match(small.next, /16,000 tokens or more.*OLLAMA_CONTEXT_LENGTH/);
    const large = await problemOf(bad('prompt is too long: 210000 tokens > 200000 maximum'));
    assert.match(large.what, /longer than the 200,000 tokens/);
    assert.doesNotMatch(large.next, /OLLAMA/);
  });
  it('with only OpenAI’s code, status 413, llama.cpp’s 500 or an empty 400 is a context overflow', async () => {
    for (const answer of [
      failure(400, { message: 'x', code: 'context_length_exceeded' }),
      bad('', 413),
      bad('the request exceeds the available context size', 500),
      raw('', { status: 400 }),
      failure(429, {
        message: 'Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 50000.',
        code: 'rate_limit_exceeded',
      }),
    ]) {
      assert.equal((await problemOf(answer)).kind, 'context_overflow');
    }
  });
  it('that repeats text of the conversation about a context length is no context overflow', async () => {
    const input = "This model's maximum context length is 300 tokens.";
    const repeated = JSON.stringify({
      detail: [{ type: 'string_type', loc: ['body', 'stop'], msg: 'Not text', input }],
    });
    assert.equal((await problemOf(raw(repeated, { status: 422 }))).kind, 'invalid_request');
  });
  it('that merely mentions tokens is no context overflow', async () => {
    for (const words of [
      'max_tokens must be positive',
      'Rate limit reached for tokens per minute',
      'unexpected token in JSON',
    ])
      assert.notEqual((await problemOf(bad(words))).kind, 'context_overflow');
  });

  it('never shows the key, however a server echoes it', async () => {
    for (const echo of [key, encodeURIComponent(key), Buffer.from(key).toString('base64'), `Bearer ${key}`]) {
      for (const answer of [
        bad(`Incorrect API key provided: ${echo}.`, 401),
        bad(`bad ${echo}`),
        raw(`<html><title>${echo}</title></html>`, { status: 500 }),
        htmlPage(echo),
        failure(429, { message: 'x', code: echo }, { 'x-request-id': echo }),
        raw('', { status: 302, headers: { location: `https://x.example/?key=${encodeURIComponent(key)}` } }),
      ]) {
        const problem = await problemOf(answer);
        const shown = `${problem.message} ${problem.stack}`;
        for (const form of [key, encodeURIComponent(key), Buffer.from(key).toString('base64').replace(/=+$/, '')])
          assert.ok(!shown.includes(form), shown);
      }
    }
    assert.match((await problemOf(bad(`Incorrect API key provided: ${key}.`, 401))).message, /provided: \[key\]\./);
  });

  it('names the request id if the server sends one', async () =>
    assert.match((await problemOf(failure(400, 'x', { 'x-request-id': 'req_77' }))).message, /req_77/));

  it('does not affect the next request', () =>
    withServer([bad('x'), bad('x', 500), reply('fine')], async (model) => {
      await problemFrom(ask(model));
      await problemFrom(ask(model));
      assert.equal((await ask(model)).reply.text, 'fine');
    }));

  it('of the strict test server shows that it validates the chat', () =>
    withServer([reply('x')], async (model) => {
      for (const messages of [
        [...question, { role: 'tool' as const, tool_call_id: 'orphan', content: 'x' }],
        [...question, question[0]!],
        [...question, { role: 'assistant' as const, content: 'x' }],
        [],
      ]) {
        assert.equal((await problemFrom(ask(model, { messages }))).kind, 'invalid_request');
      }
    }));
});

describe('a server that cannot be reached', () => {
  const unreachable = (baseUrl: string): Promise<ModelProblem> =>
    problemFrom(ask(chatModel({ baseUrl, name: 'x', apiKey: key })));

  it('because nothing listens is a network problem that says so', async () => {
    const { port, close } = await listen(() => {});
    await close();
    const problem = await unreachable(`http://127.0.0.1:${port}/v1`);
    assert.equal(problem.kind, 'network');
    assert.match(problem.message, /connection was refused.*Start the server/);
  });

  it('because its name is unknown says which', async () => {
    const problem = await unreachable('http://no-such-host.invalid/v1');
    assert.equal(problem.kind, 'network');
    assert.match(problem.message, /no-such-host\.invalid|DNS server/);
  });

  it('because it hangs up says so', async () => {
    const { port, close } = await listen((socket) => socket.destroy());
    assert.match((await unreachable(`http://127.0.0.1:${port}/v1`)).message, /closed before a response/);
    await close();
  });

  it('because it speaks no https says so', async () => {
    const { port, close } = await listen((socket) =>
      socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).on('error', () => {}),
    );
    const problem = await unreachable(`https://127.0.0.1:${port}/v1`);
    assert.deepEqual([problem.kind, /does not use https/.test(problem.message)], ['network', true], problem.message);
    await close();
  });

  it('because it speaks no HTTP is a network problem', async () => {
    const { port, close } = await listen((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('SSH-2.0-OpenSSH\r\n'),
    );
    assert.equal((await unreachable(`http://127.0.0.1:${port}/v1`)).kind, 'network');
    await close();
  });

  const plainServer = { host: 'h', model: 'm', mask: (text: string) => text };
  for (const code of [
    'SELF_SIGNED_CERT_IN_CHAIN',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ]) {
    it(`because of ${code} names the settings for certificates, and is not tried again`, () => {
      const problem = networkProblem(Object.assign(new Error('tls'), { code }), plainServer);
      assert.match(problem.message, /certificate.*NODE_EXTRA_CA_CERTS/);
      assert.equal(problem.kind, 'invalid_request');
    });
  }

  // The last two are what Node reports if a server requires a certificate of the client, with TLS 1.3 and 1.2.
  for (const [code, message] of [
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'tls'],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'ssl3_read_bytes:tlsv13 alert certificate required'],
    ['EPROTO', 'write EPROTO 80:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure'],
  ] as const)
    it(`because the handshake of TLS fails with ${code} blames neither certificate nor address`, () => {
      const problem = networkProblem(Object.assign(new Error(message), { code }), plainServer);
      assert.match(problem.message, new RegExp(`No secure connection could be made \\(${code}\\)`));
      assert.equal(problem.kind, 'network');
    });

  it('because too many files are open names the limit, not the network', () => {
    const thrown = new Error("EMFILE: too many open files, open 'chunk.js'");
    const { message } = networkProblem(thrown, plainServer);
    assert.match(message, /Too many files are open\. Raise the limit for open files/);
    assert.doesNotMatch(message, /network/);
  });

  it('because the machine has too many open files suggests no per-program limit', () => {
    const thrown = Object.assign(new Error('open'), { code: 'ENFILE' });
    const { message } = networkProblem(thrown, plainServer);
    assert.match(message, /Too many files are open\. The whole machine has too many open: end other programs/);
    assert.doesNotMatch(message, /ulimit/);
  });

  for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EPROTO', 'CERT_HAS_EXPIRED', 'ETIMEDOUT', 'EWHATEVER']) {
    it(`because of ${code} mentions nothing of the VS Code window on the command line`, () => {
      const server = { host: 'h', model: 'm', advice: commandLineAdvice('MY_KEY'), mask: (text: string) => text };
      assert.doesNotMatch(networkProblem(Object.assign(new Error('failed'), { code }), server).message, ofTheWindow);
    });
  }
});

describe('the wait that a server asks for', () => {
  const now = Date.parse('2026-11-21T10:00:00Z');
  const table: [string, Record<string, string>, string, number | undefined][] = [
    ['seconds', { 'retry-after': '7' }, '', 7_000],
    ['parts of a second', { 'retry-after': '0.5' }, '', 500],
    ['an HTTP date', { 'retry-after': 'Sat, 21 Nov 2026 10:00:30 GMT' }, '', 30_000],
    ['an HTTP date that has passed', { 'retry-after': 'Sat, 21 Nov 2026 09:00:00 GMT' }, '', 0],
    ['milliseconds, before seconds', { 'retry-after-ms': '1500', 'retry-after': '9' }, '', 1_500],
    ['less than nothing', { 'retry-after': '-5' }, '', 0],
    [
      'OpenAI’s reset of the limit that is used up',
      {
        'x-ratelimit-reset-requests': '20ms',
        'x-ratelimit-remaining-requests': '99',
        'x-ratelimit-reset-tokens': '1m6s',
        'x-ratelimit-remaining-tokens': '0',
      },
      '',
      66_000,
    ],
    [
      'the later of two resets where none says what remains',
      { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '2.5s' },
      '',
      2_500,
    ],
    [
      'OpenRouter’s moment in milliseconds',
      { 'x-ratelimit-reset': String(now + 4_000), 'x-ratelimit-remaining': '0' },
      '',
      4_000,
    ],
    ['a moment in seconds', { 'x-ratelimit-reset': String(now / 1000 + 12) }, '', 12_000],
    ['a reset in seconds', { 'ratelimit-reset': '5' }, '', 5_000],
    ['Anthropic’s date', { 'anthropic-ratelimit-tokens-reset': '2026-11-21T10:00:09Z' }, '', 9_000],
    ['the text alone, as OpenAI says it', {}, 'Rate limit reached. Please try again in 1m2.5s. Visit …', 62_500],
    ['the text alone, in milliseconds', {}, 'Please try again in 340ms.', 340],
    ['Google’s retryDelay', {}, '{"error":{"details":[{"retryDelay":"34s"}]}}', 34_000],
    ['nothing', { 'retry-after': 'soon', 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '9' }, 'later', undefined],
  ];
  for (const [name, headers, text, expected] of table) {
    it(`is understood as ${name}`, () => assert.equal(retryAfterMs(headers, text, now), expected));
  }
  it('is passed on for the retry', async () => {
    assert.equal((await problemOf(failure(429, 'x', { 'retry-after': '3' }))).retryAfterMs, 3_000);
    assert.equal((await problemOf(failure(503, 'x', { 'retry-after-ms': '250' }))).retryAfterMs, 250);
    assert.equal((await problemOf(failure(401, 'x', { 'retry-after': '3' }))).retryAfterMs, undefined);
  });
});

async function listen(onSocket: (socket: net.Socket) => void): Promise<{ port: number; close(): Promise<void> }> {
  const server = net.createServer(onSocket);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
