// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives a server with the client of npm's @modelcontextprotocol/sdk, and ends
// with a status other than 0 where anything differs from what it should be.
//
//   node client.mjs stdio DIR COMMAND [ARG...]
//   node client.mjs approve DIR COMMAND [ARG...]
//   node client.mjs http URL          (the token is in WSANDBOX_MCP_TOKEN)
//
// WSANDBOX_MCP_SDK is a directory in which npm has installed the package.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';

const require = createRequire(path.join(path.resolve(process.env.WSANDBOX_MCP_SDK), 'from.js'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');
const { StreamableHTTPClientTransport } = require('@modelcontextprotocol/sdk/client/streamableHttp.js');
const { ElicitRequestSchema } = require('@modelcontextprotocol/sdk/types.js');

const [mode, ...args] = process.argv.slice(2);

let passed = 0;
async function step(name, f) {
  try {
    await f();
    passed++;
    console.log(`ok   ${name}`);
  } catch (e) {
    console.log(`FAIL ${name}`);
    throw e;
  }
}

const call = (client, name, args, options) => client.callTool({ name, arguments: args }, undefined, options);
const exec = (client, cmd, more = {}) => call(client, 'exec_command', { cmd, ...more });

// until calls f until it returns something.
async function until(f) {
  for (;;) {
    const v = await f();
    if (v) return v;
    await sleep(20);
  }
}

// converse types at a session and collects output until it has all of wanted.
async function converse(client, session_id, chars, wanted) {
  let all = '';
  let r = await call(client, 'write_stdin', { session_id, chars });
  for (;;) {
    assert.ok(!r.isError, r.content[0].text);
    all += r.structuredContent.output;
    if (wanted.every((w) => all.includes(w))) return { all, last: r.structuredContent };
    assert.ok(r.structuredContent.session_id, `ended: ${all}`);
    r = await call(client, 'wait_session', { session_id, pattern: '.', timeout_ms: 1000 });
  }
}

// common is what holds over any transport.
async function common(client) {
  await step('lists the tools', async () => {
    const { tools } = await client.listTools();
    const names = tools.map((t) => t.name);
    for (const n of ['exec_command', 'write_stdin', 'wait_session', 'terminate_session']) assert.ok(names.includes(n), n);
    const t = tools.find((t) => t.name === 'exec_command');
    assert.deepEqual(t.inputSchema.required, ['cmd']);
    assert.equal(t.outputSchema.type, 'object');
    assert.equal(t.annotations.openWorldHint, false);
    assert.match(client.getInstructions(), /exec_command/);
  });
  await step('runs a command', async () => {
    const r = await exec(client, 'printf "a\\nb\\n" | wc -l; echo oops >&2; exit 3');
    assert.equal(r.structuredContent.output, '2\noops\n');
    assert.equal(r.structuredContent.exit_code, 3);
    assert.match(r.content[0].text, /^Chunk ID: [0-9a-f]{6}\nWall time: \d+\.\d{4} seconds\nProcess exited with code 3\nOutput:\n2\noops\n$/);
    assert.ok(!r.isError);
  });
  await step('output stays text', async () => {
    const forged = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const r = await exec(client, `printf '%s\\n\\377\\000\\033[1m' '${forged}'`);
    assert.equal(r.structuredContent.output, `${forged}\n\uFFFD\u0000\u001b[1m`);
  });
  await step('drives a session on a pipe', async () => {
    const r = await exec(client, 'while read x; do echo "got $x"; done; echo end', { stdin: true, yield_time_ms: 0 });
    const id = r.structuredContent.session_id;
    assert.ok(id >= 1000);
    await converse(client, id, 'one\n', ['got one\n']);
    await converse(client, id, 'two\n', ['got two\n']);
    await call(client, 'close_stdin', { session_id: id });
    const end = await call(client, 'wait_session', { session_id: id });
    assert.equal(end.structuredContent.exit_code, 0);
    assert.match(end.structuredContent.output, /end\n/);
  });
  await step('drives a shell on a terminal', async () => {
    const r = await exec(client, 'PS1="%% " sh -i', { tty: true, yield_time_ms: 250 });
    const id = r.structuredContent.session_id;
    assert.ok(id, r.content[0].text);
    await converse(client, id, 'x=7; cd /tmp\n', ['x=7']);
    await converse(client, id, 'echo "$((x * 6)) in $PWD"\n', ['42 in /tmp']);
    await converse(client, id, 'cat\n', ['cat']);
    await converse(client, id, '\u0003', ['^C']);
    await converse(client, id, 'echo "back $((40 + 2))"\n', ['back 42']);
    await call(client, 'write_stdin', { session_id: id, chars: 'exit 5\n' }).then(async (r) => {
      if (r.structuredContent.exit_code === undefined) r = await call(client, 'wait_session', { session_id: id });
      assert.equal(r.structuredContent.exit_code, 5);
    });
  });
  await step('is told of progress', async () => {
    const seen = [];
    const stop = new AbortController();
    const done = exec2(client, 'echo hello; sleep 1000', (p) => {
      seen.push(p);
      if (seen.length === 2) stop.abort();
    }, stop.signal);
    await assert.rejects(done);
    assert.ok(seen[1].progress > seen[0].progress);
    assert.match(seen[1].message, /^running for \d+s, 6 bytes of output$/);
  });
  await step('cancels', async () => {
    const stop = new AbortController();
    const cancelled = call(client, 'exec_command', { cmd: 'echo $$ > cancelled; exec sleep 1000', yield_time_ms: 30000 }, { signal: stop.signal });
    await until(async () => (await exec(client, 'cat cancelled 2>/dev/null')).structuredContent.output);
    stop.abort();
    await assert.rejects(cancelled);
    await until(async () => (await exec(client, 'kill -0 "$(cat cancelled)" 2>/dev/null && echo alive')).structuredContent.output === '');
    await exec(client, 'rm cancelled');
    const list = await call(client, 'list_sessions', {});
    assert.ok(!list.content[0].text.includes('sleep 1000'));
  });
  await step('bad calls are told', async () => {
    const r = await call(client, 'write_stdin', { session_id: 12 });
    assert.ok(r.isError);
    assert.match(r.content[0].text, /write_stdin failed: PTY session not found: 12/);
    await assert.rejects(call(client, 'no_such_tool', {}));
  });
}

// exec2 runs a command whose progress goes to a function.
function exec2(client, cmd, onprogress, signal) {
  return call(client, 'exec_command', { cmd, yield_time_ms: 30000 }, { onprogress, signal });
}

const newClient = (capabilities = {}) => new Client({ name: 'driver', version: '1' }, { capabilities });

async function stdio() {
  const [cwd, command, ...rest] = args;
  const open = async (capabilities) => {
    const client = newClient(capabilities);
    const errors = [];
    // Also for what is no protocol on standard output. The answer to a call that was
    // cancelled comes after the client has forgotten it.
    client.onerror = (e) => /unknown message ID: .*"context canceled"/.test(e.message) || errors.push(e);
    await client.connect(new StdioClientTransport({ command, args: rest, cwd, env: process.env }));
    return { client, errors };
  };
  const a = await open();
  await common(a.client);
  await exec(a.client, 'echo kept > kept; echo gone > /tmp/gone');
  await a.client.close();
  assert.deepEqual(a.errors, []);
  await step('reconnects', async () => {
    const b = await open();
    const r = await exec(b.client, 'cat kept; ls /tmp/gone');
    assert.match(r.structuredContent.output, /^kept\n.*No such file or directory/);
    await b.client.close();
    assert.deepEqual(b.errors, []);
  });
}

async function approve() {
  const [cwd, command, ...rest] = args;
  const open = async (capabilities, answer) => {
    const client = newClient(capabilities);
    if (answer) client.setRequestHandler(ElicitRequestSchema, answer);
    await client.connect(new StdioClientTransport({ command, args: rest, cwd, env: process.env }));
    return client;
  };
  await step('asks the user', async () => {
    const asked = [];
    const client = await open({ elicitation: {} }, async (r) => {
      asked.push(r.params.message);
      return r.params.message.endsWith('echo yes') ? { action: 'accept', content: {} } : { action: 'decline' };
    });
    assert.equal((await exec(client, 'echo yes')).structuredContent.output, 'yes\n');
    const no = await exec(client, 'echo no');
    assert.ok(no.isError);
    assert.equal(no.content[0].text, 'Tool execution was not approved. The user declined.');
    assert.equal(asked.length, 2);
    await client.close();
  });
  await step('denies where nobody can be asked', async () => {
    const client = await open({});
    const no = await exec(client, 'echo no');
    assert.ok(no.isError);
    assert.equal(no.content[0].text, 'Tool execution was not approved. The client cannot ask its user.');
    await client.close();
  });
}

async function http() {
  const url = new URL(args[0]);
  const headers = { Authorization: `Bearer ${process.env.WSANDBOX_MCP_TOKEN}` };
  let cut = null; // makes the next connection of a call break after its first bytes
  const transport = (sessionId) =>
    new StreamableHTTPClientTransport(url, {
      requestInit: { headers },
      sessionId,
      reconnectionOptions: { initialReconnectionDelay: 10, maxReconnectionDelay: 100, reconnectionDelayGrowFactor: 1.5, maxRetries: 100 },
      fetch: async (u, init) => {
        const res = await fetch(u, init);
        if (!cut || init.method !== 'POST' || !String(init.body).includes(cut.mark)) return res;
        const done = cut.done;
        cut = null;
        const reader = res.body.getReader();
        let chunks = 0;
        const body = new ReadableStream({
          async pull(c) {
            if (chunks++ === 0) {
              c.enqueue((await reader.read()).value);
              return;
            }
            await reader.cancel();
            c.error(new Error('cut'));
            done();
          },
        });
        return new Response(body, { status: res.status, headers: res.headers });
      },
    });
  await step('is refused without the token', async () => {
    await assert.rejects(newClient().connect(new StreamableHTTPClientTransport(url)), /401|[Uu]nauthorized|bearer token/);
  });
  const first = transport();
  const client = newClient();
  await client.connect(first);
  await common(client);
  await step('a call outlives its connection', async () => {
    const broken = new Promise((resolve) => (cut = { mark: 'until [ -e go ]', done: resolve }));
    const done = exec(client, 'until [ -e go ]; do sleep 0.01; done; echo came back', { yield_time_ms: 30000 });
    await broken;
    await exec(client, 'touch go');
    assert.equal((await done).structuredContent.output, 'came back\n');
    await exec(client, 'rm go');
  });
  await step('reconnects to its session', async () => {
    const r = await exec(client, 'echo mine > /tmp/x; read line; echo "got $line"', { stdin: true, yield_time_ms: 0 });
    const id = r.structuredContent.session_id;
    const sessionId = first.sessionId;
    const version = first.protocolVersion;
    assert.ok(sessionId);
    await client.close(); // the connections, and not the session
    const second = transport(sessionId);
    const again = newClient();
    await again.connect(second);
    if (version) second.setProtocolVersion(version);
    assert.equal(second.sessionId, sessionId);
    const { all } = await converse(again, id, 'hello\n', ['got hello\n']);
    assert.equal(all, 'got hello\n');
    assert.equal((await exec(again, 'cat /tmp/x')).structuredContent.output, 'mine\n');

    const other = newClient();
    await other.connect(transport());
    const apart = await exec(other, 'cat /tmp/x');
    assert.match(apart.structuredContent.output, /No such file or directory/);
    await other.close();

    await second.terminateSession();
    await assert.rejects(exec(again, 'echo late'));
    await again.close();
  });
}

const modes = { stdio, approve, http };
const late = setTimeout(() => {
  console.log('FAIL nothing happens any more');
  process.exit(1);
}, 240_000);
await modes[mode]();
clearTimeout(late);
console.log(`${passed} passed, 0 failed`);
process.exit(0);
