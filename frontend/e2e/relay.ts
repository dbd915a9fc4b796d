import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

const HANDSHAKE = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** A message that asks to be acknowledged: two letters, the kind, a number; then what it says. */
const DELIVERY = [0x42, 0x42, 0x01];
const BINARY = 0x82;
const SHORT = 126;

/** A WebSocket frame from a server: not masked, in one piece. */
function frame(content: Buffer): Buffer {
  if (content.length < SHORT) return Buffer.concat([Buffer.from([BINARY, content.length]), content]);
  const head = Buffer.from([BINARY, SHORT, 0, 0]);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
}

/**
 * The relay between page and wallet, as `buoy` is one: whoever posts to a channel reaches the one that listens on it by
 * WebSocket, or the one that comes next. Wallets listen here with `received`.
 */
export class Relay {
  address = "";
  private readonly server: Server = createServer((request, reply) => void this.take(request, reply));
  private readonly sockets = new Map<string, Duplex>();
  private readonly held = new Map<string, Buffer>();
  private readonly listeners = new Map<string, (content: Buffer) => void>();

  async start(): Promise<void> {
    this.server.on("upgrade", (request, socket) => this.listen(request, socket));
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.address = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets.values()) socket.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** What was posted, or is next, to a channel that no page listens on. */
  received(channel: string): Promise<Buffer> {
    return new Promise((resolve) => {
      this.listeners.set(channel, resolve);
      this.hand(channel);
    });
  }

  private async take(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    reply.setHeader("Access-Control-Allow-Origin", "*");
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.method === "POST") {
      this.held.set(channelOf(request), Buffer.concat(parts));
      this.hand(channelOf(request));
    }
    reply.end();
  }

  /** Give what is held to whoever listens; one message each. */
  private hand(channel: string): void {
    const content = this.held.get(channel);
    const socket = this.sockets.get(channel);
    const listener = this.listeners.get(channel);
    if (!content || !(socket || listener)) return;
    this.held.delete(channel);
    this.listeners.delete(channel);
    socket?.write(frame(Buffer.concat([Buffer.from([...DELIVERY, 1]), content])));
    listener?.(content);
  }

  private listen(request: IncomingMessage, socket: Duplex): void {
    const key = request.headers["sec-websocket-key"];
    const accept = createHash("sha1").update(`${key}${HANDSHAKE}`).digest("base64");
    socket.write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
        `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const channel = channelOf(request);
    this.sockets.set(channel, socket);
    // What a page sends is an acknowledgement or its farewell: neither is of interest here.
    socket.on("data", () => {});
    socket.on("error", () => {});
    socket.on("close", () => this.sockets.delete(channel));
    this.hand(channel);
  }
}

function channelOf({ url }: IncomingMessage): string {
  return new URL(url ?? "/", "http://relay").pathname.slice(1);
}
