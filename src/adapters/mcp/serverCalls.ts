import { maxTimerMs } from '../../core/ports/maxTimerMs';
import type { Client, RequestOptions } from '@modelcontextprotocol/client';
import { elicitationOf, type Elicited } from '../../core/mcp/elicitation';
import { serverSource, type CallTool } from '../../core/mcp/mcpTool';
import { withinPartLength, resourceText, toToolResult, resultText, type ContentPart } from '../../core/mcp/resultText';
import type { McpServer } from '../../core/mcp/server';
import type { ToolResult } from '../../core/ports/tool';
import type { AtVariable } from '../../core/mcp/uriTemplate';
import { secrets } from '../../core/secrets/secrets';
import type { McpConnection } from './connectToServer';
import { streamEnded } from './endWithStream';
import { Unreachable } from './requestsElsewhere';
import type { McpHost } from './host';
import { isRefusal, withoutPage } from './httpRefusal';
import { untilAborted } from '../processes/untilAborted';
import { CallTimeout } from './callTimeout';
import { withoutInvisible } from '../../core/text/spotlight';

interface Parts {
  readonly named: McpServer;
  readonly host: McpHost;
  /** Returns a connection, opening one if necessary. Rejects with an `Error` with a message. */
  liveConnection(): Promise<McpConnection>;
  /**
   * Reports a dead connection. `why`: the failure as a message, and the connection is closed; if absent, the server
   * only forgot the session.
   */
  dropConnection(connection: McpConnection, why?: string): Promise<void>;
  /** Called on any answer, whatever its content. */
  answered(): void;
  /** Returns whether a tool is approved and belongs to the server that was started with this hash. */
  isAgreed(tool: string, launch: string): boolean;
  log(words: string): void;
  lastWords(): string;
}

const progressIntervalMs = 100;
/** Maximum number of questions to the user while calls to the server are in progress without a pause. */
const maxQuestions = 20;

type Options = Required<Pick<RequestOptions, 'signal' | 'timeout' | 'onprogress'>>;

/** Calls to a server, and its questions to the user in the meantime. */
export class ServerCalls {
  private readonly open = new Set<{ readonly timeout: CallTimeout; notify(words: string): void }>();
  /** Questions are asked one at a time. After the user dismissed one, no more are asked during the same calls. */
  private asking: Promise<unknown> = Promise.resolve();
  private dismissed = false;
  private questions = 0;
  /**
   * Number of calls that use a connection. A connection that the server forgot is closed when the last of them has
   * finished.
   */
  private readonly users = new Map<McpConnection, number>();

  constructor(private readonly parts: Parts) {}

  /** Returns a function that runs tools of the server started with this hash. */
  tool(launch: string): CallTool {
    return async (tool, input, context) => this.run(tool, input, context, launch);
  }

  private async run(
    tool: string,
    input: Record<string, unknown>,
    { signal, progress, environment }: Parameters<CallTool>[2],
    launch: string,
  ): Promise<ToolResult> {
    const { source } = this;
    const call = async (client: Client, options: Options) => {
      if (!this.parts.isAgreed(tool, launch))
        throw new Error(
          `${tool} of ${source} was not called: the tool, or how its server is started, has changed. Call it again if it is still offered.`,
        );
      return client.callTool({ name: tool, arguments: input }, options);
    };
    const answer = await this.withClient(call, signal, progress);
    if (answer === 'late')
      return {
        content: `${this.lateWords}, so the call was abandoned. It may have taken effect.`,
        failed: true,
        timedOut: true,
      };
    const { isError, ...result } = answer;
    const { outputs } = environment;
    const { text, images } = await toToolResult(
      result as Parameters<typeof toToolResult>[0],
      async (base64, mediaType) =>
        outputs?.keep(Buffer.from(base64, 'base64'), mediaType.split('/').at(-1)!).catch(() => undefined),
    );
    return { content: text, ...(images.length > 0 && { images }), ...(isError && { failed: true }) };
  }

  /** Returns the text of a prompt for a user message. Throws an `Error` with a message for people. */
  async prompt(name: string, values: Readonly<Record<string, string>>): Promise<string> {
    const { messages } = this.inTime(
      await this.withClient((client, options) => client.getPrompt({ name, arguments: { ...values } }, options)),
    );
    return withinPartLength(
      messages
        .map(({ role, content }) => {
          const text = resultText({ content: [content as unknown as ContentPart] });
          return messages.length === 1 ? text : `${role}: ${text}`;
        })
        .join('\n\n'),
    );
  }

  /** Returns the contents of a resource as text. Throws an `Error` with a message for people. */
  async read(uri: string): Promise<string> {
    const { contents } = this.inTime(
      await this.withClient((client, options) => client.readResource({ uri }, { ...options, cacheMode: 'bypass' })),
    );
    return withinPartLength(contents.map(resourceText).join('\n\n'));
  }

  /**
   * The values that the server offers for a variable of a template, given the variables before it; empty if it offers
   * none.
   */
  async valuesFor(template: string, { name, value, values }: AtVariable): Promise<readonly string[]> {
    const offered = await this.withClient(async (client, options) =>
      client.getServerCapabilities()?.completions
        ? client.complete(
            {
              ref: { type: 'ref/resource', uri: template },
              argument: { name, value },
              context: { arguments: { ...values } },
            },
            options,
          )
        : undefined,
    ).catch(() => undefined);
    return offered === 'late' ? [] : (offered?.completion.values.slice(0, 100) ?? []);
  }

  /** Handles a question of the server to the user. Allowed only during a call to the server. */
  answerQuestion(params: Parameters<typeof elicitationOf>[0], signal: AbortSignal): Promise<Elicited> {
    this.questions++;
    if (this.questions > maxQuestions) return Promise.resolve(this.declineQuestion());
    const answered = this.asking.catch(() => undefined).then(() => this.question(params, signal));
    this.asking = answered;
    return answered;
  }

  /** Says in the open calls that the server waits until the user signs in. */
  awaitSignIn(): void {
    for (const { notify } of this.open) notify(`Waiting for your sign-in to ${this.parts.named.name}.\n`);
  }

  /** The response to a question over the limit. Reported once. */
  private declineQuestion(): Elicited {
    if (this.questions === maxQuestions + 1) {
      const words = `It asked more than ${maxQuestions} questions. The others are declined.`;
      this.parts.log(`[${words}]\n`);
      for (const { notify } of this.open) notify(`${words}\n`);
    }
    return { action: 'decline' };
  }

  private async question(params: Parameters<typeof elicitationOf>[0], signal: AbortSignal): Promise<Elicited> {
    const calls = [...this.open];
    const {
      log,
      host: { elicit },
      named,
    } = this.parts;
    const question = elicitationOf(params);
    if (calls.length === 0 || this.dismissed || !elicit) {
      const dismissed = this.dismissed ? 'an earlier question was dismissed' : 'nobody is available';
      const why = calls.length === 0 ? 'no call was running' : dismissed;
      log(`[It asks "${question.message}". Nobody is asked: ${why}.]\n`);
      return { action: calls.length > 0 && this.dismissed ? 'cancel' : 'decline' };
    }
    const holds = calls.map(({ timeout }) => timeout.hold());
    const over = new AbortController();
    const see = (): void => {
      if (calls.every(({ timeout }) => timeout.signal.aborted)) over.abort();
    };
    for (const { timeout, notify } of calls) {
      timeout.signal.addEventListener('abort', see);
      notify(`It asks you: ${question.message}\n`);
    }
    see();
    try {
      const answer = await elicit(question, named.name, AbortSignal.any([signal, over.signal]));
      this.dismissed = answer.action === 'cancel';
      if (answer.action === 'accept')
        secrets.learn(
          ...question.fields
            .filter(({ secret }) => secret)
            .map(({ name }) => answer.content[name])
            .filter((value) => typeof value === 'string'),
        );
      for (const { notify } of calls)
        notify(
          `${{ accept: 'You answered.', decline: 'You declined.', cancel: 'You dismissed it.' }[answer.action]}\n`,
        );
      return answer;
    } finally {
      for (const end of holds) end();
      for (const { timeout } of calls) timeout.signal.removeEventListener('abort', see);
    }
  }

  /**
   * Sends a request. Retries once if the server forgot the session, and once after a sign-in, since then it did
   * nothing. Resolves to "late" on a timeout.
   */
  private async withClient<Answer>(
    ask: (client: Client, options: Options) => Promise<Answer>,
    signal = new AbortController().signal,
    progress: (words: string) => void = () => undefined,
  ): Promise<Answer | 'late'> {
    const timeout = new CallTimeout(this.parts.named.timeoutMs, signal);
    const call = { timeout, notify: progress };
    const lastShown = { at: -Infinity, words: '' };
    const onprogress: Options['onprogress'] = (far) => {
      timeout.renew();
      const [words, at] = [callProgressLine(far), performance.now()];
      if (words === lastShown.words || at - lastShown.at < progressIntervalMs) return;
      Object.assign(lastShown, { words, at });
      progress(`${words}\n`);
    };
    try {
      const retried = new Set<'forgotten' | 'signed in'>();
      for (;;) {
        const started = timeout.hold();
        const connection = await this.parts.liveConnection().finally(started);
        this.open.add(call);
        let forgotten = false;
        this.users.set(connection, (this.users.get(connection) ?? 0) + 1);
        try {
          // The timeout of the package is not used.
          const answer = await ask(connection.client, { signal: timeout.signal, timeout: maxTimerMs, onprogress });
          this.parts.answered();
          return answer;
        } catch (error) {
          if (signal.aborted) throw error;
          if (timeout.ranOut) return 'late';
          if (!retried.has('signed in') && (await this.signedInAfter(error, connection, timeout))) {
            retried.add('signed in');
            continue;
          }
          forgotten = this.parts.named.kind === 'http' && isForgotten(error);
          if (!forgotten || retried.has('forgotten')) throw await this.inWords(error as Error, connection);
          retried.add('forgotten');
          await this.parts.dropConnection(connection);
        } finally {
          const others = this.users.get(connection)! - 1;
          if (others > 0) this.users.set(connection, others);
          else this.users.delete(connection);
          if (others === 0 && forgotten) void connection.close();
        }
      }
    } finally {
      timeout.end();
      this.open.delete(call);
      if (this.open.size === 0) {
        this.dismissed = false;
        this.questions = 0;
      }
    }
  }

  /** As `Connection.signedInAfter`. The timeout of the call is suspended until then, and ending the call ends it. */
  private signedInAfter(error: unknown, connection: McpConnection, timeout: CallTimeout): Promise<boolean> {
    const answered = timeout.hold();
    return untilAborted(connection.signedInAfter(error), timeout.signal).finally(answered);
  }

  private async inWords(error: Error, connection: McpConnection): Promise<Error> {
    const ended = connection.end();
    if (ended !== undefined)
      return new Error(`${this.source} ended during the call. ${ended} ${this.parts.lastWords()}`.trim(), {
        cause: error,
      });
    if (this.parts.named.kind === 'stdio') return error;
    if (!isUnreachable(error))
      return isRefusal(error)
        ? new Error(`${this.source} returned an error. ${withoutPage(error).message}`, { cause: error })
        : error;
    const why = whyUnreachable(error);
    await this.parts.dropConnection(connection, why);
    return new Error(`${this.source} could not be reached. ${why} The call may have taken effect.`, {
      cause: error,
    });
  }

  private inTime<Answer>(answer: Answer | 'late'): Answer {
    if (answer === 'late') throw new Error(`${this.lateWords}.`);
    return answer;
  }

  private get source(): string {
    return serverSource(this.parts.named.name);
  }
  private get lateWords(): string {
    return `${this.source} did not answer within ${Math.round(this.parts.named.timeoutMs / 1000)} s`;
  }
}

/** The session does not exist on the server: it was restarted, or it ended the session itself. */
function isForgotten(error: unknown): boolean {
  const { status, message = '' } = error as { status?: unknown; message?: string };
  return status === 404 || (status === 400 && /session|initializ/i.test(message));
}

const isUnreachable = (error: Error): boolean =>
  isForgotten(error) || error.message.includes(streamEnded) || error instanceof Unreachable;

/** The progress of a call as reported by the server, as one line for people. */
export function callProgressLine({
  progress,
  total,
  message,
}: {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}): string {
  const far =
    total === undefined || total <= 0 ? String(rounded(progress)) : `${rounded(progress)} / ${rounded(total)}`;
  const words = secrets
    .mask(withoutInvisible(message ?? '').replace(/\s+/g, ' '))
    .trim()
    .slice(0, 300);
  return words === '' ? far : `${words} (${far})`;
}

const rounded = (value: number): number => Math.round(value * 100) / 100;

function whyUnreachable(error: Error): string {
  if (isForgotten(error)) return 'It no longer knows the session.';
  return error.message.includes(streamEnded) ? streamEnded : error.message;
}
