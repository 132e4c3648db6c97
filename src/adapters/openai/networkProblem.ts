import { ModelProblem } from '../../core/model/model';
import type { Place } from './problems';

/** Why a server could not be reached, from the code of Node's error. */
export function networkProblem(error: unknown, { host, mask }: Place): ModelProblem {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  const { why, next } = reasons(code, host, message);
  return new ModelProblem('network', `The model server at ${host} cannot be reached.`, mask(why), next, undefined, { cause: error });
}

function reasons(code: string, host: string, message: string): { why: string; next: string } {
  if (code === 'ECONNREFUSED') return { why: 'Nothing answers at that address.', next: 'Start the server, or correct the setting waymark.model.baseUrl.' };
  if (code === 'ENOTFOUND') return { why: `The name ${host.replace(/:\d+$/, '')} is not known.`, next: 'Check the network connection and the setting waymark.model.baseUrl.' };
  if (code === 'EAI_AGAIN') return { why: 'The name service does not answer.', next: 'Check the network connection.' };
  if (/WRONG_VERSION|EPROTO|PACKET_LENGTH/.test(code)) return { why: 'The server there does not speak https.', next: 'Correct the setting waymark.model.baseUrl: it may have to begin with http://.' };
  if (/CERT|SIGNATURE|SELF_SIGNED|ISSUER|TLS|SSL/.test(code)) {
    return { why: `Its certificate is not trusted (${code}).`, next: 'If a proxy of your organisation signs connections, name its certificate in NODE_EXTRA_CA_CERTS or turn on VS Code’s http.systemCertificates. Checking is never turned off.' };
  }
  if (/ECONNRESET|EPIPE|ECONNABORTED/.test(code)) return { why: 'The connection was closed before an answer came.', next: 'Check the connection and continue.' };
  if (/TIMEDOUT|HOSTUNREACH|NETUNREACH/.test(code)) return { why: `The network does not lead there (${code}).`, next: 'Check the network connection, VPN and proxy.' };
  return { why: code && !message.includes(code) ? `${message} (${code}).` : `${message.replace(/\.?$/, '.')}`, next: 'Check the network connection and the setting waymark.model.baseUrl.' };
}
