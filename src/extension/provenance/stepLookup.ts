import fs from 'node:fs';
import { existingLogPath, readEventLogInTurns } from '../../adapters/log/eventLog';
import { isVouchedFor } from '../../core/log/foreignLog';
import { knownTool } from '../../core/tools/toolsets';
import type { StepOrigin } from '../../core/trajectory/provenance';
import { stepFacts, type StepFacts } from '../../core/trajectory/provenance/stepFacts';
import type { Event } from '../../protocol/events/event';
import type { OpenSessions } from '../sessions/openSessions';

/** Maximum number of cached logs. */
const maxLogs = 8;

/** `doubtful`: the log was not written exactly like this on this machine, so its approvals may be forged. */
export interface FoundStep extends StepFacts {
  readonly sessionId: string;
  readonly doubtful: boolean;
}

interface Log {
  readonly events: readonly Event[];
  readonly doubtful: boolean;
}

/** A log that was read or is being read. `changedAt`: modification time of the file, in ms since 1970. */
interface CachedLog {
  readonly log: Promise<Log | undefined>;
  readonly changedAt: number;
}

/** Finds the steps that wrote lines, in the logs of their sessions. Reads long logs in slices. */
export class StepLookup {
  private readonly logs = new Map<string, CachedLog>();

  constructor(private readonly sessions: OpenSessions) {}

  /** Resolves to undefined if the session was deleted or its log does not contain the action. */
  async find({ session, action }: StepOrigin): Promise<FoundStep | undefined> {
    const log = await this.logOf(session);
    const facts = log && stepFacts(log.events, action, knownTool);
    return facts && { ...facts, sessionId: session, doubtful: log.doubtful };
  }

  private async logOf(id: string): Promise<Log | undefined> {
    const open = this.sessions.get(id);
    if (open) return { events: open.conversation.history, doubtful: open.problem !== undefined };
    const file = this.sessions.stored.logOf(id);
    const changedAt = fs.statSync(existingLogPath(file), { throwIfNoEntry: false })?.mtimeMs;
    if (changedAt === undefined) return undefined;
    const known = this.logs.get(id);
    if (known?.changedAt === changedAt) return known.log;
    const log = readLog(file);
    this.logs.delete(id);
    for (const oldest of this.logs.keys()) if (this.logs.size >= maxLogs) this.logs.delete(oldest);
    this.logs.set(id, { log, changedAt });
    return log;
  }
}

/** Resolves to undefined for a log that cannot be read. */
async function readLog(file: string): Promise<Log | undefined> {
  try {
    const { events, foreign, problem } = await readEventLogInTurns(file);
    if (events.length === 0) return undefined;
    return { events, doubtful: problem !== undefined || !isVouchedFor(events, foreign) };
  } catch {
    return undefined;
  }
}
