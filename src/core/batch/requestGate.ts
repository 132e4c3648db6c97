/** Lets requests to endpoints of models begin, no more in a minute than somebody said. */
export interface RequestGate {
  /** Resolves when one more request may be sent to the endpoint. */
  pass(endpoint: string): Promise<void>;
}
