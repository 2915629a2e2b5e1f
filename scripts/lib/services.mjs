import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresFolder } from './machine.mjs'

/** Below the ports that systems give to outgoing connections: one of those would be taken before it is used. */
const PORTS = { from: 15_000, count: 15_000 }
const usedPorts = new Set()

/** A port that is free together with the next one, which the fake payment gateway of a server takes. */
export async function freePort() {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * PORTS.count)
    if (usedPorts.has(port) || usedPorts.has(port + 1) || !(await isFree(port)) || !(await isFree(port + 1))) continue
    usedPorts.add(port).add(port + 1)
    return port
  }
}

function isFree(port) {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(false))
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)))
  })
}

/** A Postgres of our own on loopback, in a temporary folder, gone with `stop`. Null where there is none to run. */
export async function startPostgres(more = {}) {
  const bin = postgresFolder()
  if (!bin) return null
  const folder = mkdtempSync(join(tmpdir(), 'symbol-postgres-'))
  const port = await freePort()
  // Postgres refuses to run as root.
  const owner = process.getuid?.() === 0 ? postgresUser() : {}
  if (owner.uid) chownSync(folder, owner.uid, owner.gid)
  const options = { ...owner, cwd: folder, stdio: 'ignore' }
  execFileSync(
    join(bin, 'initdb'),
    ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'],
    options,
  )
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: 200,
    ...more,
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(join(bin, 'postgres'), ['-D', folder, ...flags], options)
  await untilReachable(port)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => stop(child, folder, 'SIGINT'),
  }
}

function postgresUser() {
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

export async function startRedis() {
  const folder = mkdtempSync(join(tmpdir(), 'symbol-redis-'))
  const port = await freePort()
  const child = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder], {
    stdio: 'ignore',
  })
  const missing = await new Promise((done) => {
    child.once('error', () => done(true))
    child.once('spawn', () => done(false))
  })
  if (missing) return null
  await untilReachable(port)
  return { url: `redis://127.0.0.1:${port}`, stop: () => stop(child, folder, 'SIGTERM') }
}

function stop(child, folder, signal) {
  return new Promise((done) => {
    child.once('exit', () => {
      rmSync(folder, { recursive: true, force: true })
      done()
    })
    child.kill(signal)
  })
}

async function untilReachable(port) {
  const { connect } = await import('node:net')
  for (let tries = 0; tries < 100; tries++) {
    const reached = await new Promise((done) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.destroy()
        done(true)
      })
      socket.once('error', () => done(false))
    })
    if (reached) return
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error(`Nothing answers on port ${port}`)
}
