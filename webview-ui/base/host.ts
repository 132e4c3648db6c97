import type { InspectorMessage } from '../../src/protocol/inspector/inspector';
import type { FromPanel, ToPanel } from '../../src/protocol/panel/panel';

/** What the conversation or the inspector says to its host. */
export type Posted = FromPanel | InspectorMessage;

interface VsCodeApi {
  postMessage(message: Posted): void;
  getState(): unknown;
  setState(state: Kept): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** What survives a reload of the view when the host does not. */
export interface Kept {
  readonly draft?: string;
  /** What is shown: a tab that comes back after a reload shows it again. */
  readonly session?: string | undefined;
  /** Long texts that were pasted and not sent. */
  readonly pastes?: readonly string[];
  /** The message that is being edited; null if there is none. */
  readonly editing?: {
    readonly session: string | undefined;
    readonly seq: number;
    readonly text: string;
    readonly before: string;
    readonly pastes: readonly string[];
    readonly waiting?: true;
    readonly delivery?: 'steer';
  } | null;
  /** What of the editor stays out of messages, by session; see openParts.ts. */ readonly leftOut?: Readonly<
    Record<string, readonly ('editor' | 'others')[]>
  >;
  /** How the session was seen: a view that was hidden is drawn anew. */
  readonly seen?: Seen;
}

export interface Seen {
  readonly session: string | undefined;
  /** Keys of the rows that were opened. */
  readonly opened: readonly string[];
  /** The row at the top, where the person had left the end, and how far of it is above. */
  readonly top?: { readonly key: string; readonly above: number } | undefined;
}

const api = acquireVsCodeApi();

export const post = (message: Posted): void => api.postMessage(message);
export const onMessage = <Message = ToPanel>(handle: (message: Message) => void): void =>
  window.addEventListener('message', (event) => handle(event.data as Message));
export const savedState = (): Kept | undefined => api.getState() as Kept | undefined;
export const saveState = (state: Kept): void => api.setState({ ...savedState(), ...state });
