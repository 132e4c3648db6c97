// Plays a provider on 127.0.0.1 and judges each request by what is known about that provider:
//   const judge = await startJudge({ as: 'mistral', script: [{ calls: [{ name: 'read_file', args: { path: 'a' } }] }, { text: 'Done.' }] });
//   … judge.baseUrl … assert.deepEqual(judge.refusals(), []); await judge.stop();
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { refuseUnknownOf, unknownKeys } from './knownKeys';
import type {
  ChatBody,
  FailureKind,
  GivenReply,
  GivenThought,
  JudgeContext,
  JudgedProtocol,
  MadeCall,
  Persona,
  Refusal,
  ScriptedReply,
} from './persona';
import { personaNamed } from './personas';
import { openai } from './personas/openai';
import { strict } from './personas/strict';
import { messageEvents } from './messagesStream';
import { judgeResponses, refuseResponsesKeys } from './responsesRules';
import { responseEvents } from './responsesStream';
import { randomWord } from './stream';

/** A failure, in the provider's words or in the given ones. */
interface ScriptedFailure {
  readonly status?: number;
  readonly kind?: FailureKind;
  readonly message?: string;
}

export type Step = ScriptedReply | ScriptedFailure;

export interface JudgeOptions {
  /** Name of a persona. */
  readonly as: string;
  /** One step per accepted request, then "Done."; or a function that returns the step for a body and index. */
  readonly script?: readonly Step[] | ((body: ChatBody, index: number) => Step);
  /** Also applies rules that were observed only once or may be outdated. */
  readonly unsure?: boolean;
}

interface Verdict {
  readonly path: string;
  readonly verdict: 'accepted' | 'refused' | 'scripted failure';
  readonly body: ChatBody;
  readonly headers: http.IncomingHttpHeaders;
  /** The refusal, if the request was refused. */
  readonly answer?: Refusal;
}

export interface Judge {
  /** "http://127.0.0.1:PORT/v1" */
  readonly baseUrl: string;
  readonly verdicts: readonly Verdict[];
  /** Returns the message of each refusal. */
  refusals(): string[];
  stop(): Promise<void>;
}

export async function startJudge({ as, script = [], unsure = false }: JudgeOptions): Promise<Judge> {
  const persona = personaNamed(as);
  const seals = new Set<string>();
  const given = new Map<string, GivenReply>();
  const thoughts = new Map<string, GivenThought>();
  const verdicts: Verdict[] = [];
  let played = 0;

  const nextStep = (body: ChatBody): Step => {
    const index = played++;
    const step = typeof script === 'function' ? script(body, index) : script[index];
    return step ?? { text: 'Done.' };
  };

  const server = http.createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming
      .on('data', (piece: Buffer) => pieces.push(piece))
      .on('end', () => {
        const url = new URL(incoming.url ?? '', 'http://localhost');
        const send = ({ status, body }: Refusal): void =>
          void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        if (incoming.method === 'GET' && url.pathname.endsWith('/models'))
          return send({ status: 200, body: { object: 'list', data: [] } });
        const protocol = protocolAt(url);
        if (!protocol || !persona.protocols.includes(protocol))
          return send({ status: 404, body: openai.error(`Unknown path ${url.pathname}`) });
        const body = parsed(Buffer.concat(pieces));
        if (!body)
          return send({ status: 400, body: persona.error('We could not parse the JSON body of your request.') });

        const context: JudgeContext = { unsure, seals, given, thoughts, url, headers: incoming.headers };
        const refused = refusalOf(persona, protocol, body, context);
        const step: Step = refused ? {} : nextStep(body);
        const answer = refused ?? (isFailure(step) ? failureOf(persona, step) : undefined);
        const scripted = answer ? 'scripted failure' : 'accepted';
        const verdict = refused ? 'refused' : scripted;
        verdicts.push({ path: url.pathname, verdict, body, headers: incoming.headers, ...(answer && { answer }) });
        if (answer) return send(answer);

        const reply = step as ScriptedReply;
        const calls = madeCalls(persona, reply);
        const note = (more: GivenReply): void => {
          for (const { id } of calls) given.set(id, { ...given.get(id), ...more });
        };
        note({ reasoning: reply.reasoning });
        const facts = {
          model: body.model ?? 'm',
          calls,
          wantsUsage: body.stream_options?.include_usage === true,
          sign() {
            const seal = `seal${randomWord(32)}`;
            seals.add(seal);
            return seal;
          },
          keepDetails: (details: readonly Record<string, any>[]) => note({ details }),
        };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        if (protocol === 'responses') return response.end(namedEvents(responseEvents(reply, facts)));
        if (protocol === 'messages') return response.end(namedEvents(messageEvents(reply, facts, body, thoughts)));
        const chunks = persona.chunks(reply, facts).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
        return response.end([...chunks, 'data: [DONE]\n\n'].join(''));
      });
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    verdicts,
    refusals: () =>
      verdicts
        .filter(({ verdict }) => verdict === 'refused')
        .map(({ answer }) => `${answer!.status} ${JSON.stringify(answer!.body)}`),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns the provider's refusal of a request, or undefined. */
function refusalOf(
  persona: Persona,
  protocol: JudgedProtocol,
  body: ChatBody,
  context: JudgeContext,
): Refusal | undefined {
  if (protocol === 'responses') return persona === strict ? refuseResponsesKeys(body) : judgeResponses(body, context);
  const strangers = persona.keys ? unknownKeys(persona.keys, body, { unsure: context.unsure }) : [];
  return strangers.length > 0 ? refuseUnknownOf(persona, strangers, body) : persona.refuse(body, context);
}

/** Formats events for the two APIs that use named events. */
const namedEvents = (events: readonly Record<string, any>[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');

function protocolAt({ pathname }: URL): JudgedProtocol | undefined {
  if (pathname.endsWith('/chat/completions')) return 'chat';
  if (pathname.endsWith('/messages')) return 'messages';
  return pathname.endsWith('/responses') ? 'responses' : undefined;
}

function parsed(bytes: Buffer): ChatBody | undefined {
  try {
    return JSON.parse(bytes.toString('utf8')) as ChatBody;
  } catch {
    return undefined;
  }
}

const isFailure = (step: Step): step is ScriptedFailure => 'status' in step || 'kind' in step;

function failureOf(persona: Persona, { status, kind, message }: ScriptedFailure): Refusal {
  const [usual, words, more] = kind ? (persona.failures?.[kind] ?? openAiFailures[kind]) : [500, 'Server error'];
  return { status: status ?? usual, body: persona.error(message ?? words, more) };
}

const openAiFailures: Required<NonNullable<Persona['failures']>> = {
  overflow: [
    400,
    'Your input exceeds the context window of this model. Please adjust your input and try again.',
    { param: 'messages', code: 'context_length_exceeded' },
  ],
  rate: [
    429,
    'Rate limit reached for requests. Please try again in 1s.',
    { type: 'requests', code: 'rate_limit_exceeded' },
  ],
  quota: [
    429,
    'You exceeded your current quota, please check your plan and billing details.',
    { type: 'insufficient_quota', code: 'insufficient_quota' },
  ],
  auth: [401, 'Incorrect API key provided: x.', { code: 'invalid_api_key' }],
};

function madeCalls(persona: Persona, { calls = [] }: ScriptedReply): MadeCall[] {
  return calls.map(({ name, args = {} }) => ({
    id: persona.callId(),
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  }));
}
