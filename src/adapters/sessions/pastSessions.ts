import fs from 'node:fs';
import { withoutSecrets } from '../../core/secrets/secretShapes';
import type { PastSession, PastSessions } from '../../core/ports/memory';
import { Event } from '../../protocol/events/event';
import { existingLogPath, readEventLog } from '../log/eventLog';
import type { Sessions } from './sessions';
import { parseJson } from '../../core/text/parseJson';

const maxSessionsRead = 200;
const maxBytesRead = 64 * 1024 * 1024;
const maxSnippets = 3;
const snippetLength = 400;

interface SearchOptions {
  readonly sessions: Sessions;
  /** Only sessions that began in this folder. */
  readonly cwd: string;
  /** The session that asks; it is excluded. */
  readonly except: string;
}

interface SpokenText {
  readonly by: 'person' | 'agent';
  readonly text: string;
}

/** Full-text search over the logs of one folder, newest first, within limits. Stores nothing beside the logs. */
export function pastSessions({ sessions, cwd, except }: SearchOptions): PastSessions {
  return {
    async search({ words, maxSessions }, signal) {
      const found: { readonly session: PastSession; readonly hits: number }[] = [];
      // The author of unsound logs is unknown.
      const past = sessions.list().filter(({ id, unsound }) => id !== except && !unsound);
      let bytes = 0;
      let read = 0;
      for (const { id, title, updatedAt, fork } of past) {
        signal.throwIfAborted();
        if (read === maxSessionsRead || bytes > maxBytesRead || (words.length === 0 && found.length === maxSessions))
          break;
        read++;
        const log = await eventLines(sessions.logOf(id), fork !== undefined).catch(() => '');
        bytes += log.length;
        const messages = messagesIn(log, cwd);
        if (!messages) continue;
        const hits =
          words.length === 0
            ? messages.slice(0, 1)
            : messages.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word.toLowerCase())));
        if (hits.length === 0) continue;
        const snippets = hits
          .slice(0, maxSnippets)
          .map(({ by, text }) => ({ by, text: snippet(withoutSecrets(text), words) }));
        found.push({ hits: hits.length, session: { id, title: withoutSecrets(title), updatedAt, snippets } });
      }
      if (words.length > 0) found.sort((a, b) => b.hits - a.hits || b.session.updatedAt - a.session.updatedAt);
      return {
        sessions: found.slice(0, maxSessions).map(({ session }) => session),
        truncated: words.length > 0 && read < past.length,
      };
    },
  };
}

const passageLength = 120;
/** Number of bytes of a log that are searched at once. */
const pieceBytes = 8 * 1024 * 1024;

interface SessionSearch {
  readonly signal?: AbortSignal;
  /** Called with the number of sessions that were searched, and of all. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Yields the sessions in which a text was said, newest first, each with the passage around it in one line. Line breaks
 * and several blanks count as one blank. Reads one log after the other, so that a caller who has enough can stop at any
 * time.
 */
export async function* sessionsThatSay(
  text: string,
  sessions: Sessions,
  { signal, onProgress }: SessionSearch = {},
): AsyncGenerator<{ readonly id: string; readonly passage: string }> {
  const wanted = inOneLine(text).toLowerCase();
  const all = sessions.list();
  for (const [index, { id }] of all.entries()) {
    if (signal?.aborted) return;
    const found = await firstSaid(existingLogPath(sessions.logOf(id)), wanted, signal);
    onProgress?.(index + 1, all.length);
    if (found !== undefined) yield { id, passage: passageAround(found, wanted) };
  }
}

/** Returns the first message in a log that contains a text, in one line. */
async function firstSaid(file: string, wanted: string, signal: AbortSignal | undefined): Promise<string | undefined> {
  // Most logs do not contain the words, and their events need not be parsed.
  const written = wanted.split(' ').map((word) => JSON.stringify(word).slice(1, -1));
  try {
    for await (const lines of wholeLines(file)) {
      if (signal?.aborted) return undefined;
      const lower = lines.toLowerCase();
      if (!written.every((word) => lower.includes(word))) continue;
      const texts = (messagesIn(lines) ?? []).map((each) => inOneLine(withoutSecrets(each.text)));
      const found = texts.find((words) => words.toLowerCase().includes(wanted));
      if (found !== undefined) return found;
    }
  } catch {
    // A log that cannot be read has nothing to find.
  }
  return undefined;
}

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Reads a file in pieces that end with a line, so that a log of any length can be searched. */
async function* wholeLines(file: string): AsyncGenerator<string> {
  const handle = await fs.promises.open(file);
  try {
    const { size } = await handle.stat();
    let rest = Buffer.alloc(0);
    for (let at = 0; at < size;) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(pieceBytes, size - at)), 0, undefined, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
      const end = at < size ? bytes.lastIndexOf(newline) + 1 : bytes.length;
      rest = bytes.subarray(end);
      if (end > 0) yield bytes.toString('utf8', 0, end);
    }
  } finally {
    await handle.close();
  }
}

const newline = 10;

/** Returns the passage of a message around a text, in lower case, that it contains. */
const passageAround = (message: string, wanted: string): string =>
  excerpt(message, message.toLowerCase().indexOf(wanted), {
    before: passageLength / 4,
    length: Math.max(passageLength, wanted.length + passageLength / 2),
  });

/** Returns the event lines of a log. A fork's beginning is in the log of the session from which it was forked. */
async function eventLines(log: string, isFork: boolean): Promise<string> {
  return isFork
    ? readEventLog(log)
        .events.map((event) => JSON.stringify(event))
        .join('\n')
    : fs.promises.readFile(existingLogPath(log), 'utf8');
}

/**
 * Returns what the user and the agent said. With `cwd`, undefined if the session belongs to another folder or to a
 * child agent.
 * Skips unreadable lines.
 */
function messagesIn(log: string, cwd?: string): SpokenText[] | undefined {
  const messages: SpokenText[] = [];
  for (const line of log.split('\n')) {
    const kind = /"type":"(task_started|user_message|agent_response|finished|observation)"/.exec(
      line.slice(0, 200),
    )?.[1];
    if (kind === undefined || (kind === 'observation' && !line.includes('"kind":"answer"'))) continue;
    const { data: event } = Event.safeParse(parseJson(line));
    switch (event?.type) {
      case 'task_started':
        if (cwd !== undefined && (event.cwd !== cwd || event.parent)) return undefined;
        messages.push({ by: 'person', text: event.task });
        break;
      case 'user_message':
        messages.push({ by: 'person', text: event.text });
        break;
      case 'agent_response':
        messages.push({ by: 'agent', text: event.text });
        break;
      case 'finished':
        messages.push({ by: 'agent', text: event.summary });
        break;
      case 'observation':
        if (event.details?.kind === 'answer') messages.push({ by: 'person', text: event.details.text });
        break;
    }
  }
  return messages.filter(({ text }) => text.trim() !== '');
}

/** Returns the part of a message around the first of the words. */
function snippet(message: string, words: readonly string[]): string {
  const text = message.trim().replace(/\n{2,}/g, '\n');
  const positions = words.map((word) => text.toLowerCase().indexOf(word.toLowerCase())).filter((found) => found >= 0);
  const first = positions.length > 0 ? Math.min(...positions) : 0;
  return excerpt(text, first, { before: snippetLength / 4, length: snippetLength });
}

/**
 * Cuts `length` characters out of a text, which begin at most `before` characters in front of a position. "…" marks
 * each side where it was cut.
 */
function excerpt(
  text: string,
  position: number,
  { before, length }: { readonly before: number; readonly length: number },
): string {
  const from = Math.max(0, Math.min(position - before, text.length - length));
  const end = from + length;
  return `${from > 0 ? '…' : ''}${text.slice(from, end).trim()}${end < text.length ? '…' : ''}`;
}
