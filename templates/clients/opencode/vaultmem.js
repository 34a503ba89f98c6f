// What is known goes in, what is said is kept: the hooks of vaultmem for opencode.
import { spawn, spawnSync } from "node:child_process"

const VAULTMEM = ["vaultmem"]
const DEADLINE_MS = 4000

// The memory for an event; "" where there is none, or anything went wrong.
const hook = (event) =>
  new Promise((resolve) => {
    let told = ""
    const done = () => {
      try {
        resolve(told ? JSON.parse(told).context || "" : "")
      } catch {
        resolve("")
      }
    }
    try {
      const [command, ...args] = [...VAULTMEM, "hook", "opencode"]
      const child = spawn(command, args, { stdio: ["pipe", "pipe", "ignore"] })
      const timer = setTimeout(() => child.kill(), DEADLINE_MS)
      child.on("error", () => resolve(""))
      child.on("close", () => {
        clearTimeout(timer)
        done()
      })
      child.stdout.on("data", (piece) => (told += piece))
      child.stdin.on("error", () => {})
      child.stdin.end(JSON.stringify(event))
    } catch {
      resolve("")
    }
  })

const textOf = (parts) =>
  (parts || [])
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n")

export const Vaultmem = async ({ client, directory }) => {
  const sessions = new Map() // id -> what it is given, and whether it waits for a reply
  const event = (name, id, more) =>
    hook({ hook_event_name: name, session_id: id, cwd: directory, ...more })
  const begun = async (id) => {
    if (!sessions.has(id)) {
      sessions.set(id, { standing: "", fresh: "", waits: false })
      sessions.get(id).standing = await event("SessionStart", id, { source: "startup" })
    }
    return sessions.get(id)
  }
  const reply = async (id) => {
    const found = await client.session.messages({ path: { id } })
    const last = (found.data || []).filter((each) => each.info.role === "assistant").pop()
    return last ? textOf(last.parts) : ""
  }
  process.once("exit", () => {
    const [command, ...args] = [...VAULTMEM, "hook", "opencode"]
    for (const id of sessions.keys()) {
      const told = { hook_event_name: "SessionEnd", session_id: id, cwd: directory }
      spawnSync(command, args, { input: JSON.stringify(told), timeout: DEADLINE_MS })
    }
  })
  return {
    "chat.message": async (input, output) => {
      const session = await begun(input.sessionID)
      const prompt = textOf(output.parts)
      session.fresh = await event("UserPromptSubmit", input.sessionID, { prompt })
      session.waits = true
    },
    "experimental.chat.system.transform": async (input, output) => {
      const session = sessions.get(input.sessionID) || [...sessions.values()].pop()
      if (!session) return
      for (const text of [session.standing, session.fresh]) if (text) output.system.push(text)
    },
    "experimental.session.compacting": async (input, output) => {
      const session = sessions.get(input.sessionID)
      if (session && session.standing) output.context.push(session.standing)
    },
    event: async ({ event: told }) => {
      const id = told.properties && told.properties.sessionID
      const session = id && sessions.get(id)
      if (told.type !== "session.idle" || !session || !session.waits) return
      session.waits = false
      try {
        await event("Stop", id, { last_assistant_message: await reply(id) })
      } catch {
        await event("Stop", id, { last_assistant_message: "" })
      }
    },
  }
}
