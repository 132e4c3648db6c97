import { ModelProblem, type Model } from '../../core/ports/model';
import type { Protocol } from '../../core/model/providers/provider';
import { providerAt, protocolFor } from '../../core/model/providers/rulesFor';
import type { EndpointOptions } from './endpoint/endpoint';
import { OtherProtocol, otherThan } from './endpoint/otherProtocol';

/** An endpoint whose protocol may have to be found out. */
export interface CompatibleModelOptions extends EndpointOptions {
  /**
   * `auto` uses the protocol that the provider list names for the model, and switches to the other one if the server
   * asks for it.
   */
  readonly protocol?: Protocol | 'auto' | undefined;
}

/**
 * Model behind a server that speaks chat completions, the Responses API, Anthropic's Messages API, or several of them.
 */
export async function compatibleModel({ protocol = 'auto', ...options }: CompatibleModelOptions): Promise<Model> {
  if (protocol !== 'auto') return modelBy(protocol, options);
  const provider =
    options.provider ?? (URL.canParse(options.baseUrl) ? providerAt(new URL(options.baseUrl)) : undefined);
  const first = protocolFor(provider, options.name);
  const usual = await modelBy(first, { ...options, mayChangeProtocol: true });
  let other: Promise<Model> | undefined;
  /** True once the other protocol answered. */
  let isOther = false;
  return {
    info: usual.info,
    connect: () => usual.connect?.(),
    async complete(request, signal) {
      try {
        if (!isOther) return await usual.complete(request, signal);
      } catch (problem) {
        if (!(problem instanceof OtherProtocol)) throw problem;
        const instead = await (other ??= modelBy(otherThan[first], options));
        const result = await instead.complete(request, signal).catch((thrown: unknown) => {
          if (thrown instanceof ModelProblem && thrown.kind === 'not_found') problem.tried(false);
          throw thrown;
        });
        problem.tried(true);
        isOther = true;
        return result;
      }
      return (await other!).complete(request, signal);
    },
  };
}

async function modelBy(protocol: Protocol, options: EndpointOptions): Promise<Model> {
  switch (protocol) {
    case 'chat':
      return (await import('./chat/chatModel')).chatModel(options);
    case 'responses':
      return (await import('./responses/responsesModel')).responsesModel(options);
    case 'messages':
      return (await import('./messages/messagesModel')).messagesModel(options);
  }
}
