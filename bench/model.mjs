// A model on 127.0.0.1 that answers at once, so that the time between its answer and the next request is the agent's
// own.
import http from 'node:http';

/** Starts the server: returns { baseUrl, play, stop }. It plays one script at a time. */
export async function startModel() {
  let current;
  const server = http.createServer((incoming, response) => {
    if (incoming.method === 'GET') {
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'loopback', object: 'model' }] }));
      return;
    }
    const pieces = [];
    incoming
      .on('data', (piece) => pieces.push(piece))
      .on('end', () => current.request(Buffer.concat(pieces), response));
  });
  server.keepAliveTimeout = 60_000;
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${server.address().port}/v1`,
    play: (...script) => (current = new Play(...script)),
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * `calls`: one { tool, input, expect } per step, where `expect` is a text that the result must contain; then comes a
 * final answer. Times are in ms of this process's clock. `onLast` is called while the agent waits for the final answer.
 * `streamed`: { text, characters, everyMs }, a final answer that arrives in pieces.
 */
class Play {
  /** For each request: the time since the previous answer; undefined for the first. */
  gaps = [];
  requestBytes = [];
  firstAt;
  problem;
  /** When the last answer was sent. */
  sentAt;
  /** True if the final answer was sent completely. */
  ended = false;

  /** `thinkMs`: how long the model takes for its first answer. */
  constructor(calls, onLast, thinkMs = 0, streamed = undefined) {
    this.calls = calls;
    this.onLast = onLast;
    this.thinkMs = thinkMs;
    this.streamed = streamed;
  }

  get done() {
    return this.requestBytes.length === this.calls.length + 1;
  }

  request(body, response) {
    const now = performance.now();
    if (isForSummary(body)) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(finalAnswer(Math.round(body.length / 4), 'What was said so far.'));
      return;
    }
    const step = this.requestBytes.push(body.length) - 1;
    this.firstAt ??= now;
    if (this.sentAt !== undefined) this.gaps.push(now - this.sentAt);
    const expected = this.calls[step - 1]?.expect;
    if (expected && !lastResult(body).includes(expected))
      this.problem ??= `The result of step ${step} does not contain “${expected}”.`;
    const last = step >= this.calls.length;
    if (last) this.onLast?.();
    const answer = () => this.#answer(response, step, body.length);
    if (step === 0 && this.thinkMs > 0) setTimeout(answer, this.thinkMs);
    else answer();
  }

  #answer(response, step, length) {
    const last = step >= this.calls.length;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const tokens = Math.round(length / 4); // A server that counts much less than was sent would be taken for one that cuts.
    if (last && this.streamed) {
      this.#stream(response, tokens);
      return;
    }
    response.end(last ? finalAnswer(tokens) : toolCall(step, this.calls[step], tokens), () => {
      this.sentAt = performance.now();
      this.ended = last;
    });
  }

  #stream(response, tokens) {
    const { text, characters, everyMs } = this.streamed;
    let sent = 0;
    const next = () => {
      const piece = text.slice(sent, sent + characters);
      if (piece === '') {
        response.end(ending('stop', tokens), () => {
          this.sentAt = performance.now();
          this.ended = true;
        });
        return;
      }
      response.write(event({ role: 'assistant', content: piece }));
      sent += characters;
      setTimeout(next, everyMs);
    };
    next();
  }
}

/** Returns whether the agent asks for a summary of the conversation, which is not a step. */
const isForSummary = (body) => body.includes('</record>');

/** Only the newest result: parsing whole requests would cost more than what is measured. */
const lastResult = (body) => JSON.parse(body.toString()).messages.at(-1).content;

const event = (delta, finish = null) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'loopback', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ending = (finish, tokens) =>
  `${event({}, finish)}data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'loopback', choices: [], usage: { prompt_tokens: tokens, completion_tokens: 5 } })}\n\ndata: [DONE]\n\n`;
const toolCall = (step, { tool, input }, tokens) =>
  event({
    role: 'assistant',
    content: '',
    tool_calls: [
      { index: 0, id: `call_${step}`, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } },
    ],
  }) + ending('tool_calls', tokens);
const finalAnswer = (tokens, words = 'Done.') => event({ role: 'assistant', content: words }) + ending('stop', tokens);
