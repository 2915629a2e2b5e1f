import { createHash } from 'node:crypto'
import { mkdir, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The embedded database has no lock of its own, and two processes on one folder lose data silently.
 * A listening socket is the lock: the system frees it with the process, however that ends.
 */
export async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const name = createHash('sha256')
    .update(await realpath(folder))
    .digest('hex')
    .slice(0, 24)
  const path = join(tmpdir(), `symbol-${name}.lock`)
  const server = (await listen(path)) ?? (await takeOver(path, folder))
  return () => new Promise((done) => server.close(() => done()))
}

async function takeOver(path: string, folder: string): Promise<Server> {
  if (!(await isHeld(path))) {
    await rm(path, { force: true })
    const server = await listen(path)
    if (server) return server
  }
  throw new Error(
    `Папка данных ${folder} уже занята другим запущенным сервером. Остановите его или задайте другой DATA_DIR.`,
  )
}

function listen(path: string): Promise<Server | null> {
  return new Promise((done, fail) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => (error.code === 'EADDRINUSE' ? done(null) : fail(error)))
    server.listen(path, () => {
      server.unref()
      done(server)
    })
  })
}

function isHeld(path: string): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy()
      done(true)
    })
    socket.once('error', () => done(false))
  })
}
