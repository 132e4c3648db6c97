import type { Environment } from '../../ports/environment';
import type { BoundTool } from '../../ports/tool';

/**
 * Timeout for finding touched files, so that a person who has to approve the call does not wait too long. The call
 * itself reports the problem later.
 */
const findTimeoutMs = 30_000;

/**
 * Adds what a call touches if only the environment can find out. If that fails, the call is returned unchanged; it will
 * then change nothing.
 */
export async function withFoundTouches(call: BoundTool, environment: Environment): Promise<BoundTool> {
  if (!call.findTouches) return call;
  try {
    return { ...call, touches: await call.findTouches(environment, AbortSignal.timeout(findTimeoutMs)) };
  } catch {
    return call;
  }
}
