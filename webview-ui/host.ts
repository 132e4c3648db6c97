import type { FromPanel, ToPanel } from '../src/protocol/panel';

interface VsCodeApi { postMessage(message: FromPanel): void; getState(): unknown; setState(state: Kept): void }
declare function acquireVsCodeApi(): VsCodeApi;

/** What survives a reload of the view when the host does not. */
export interface Kept { readonly draft: string }

const api = acquireVsCodeApi();

export const post = (message: FromPanel): void => api.postMessage(message);
export const onMessage = (handle: (message: ToPanel) => void): void => window.addEventListener('message', event => handle(event.data as ToPanel));
export const kept = (): Kept | undefined => api.getState() as Kept | undefined;
export const keep = (state: Kept): void => api.setState(state);
