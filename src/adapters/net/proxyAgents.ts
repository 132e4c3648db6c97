// Loaded only if a proxy is used.
export { HttpProxyAgent } from 'http-proxy-agent';
export { HttpsProxyAgent } from 'https-proxy-agent';
