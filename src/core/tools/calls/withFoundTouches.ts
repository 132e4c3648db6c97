import type { Environment } from '../../ports/environment';
import type { BoundTool } from '../../ports/tool';

/** Asking must not keep a person waiting who decides; where nobody answers in time, the call says so itself. */
const patienceMs = 30_000;

/**
 * The call with all that it touches, where only the environment could tell. Where that
 * fails, as it is: it will change nothing.
 */
export async function withFoundTouches(call: BoundTool, environment: Environment): Promise<BoundTool> {
  if (!call.findTouches) return call;
  try {
    return { ...call, touches: await call.findTouches(environment, AbortSignal.timeout(patienceMs)) };
  } catch {
    return call;
  }
}
