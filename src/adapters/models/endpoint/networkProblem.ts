import { ModelProblem } from '../../../core/ports/model';
import { windowAdvice, type Advice } from '../../../core/model/advice';
import { roomForOpenFiles } from '../../../core/text/openFiles';
import type { Place } from './problems';

/** Explains why a server could not be reached, from the code of Node's error. */
export function networkProblem(error: unknown, { host, mask, advice = windowAdvice }: Place): ModelProblem {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const { why, next } = reasons(code, host, message, advice);
  return new ModelProblem('network', {
    what: `The model server at ${host} cannot be reached.`,
    why: mask(why),
    next,
    cause: error,
  });
}

interface Reason {
  readonly why: string;
  readonly next: string;
}

function reasons(code: string, host: string, message: string, { address, trustCertificate }: Advice): Reason {
  if (code === 'ECONNREFUSED')
    return { why: 'The connection was refused.', next: `Start the server, or correct ${address}.` };
  if (code === 'ENOTFOUND') {
    return {
      why: `The name ${host.replace(/:\d+$/, '')} could not be resolved.`,
      next: `Check the network connection and ${address}.`,
    };
  }
  if (code === 'EAI_AGAIN') return { why: 'The DNS server does not answer.', next: 'Check the network connection.' };
  if (/WRONG_VERSION|EPROTO|PACKET_LENGTH/.test(code)) {
    return {
      why: 'The server does not use https.',
      next: `Correct ${address}: it may need to begin with http://.`,
    };
  }
  if (/CERT|SIGNATURE|SELF_SIGNED|ISSUER|TLS|SSL/.test(code)) {
    return { why: `Its certificate is not trusted (${code}).`, next: trustCertificate };
  }
  if (/ECONNRESET|EPIPE|ECONNABORTED/.test(code)) {
    return { why: 'The connection was closed before a response arrived.', next: 'Check the connection and continue.' };
  }
  if (/TIMEDOUT|HOSTUNREACH|NETUNREACH/.test(code)) {
    return { why: `There is no route to it (${code}).`, next: 'Check the network connection, VPN and proxy.' };
  }
  // Also if a module of Waymark itself could not be loaded for the call.
  const [tooMany] = /\b(?:EMFILE|ENFILE)\b/.exec(`${code} ${message}`) ?? [];
  if (tooMany !== undefined)
    return { why: 'Too many files are open.', next: `${roomForOpenFiles(tooMany)}, and try again.` };
  const said = code && !message.includes(code) ? `${message} (${code}).` : message.replace(/\.?$/, '.');
  return { why: said, next: `Check the network connection and ${address}.` };
}
