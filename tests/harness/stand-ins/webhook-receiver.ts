import { type Reply, StandIn } from './stand-in.ts';

/** An external server that receives webhook messages and responds with a configured status. */
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
