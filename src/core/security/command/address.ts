const local = /^(https?:\/\/)?(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(:\d{1,5})?([/?#][^\s@]*)?$/i;
const plain = /^(https?:\/\/)?([a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9-]+)*\.[a-z]{2,})(:(?:80|443))?(?:[/?#]([^\s@]*))?$/i;
const carriesData = /[?&#][^=&]*=[^&]{120,}|(token|key|secret|passw|data|exfil|dump)[^=/]*=/i;
const unfit = /^xn--|\.xn--|\.(local|internal|onion|localdomain|lan|home|corp|intranet)$|^localhost\.|(nip|sslip|xip)\.io$|(^|\.)\d+\.\d+\.\d+\.\d+\.|^metadata\.|^instance-data/i;

/** An address of this machine. */
export const isLocal = (url: string): boolean => local.test(url);

/** A literal public name reached in the plain way, that carries no credentials and little else. */
export function trustworthy(url: string): boolean {
  const found = plain.exec(url);
  return found !== null && !unfit.test(found[2]!) && !carriesData.test(url) && url.length <= 300;
}
