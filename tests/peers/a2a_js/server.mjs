// A real A2A server on the official SDK for JavaScript: 1.0 with its layer for 0.3, JSON-RPC at the root and
// HTTP+JSON below /rest. Its agent needs no model; scene.mjs says what it does. Prints one JSON line with its
// address; each line on standard input steers it and is answered with one JSON line (`drop` cuts the open
// streams, all others go to the tasks that wait); it ends when its input closes.

import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Gates, play, text } from "./scene.mjs";

// Where packaging/check.sh --only peers puts what package-lock.json names.
const need = createRequire(new URL("../../../.tools/peers/a2a_js/", import.meta.url));
const { Role, Task, TaskState } = need("@a2a-js/sdk");
const { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } = need("@a2a-js/sdk/server");
const { agentCardHandler, jsonRpcHandler, restHandler, UserBuilder } = need("@a2a-js/sdk/server/express");
const express = need("express");

const CARD = "/.well-known/agent-card.json";
const PATHS = { JSONRPC: "", "HTTP+JSON": "rest" };

const { values: ask } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    store: { type: "string" },
    binding: { type: "string", multiple: true, default: ["JSONRPC"] },
    dialect: { type: "string", multiple: true, default: ["1.0"] },
    token: { type: "string", default: "" },
  },
});

class Stage {
  isOver = false;

  constructor(context, bus) {
    this.context = context;
    this.bus = bus;
    this.ids = { taskId: context.taskId, contextId: context.contextId };
  }

  /** The SDK wants a task first in every call, so an answered one is shown once more as it was. */
  open() {
    const { task, taskId, contextId, userMessage } = this.context;
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() };
    const fresh = { id: taskId, contextId, status, artifacts: [], history: [userMessage], metadata: undefined };
    this.bus.publish(AgentEvent.task(task ?? fresh));
  }

  status(word, ...parts) {
    const status = { state: TaskState[`TASK_STATE_${word}`], message: this.#message(parts, this.ids), timestamp: new Date().toISOString() };
    this.bus.publish(AgentEvent.statusUpdate({ ...this.ids, status, metadata: undefined }));
  }

  artifact(artifactId, name, parts, append = false, lastChunk = true) {
    const artifact = { artifactId, name, description: "", parts, metadata: undefined, extensions: [] };
    this.bus.publish(AgentEvent.artifactUpdate({ ...this.ids, artifact, append, lastChunk, metadata: undefined }));
  }

  say(words) {
    this.bus.publish(AgentEvent.message(this.#message([text(words)], { taskId: "", contextId: this.ids.contextId })));
  }

  #message(parts, ids) {
    return { messageId: randomUUID(), ...ids, role: Role.ROLE_AGENT, parts, metadata: undefined, extensions: [], referenceTaskIds: [] };
  }
}

class Painter {
  #stages = new Map();

  constructor(gates) {
    this.gates = gates;
  }

  execute = async (context, bus) => {
    const stage = new Stage(context, bus);
    this.#stages.set(context.taskId, stage);
    const words = context.userMessage.parts.map((part) => (part.content?.$case === "text" ? part.content.value : "")).join("");
    await play(stage, this.gates, words, Boolean(context.task));
    if (!stage.isOver) bus.finished();
  };

  cancelTask = async (taskId, bus) => {
    const stage = this.#stages.get(taskId);
    stage.isOver = true;
    stage.status("CANCELED", text("Stopped"));
    bus.finished();
  };
}

/** Keeps a copy of every task in a folder, and begins with what is there. */
class FolderStore extends InMemoryTaskStore {
  #isRead = false;

  constructor(folder) {
    super();
    this.folder = folder;
  }

  async #read(context) {
    if (this.#isRead) return;
    this.#isRead = true;
    for (const name of readdirSync(this.folder)) {
      await super.save(Task.fromJSON(JSON.parse(readFileSync(`${this.folder}/${name}`, "utf8"))), context);
    }
  }

  async save(task, context) {
    await this.#read(context);
    await super.save(task, context);
    writeFileSync(`${this.folder}/${task.id}.json`, JSON.stringify(Task.toJSON(task)));
  }

  async load(id, context) {
    await this.#read(context);
    return super.load(id, context);
  }

  async list(params, context) {
    await this.#read(context);
    return super.list(params, context);
  }
}

function card(url) {
  const offered = ask.dialect.flatMap((protocolVersion) =>
    ask.binding.map((protocolBinding) => ({ url: url + PATHS[protocolBinding], protocolBinding, protocolVersion, tenant: "" })),
  );
  const skill = { id: "paint", name: "Paint", description: "Paints", tags: ["paint"], examples: [], inputModes: [], outputModes: [], securityRequirements: [] };
  return {
    name: "Painter", description: "Paints walls.", version: "1", provider: undefined, supportedInterfaces: offered,
    capabilities: { streaming: true, extensions: [] }, securitySchemes: {}, securityRequirements: [], signatures: [],
    defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain"], skills: [skill],
  };
}

const tell = (said) => process.stdout.write(`${JSON.stringify(said)}\n`);
console.error = () => {}; // What breaks here is meant to.
const gates = new Gates();
const streams = new Set();
const app = express();
const server = createServer(app);
server.listen(Number(ask.port), "127.0.0.1", () => {
  const url = `http://127.0.0.1:${server.address().port}/`;
  const store = ask.store ? new FolderStore(ask.store) : new InMemoryTaskStore();
  const requestHandler = new DefaultRequestHandler(card(url), store, new Painter(gates));
  const legacyCompat = { enabled: ask.dialect.includes("0.3") };
  const options = { requestHandler, userBuilder: UserBuilder.noAuthentication, legacyCompat };
  app.use((request, response, next) => {
    streams.add(response);
    response.on("close", () => streams.delete(response));
    if (!ask.token || request.path === CARD || request.headers.authorization === `Bearer ${ask.token}`) return next();
    response.setHeader("www-authenticate", 'Bearer realm="painter"');
    response.status(401).json({ detail: "token missing" });
  });
  app.use(CARD, agentCardHandler({ agentCardProvider: requestHandler, legacyCompat }));
  app.use("/rest", restHandler(options));
  app.use("/", jsonRpcHandler(options));
  tell({ type: "listening", url, card: url.slice(0, -1) + CARD });
});

const steer = createInterface({ input: process.stdin });
steer.on("line", (line) => {
  if (line === "drop") for (const response of streams) response.socket.destroy();
  else gates.tell(line);
  tell({ type: "did", line });
});
steer.on("close", () => process.exit(0));
