import { ModelProblem } from '../../../core/ports/model';
import type { Protocol } from '../../../core/model/providers/provider';

/** Thrown if a server refuses a model over this protocol and asks for the other one, or did so before. */
export class OtherProtocol extends ModelProblem {
  /**
   * `tried`: to be called once the other protocol was tried. If it did not work either, this one is used again: the
   * refusal may come from a server that was just starting, or from a page in between.
   */
  constructor(
    { kind, what, why, next }: ModelProblem,
    readonly tried: (works: boolean) => void,
  ) {
    super(kind, { what, why, next });
  }
}

/** The protocol to try if a server does not serve a model over the first one. */
export const otherThan: Record<Protocol, Protocol> = { chat: 'responses', responses: 'chat', messages: 'chat' };

/** Returns whether a refusal says that the other protocol would work. */
export function asksForOther(protocol: Protocol, status: number, text: string): boolean {
  if (protocol === 'chat') {
    const isRefusal = status >= 400 && status < 500;
    return (
      isRefusal &&
      /\bv1\/responses\b|responses api|unsupported_api_for_model|not (a chat model|(supported )?in (the )?v1\/chat\/completions)/i.test(
        text,
      )
    );
  }
  const isRouteMissing = (status === 404 || status === 405 || status === 501) && !/model/i.test(text);
  return isRouteMissing || /unsupported_api_for_model/i.test(text);
}
