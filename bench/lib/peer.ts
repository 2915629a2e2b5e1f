import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { freePort } from '../../scripts/lib/services.mjs'
import { atEnd } from './ending.ts'
import { sleep } from './numbers.ts'
import { endProcess } from './workers.ts'

const START_MS = 60_000

/** `peer.json` in the folder of another product, built already: how it is started, and when its page can be used. */
const PeerFile = z.object({
  name: z.string(),
  /** The program and its arguments; the port is in the setting `PORT`. */
  command: z.array(z.string()).min(1),
  path: z.string().default('/'),
  /** A CSS selector of the message field. */
  field: z.string().default('textarea'),
})

export interface Peer {
  name: string
  url: string
  field: string
}

/** Starts another product to measure it beside ours, on loopback. */
export async function startPeer(folder: string): Promise<Peer> {
  const { name, command, path, field } = PeerFile.parse(JSON.parse(readFileSync(join(folder, 'peer.json'), 'utf8')))
  const [program = '', ...args] = command
  const port = await freePort()
  const env = { ...process.env, PORT: String(port), HOST: '127.0.0.1' }
  const child = spawn(program, args, { cwd: folder, env, stdio: 'ignore' })
  atEnd(() => endProcess(child, 'SIGKILL'))
  const url = `http://localhost:${port}${path}`
  for (const until = performance.now() + START_MS; performance.now() < until; await sleep(200)) {
    if (child.exitCode !== null) throw new Error(`${name} завершился с кодом ${child.exitCode}`)
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return { name, url, field }
  }
  throw new Error(`${name} не отвечает по адресу ${url}`)
}
