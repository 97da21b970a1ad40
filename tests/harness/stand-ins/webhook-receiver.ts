import { type Reply, StandIn } from './stand-in.ts';

/** A server of others that takes messages, with whatever status is set. */
export class WebhookReceiver extends StandIn {
  status = 204;
  text = '';
  headers: Record<string, string> = {};

  protected override error(status: number): Reply {
    return { status };
  }

  protected override answer(): Reply {
    return { status: this.status, headers: this.headers, ...(this.text && { json: this.text }) };
  }
}
