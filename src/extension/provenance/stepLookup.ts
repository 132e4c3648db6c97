import fs from 'node:fs';
import { existingLogPath, readEventLog } from '../../adapters/log/eventLog';
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

/** `changedAt`: modification time of the file, in ms since 1970. */
interface Log {
  readonly events: readonly Event[];
  readonly doubtful: boolean;
  readonly changedAt?: number;
}

/** Finds the steps that wrote lines, in the logs of their sessions. */
export class StepLookup {
  private readonly logs = new Map<string, Log>();

  constructor(private readonly sessions: OpenSessions) {}

  /** Returns undefined if the session was deleted or its log does not contain the action. */
  find({ session, action }: StepOrigin): FoundStep | undefined {
    const log = this.logOf(session);
    const facts = log && stepFacts(log.events, action, knownTool);
    return facts && { ...facts, sessionId: session, doubtful: log.doubtful };
  }

  private logOf(id: string): Log | undefined {
    const open = this.sessions.get(id);
    if (open) return { events: open.conversation.history, doubtful: open.problem !== undefined };
    try {
      const file = this.sessions.stored.logOf(id);
      const changedAt = fs.statSync(existingLogPath(file)).mtimeMs;
      const known = this.logs.get(id);
      if (known?.changedAt === changedAt) return known;
      const { events, foreign, problem } = readEventLog(file);
      if (events.length === 0) return undefined;
      const log = { events, doubtful: problem !== undefined || !isVouchedFor(events, foreign), changedAt };
      this.logs.delete(id);
      for (const oldest of this.logs.keys()) if (this.logs.size >= maxLogs) this.logs.delete(oldest);
      this.logs.set(id, log);
      return log;
    } catch {
      return undefined;
    }
  }
}
