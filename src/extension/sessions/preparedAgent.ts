import type { Agent } from '../../core/agent/agent';
import { settingsOf, type History } from '../../core/log/history';
import { sessionAgent, type SessionAgentParts } from '../../core/session/sessionAgent';
import type { Profile } from '../../core/ports/profile';

type SessionAgent = Pick<Agent, 'step' | 'readAgain'>;

export interface PreparedParts extends Omit<SessionAgentParts, 'profile' | 'sampling'> {
  /** The profile as this person has it. Rejects with an `Error` in words. */
  profileOf(name: string): Promise<Profile>;
  /** Undefined where one reply for each step is enough. */
  samplingOf(): Promise<SessionAgentParts['sampling']>;
}

/** The agent of a session, whose profile and judge are looked up with its first step. What could not be found is looked up again. */
export function preparedAgent({ profileOf, samplingOf, ...parts }: PreparedParts): SessionAgent {
  let agent: Promise<SessionAgent> | undefined;
  const prepare = async (history: History): Promise<SessionAgent> => {
    const [profile, sampling] = await Promise.all([profileOf(settingsOf(history)!.profile), samplingOf()]);
    return sessionAgent({ ...parts, profile: () => profile, ...(sampling && { sampling }) });
  };
  const prepared = (history: History): Promise<SessionAgent> =>
    (agent ??= prepare(history).catch((error: unknown) => {
      agent = undefined;
      throw error;
    }));
  return {
    step: async (context) => (await prepared(context.history)).step(context),
    readAgain: async (reply, before) => (await prepared(before)).readAgain(reply, before),
  };
}
